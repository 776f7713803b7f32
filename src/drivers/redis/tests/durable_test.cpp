// Promises of writes that wait for replicas, in virtual time against a scripted server.
#include "client_bench.h"

namespace holdfast::redis {
namespace {

const std::string role_of_a_primary_with_two =
    "*3\r\n$6\r\nmaster\r\n:100\r\n*2\r\n"
    "*3\r\n$9\r\n127.0.0.1\r\n$4\r\n6380\r\n$3\r\n100\r\n"
    "*3\r\n$9\r\n127.0.0.1\r\n$4\r\n6381\r\n$3\r\n100\r\n";

// Waits for replicas as long as it is told, or answers at once that one has it.
ServerAnswer with_replicas(ScriptedServer& server, const ServerWords& words, Duration wait) {
    if (words[0] == "WAIT") {
        ServerAnswer answer{":1\r\n"};
        answer.after = wait;
        return answer;
    }
    return words[0] == "ROLE" ? ServerAnswer{role_of_a_primary_with_two} : server.usual(words);
}

Task<Durable<std::int64_t>> writing(Client* client, std::string key, Deadline deadline) {
    const Copies copies(1, Duration(1'000));
    co_return co_await client->run_durable(incr_of(key), copies, deadline);
}

TEST(DurableLane, writes_that_come_together_share_one_wait_and_each_has_its_answer) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) {
        return with_replicas(bench.server, words, Duration(100));
    };
    std::vector<Task<Durable<std::int64_t>>> calls;
    for (int i = 0; i < 50; ++i) {
        calls.push_back(writing(&client, "n", bench.in(10'000)));
    }
    auto all = bench.wait(when_all(std::move(calls)));
    std::set<std::int64_t> values;
    for (const auto& outcome : all.value()) {
        ASSERT_TRUE(outcome.ok());
        values.insert(outcome.value().value);
        EXPECT_EQ(outcome.value().acknowledged, 1);
        EXPECT_EQ(outcome.value().connected, 2);
    }
    EXPECT_EQ(values.size(), 50U);
    EXPECT_EQ(bench.server.count("WAIT"), 1U);
    EXPECT_EQ(bench.server.count("ROLE"), 1U);
}

TEST(DurableLane, the_next_group_does_not_wait_behind_the_last_ones_replicas) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) {
        return with_replicas(bench.server, words, Duration(1'000));
    };
    auto later = [](Client* of, Loop* loop, Deadline deadline) -> Task<Durable<std::int64_t>> {
        (void)co_await sleep(loop->now() + Duration(100));
        co_return co_await writing(of, "later", deadline);
    };
    const SteadyTime before = bench.runtime->now();
    auto both = bench.wait(when_all(
        writing(&client, "first", bench.in(10'000)),
        later(&client, &bench.runtime->loop(0), bench.in(10'000))
    ));
    EXPECT_TRUE(std::get<0>(both.value()).ok());
    EXPECT_TRUE(std::get<1>(both.value()).ok());
    EXPECT_LT(bench.runtime->now() - before, Duration(1'500));
    EXPECT_EQ(bench.server.connections, 2);
}

TEST(DurableLane, wait_is_told_the_longest_time_that_somebody_has_and_no_more_than_asked) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) {
        return with_replicas(bench.server, words, Duration(0));
    };
    auto story = [](Client* of, Deadline deadline, Duration most) -> Task<> {
        const Copies copies(2, most);
        auto done = co_await of->run_durable(incr_of("n"), copies, deadline);
        EXPECT_TRUE(done.ok());
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&client, bench.in(10'000), Duration(500))).ok());
    EXPECT_EQ(bench.server.heard[bench.server.heard.size() - 2], (ServerWords{"WAIT", "2", "500"}));
    const Deadline soon = bench.in(300);
    EXPECT_TRUE(bench.wait(story(&client, soon, Duration(500))).ok());
    EXPECT_LE(std::stoi(bench.server.heard[bench.server.heard.size() - 2][2]), 300);
}

TEST(DurableLane, a_deadline_that_ends_before_the_wait_is_unknown_and_the_others_go_on) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) {
        return with_replicas(bench.server, words, Duration(500));
    };
    auto both = bench.wait(when_all(
        writing(&client, "short", bench.in(200)), writing(&client, "long", bench.in(10'000))
    ));
    const auto& late = std::get<0>(both.value());
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::unknown);
    EXPECT_EQ(std::get<1>(both.value()).value().acknowledged, 1);
}

TEST(DurableLane, a_write_whose_deadline_has_passed_is_not_sent) {
    Bench bench;
    Client& client = bench.open();
    auto late = bench.wait(writing(&client, "n", bench.in(0)));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::none);
    bench.pass(1'000);
    EXPECT_EQ(bench.server.count("INCR"), 0U);
}

TEST(DurableLane, a_write_that_was_too_late_for_the_connection_is_none_and_is_never_sent) {
    Bench bench;
    bench.server.down();
    Client& client = bench.open();
    auto both = bench.wait(when_all(
        with_deadline(writing(&client, "short", bench.in(200)), bench.in(5'000)),
        writing(&client, "other", bench.in(300))
    ));
    for (const auto* outcome : {&std::get<0>(both.value()), &std::get<1>(both.value())}) {
        ASSERT_FALSE(outcome->ok());
        EXPECT_EQ(outcome->error().effect(), Effect::none);
    }
    bench.server.up();
    bench.server.script = [&](const ServerWords& words) {
        return with_replicas(bench.server, words, Duration(0));
    };
    EXPECT_TRUE(bench.wait(writing(&client, "later", bench.in(20'000))).ok());
    EXPECT_EQ(bench.server.count("INCR"), 1U);
}

TEST(DurableLane, a_refused_write_is_that_ones_error) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "INCR" && words[1] == "bad") {
            return {"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"};
        }
        return with_replicas(bench.server, words, Duration(0));
    };
    auto both = bench.wait(when_all(
        writing(&client, "bad", bench.in(10'000)), writing(&client, "good", bench.in(10'000))
    ));
    EXPECT_EQ(std::get<0>(both.value()).error().code(), Code::invalid_argument);
    EXPECT_EQ(std::get<0>(both.value()).error().effect(), Effect::none);
    EXPECT_EQ(std::get<1>(both.value()).value().value, 1);
}

TEST(DurableLane, a_connection_that_is_lost_in_the_wait_is_unknown) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "WAIT" ? ServerAnswer{"", true} : bench.server.usual(words);
    };
    auto lost = bench.wait(writing(&client, "n", bench.in(10'000)));
    EXPECT_EQ(lost.error().code(), Code::unreachable);
    EXPECT_EQ(lost.error().effect(), Effect::unknown);
    EXPECT_EQ(bench.server.count("INCR"), 1U);
}

TEST(DurableLane, a_call_that_is_cancelled_takes_nobody_along) {
    for (int ms = 0; ms < 60; ms += 3) {
        Bench bench;
        Client& client = bench.open();
        bench.server.script = [&](const ServerWords& words) {
            return with_replicas(bench.server, words, Duration(30));
        };
        auto both = bench.wait(when_all(
            with_deadline(writing(&client, "a", bench.in(10'000)), bench.in(ms)),
            writing(&client, "b", bench.in(10'000))
        ));
        EXPECT_TRUE(std::get<1>(both.value()).ok());
    }
}

TEST(DurableLane, a_server_that_is_no_primary_says_so) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "ROLE") {
            return {"*5\r\n$5\r\nslave\r\n$9\r\n127.0.0.1\r\n:6379\r\n$9\r\nconnected\r\n:1\r\n"};
        }
        return with_replicas(bench.server, words, Duration(0));
    };
    EXPECT_EQ(bench.wait(writing(&client, "n", bench.in(10'000))).value().connected, -1);
}

}  // namespace
}  // namespace holdfast::redis
