// What a client sees of a connection, on virtual streams that cut everything at random places.
#include "session_rig.h"

#include <holdfast/http/limits.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::size_t count_of(std::string_view part, std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST(HttpSession, an_answer_has_its_length_and_the_headers_that_all_have) {
    SessionRig rig;
    EXPECT_EQ(rig.exchange(request_for("GET /a?q")), answer_of("GET /a "));
    EXPECT_FALSE(rig.saw_end);
    EXPECT_EQ(rig.counts.requests.read(), 1U);
}

TEST(HttpSession, requests_of_one_connection_are_answered_in_order_however_the_bytes_are_cut) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SessionRig rig(seed);
        const std::string body(3000, 'b');
        const std::string got = rig.exchange(
            request_for("GET /1") + request_for("GET /slow") +
            request_for("POST /2", "Content-Length: 3000\r\n", body) + request_for("GET /slow") +
            request_for("POST /3", "Transfer-Encoding: chunked\r\n", "2\r\nhi\r\n0\r\n\r\n") +
            request_for("GET /4")
        );
        EXPECT_EQ(
            got,
            answer_of("GET /1 ") + answer_of("GET /slow ") + answer_of("POST /2 " + body) +
                answer_of("GET /slow ") + answer_of("POST /3 hi") + answer_of("GET /4 ")
        ) << seed;
        EXPECT_EQ(rig.handler.most_at_work, 1);
    }
}

TEST(HttpSession, a_client_may_send_its_next_request_while_a_slow_one_is_at_work) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SessionRig rig(seed);
        rig.read();
        rig.send(request_for("GET /slow"));
        rig.run(Duration(50));
        rig.send(request_for("POST /next", "Content-Length: 2000\r\n", std::string(2000, 'n')));
        rig.run(Duration(1'000));
        EXPECT_EQ(
            rig.received,
            answer_of("GET /slow ") + answer_of("POST /next " + std::string(2000, 'n'))
        );
        EXPECT_FALSE(rig.ended());
    }
}

TEST(HttpSession, head_is_answered_with_the_length_and_without_the_body) {
    SessionRig rig;
    std::string expected = answer_of("HEAD /a ");
    expected.resize(expected.size() - 8);
    EXPECT_EQ(rig.exchange(request_for("HEAD /a")), expected);
}

TEST(HttpSession, a_body_that_outlives_the_handler_is_sent_in_the_place_of_the_answer_s_own) {
    SessionRig rig;
    const std::string got = rig.exchange(request_for("GET /lasting") + request_for("GET /a"));
    EXPECT_EQ(got, answer_of(rig.handler.lasting) + answer_of("GET /a "));
}

TEST(HttpSession, an_answer_without_content_announces_no_length) {
    SessionRig rig;
    EXPECT_EQ(
        rig.exchange(request_for("GET /empty")),
        "HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\nX-Content-Type-Options: "
        "nosniff\r\n\r\n"
    );
}

TEST(HttpSession, a_client_that_asks_to_close_is_told_and_closed) {
    SessionRig rig;
    EXPECT_EQ(
        rig.exchange(request_for("GET /a", "Connection: close\r\n") + request_for("GET /b")),
        answer_of("GET /a ", true)
    );
    EXPECT_TRUE(rig.saw_end);
    EXPECT_THAT(rig.handler.served, ElementsAre("/a"));
}

TEST(HttpSession, http_1_0_is_answered_and_closed) {
    SessionRig rig;
    EXPECT_EQ(rig.exchange("GET /a HTTP/1.0\r\n\r\n"), answer_of("GET /a ", true));
    EXPECT_TRUE(rig.saw_end);
}

TEST(HttpSession, a_handler_may_close) {
    SessionRig rig;
    EXPECT_EQ(rig.exchange(request_for("GET /close")), answer_of("GET /close ", true));
    EXPECT_TRUE(rig.saw_end);
}

TEST(HttpSession, a_handler_that_fails_is_answered_with_500) {
    SessionRig rig;
    EXPECT_THAT(rig.exchange(request_for("GET /fail")), StartsWith("HTTP/1.1 500 "));
    EXPECT_TRUE(rig.saw_end);
}

TEST(HttpSession, what_is_malformed_is_answered_and_closed_and_nothing_after_it_is_served) {
    SessionRig rig;
    const std::string got = rig.exchange(
        request_for("GET /a") + request_for("GET /x", "X : y\r\n") + request_for("GET /b")
    );
    EXPECT_THAT(got, StartsWith(answer_of("GET /a ") + "HTTP/1.1 400 Bad Request\r\n"));
    EXPECT_THAT(got, HasSubstr("Connection: close\r\n"));
    EXPECT_TRUE(rig.saw_end);
    EXPECT_THAT(rig.handler.served, ElementsAre("/a"));
    EXPECT_EQ(rig.counts.refusals.read(), 1U);
}

