#include "callers.h"

#include "counted.h"
#include "machine.h"

#include <holdfast/io/compose.h>

namespace holdfast::bench {
namespace {

struct Work {
    std::uint64_t next = 0;
    std::uint64_t operations;
    const Call* call;
};

// All callers are on one loop: nothing here is shared between threads.
Task<> caller(Work& work) {
    while (work.next < work.operations) {
        const std::uint64_t number = work.next++;
        auto done = co_await (*work.call)(number);
        if (!done.ok() || !done.value()) {
            fail("a call of the store failed");
        }
    }
    co_return Done();
}

Task<Run> all_callers(std::size_t callers, std::uint64_t operations, const Call& call) {
    Work work{0, operations, &call};
    std::vector<Task<>> tasks;
    tasks.reserve(callers);
    for (std::size_t i = 0; i < callers; ++i) {
        tasks.push_back(caller(work));
    }
    const Counted counted;
    auto outcomes = co_await when_all(std::move(tasks));
    co_return counted.run(operations);
}

}  // namespace

Run run_callers(Runtime& runtime, std::size_t callers, std::uint64_t operations, Call call) {
    auto done = wait(runtime, all_callers(callers, operations, call));
    if (!done.ok()) {
        fail("the callers did not end");
    }
    return done.value();
}

std::vector<std::string> key_names(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back("bench/key-" + std::to_string(i));
    }
    return names;
}

std::vector<RangeKey> range_keys(std::size_t count) {
    std::vector<RangeKey> keys;
    for (const std::string& name : key_names(count)) {
        keys.push_back(RangeKey::parse(name).value());
    }
    return keys;
}

Task<bool> reserve_ten(RangeStore& ranges, const RangeKey& key) {
    Loop& loop = (co_await this_scope()).loop();
    ReserveRequest request(key, 10);
    auto outcome = co_await ranges.reserve(std::move(request), Deadline::in(call_time, loop.now()));
    co_return outcome.ok() && std::holds_alternative<Range>(outcome.value());
}

}  // namespace holdfast::bench
