// Replies that have left their place are found: fault 5 of the list in tests/faults/README.md.
#include "mux_scene.h"

#include <deque>

namespace holdfast::redis {
namespace {

MuxOptions checking() {
    MuxOptions options;
    options.check_order = 7;
    return options;
}

// The answer to the ECHO that ends this write.
std::string echo_of(const std::string& written) {
    const std::size_t at = written.rfind(bulk("ECHO"));
    EXPECT_NE(at, std::string::npos) << written;
    return at == std::string::npos ? "" : written.substr(at + bulk("ECHO").size());
}

struct Written {
    explicit Written(Scene& scene, int count = 4) {
        for (int i = 0; i < count; ++i) {
            EXPECT_FALSE(calls.emplace_back(AnyCommand("INCR")).submit(scene));
            replies.push_back(bulk("of " + std::to_string(i)));
        }
        replies.push_back(echo_of(scene.write()));
    }
    std::string all() const {
        std::string text;
        for (const std::string& reply : replies) {
            text += reply;
        }
        return text;
    }
    int foreign() const {
        int found = 0;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const bool own =
                calls[i].said().empty() || calls[i].said() == "of " + std::to_string(i);
            found += own ? 0 : 1;
        }
        return found;
    }

    std::deque<Call> calls;
    std::vector<std::string> replies;
};

TEST(MuxOrder, what_is_in_order_goes_to_its_callers_and_the_check_to_nobody) {
    Scene scene(checking());
    for (int round = 0; round < 3; ++round) {
        Written batch(scene);
        EXPECT_TRUE(scene.read(batch.all()));
        for (std::size_t i = 0; i < batch.calls.size(); ++i) {
            EXPECT_EQ(batch.calls[i].said(), "of " + std::to_string(i));
        }
        EXPECT_TRUE(scene.mux.empty());
    }
}

TEST(MuxOrder, each_write_asks_once_and_for_another_number) {
    Scene scene(checking());
    Written first(scene);
    Written second(scene);
    EXPECT_NE(first.replies.back(), second.replies.back());
    EXPECT_TRUE(scene.read(first.all() + second.all()));
    EXPECT_TRUE(scene.write().empty());
}

TEST(MuxOrder, without_the_option_nothing_is_asked) {
    Scene scene;
    Call call = Call::get("k");
    EXPECT_FALSE(call.submit(scene));
    EXPECT_EQ(scene.write(), frame({"GET", "k"}));
}

TEST(MuxOrder, fault_05_a_reply_that_is_lost_is_found_before_the_batch_has_ended) {
    for (std::size_t lost = 0; lost < 4; ++lost) {
        Scene scene(checking());
        Written batch(scene);
        batch.replies[lost].clear();
        EXPECT_FALSE(scene.read(batch.all())) << lost;
        scene.mux.lost(scene.now);
        // The last one of the batch hears that it is unknown, and not the number of the check.
        EXPECT_TRUE(batch.calls.back().replies.empty());
        ASSERT_TRUE(batch.calls.back().error.has_value());
        EXPECT_EQ(batch.calls.back().error->effect(), Effect::unknown);
    }
}

TEST(MuxOrder, fault_05_a_reply_that_comes_twice_is_found_at_the_end_of_its_batch) {
    for (std::size_t twice = 0; twice < 4; ++twice) {
        Scene scene(checking());
        Written batch(scene);
        const Written next(scene);  // else the one that is too many would be nobody's
        batch.replies[twice] += batch.replies[twice];
        EXPECT_FALSE(scene.read(batch.all())) << twice;
    }
}

TEST(MuxOrder, fault_05_a_lost_answer_to_the_check_itself_is_found_in_the_next_batch) {
    Scene scene(checking());
    Written first(scene);
    first.replies.back().clear();
    EXPECT_TRUE(scene.read(first.all()));
    Written second(scene);
    EXPECT_FALSE(scene.read(second.all()));
    EXPECT_EQ(second.foreign(), 0);
}

TEST(MuxOrder, fault_05_several_lost_replies_are_found_before_the_next_batch_has_ended) {
    Scene scene(checking());
    Written first(scene);
    first.replies[1].clear();
    first.replies[2].clear();
    EXPECT_FALSE(scene.read(first.all()));
}

TEST(MuxOrder, reads_of_a_connection_that_lost_its_order_are_asked_again_on_the_next) {
    Scene scene(checking());
    Call write = Call::incr("a");
    Call read = Call::get("b");
    EXPECT_FALSE(write.submit(scene));
    EXPECT_FALSE(read.submit(scene));
    const std::string echo = echo_of(scene.write());
    EXPECT_FALSE(scene.read(echo));
    scene.mux.lost(scene.now);
    ASSERT_TRUE(write.error.has_value());
    EXPECT_EQ(write.error->effect(), Effect::unknown);
    scene.mux.opened();
    scene.parser.reset();
    scene.unread.clear();
    const std::string again = scene.write();
    EXPECT_EQ(again.substr(0, frame({"GET", "b"}).size()), frame({"GET", "b"}));
    EXPECT_TRUE(scene.read(bulk("of b") + echo_of(again)));
    EXPECT_EQ(read.said(), "of b");
}

TEST(MuxOrder, a_check_takes_nobodys_room_and_keeps_nothing_open) {
    MuxOptions options = checking();
    options.in_flight_max = 1;
    Scene scene(options);
    Call first = Call::get("a");
    Call second = Call::get("b");
    EXPECT_FALSE(first.submit(scene));
    const std::string echo = echo_of(scene.write());
    EXPECT_TRUE(scene.read(bulk("of a")));
    EXPECT_TRUE(scene.mux.empty());
    EXPECT_FALSE(second.submit(scene)) << "the check is still unanswered";
    const std::string echo_2 = echo_of(scene.write());
    EXPECT_TRUE(scene.read(echo + bulk("of b") + echo_2));
    EXPECT_EQ(second.said(), "of b");
}

TEST(MuxOrder, callers_that_leave_and_batches_keep_their_places_beside_checks) {
    Scene scene(checking());
    Call leaves = Call::get("a");
    Call batch(AnyCommand("PING"));
    Call last = Call::get("c");
    EXPECT_FALSE(leaves.submit(scene));
    EXPECT_FALSE(batch.submit_batch(scene, frame({"PING"}) + frame({"PING"}), 2, Repeat::read));
    const std::string first = echo_of(scene.write());
    EXPECT_FALSE(last.submit(scene));
    const std::string second = echo_of(scene.write());
    EXPECT_EQ(scene.mux.abandon(leaves, scene.now), Effect::unknown);
    EXPECT_TRUE(scene.read(bulk("of a") + "+1\r\n+2\r\n" + first + bulk("of c") + second));
    EXPECT_EQ(batch.said(), "2");
    EXPECT_EQ(last.said(), "of c");
    EXPECT_TRUE(scene.mux.empty());
}

TEST(MuxOrder, a_server_that_refuses_everything_for_a_while_has_not_lost_its_order) {
    Scene scene(checking());
    Call call = Call::get("a");
    EXPECT_FALSE(call.submit(scene));
    (void)scene.write();
    const std::string busy = "-BUSY Redis is busy running a script\r\n";
    EXPECT_TRUE(scene.read(busy + busy));
    Written batch(scene);
    EXPECT_TRUE(scene.read(batch.all()));
    Call other = Call::get("a");
    EXPECT_FALSE(other.submit(scene));
    (void)scene.write();
    EXPECT_FALSE(scene.read(bulk("of a") + "-ERR of another command\r\n"));
}

TEST(MuxOrder, an_idle_server_may_be_silent_when_all_is_answered) {
    Scene scene(checking());
    Written batch(scene);
    EXPECT_TRUE(scene.read(batch.all()));
    EXPECT_TRUE(scene.pass(Duration(60'000)));
}

}  // namespace
}  // namespace holdfast::redis
