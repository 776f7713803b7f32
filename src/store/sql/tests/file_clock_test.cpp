// The store's clock never goes back: not with the wall clock, not across restarts, not between two.
#include "held_file.h"

namespace holdfast {
namespace {

constexpr WallTime noon{Duration(1'700'000'000'000)};

class FileClockTest : public ::testing::Test {
protected:
    FileClockTest() { clock_.set_wall(noon); }

    std::unique_ptr<Store> open(ManualClock& clock) {
        return file_.open(file_.options().clock(clock));
    }
    // The store's time, as an acquire tells it.
    std::int64_t time_of(Store& store) {
        AcquireRequest request(
            Namespace::parse("n").value(),
            OwnerKey::parse("a").value(),
            Incarnation::parse(std::to_string(++asked_)).value()
        );
        auto outcome = wait(file_.runtime(), store.slots().acquire(request, file_.soon()));
        EXPECT_TRUE(outcome.ok());
        const auto& acquired = std::get<Acquired>(outcome.value());
        return acquired.lease.store_now.time_since_epoch().count();
    }
    static std::int64_t ms(WallTime time) { return time.time_since_epoch().count(); }

    HeldFile file_;
    ManualClock clock_;
    int asked_ = 0;
};

TEST_F(FileClockTest, it_shows_the_wall_clock) {
    auto store = open(clock_);
    EXPECT_EQ(time_of(*store), ms(noon));
    clock_.set_wall(noon + Duration(1234));
    EXPECT_EQ(time_of(*store), ms(noon) + 1234);
}

TEST_F(FileClockTest, it_goes_on_with_steady_time_when_the_wall_clock_is_set_back) {
    auto store = open(clock_);
    EXPECT_EQ(time_of(*store), ms(noon));
    clock_.set_wall(noon - std::chrono::hours(1));
    EXPECT_EQ(time_of(*store), ms(noon));
    clock_.advance_steady(Duration(500));
    EXPECT_EQ(time_of(*store), ms(noon) + 500);
}

TEST_F(FileClockTest, a_restart_does_not_take_it_back) {
    clock_.set_wall(noon + std::chrono::hours(1));
    {
        auto store = open(clock_);
        EXPECT_EQ(time_of(*store), ms(noon) + 3'600'000);
    }
    ManualClock rebooted;
    rebooted.set_wall(noon);
    auto store = open(rebooted);
    EXPECT_EQ(time_of(*store), ms(noon) + 3'600'000);
    rebooted.advance_steady(Duration(7));
    EXPECT_EQ(time_of(*store), ms(noon) + 3'600'007);
}

TEST_F(FileClockTest, two_stores_on_one_file_do_not_drive_each_other_ahead) {
    ManualClock other_clock;
    other_clock.set_wall(noon - std::chrono::minutes(1));
    auto one = open(clock_);
    auto other = open(other_clock);
    std::int64_t last = 0;
    for (int turn = 0; turn < 20; ++turn) {
        const std::int64_t first = time_of(*one);
        const std::int64_t second = time_of(*other);
        EXPECT_GE(first, last);
        EXPECT_GE(second, first);
        last = second;
        clock_.set_wall(noon + Duration(turn + 1));
        clock_.advance_steady(Duration(1));
        other_clock.advance_steady(Duration(1));
    }
    EXPECT_LE(last, ms(noon) + 20);
}

TEST_F(FileClockTest, the_mark_is_the_largest_time_that_was_answered) {
    auto store = open(clock_);
    const std::int64_t told = time_of(*store);
    EXPECT_EQ(file_.number("SELECT value FROM cosid_meta WHERE name = 'mark'"), told);
}

TEST_F(FileClockTest, a_mark_that_cannot_be_read_is_corrupt) {
    auto store = open(clock_);
    EXPECT_EQ(time_of(*store), ms(noon));
    ASSERT_TRUE(
        file_.connect()->execute("UPDATE cosid_meta SET value = -5 WHERE name = 'mark'").ok()
    );
    LeaseKey key(
        Namespace::parse("n").value(),
        Slot(0),
        OwnerKey::parse("a").value(),
        Incarnation::parse("1").value(),
        Fence(1)
    );
    auto renewed = wait(
        file_.runtime(),
        store->slots().renew(key, std::chrono::seconds(30), std::chrono::seconds(1), file_.soon())
    );
    ASSERT_FALSE(renewed.ok());
    EXPECT_EQ(renewed.error().code(), Code::corrupt);
    auto range = wait(file_.runtime(), reserve(*store, "a", 1, file_.soon()));
    EXPECT_TRUE(range.ok()) << "ranges never ask for the time";
}

}  // namespace
}  // namespace holdfast
