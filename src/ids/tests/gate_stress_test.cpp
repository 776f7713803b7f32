// Threads against a gate that is closed and opened (U14 of the test plan). For ThreadSanitizer too.
#include "lease/gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

namespace holdfast {
namespace {

constexpr std::int64_t begin_ms = 1'767'225'600'000;
constexpr std::size_t takers = 8;

class HandClock final : public Clock {
public:
    SteadyTime steady_now() const override { return SteadyTime(Duration(ms.load())); }
    WallTime wall_now() const override { return WallTime(Duration(ms.load())); }
    std::atomic<std::int64_t> ms = begin_ms;
};

struct Row {
    std::uint32_t lease;
    std::uint64_t first;
    std::uint64_t count;
};

// What the leases that follow one another are like.
enum class Leases : std::uint8_t {
    later,      // of one slot: each begins where the one before ended
    same_time,  // of different slots, on a clock that stands: their words are the same
};

class Stress {
public:
    Stress(Leases kind, std::uint32_t leases, std::uint64_t operations)
        : kind_(kind), leases_(leases), operations_(operations) {}

    void run() {
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < takers; ++i) {
            threads.emplace_back([this, i] { take(i); });
        }
        open_and_close();
        done_ = true;
        for (std::thread& thread : threads) {
            thread.join();
        }
    }

    std::vector<Row> rows() const {
        std::vector<Row> all;
        for (const auto& own : taken_) {
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }
    std::int64_t last_tick(std::uint32_t lease) const { return last_ms_.at(lease); }
    std::int64_t floor(std::uint32_t lease) const { return floor_ms_.at(lease); }
    std::uint64_t asked() const { return asked_; }
    std::uint64_t issued() { return gate_.reading().issued; }
    static std::int64_t tick_of(std::uint64_t pair) {
        return static_cast<std::int64_t>(pair >> 16U);
    }

private:
    void take(std::size_t who) {
        while (!done_) {
            const Taken taken = gate_.take(1 + who % 3, 32'767);
            asked_.fetch_add(1, std::memory_order_relaxed);
            if (taken.count > 0) {
                taken_.at(who).push_back({taken.machine, taken.first, taken.count});
            }
        }
    }
    // Each lease is a machine of its own.
    void open_and_close() {
        std::int64_t floor = begin_ms;
        for (std::uint32_t lease = 0; lease < leases_; ++lease) {
            floor_ms_.push_back(floor);
            gate_.open(lease, StoreTime(Duration(floor)), StoreTime::max());
            const std::uint64_t enough = (lease + 1) * (operations_ / leases_);
            while (asked_.load(std::memory_order_relaxed) < enough) {
                std::this_thread::yield();
            }
            if (kind_ == Leases::later) {
                clock_.ms += lease % 5 == 0 ? -1 : 1;
            }
            const auto last = gate_.close(Refusal::no_lease);
            const std::int64_t end =
                last.has_value() ? last->time_since_epoch().count() : floor - 1;
            last_ms_.push_back(end);
            floor = kind_ == Leases::later ? std::max(end + 1, floor) : floor;
        }
    }

    const Leases kind_;
    const std::uint32_t leases_;
    const std::uint64_t operations_;
    HandClock clock_;
    TickClock ticks_{clock_, TickClock::Source::wall, TickClock::Reading::exact};
    Gate gate_{IdLayout::text(), ticks_, Duration(60'000)};
    std::atomic<bool> done_ = false;
    std::atomic<std::uint64_t> asked_ = 0;
    std::array<std::vector<Row>, takers> taken_;
    std::vector<std::int64_t> floor_ms_;
    std::vector<std::int64_t> last_ms_;
};

void expect_no_id_twice(Stress& stress) {
    std::vector<Row> rows = stress.rows();
    std::uint64_t count = 0;
    for (const Row& row : rows) {
        ASSERT_GE(Stress::tick_of(row.first), stress.floor(row.lease));
        ASSERT_LE(Stress::tick_of(row.first + row.count - 1), stress.last_tick(row.lease));
        count += row.count;
    }
    std::ranges::sort(rows, {}, [](const Row& row) { return std::pair(row.lease, row.first); });
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (rows[i].lease == rows[i - 1].lease) {
            ASSERT_GE(rows[i].first, rows[i - 1].first + rows[i - 1].count);
        }
    }
    // What hit the word of a lease that had just begun is burnt, and not counted.
    EXPECT_EQ(stress.issued(), count);
}

TEST(GateStress, nothing_is_given_out_after_the_tick_that_close_returned_and_nothing_twice) {
    Stress stress(Leases::later, 10'000, 1'000'000);
    stress.run();
    EXPECT_GE(stress.asked(), 1'000'000u);
    expect_no_id_twice(stress);
}

TEST(GateStress, a_taker_that_slept_through_a_lease_takes_nothing_of_the_one_before) {
    Stress stress(Leases::same_time, 100'000, 800'000);
    stress.run();
    expect_no_id_twice(stress);
}

}  // namespace
}  // namespace holdfast
