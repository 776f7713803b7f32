// Calls that come together share a commit; each still has its own outcome and its own deadline.
#include "held_file.h"

#include <future>

namespace holdfast {
namespace {

using Outcomes = std::vector<std::future<Result<ReserveOutcome>>>;

Outcomes send(HeldFile& file, Store& store, std::size_t calls, Deadline deadline) {
    Outcomes outcomes;
    for (std::size_t i = 0; i < calls; ++i) {
        outcomes.push_back(start(file.runtime(), reserve(store, "a", 1, deadline)));
    }
    return outcomes;
}

// The loop has seen everything that was sent to it before.
void settle(HeldFile& file) {
    auto turn = []() -> Task<Done> {
        co_await yield();
        co_return Done();
    };
    ASSERT_TRUE(wait(file.runtime(), turn()).ok());
}

TEST(GroupCommit, calls_that_wait_for_the_lock_share_one_commit) {
    HeldFile file;
    auto store = file.open(file.options());
    auto holder = file.connect();
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    Outcomes outcomes = send(file, *store, 100, file.soon());
    settle(file);
    holder->rollback();
    std::int64_t seen = 0;
    for (auto& outcome : outcomes) {
        auto answer = outcome.get();
        ASSERT_TRUE(answer.ok()) << answer.error().what();
        EXPECT_EQ(std::get<Range>(answer.value()).start, seen++);
    }
    EXPECT_EQ(file.probe().commits, 1u);
    EXPECT_EQ(file.probe().committed_calls, 100u);
    EXPECT_EQ(file.number("SELECT next_value FROM cosid_range WHERE name = 'a'"), 100);
}

TEST(GroupCommit, a_batch_has_a_bound) {
    HeldFile file;
    auto store = file.open(file.options().batch_max(10));
    auto holder = file.connect();
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    Outcomes outcomes = send(file, *store, 95, file.soon());
    settle(file);
    holder->rollback();
    for (auto& outcome : outcomes) {
        EXPECT_TRUE(outcome.get().ok());
    }
    EXPECT_EQ(file.probe().commits, 10u);
}

TEST(GroupCommit, a_full_queue_is_overloaded_at_once_and_nothing_is_written) {
    HeldFile file;
    auto store = file.open(file.options().queue_max(3));
    auto holder = file.connect();
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    Outcomes outcomes = send(file, *store, 4, file.soon());
    auto refused = outcomes.back().get();  // while the others wait
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::overloaded);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    holder->rollback();
    outcomes.pop_back();
    for (auto& outcome : outcomes) {
        EXPECT_TRUE(outcome.get().ok());
    }
    EXPECT_EQ(file.number("SELECT next_value FROM cosid_range WHERE name = 'a'"), 3);
}

TEST(GroupCommit, a_deadline_ends_the_wait_for_the_lock_and_the_others_go_on) {
    HeldFile file;
    auto store = file.open(file.options());
    auto holder = file.connect();
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    auto patient = start(file.runtime(), reserve(*store, "a", 5, file.soon()));
    auto hasty = wait(file.runtime(), reserve(*store, "b", 5, file.in(Duration(30))));
    ASSERT_FALSE(hasty.ok());
    EXPECT_EQ(hasty.error().code(), Code::timed_out);
    EXPECT_EQ(hasty.error().effect(), Effect::none);
    file.probe().missed.block();  // the drain waits in slices
    holder->rollback();
    EXPECT_TRUE(patient.get().ok());
    EXPECT_EQ(file.number("SELECT count(*) FROM cosid_range WHERE name = 'b'"), 0);
}

TEST(GroupCommit, a_deadline_that_has_passed_sends_nothing) {
    HeldFile file;
    auto store = file.open(file.options());
    auto late = wait(file.runtime(), reserve(*store, "a", 5, file.in(Duration(0))));
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::none);
    EXPECT_EQ(file.number("SELECT count(*) FROM cosid_range"), 0);
}

