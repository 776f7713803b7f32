// Ids as text: a prefix and the id's own date around a number, ids that are only ever text, and the
// way back. Texts sort as their ids do, and a JavaScript client loses nothing of them.

#include <holdfast/ids/id_runtime.h>
#include <holdfast/io/runtime.h>
#include <holdfast/store_memory/memory_store.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace hf = holdfast;
using std::chrono_literals::operator""s;

namespace {

// begin texts
hf::IdRuntimeOptions shop_ids() {
    // O-261105-00HWbRgXmPQ: prefix, the day of the id itself, the number in radix 62.
    hf::CodecOptions order_text = hf::CodecOptions(hf::TextBase::radix62)
                                      .layout(hf::IdLayout::milliseconds())
                                      .prefix("O-")
                                      .date_prefix(hf::PrefixOptions().pattern("yyMMdd"));
    const hf::Namespace shop = hf::Namespace::parse("shop").value();
    const hf::OwnerKey host = hf::OwnerKey::parse("host-1").value();
    return hf::IdRuntimeOptions(shop)
        .machine(hf::LeasedMachine(shop, host))
        .add(hf::GeneratorOptions::snowflake("order").codec(std::move(order_text)))
        .add(hf::GeneratorOptions::string("cart"));  // 15 characters, time first
}
// end texts

int print_some(hf::IdGenerator& generator) {
    std::string before;
    for (int i = 0; i < 3; ++i) {
        const auto text = generator.next_text();
        if (!text.ok()) {
            return 1;
        }
        const auto parts = generator.parse_parts(text.value());
        if (!parts.ok() || text.value() <= before) {
            return 1;  // it is read back, and it sorts behind the one before
        }
        std::printf(
            "%s  machine %lld, sequence %lld\n",
            text.value().c_str(),
            static_cast<long long>(parts.value().machine),
            static_cast<long long>(parts.value().sequence)
        );
        before = text.value();
    }
    return 0;
}

}  // namespace

int main() {
    auto opened = hf::open_runtime(hf::RuntimeOptions().loops(1));
    if (!opened.ok()) {
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
            shop_ids(),
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
    const int code =
        print_some(*ids.value()->find("order")) + print_some(*ids.value()->find("cart"));
    const auto closed =
        hf::wait(runtime, ids.value()->close(hf::Deadline::in(5s, runtime.clock())));
    return closed.ok() ? code : 1;
}
