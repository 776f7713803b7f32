// Every time limit of a connection, on virtual time.
#include "session_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr Duration second{1'000};
constexpr Duration late{1'300};  // two looks of 625 ms, and bytes on their way

// The session ends between these times after now.
void expect_end(SessionRig& rig, Duration from, Duration to) {
    const SteadyTime begin = rig.now();
    rig.run(to + Duration(100));
    ASSERT_TRUE(rig.ended());
    EXPECT_GE(rig.ended_at - begin, from);
    EXPECT_LE(rig.ended_at - begin, to);
}

TEST(HttpSessionTime, an_idle_connection_is_closed_silently_after_60_s) {
    SessionRig rig;
    rig.read();
    expect_end(rig, 60 * second, 60 * second + late);
    EXPECT_EQ(rig.received, "");
    EXPECT_TRUE(rig.saw_end);
}

TEST(HttpSessionTime, each_request_begins_the_idle_time_anew) {
    SessionRig rig;
    rig.read();
    for (int i = 0; i < 5; ++i) {
        rig.send(request_for("GET /a"));
        rig.run(50 * second);
        ASSERT_FALSE(rig.ended());
    }
    rig.run(12 * second);
    EXPECT_TRUE(rig.ended());
}

TEST(HttpSessionTime, a_header_that_does_not_end_is_answered_with_408_after_10_s) {
    SessionRig rig;
    rig.read();
    rig.trickle("GET / HTTP/1.1\r\nX: " + std::string(100, 'y'), Duration(500));
    expect_end(rig, 10 * second, 10 * second + late + linger_time + late);
    EXPECT_THAT(rig.received, StartsWith("HTTP/1.1 408 Request Timeout\r\n"));
    EXPECT_THAT(rig.received, HasSubstr("Connection: close\r\n"));
    EXPECT_TRUE(rig.saw_end);
}

TEST(HttpSessionTime, a_body_that_does_not_come_is_answered_with_408_after_5_s) {
    SessionRig rig;
    rig.read();
    rig.send(request_for("POST /", "Content-Length: 10\r\n", "12345"));
    const SteadyTime begin = rig.now();
    rig.run(5 * second + late);
    EXPECT_THAT(rig.received, StartsWith("HTTP/1.1 408 "));
    EXPECT_GE(rig.now() - begin, 5 * second);
}

TEST(HttpSessionTime, a_body_has_a_second_more_for_each_kib) {
    SessionRig rig;
    rig.read();
    rig.send(request_for("POST /", "Content-Length: 20000\r\n", std::string(10 * 1024, 'x')));
    rig.run(14 * second);
    EXPECT_EQ(rig.received, "");
    rig.run(second + late);
    EXPECT_THAT(rig.received, StartsWith("HTTP/1.1 408 "));
}

TEST(HttpSessionTime, no_body_has_more_than_30_s) {
    SessionRig rig;
    rig.read();
    rig.send(request_for("POST /", "Content-Length: 65536\r\n", std::string(60 * 1024, 'x')));
    rig.run(29 * second);
    EXPECT_EQ(rig.received, "");
    rig.run(second + late);
    EXPECT_THAT(rig.received, StartsWith("HTTP/1.1 408 "));
}

TEST(HttpSessionTime, chunks_of_one_byte_that_never_end_are_ended_by_time) {
    SessionRig rig;
    rig.read();
    std::string chunks;
    for (int i = 0; i < 20'000; ++i) {
        chunks += "1\r\nx\r\n";
    }
    rig.trickle(request_for("POST /", "Transfer-Encoding: chunked\r\n") + chunks, Duration(3));
    rig.run(31 * second + late);
    EXPECT_THAT(rig.received, StartsWith("HTTP/1.1 408 "));
}

TEST(HttpSessionTime, a_client_that_reads_nothing_is_dropped_10_s_after_the_last_progress) {
    SessionRig rig;
    rig.send(request_for("GET /large"));
    expect_end(rig, 10 * second, 10 * second + late);
}

TEST(HttpSessionTime, a_handler_may_take_its_time) {
    SessionRig rig;
    rig.read();
    rig.send(request_for("GET /stuck"));
    rig.run(600 * second);
    EXPECT_FALSE(rig.ended());
    EXPECT_EQ(rig.handler.at_work, 1);
}

TEST(HttpSessionTime, a_client_that_neither_reads_nor_leaves_after_the_last_answer_is_closed) {
    SessionRig rig;
    rig.send(request_for("GET /close"));
    expect_end(rig, linger_time, linger_time + late);
}

TEST(HttpSessionTime, a_draining_session_closes_at_once_when_idle) {
    SessionRig rig;
    rig.read();
    rig.send(request_for("GET /a"));
    rig.run(second);
    rig.session().drain();
    rig.run(Duration(20));
    EXPECT_TRUE(rig.ended());
    EXPECT_EQ(rig.received, answer_of("GET /a "));
}

TEST(HttpSessionTime, a_draining_session_closes_at_once_when_idle_after_a_slow_request) {
    SessionRig rig;
    rig.read();
    rig.send(request_for("GET /slow"));
    rig.run(second);
    rig.session().drain();
    rig.run(Duration(20));
    EXPECT_TRUE(rig.ended());
    EXPECT_EQ(rig.received, answer_of("GET /slow "));
}

TEST(HttpSessionTime, a_draining_session_ends_what_it_is_at_and_says_close) {
    SessionRig rig;
    rig.read();
    rig.send(request_for("GET /slow") + request_for("GET /more"));
    rig.run(Duration(60));
    ASSERT_EQ(rig.handler.at_work, 1);
    rig.session().drain();
    rig.run(second + linger_time + late);
    EXPECT_EQ(rig.received, answer_of("GET /slow ", true));
    EXPECT_TRUE(rig.ended());
}

TEST(HttpSessionTime, an_idle_time_after_a_slow_request_is_kept_too) {
    SessionRig rig;
    rig.read();
    rig.send(request_for("GET /slow"));
    rig.run(59 * second);
    EXPECT_FALSE(rig.ended());
    rig.run(second + late + Duration(200));
    EXPECT_TRUE(rig.ended());
    EXPECT_TRUE(rig.saw_end);
}

}  // namespace
}  // namespace holdfast
