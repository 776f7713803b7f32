// Ranges: disjoint intervals of numbers, here from the store in memory, asked for by a blocking
// call.

#include <holdfast/io/runtime.h>
#include <holdfast/store_memory/memory_store.h>

#include <chrono>
#include <cstdio>
#include <variant>

namespace hf = holdfast;
using std::chrono_literals::operator""s;

// begin reserve
// 1,000 order numbers, disjoint from everybody else's. Empty: none to be had.
std::optional<hf::Range> order_numbers(hf::Runtime& runtime, hf::Store& store) {
    const hf::RangeKey key = hf::RangeKey::parse("orders/number").value();
    const hf::Deadline deadline = hf::Deadline::in(1s, runtime.clock());
    auto answer =
        hf::wait(runtime, store.ranges().reserve(hf::ReserveRequest(key, 1000), deadline));
    if (!answer.ok()) {
        // We could not ask, or lost the answer: effect() says which. Asking again never repeats a
        // number.
        return std::nullopt;
    }
    if (const auto* range = std::get_if<hf::Range>(&answer.value())) {
        return *range;  // [start, end): ours alone, for ever
    }
    return std::nullopt;  // the store answered: the key is sealed, or its numbers are used up
}
// end reserve

int main() {
    auto opened = hf::open_runtime(hf::RuntimeOptions().loops(1));
    if (!opened.ok()) {
        return 1;
    }
    hf::Runtime& runtime = *opened.value();
    const auto store = hf::open_memory_store();

    std::int64_t last_end = 0;
    for (int i = 0; i < 3; ++i) {
        const auto range = order_numbers(runtime, *store);
        if (!range.has_value() || range->start < last_end) {
            return 1;
        }
        last_end = range->end;
        std::printf(
            "order numbers %lld..%lld\n",
            static_cast<long long>(range->start),
            static_cast<long long>(range->end - 1)
        );
    }
    return 0;
}