TEST(HttpSession, a_refusal_can_be_read_though_the_client_still_sends) {
    SessionRig rig(1, 4096);
    const std::string got =
        rig.exchange(request_for("POST /", "Content-Length: 100000\r\n", std::string(100'000, 'x'))
        );
    EXPECT_THAT(got, StartsWith("HTTP/1.1 413 "));
    EXPECT_TRUE(rig.saw_end);
    EXPECT_FALSE(rig.saw_broken);
}

TEST(HttpSession, a_request_that_is_not_admitted_is_answered_and_its_body_is_not_waited_for) {
    SessionRig rig;
    const std::string got =
        rig.exchange(request_for("POST /denied", "Content-Length: 10\r\nExpect: 100-continue\r\n"));
    EXPECT_THAT(got, StartsWith("HTTP/1.1 401 Unauthorized\r\n"));
    EXPECT_THAT(got, HasSubstr("Connection: close\r\n"));
    EXPECT_TRUE(rig.saw_end);
    EXPECT_THAT(rig.handler.served, ElementsAre());
}

TEST(HttpSession, a_request_without_a_body_that_is_not_admitted_keeps_the_connection) {
    SessionRig rig;
    const std::string got = rig.exchange(request_for("GET /denied") + request_for("GET /a"));
    EXPECT_THAT(got, StartsWith("HTTP/1.1 401 "));
    EXPECT_THAT(got, HasSubstr(answer_of("GET /a ")));
    EXPECT_THAT(got, Not(HasSubstr("Connection: close")));
}

TEST(HttpSession, a_client_that_waits_to_continue_is_told_to_once) {
    SessionRig rig;
    EXPECT_EQ(
        rig.exchange(request_for("POST /a", "Content-Length: 4\r\nExpect: 100-continue\r\n")),
        "HTTP/1.1 100 Continue\r\n\r\n"
    );
    rig.send("bo");
    rig.run(Duration(500));
    rig.send("dy");
    rig.run(Duration(500));
    EXPECT_EQ(rig.received, "HTTP/1.1 100 Continue\r\n\r\n" + answer_of("POST /a body"));
}

TEST(HttpSession, a_body_over_the_limit_is_refused_before_it_is_asked_for) {
    SessionRig rig;
    const std::string got =
        rig.exchange(request_for("POST /a", "Content-Length: 65537\r\nExpect: 100-continue\r\n"));
    EXPECT_THAT(got, StartsWith("HTTP/1.1 413 "));
}

TEST(HttpSession, a_client_that_leaves_stops_the_handler_at_work) {
    SessionRig rig;
    rig.send(request_for("GET /stuck"));
    rig.run(Duration(1'000));
    EXPECT_EQ(rig.handler.at_work, 1);
    rig.leave();
    rig.run(Duration(100));
    EXPECT_EQ(rig.handler.stopped, 1);
    EXPECT_TRUE(rig.ended());
}

TEST(HttpSession, a_client_that_leaves_during_its_second_slow_request_stops_that_one) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        SessionRig rig(seed);
        rig.read();
        rig.send(request_for("GET /slow") + request_for("GET /stuck"));
        rig.run(Duration(500));
        ASSERT_EQ(rig.handler.at_work, 1);
        rig.client().abort();
        rig.run(Duration(100));
        EXPECT_EQ(rig.handler.stopped, 1);
        EXPECT_TRUE(rig.ended());
    }
}

TEST(HttpSession, pipelined_requests_leave_turns_to_everybody_else_on_the_loop) {
    std::string requests;
    std::string answers;
    for (int i = 0; i < 500; ++i) {
        requests += request_for("GET /turn");
        answers += answer_of("GET /turn ");
    }
    SessionRig rig;
    rig.read();
    rig.send(requests);
    rig.run(Duration(60'000));
    EXPECT_EQ(rig.received, answers);
    EXPECT_EQ(rig.handler.most_in_a_row, answers_in_a_row_max);
}

TEST(HttpSession, pipelined_requests_of_a_client_that_reads_nothing_wait_in_its_own_hands) {
    SessionRig rig(1, 4 * 1024);
    std::string many;
    for (int i = 0; i < 200; ++i) {
        many += request_for("GET /a");
    }
    rig.send(many);
    rig.run(Duration(5'000));
    EXPECT_LT(rig.handler.served.size(), 50U);
    rig.read();
    rig.run(Duration(60'000));
    EXPECT_EQ(count_of("GET /a ", rig.received), 200U);
    EXPECT_EQ(rig.handler.most_at_work, 1);
}

}  // namespace
}  // namespace holdfast
