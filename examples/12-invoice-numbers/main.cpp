// Numbers that start again each month, as invoices have them. The period belongs to the number:
// alone it would come again next month.

#include <holdfast/ids/id_runtime.h>
#include <holdfast/io/runtime.h>
#include <holdfast/store_memory/memory_store.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace hf = holdfast;
using std::chrono_literals::operator""s;

namespace {

// begin invoices
hf::Result<hf::IdRuntimeOptions> invoices() {
    auto zone = hf::TimeZone::find("Europe/Berlin");  // whose midnight ends a month
    if (!zone.ok()) {
        return std::move(zone).error();
    }
    hf::PeriodOptions monthly =
        hf::PeriodOptions().period(hf::Period::month).zone(std::move(zone).value());
    // Dense: one call of the store for each answer, and no number is lost when a process ends.
    hf::SegmentOptions dense = hf::SegmentOptions().mode(hf::SegmentMode::direct).offset(1);
    return hf::IdRuntimeOptions(hf::Namespace::parse("shop").value())
        .add(hf::GeneratorOptions::periodic("invoice", std::move(monthly), dense));
}
// end invoices

// begin next
int print_some(hf::Runtime& runtime, hf::IdGenerator& generator) {
    std::array<std::int64_t, 3> numbers{};
    const auto got =
        hf::wait(runtime, generator.fill_of_period(numbers, hf::Deadline::in(1s, runtime.clock())));
    if (!got.ok()) {
        return 1;
    }
    // All are of one period, which at its end makes them fewer than asked for.
    for (std::size_t i = 0; i < got.value().count; ++i) {
        std::printf("%s-%04lld\n", got.value().period.c_str(), static_cast<long long>(numbers[i]));
    }
    return 0;
}
// end next

}  // namespace

int main() {
    auto opened = hf::open_runtime(hf::RuntimeOptions().loops(1));
    auto options = invoices();
    if (!opened.ok() || !options.ok()) {
        return 1;
    }
    hf::Runtime& runtime = *opened.value();
    hf::Metrics metrics;
    hf::Log log(hf::LogFormat::text, hf::LogLevel::warn, runtime.clock());
    const auto store = hf::open_memory_store();  // for trying out: it forgets with the process
    hf::IdStores stores = {hf::IdStore{"main", store.get()}};
    auto ids = hf::wait(
        runtime,
        hf::open_id_runtime(
            std::move(options).value(),
            std::move(stores),
            runtime,
            metrics,
            log,
            hf::Deadline::in(5s, runtime.clock())
        )
    );
    if (!ids.ok()) {
        return 1;
    }
    const int code = print_some(runtime, *ids.value()->find("invoice"));
    const auto closed =
        hf::wait(runtime, ids.value()->close(hf::Deadline::in(5s, runtime.clock())));
    return closed.ok() ? code : 1;
}
