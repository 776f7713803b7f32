// Many calls at once, from all loops: each is one step, before or after any other.
#include "groups.h"
#include "trial.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace holdfast {
namespace {

using std::chrono::seconds;

constexpr std::string_view group = "concurrency";
constexpr int callers = 8;
constexpr int calls_each = 25;

Task<std::vector<Range>> reserve_often(Store& store, RangeKey key, int size, Deadline deadline) {
    std::vector<Range> ranges;
    for (int i = 0; i < calls_each; ++i) {
        auto answer = co_await store.ranges().reserve(ReserveRequest(key, size), deadline);
        if (!answer.ok()) {
            co_return std::move(answer).error();
        }
        if (const auto* range = std::get_if<Range>(&answer.value())) {
            ranges.push_back(*range);
        }
        co_await yield();
    }
    co_return ranges;
}

// Runs one task on each loop in turn and waits for all.
template <class T, class Make>
std::vector<Result<T>> on_all_loops(Trial& t, int tasks, Make make) {
    std::vector<std::optional<Result<T>>> answers(static_cast<std::size_t>(tasks));
    std::vector<Signal> done(static_cast<std::size_t>(tasks));
    for (std::size_t i = 0; i < answers.size(); ++i) {
        spawn(
            t.runtime().loop(i % t.runtime().loop_count()),
            Task<T>(make(static_cast<int>(i))),
            [&answers, &done, i](Result<T> answer) {
                answers[i].emplace(std::move(answer));
                done[i].set();
            }
        );
    }
    std::vector<Result<T>> all;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        t.runtime().block(done[i]);
        all.push_back(std::move(*answers[i]));
    }
    return all;
}

std::vector<Range> ranges_of_all(Trial& t, std::int64_t& expected_end) {
    const RangeKey key = t.key();
    const auto answers = on_all_loops<std::vector<Range>>(t, callers, [&](int i) {
        return reserve_often(t.store(), key, i + 1, t.soon());
    });
    std::vector<Range> all;
    expected_end = 0;
    for (int i = 0; i < callers; ++i) {
        const auto& answer = answers[static_cast<std::size_t>(i)];
        if (t.expect(answer.ok(), "a concurrent reserve failed")) {
            all.insert(all.end(), answer.value().begin(), answer.value().end());
        }
        expected_end += std::int64_t{calls_each} * (i + 1);
    }
    return all;
}

template <class Outcome, class Wanted>
int count_of(Trial& t, const std::vector<Result<Outcome>>& answers) {
    int count = 0;
    for (const auto& answer : answers) {
        if (t.expect(answer.ok(), "a concurrent call failed")) {
            count += std::holds_alternative<Wanted>(answer.value()) ? 1 : 0;
        }
    }
    return count;
}

