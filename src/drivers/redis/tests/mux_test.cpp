// Promises of the order of callers on one connection.
#include "mux_scene.h"

#include <deque>

namespace holdfast::redis {
namespace {

TEST(Mux, replies_go_to_callers_by_their_place) {
    Scene scene;
    Call a = Call::get("a");
    Call b = Call::get("b");
    EXPECT_FALSE(a.submit(scene));
    EXPECT_FALSE(b.submit(scene));
    EXPECT_EQ(scene.write(), frame({"GET", "a"}) + frame({"GET", "b"}));
    EXPECT_TRUE(scene.read(bulk("of a") + bulk("of b")));
    EXPECT_EQ(a.said(), "of a");
    EXPECT_EQ(b.said(), "of b");
    EXPECT_TRUE(scene.mux.empty());
}

TEST(Mux, replies_cut_at_every_byte_go_to_the_same_callers) {
    const std::string replies = bulk("of a") + "-ERR no\r\n" + bulk("of c");
    for (std::size_t cut = 0; cut <= replies.size(); ++cut) {
        Scene scene;
        std::deque<Call> calls;
        for (int i = 0; i < 3; ++i) {
            EXPECT_FALSE(calls.emplace_back(AnyCommand("GET")).submit(scene));
        }
        (void)scene.write();
        EXPECT_TRUE(scene.read(replies.substr(0, cut)));
        EXPECT_TRUE(scene.read(replies.substr(cut)));
        EXPECT_EQ(calls[0].said(), "of a");
        EXPECT_EQ(calls[1].said(), "ERR no");
        EXPECT_EQ(calls[2].said(), "of c");
    }
}

TEST(Mux, one_flush_is_asked_for_whatever_is_submitted_in_a_turn) {
    Scene scene;
    std::deque<Call> calls;
    for (int i = 0; i < 10; ++i) {
        EXPECT_FALSE(calls.emplace_back(AnyCommand("PING")).submit(scene));
    }
    EXPECT_EQ(scene.flushes_due, 1);
    (void)scene.write();
    (void)scene.read(
        "+PONG\r\n+PONG\r\n+PONG\r\n+PONG\r\n+PONG\r\n+PONG\r\n+PONG\r\n+PONG\r\n+PONG\r\n+PONG\r\n"
    );
    EXPECT_EQ(scene.flushes_due, 1);
}

TEST(Mux, what_callers_ask_while_replies_are_parsed_goes_in_one_write) {
    Scene scene;
    std::deque<Call> first;
    std::deque<Call> second;
    for (int i = 0; i < 3; ++i) {
        Call& next = second.emplace_back(AnyCommand("GET"));
        Call& call = first.emplace_back(AnyCommand("PING"));
        call.then = [&] {
            EXPECT_FALSE(next.submit(scene));
        };
        EXPECT_FALSE(call.submit(scene));
    }
    (void)scene.write();
    scene.flushes_due = 0;
    EXPECT_TRUE(scene.read("+PONG\r\n+PONG\r\n+PONG\r\n"));
    EXPECT_EQ(scene.flushes_due, 1);
    EXPECT_EQ(scene.write(), frame({"GET"}) + frame({"GET"}) + frame({"GET"}));
}

TEST(Mux, a_caller_that_goes_before_the_write_leaves_no_trace) {
    Scene scene;
    Call a = Call::get("a");
    Call b = Call::get("b");
    EXPECT_FALSE(a.submit(scene));
    EXPECT_FALSE(b.submit(scene));
    EXPECT_EQ(scene.mux.abandon(a, scene.now), Effect::none);
    EXPECT_EQ(scene.write(), frame({"GET", "b"}));
    EXPECT_TRUE(scene.read(bulk("of b")));
    EXPECT_EQ(b.said(), "of b");
    EXPECT_FALSE(a.ended());
}

TEST(Mux, fault_01_a_reply_of_a_caller_that_left_goes_to_nobody_else) {
    const std::string replies = bulk("of a") + bulk("of b") + bulk("of c");
    for (std::size_t cut = 0; cut <= replies.size(); ++cut) {
        Scene scene;
        Call a = Call::get("a");
        Call b = Call::get("b");
        Call c = Call::get("c");
        EXPECT_FALSE(a.submit(scene));
        EXPECT_FALSE(b.submit(scene));
        EXPECT_FALSE(c.submit(scene));
        (void)scene.write();
        EXPECT_TRUE(scene.read(replies.substr(0, cut)));
        if (!b.ended()) {
            EXPECT_EQ(scene.mux.abandon(b, scene.now), Effect::unknown);
        }
        EXPECT_TRUE(scene.read(replies.substr(cut)));
        EXPECT_EQ(a.said(), "of a");
        EXPECT_EQ(c.said(), "of c");
        EXPECT_TRUE(b.said() == "of b" || b.said().empty());
        EXPECT_TRUE(scene.mux.empty());
    }
}

TEST(Mux, fault_02_a_batch_that_was_given_up_swallows_all_its_replies) {
    const std::string replies = "+1\r\n+2\r\n+3\r\n+next\r\n";
    for (std::size_t cut = 0; cut < 12; ++cut) {
        Scene scene;
        Call batch(AnyCommand("PING"));
        Call next(AnyCommand("PING"));
        EXPECT_FALSE(batch.submit_batch(
            scene, frame({"PING"}) + frame({"PING"}) + frame({"PING"}), 3, Repeat::read
        ));
        EXPECT_FALSE(next.submit(scene));
        (void)scene.write();
        EXPECT_TRUE(scene.read(replies.substr(0, cut)));
        EXPECT_EQ(scene.mux.abandon(batch, scene.now), Effect::unknown);
        EXPECT_TRUE(scene.read(replies.substr(cut)));
        EXPECT_EQ(next.said(), "next");
        EXPECT_EQ(next.replies.size(), 1U);
    }
}

TEST(Mux, fault_09_errors_inside_a_batch_are_answers_at_their_place) {
    for (int bad = 0; bad < 3; ++bad) {
        Scene scene;
        Call batch(AnyCommand("PING"));
        Call next(AnyCommand("PING"));
        EXPECT_FALSE(batch.submit_batch(scene, "bytes", 3, Repeat::once));
        EXPECT_FALSE(next.submit(scene));
        (void)scene.write();
        std::string replies;
        for (int i = 0; i < 3; ++i) {
            replies += i == bad ? "-ERR bad\r\n" : "+good\r\n";
        }
        EXPECT_TRUE(scene.read(replies + "+next\r\n"));
        ASSERT_EQ(batch.replies.size(), 3U);
        EXPECT_EQ(batch.replies[static_cast<std::size_t>(bad)], "ERR bad");
        EXPECT_EQ(next.said(), "next");
    }
}

TEST(Mux, fault_17_a_caller_that_ends_may_take_its_neighbours_along_in_the_same_turn) {
    Scene scene;
    Call a = Call::get("a");
    Call b = Call::get("b");
    Call c = Call::get("c");
    a.then = [&] {
        EXPECT_EQ(scene.mux.abandon(b, scene.now), Effect::unknown);
    };
    EXPECT_FALSE(a.submit(scene));
    EXPECT_FALSE(b.submit(scene));
    EXPECT_FALSE(c.submit(scene));
    (void)scene.write();
    EXPECT_TRUE(scene.read(bulk("of a") + bulk("of b") + bulk("of c")));
    EXPECT_FALSE(b.ended());
    EXPECT_EQ(c.said(), "of c");
}

TEST(Mux, fault_17_late_callers_may_take_each_other_along) {
    Scene scene;
    Call a = Call::get("a");
    Call b = Call::get("b");
    Call c = Call::get("c");
    a.then = [&] {
        EXPECT_EQ(scene.mux.abandon(b, scene.now), Effect::unknown);
        EXPECT_EQ(scene.mux.abandon(c, scene.now), Effect::none);
    };
    EXPECT_FALSE(a.submit(scene));
    EXPECT_FALSE(b.submit(scene));
    (void)scene.write();
    EXPECT_FALSE(c.submit(scene));
    EXPECT_TRUE(scene.pass(Duration(1'000)));
    EXPECT_TRUE(a.ended());
    EXPECT_FALSE(b.ended());
    EXPECT_FALSE(c.ended());
}

TEST(Mux, fault_18_a_caller_that_has_its_answer_is_in_no_list_any_more) {
    Scene scene;
    {
        Call a = Call::get("a");
        EXPECT_FALSE(a.submit(scene));
        (void)scene.write();
        EXPECT_TRUE(scene.read(bulk("of a")));
        EXPECT_EQ(scene.mux.abandon(a, scene.now), Effect::none);
    }
    Call b = Call::get("b");
    EXPECT_FALSE(b.submit(scene));
    (void)scene.write();
    EXPECT_TRUE(scene.read(bulk("of b")));
    EXPECT_EQ(b.said(), "of b");
}

TEST(Mux, fault_48_one_late_call_ends_alone) {
    Scene scene;
    std::deque<Call> calls;
    for (int i = 0; i < 64; ++i) {
        EXPECT_FALSE(calls.emplace_back(AnyCommand("PING"))
                         .submit(scene, i == 20 ? Duration(100) : Duration(1'000)));
    }
    (void)scene.write();
    EXPECT_TRUE(scene.pass(Duration(100)));
    ASSERT_TRUE(calls[20].error.has_value());
    EXPECT_EQ(calls[20].error->code(), Code::timed_out);
    EXPECT_EQ(calls[20].error->effect(), Effect::unknown);
    std::string replies;
    for (int i = 0; i < 64; ++i) {
        replies += "+" + std::to_string(i) + "\r\n";
    }
    EXPECT_TRUE(scene.read(replies));
    for (int i = 0; i < 64; ++i) {
        EXPECT_EQ(calls[static_cast<std::size_t>(i)].said(), i == 20 ? "" : std::to_string(i));
    }
}

TEST(Mux, a_full_queue_refuses_at_once) {
    MuxOptions options;
    options.in_flight_max = 2;
    Scene scene(options);
    Call a(AnyCommand("PING"));
    Call b(AnyCommand("PING"));
    Call c(AnyCommand("PING"));
    EXPECT_FALSE(a.submit(scene));
    EXPECT_FALSE(b.submit(scene));
    const auto refused = c.submit(scene);
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->code(), Code::overloaded);
    EXPECT_EQ(refused->effect(), Effect::none);
    (void)scene.write();
    EXPECT_TRUE(scene.read("+PONG\r\n"));
    EXPECT_FALSE(c.submit(scene));
}

TEST(Mux, tombstones_take_room_in_the_queue) {
    MuxOptions options;
    options.in_flight_max = 1;
    Scene scene(options);
    Call a(AnyCommand("PING"));
    Call b(AnyCommand("PING"));
    EXPECT_FALSE(a.submit(scene));
    (void)scene.write();
    EXPECT_EQ(scene.mux.abandon(a, scene.now), Effect::unknown);
    EXPECT_TRUE(b.submit(scene).has_value());
    EXPECT_TRUE(scene.read("+PONG\r\n"));
    EXPECT_FALSE(b.submit(scene));
}

TEST(Mux, a_queue_of_bytes_is_bounded_too_but_takes_one_large_command) {
    MuxOptions options;
    options.queue_bytes_max = 100;
    Scene scene(options);
    Call large = Call::get(std::string(1'000, 'x'));
    Call small = Call::get("a");
    EXPECT_FALSE(large.submit(scene));
    const auto refused = small.submit(scene);
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->code(), Code::overloaded);
    (void)scene.write();
    EXPECT_FALSE(small.submit(scene));
}

TEST(Mux, those_that_wait_for_room_come_in_by_their_order_or_end_by_their_deadline) {
    MuxOptions options;
    options.in_flight_max = 1;
    options.wait_when_full = true;
    Scene scene(options);
    Call a(AnyCommand("PING"));
    Call b(AnyCommand("B"));
    Call c(AnyCommand("C"));
    Call d(AnyCommand("D"));
    EXPECT_FALSE(a.submit(scene));
    EXPECT_FALSE(b.submit(scene));
    EXPECT_FALSE(c.submit(scene, Duration(10)));
    EXPECT_FALSE(d.submit(scene));
    EXPECT_EQ(scene.write(), frame({"PING"}));
    EXPECT_TRUE(scene.pass(Duration(10)));
    ASSERT_TRUE(c.error.has_value());
    EXPECT_EQ(c.error->code(), Code::timed_out);
    EXPECT_EQ(c.error->effect(), Effect::none);
    EXPECT_TRUE(scene.read("+PONG\r\n"));
    EXPECT_EQ(scene.write(), frame({"B"}));
    EXPECT_TRUE(scene.read("+b\r\n"));
    EXPECT_EQ(scene.write(), frame({"D"}));
    EXPECT_TRUE(scene.read("+d\r\n"));
    EXPECT_EQ(b.said(), "b");
    EXPECT_EQ(d.said(), "d");
}

TEST(Mux, a_call_that_was_too_late_to_be_written_leaves_its_room_to_one_that_waits) {
    MuxOptions options;
    options.in_flight_max = 1;
    options.wait_when_full = true;
    Scene scene(options);
    Call late(AnyCommand("LATE"));
    Call waits(AnyCommand("WAITS"));
    EXPECT_FALSE(late.submit(scene, Duration(10)));
    EXPECT_FALSE(waits.submit(scene));
    scene.now += Duration(10);
    EXPECT_EQ(scene.write(), "");
    EXPECT_TRUE(late.error.has_value());
    EXPECT_EQ(scene.write(), frame({"WAITS"}));
}

TEST(Mux, a_command_whose_time_is_shorter_than_a_round_trip_is_not_written) {
    Scene scene;
    Call first(AnyCommand("PING"));
    EXPECT_FALSE(first.submit(scene));
    for (int i = 0; i < round_trip_window; ++i) {
        Call call(AnyCommand("PING"));
        if (i != 0) {
            EXPECT_FALSE(call.submit(scene));
        }
        (void)scene.write();
        EXPECT_TRUE(scene.pass(Duration(20)));
        EXPECT_TRUE(scene.read("+PONG\r\n"));
    }
    EXPECT_EQ(scene.mux.round_trip(), Duration(19));
    Call late(AnyCommand("INCR"));
    Call in_time(AnyCommand("PING"));
    EXPECT_FALSE(late.submit(scene, Duration(18)));
    EXPECT_FALSE(in_time.submit(scene, Duration(19)));
    EXPECT_EQ(scene.write(), frame({"PING"}));
    ASSERT_TRUE(late.error.has_value());
    EXPECT_EQ(late.error->code(), Code::timed_out);
    EXPECT_EQ(late.error->effect(), Effect::none);
    EXPECT_TRUE(scene.read("+PONG\r\n"));
    // What was measured long ago refuses nobody.
    EXPECT_TRUE(scene.pass(round_trip_age_max + Duration(100)));
    Call again(AnyCommand("INCR"));
    EXPECT_FALSE(again.submit(scene, Duration(18)));
    EXPECT_EQ(scene.write(), frame({"INCR"}));
    EXPECT_TRUE(scene.read(":1\r\n"));
}

TEST(Mux, a_server_that_owes_an_answer_and_is_silent_is_given_up) {
    Scene scene;
    Call a = Call::get("a");
    EXPECT_FALSE(a.submit(scene, Duration(60'000)));
    (void)scene.write();
    EXPECT_TRUE(scene.pass(silent_max_default - Duration(1)));
    EXPECT_TRUE(scene.read("$4\r\n"));
    EXPECT_TRUE(scene.pass(silent_max_default - Duration(1)));
    EXPECT_FALSE(scene.pass(Duration(1)));
}

// 128 MB over a slow path: the first answer comes when the first command has arrived whole.
TEST(Mux, a_server_that_still_takes_what_is_written_is_not_silent) {
    Scene scene;
    Call a = Call::get("a");
    EXPECT_FALSE(a.submit(scene, Duration(60'000)));
    WriteBuffer out;
    scene.mux.fill(out, scene.now);
    for (int i = 0; i < 5; ++i) {  // within its deadline
        EXPECT_TRUE(scene.pass(silent_max_default - Duration(1)));
        scene.mux.sent_at_last(1, scene.now);
    }
    EXPECT_TRUE(scene.pass(silent_max_default - Duration(1)));
    EXPECT_FALSE(scene.pass(Duration(1)));
}

TEST(Mux, an_idle_server_may_be_silent) {
    Scene scene;
    Call a = Call::get("a");
    EXPECT_FALSE(a.submit(scene));
    (void)scene.write();
    EXPECT_TRUE(scene.read(bulk("of a")));
    EXPECT_TRUE(scene.pass(Duration(1'000'000)));
}

TEST(Mux, an_old_tombstone_ends_the_connection) {
    MuxOptions options;
    options.silent_max = Duration::zero();
    Scene scene(options);
    Call a = Call::get("a");
    EXPECT_FALSE(a.submit(scene));
    (void)scene.write();
    EXPECT_EQ(scene.mux.abandon(a, scene.now), Effect::unknown);
    EXPECT_TRUE(scene.pass(tombstone_age_max_default - Duration(1)));
    EXPECT_FALSE(scene.pass(Duration(1)));
}

TEST(Mux, a_reply_that_nobody_waits_for_ends_the_connection) {
    Scene scene;
    EXPECT_FALSE(scene.read("+OK\r\n"));
}

TEST(Mux, a_lost_connection_says_what_is_known_of_each) {
    Scene scene;
    Call once = Call::incr("a");
    Call read = Call::get("b");
    Call unsent = Call::incr("c");
    Call queued = Call::incr("d");
    EXPECT_FALSE(once.submit(scene));
    EXPECT_FALSE(read.submit(scene));
    (void)scene.write();
    EXPECT_FALSE(unsent.submit(scene));
    WriteBuffer out;
    scene.mux.fill(out, scene.now);  // and not one byte of it leaves
    EXPECT_FALSE(queued.submit(scene));
    scene.mux.lost(scene.now);
    ASSERT_TRUE(once.error.has_value());
    EXPECT_EQ(once.error->code(), Code::unreachable);
    EXPECT_EQ(once.error->effect(), Effect::unknown);
    EXPECT_FALSE(read.ended() || unsent.ended() || queued.ended());
    scene.mux.opened();
    EXPECT_EQ(scene.write(), frame({"GET", "b"}) + frame({"INCR", "c"}) + frame({"INCR", "d"}));
    EXPECT_TRUE(scene.read(bulk("b") + ":1\r\n:2\r\n"));
    EXPECT_EQ(read.said(), "b");
    EXPECT_TRUE(scene.mux.empty());
}

TEST(Mux, a_command_of_which_a_part_left_is_unknown) {
    Scene scene;
    Call call = Call::incr("a");
    EXPECT_FALSE(call.submit(scene));
    WriteBuffer out;
    scene.mux.fill(out, scene.now);
    scene.mux.sent(1);
    scene.mux.lost(scene.now);
    ASSERT_TRUE(call.error.has_value());
    EXPECT_EQ(call.error->effect(), Effect::unknown);
}

TEST(Mux, a_harmless_batch_of_which_a_part_was_answered_is_not_sent_again) {
    Scene scene;
    Call batch(AnyCommand("GET"));
    EXPECT_FALSE(batch.submit_batch(scene, "bytes", 2, Repeat::read));
    (void)scene.write();
    EXPECT_TRUE(scene.read("+1\r\n"));
    scene.mux.lost(scene.now);
    ASSERT_TRUE(batch.error.has_value());
    EXPECT_EQ(batch.error->effect(), Effect::unknown);
}

TEST(Mux, a_repeated_command_whose_time_ends_in_the_queue_is_still_unknown) {
    Scene scene;
    Call call(std::move(AnyCommand("SET", Repeat::idempotent).add("a").add("b")));
    EXPECT_FALSE(call.submit(scene));
    (void)scene.write();
    scene.mux.lost(scene.now);
    EXPECT_TRUE(scene.pass(Duration(1'000)));
    ASSERT_TRUE(call.error.has_value());
    EXPECT_EQ(call.error->effect(), Effect::unknown);
}

TEST(Mux, without_a_connection_calls_wait_for_it_until_their_deadline) {
    Scene scene;
    scene.mux.lost(scene.now);
    Call a = Call::incr("a");
    Call b = Call::incr("b");
    EXPECT_FALSE(a.submit(scene, Duration(100)));
    EXPECT_FALSE(b.submit(scene));
    EXPECT_EQ(scene.flushes_due, 0);
    EXPECT_TRUE(scene.pass(Duration(100)));
    ASSERT_TRUE(a.error.has_value());
    EXPECT_EQ(a.error->code(), Code::unreachable);
    EXPECT_EQ(a.error->effect(), Effect::none);
    scene.mux.opened();
    EXPECT_EQ(scene.write(), frame({"INCR", "b"}));
    EXPECT_TRUE(scene.read(":1\r\n"));
}

TEST(Mux, a_refused_dial_ends_what_waits_with_its_reason) {
    Scene scene;
    scene.mux.lost(scene.now);
    Call a = Call::incr("a");
    EXPECT_FALSE(a.submit(scene));
    const Error reason(Code::denied, Effect::none, "wrong password");
    scene.mux.lost(scene.now, &reason);
    ASSERT_TRUE(a.error.has_value());
    EXPECT_EQ(a.error->code(), Code::denied);
    EXPECT_EQ(a.error->effect(), Effect::none);
    EXPECT_TRUE(scene.mux.empty());
}

TEST(Mux, close_ends_everything_by_what_is_known_and_takes_nothing_more) {
    Scene scene;
    Call written = Call::get("a");
    Call queued = Call::get("b");
    Call after = Call::get("c");
    Call gone = Call::get("d");
    written.then = [&] {
        EXPECT_EQ(after.submit(scene)->code(), Code::closed);
    };
    EXPECT_FALSE(written.submit(scene));
    EXPECT_FALSE(gone.submit(scene));
    (void)scene.write();
    (void)scene.mux.abandon(gone, scene.now);
    EXPECT_FALSE(queued.submit(scene));
    scene.mux.close(closed_error());
    EXPECT_EQ(written.error->code(), Code::closed);
    EXPECT_EQ(written.error->effect(), Effect::unknown);
    EXPECT_EQ(queued.error->effect(), Effect::none);
    EXPECT_TRUE(scene.mux.empty());
}

TEST(Mux, an_error_of_time_says_how_the_queue_stood) {
    Scene scene;
    Call a = Call::get("secret-key");
    EXPECT_FALSE(a.submit(scene, Duration(10)));
    (void)scene.write();
    EXPECT_TRUE(scene.pass(Duration(10)));
    const ErrorContext& context = *a.error->context();
    EXPECT_EQ(context.command, "GET");
    EXPECT_EQ(
        context.situation,
        "connected=1 queued=0 queued_bytes=0 written=1 abandoned=1 out_bytes=30 unsent_bytes=0 "
        "in_bytes=0 round_trip_ms=0"
    );
}

}  // namespace
}  // namespace holdfast::redis
