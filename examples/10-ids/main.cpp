// Ids in the process that needs them: a machine number is leased from a SQLite file once, ids then
// come from memory, and the number is given back at the end.

#include <holdfast/ids/id_runtime.h>
#include <holdfast/io/runtime.h>
#include <holdfast/store_sql/sqlite_store.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace hf = holdfast;
using std::chrono_literals::operator""s;

namespace {

int complain(const hf::Error& error) {
    const std::string what(error.what());
    std::fprintf(stderr, "%s\n", what.c_str());
    return 1;
}

// begin open
// Two generators of "shop": ids that tell their time, and short numbers from reserved ranges.
hf::Result<std::unique_ptr<hf::IdRuntime>>
open_ids(hf::Runtime& runtime, hf::Store& store, hf::Metrics& metrics, hf::Log& log) {
    const hf::Namespace shop = hf::Namespace::parse("shop").value();
    const hf::OwnerKey host = hf::OwnerKey::parse("host-1").value();
    auto options = hf::IdRuntimeOptions(shop)
                       .machine(hf::LeasedMachine(shop, host))
                       .add(hf::GeneratorOptions::snowflake("order"))
                       .add(hf::GeneratorOptions::segment("item"));
    hf::IdStores stores = {hf::IdStore{"main", &store}};
    const hf::Deadline deadline = hf::Deadline::in(5s, runtime.clock());
    // An error says that no lease was to be had in time: ids are never issued without one.
    return hf::wait(
        runtime,
        hf::open_id_runtime(std::move(options), std::move(stores), runtime, metrics, log, deadline)
    );
}
// end open

// begin next
int use(hf::Runtime& runtime, hf::IdGenerator& orders, hf::IdGenerator& items) {
    // Never blocks and asks no store; an error says why not now, and no number was used twice.
    const auto order = orders.next();
    const auto text = orders.next_text();
    std::array<std::int64_t, 3> some{};
    // The form that waits: for the clock, or for the next range.
    const auto filled = hf::wait(runtime, items.fill(some, hf::Deadline::in(1s, runtime.clock())));
    if (!order.ok() || !text.ok() || !filled.ok()) {
        return complain(!order.ok() ? order.error() : !text.ok() ? text.error() : filled.error());
    }
    const auto parts = orders.parse_parts(text.value()).value();
    std::printf("order %lld\n", static_cast<long long>(order.value()));
    std::printf(
        "order %s: machine %lld\n", text.value().c_str(), static_cast<long long>(parts.machine)
    );
    for (const std::int64_t item : some) {
        std::printf("item %lld\n", static_cast<long long>(item));
    }
    return 0;
}
// end next

int run(const std::filesystem::path& file) {
    auto opened = hf::open_runtime(hf::RuntimeOptions().loops(1));
    if (!opened.ok()) {
        return complain(opened.error());
    }
    hf::Runtime& runtime = *opened.value();
    hf::Metrics metrics;
    hf::Log log(hf::LogFormat::text, hf::LogLevel::warn, runtime.clock());
    auto store = hf::open_sqlite_store(
        runtime, hf::SqliteStoreOptions(file.string()), hf::Deadline::in(5s, runtime.clock())
    );
    if (!store.ok()) {
        return complain(store.error());
    }
    auto ids = open_ids(runtime, *store.value(), metrics, log);
    if (!ids.ok()) {
        return complain(ids.error());
    }
    const int code = use(runtime, *ids.value()->find("order"), *ids.value()->find("item"));
    // The machine number is free at once; without this it is after its time to live.
    const auto closed =
        hf::wait(runtime, ids.value()->close(hf::Deadline::in(5s, runtime.clock())));
    return closed.ok() ? code : complain(closed.error());
}

}  // namespace

int main() {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "holdfast-example-10";
    std::filesystem::create_directories(folder);
    const int code = run(folder / "ids.db");
    std::filesystem::remove_all(folder);
    return code;
}