TEST(GroupCommit, a_cancelled_call_leaves_the_queue) {
    HeldFile file;
    auto store = file.open(file.options());
    auto holder = file.connect();
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    Stop stop;
    auto cancelled = start(file.runtime(), reserve(*store, "a", 5, file.soon()), &stop);
    settle(file);
    stop.request();
    auto outcome = cancelled.get();
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::cancelled);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    holder->rollback();
    EXPECT_TRUE(wait(file.runtime(), reserve(*store, "b", 5, file.soon())).ok());
    EXPECT_EQ(file.number("SELECT count(*) FROM cosid_range WHERE name = 'a'"), 0);
}

TEST(GroupCommit, closing_answers_what_waits_and_writes_none_of_it) {
    HeldFile file;
    auto store = file.open(file.options());
    auto holder = file.connect();
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    Outcomes outcomes = send(file, *store, 20, file.soon());
    settle(file);
    store.reset();
    for (auto& outcome : outcomes) {
        auto answer = outcome.get();
        ASSERT_FALSE(answer.ok());
        EXPECT_EQ(answer.error().code(), Code::closed);
        EXPECT_EQ(answer.error().effect(), Effect::none);
    }
    holder->rollback();
    EXPECT_EQ(file.number("SELECT count(*) FROM cosid_range"), 0);
}

TEST(GroupCommit, one_failing_call_does_not_undo_its_neighbours) {
    HeldFile file;
    auto store = file.open(file.options());
    auto holder = file.connect();
    ASSERT_TRUE(holder->execute("INSERT INTO cosid_range VALUES('bad', 'text', 0)").ok());
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    auto before = start(file.runtime(), reserve(*store, "a", 5, file.soon()));
    auto damaged = start(file.runtime(), reserve(*store, "bad", 5, file.soon()));
    auto after = start(file.runtime(), reserve(*store, "b", 5, file.soon()));
    settle(file);
    holder->rollback();
    EXPECT_TRUE(before.get().ok());
    auto outcome = damaged.get();
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::corrupt);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    EXPECT_TRUE(after.get().ok());
    EXPECT_EQ(file.probe().commits, 1u);
    EXPECT_EQ(file.number("SELECT count(*) FROM cosid_range"), 3);
}

TEST(GroupCommit, a_batch_that_the_disk_cannot_hold_is_undone_as_a_whole) {
    HeldFile file;
    auto store = file.open(file.options());
    // A trigger plays the disk: the third row makes the library give the transaction up.
    auto holder = file.connect();
    ASSERT_TRUE(holder
                    ->execute("CREATE TRIGGER full AFTER INSERT ON cosid_range WHEN NEW.name = 'c' "
                              "BEGIN SELECT RAISE(ROLLBACK, 'full'); END")
                    .ok());
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    std::vector<std::future<Result<ReserveOutcome>>> outcomes;
    for (const char* key : {"a", "b", "c", "d"}) {
        outcomes.push_back(start(file.runtime(), reserve(*store, key, 5, file.soon())));
    }
    settle(file);
    holder->rollback();
    for (auto& outcome : outcomes) {
        auto answer = outcome.get();
        ASSERT_FALSE(answer.ok());
        EXPECT_EQ(answer.error().code(), Code::internal);
        EXPECT_EQ(answer.error().effect(), Effect::none);
    }
    EXPECT_EQ(file.probe().failures, 1u);
    EXPECT_EQ(file.number("SELECT count(*) FROM cosid_range"), 0);
    EXPECT_TRUE(wait(file.runtime(), reserve(*store, "a", 5, file.soon())).ok());
}

TEST(GroupCommit, the_loser_of_a_race_leaves_the_queue) {
    HeldFile file;
    auto store = file.open(file.options());
    auto holder = file.connect();
    ASSERT_TRUE(holder->begin(file.soon()).ok());
    // The first branch ends at once; the join asks the other to stop and waits for it.
    auto refused = start(
        file.runtime(),
        when_any(
            reserve(*store, "a", 5, file.in(Duration(0))), reserve(*store, "b", 5, file.soon())
        )
    );
    EXPECT_TRUE(refused.get().ok());
    holder->rollback();
    EXPECT_TRUE(wait(file.runtime(), store->probe(file.soon())).ok());
    EXPECT_EQ(file.number("SELECT count(*) FROM cosid_range"), 0);
}

}  // namespace
}  // namespace holdfast