constexpr Promise table[] = {
    {group,
     "concurrent reserves of one key are disjoint and leave no gap",
     Needs::nothing,
     [](Trial& t) {
         std::int64_t expected_end = 0;
         std::vector<Range> all = ranges_of_all(t, expected_end);
         std::sort(all.begin(), all.end(), [](const Range& a, const Range& b) {
             return a.start < b.start;
         });
         std::int64_t next = 0;
         for (const Range& range : all) {
             t.expect_equal(range.start, next, "start");
             next = range.end;
         }
         t.expect_equal(next, expected_end, "end of the last range");
     }},
    {group,
     "concurrent reserves of many keys are each counted",
     Needs::nothing,
     [](Trial& t) {
         const auto answers = on_all_loops<std::vector<Range>>(t, callers, [&](int i) {
             return reserve_often(t.store(), t.key("/" + std::to_string(i)), 10, t.soon());
         });
         for (const auto& answer : answers) {
             if (t.expect(answer.ok() && !answer.value().empty(), "a concurrent reserve failed")) {
                 t.expect_equal(answer.value().back().end, 10 * calls_each, "end");
             }
         }
     }},
    {group,
     "first reserves at the same time agree on the initial offset",
     Needs::nothing,
     [](Trial& t) {
         const RangeKey key = t.key();
         const auto answers = on_all_loops<ReserveOutcome>(t, callers, [&](int i) {
             return t.store().ranges().reserve(ReserveRequest(key, 10, 1000 * (i + 1)), t.soon());
         });
         std::set<std::int64_t> starts;
         for (const auto& answer : answers) {
             const auto* range = answer.ok() ? std::get_if<Range>(&answer.value()) : nullptr;
             if (t.expect(range != nullptr, "a concurrent reserve failed")) {
                 starts.insert(range->start);
             }
         }
         t.expect_equal(static_cast<std::int64_t>(starts.size()), callers, "different starts");
         if (!starts.empty()) {
             t.expect_equal(*starts.rbegin() - *starts.begin(), 10 * (callers - 1), "spread");
         }
     }},
    {group,
     "one slot is granted once",
     Needs::nothing,
     [](Trial& t) {
         const auto answers = on_all_loops<AcquireOutcome>(t, callers, [&](int i) {
             const auto owner = "owner-" + std::to_string(i);
             return t.store().slots().acquire(t.ask(owner).limit(1), t.soon());
         });
         t.expect_equal(count_of<AcquireOutcome, Acquired>(t, answers), 1, "grants");
         t.expect_equal(
             count_of<AcquireOutcome, SlotsExhausted>(t, answers), callers - 1, "refusals"
         );
     }},
    {group,
     "thirty two callers share eight slots",
     Needs::nothing,
     [](Trial& t) {
         const auto answers = on_all_loops<AcquireOutcome>(t, 4 * callers, [&](int i) {
             const auto owner = "owner-" + std::to_string(i);
             return t.store().slots().acquire(t.ask(owner).limit(8), t.soon());
         });
         std::set<Slot> slots;
         for (const auto& answer : answers) {
             const auto* granted = answer.ok() ? std::get_if<Acquired>(&answer.value()) : nullptr;
             if (granted != nullptr) {
                 t.expect(slots.insert(granted->lease.slot).second, "a slot was granted twice");
             }
         }
         t.expect_equal(count_of<AcquireOutcome, Acquired>(t, answers), 8, "grants");
     }},
    {group,
     "the same acquire sent many times takes one slot",
     Needs::nothing,
     [](Trial& t) {
         const AcquireRequest request = t.ask("owner");
         const auto answers = on_all_loops<AcquireOutcome>(t, callers, [&](int) {
             return t.store().slots().acquire(request, t.soon());
         });
         std::set<Slot> slots;
         for (const auto& answer : answers) {
             const auto* granted = answer.ok() ? std::get_if<Acquired>(&answer.value()) : nullptr;
             if (t.expect(granted != nullptr, "an acquire was not granted")) {
                 slots.insert(granted->lease.slot);
                 t.expect_equal(
                     static_cast<std::int64_t>(granted->lease.fence.value()), 1, "fence"
                 );
             }
         }
         t.expect_equal(static_cast<std::int64_t>(slots.size()), 1, "slots taken");
     }},
    {group,
     "the same release sent many times frees once",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const auto answers = on_all_loops<ReleaseOutcome>(t, callers, [&](int) {
             return t.store().slots().release(lease.key(), lease.row().floor, t.soon());
         });
         t.expect_equal(count_of<ReleaseOutcome, Released>(t, answers), 1, "releases");
     }},
    {group,
     "concurrent renewals all succeed and keep the highest ceiling",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner").limit(1));
         const auto answers = on_all_loops<RenewOutcome>(t, callers, [&](int i) {
             return t.store().slots().renew(lease.key(), seconds(30 + i), seconds(1), t.soon());
         });
         StoreTime highest;
         for (const auto& answer : answers) {
             const auto* row = answer.ok() ? std::get_if<SlotLease>(&answer.value()) : nullptr;
             if (t.expect(row != nullptr, "a renewal was refused")) {
                 highest = std::max(highest, row->ceiling);
             }
         }
         t.expect(t.renew(lease).ceiling >= highest, "a ceiling was lost");
     }},
};

}  // namespace

std::span<const Promise> concurrency_promises() {
    return table;
}

}  // namespace holdfast
