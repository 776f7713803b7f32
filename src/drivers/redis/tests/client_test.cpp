// Promises of a client and its connections, in virtual time against a scripted server.
#include "client_bench.h"

namespace holdfast::redis {
namespace {

TEST(RedisClient, a_value_that_was_set_is_read_back) {
    Bench bench;
    Client& client = bench.open();
    EXPECT_TRUE(bench.wait(client.task(set_of("k", "v"), bench.in(1'000))).ok());
    auto value = bench.wait(client.task(get_of("k"), bench.in(1'000)));
    EXPECT_EQ(value.value(), "v");
    EXPECT_EQ(bench.server.connections, 1);
}

Task<> one_caller(Client* client, int number, int rounds, Deadline deadline) {
    for (int round = 0; round < rounds; ++round) {
        const std::string key = "key-" + std::to_string(number) + "-" + std::to_string(round);
        auto set = co_await client->run(set_of(key, "of " + key), deadline);
        EXPECT_TRUE(set.ok());
        auto got = co_await client->run(get_of(key), deadline);
        EXPECT_TRUE(got.ok() && got.value() == "of " + key);
    }
    co_return Done();
}

TEST(RedisClient, callers_of_one_connection_get_their_own_values) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Bench bench(seed);
        Client& client = bench.open();
        std::vector<Task<>> callers;
        for (int i = 0; i < 64; ++i) {
            callers.push_back(one_caller(&client, i, 10, bench.in(100'000)));
        }
        EXPECT_TRUE(bench.wait(when_all(std::move(callers))).ok());
        EXPECT_EQ(bench.server.connections, 1);
    }
}

TEST(RedisClient, a_lost_reply_of_a_write_is_unknown_and_the_write_is_not_repeated) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "INCR") {
            (void)bench.server.usual(words);
            return {"", true};
        }
        return bench.server.usual(words);
    };
    auto lost = bench.wait(client.task(incr_of("n"), bench.in(1'000)));
    ASSERT_FALSE(lost.ok());
    EXPECT_EQ(lost.error().code(), Code::unreachable);
    EXPECT_EQ(lost.error().effect(), Effect::unknown);
    EXPECT_EQ(bench.wait(client.task(get_of("n"), bench.in(1'000))).value(), "1");
}

TEST(RedisClient, a_lost_reply_of_a_read_or_of_an_idempotent_write_is_asked_for_again) {
    Bench bench;
    Client& client = bench.open();
    int cuts = 3;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        ServerAnswer answer = bench.server.usual(words);
        if ((words[0] == "GET" || words[0] == "SET") && cuts-- > 0) {
            return {"", true};
        }
        return answer;
    };
    auto set =
        bench.wait(client.task(set_of("k", "v").repeat(Repeat::idempotent), bench.in(10'000)));
    EXPECT_TRUE(set.ok());
    cuts = 3;
    EXPECT_EQ(bench.wait(client.task(get_of("k"), bench.in(10'000))).value(), "v");
}

// The first attempt may have been done: that the second one was refused says nothing of it.
TEST(RedisClient, an_error_after_an_attempt_without_an_answer_is_no_certainty) {
    Bench bench;
    int attempts = 0;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] != "SET" && words[0] != "GET") {
            return bench.server.usual(words);
        }
        return ++attempts % 2 == 1 ? ServerAnswer{"", true} : ServerAnswer{"-OOM full\r\n"};
    };
    Client& client = bench.open();
    auto written =
        bench.wait(client.task(set_of("k", "1").repeat(Repeat::idempotent), bench.in(5'000)));
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().code(), Code::overloaded);
    EXPECT_EQ(written.error().effect(), Effect::unknown);
    EXPECT_EQ(attempts, 2);

    auto read = bench.wait(client.task(get_of("k"), bench.in(5'000)));
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().effect(), Effect::none) << "a read has none";

    Batch batch;
    const auto slot = batch.add(set_of("k", "1").repeat(Repeat::idempotent));
    const auto run = [](Client* of, Batch* what, Deadline deadline) -> Task<> {
        co_return co_await of->run(*what, deadline);
    };
    ASSERT_TRUE(bench.wait(run(&client, &batch, bench.in(5'000))).ok());
    EXPECT_EQ(batch.get(slot).error().effect(), Effect::unknown);
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "SET" ? ServerAnswer{"-OOM full\r\n"} : bench.server.usual(words);
    };
    ASSERT_TRUE(bench.wait(run(&client, &batch, bench.in(5'000))).ok());
    EXPECT_EQ(batch.get(slot).error().effect(), Effect::none) << "of this run";
}

TEST(RedisClient, an_error_of_one_call_is_that_calls_alone) {
    Bench bench;
    Client& client = bench.open();
    bench.server.values["s"] = "text";
    auto wrong = client.task(get_of("s").as(read_integer), bench.in(1'000));
    auto right = client.task(incr_of("n"), bench.in(1'000));
    auto both = bench.wait(when_all(std::move(wrong), std::move(right)));
    EXPECT_EQ(std::get<0>(both.value()).error().code(), Code::corrupt);
    EXPECT_EQ(std::get<1>(both.value()).value(), 1);
    EXPECT_EQ(bench.server.connections, 1);
}

TEST(RedisClient, a_call_that_is_cancelled_ends_at_once_and_its_reply_goes_to_nobody) {
    Bench bench;
    Client& client = bench.open();
    bench.server.values["a"] = "of a";
    bench.server.values["b"] = "of b";
    EXPECT_TRUE(bench.wait(client.task(get_of("a"), bench.in(1'000))).ok());
    for (int ms = 0; ms < 12; ++ms) {
        auto slow = with_deadline(client.task(get_of("a"), bench.in(1'000)), bench.in(ms));
        auto steady = client.task(get_of("b"), bench.in(1'000));
        auto both = bench.wait(when_all(std::move(slow), std::move(steady)));
        const auto& first = std::get<0>(both.value());
        EXPECT_TRUE(first.ok() ? first.value() == "of a" : first.error().code() == Code::timed_out);
        EXPECT_EQ(std::get<1>(both.value()).value(), "of b");
    }
    EXPECT_EQ(bench.server.connections, 1);
}

TEST(RedisClient, a_blocking_command_holds_nobody_up_and_its_connection_goes_when_it_is_given_up) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "BLPOP" ? ServerAnswer{""} : bench.server.usual(words);
    };
    auto blocked = client.task(raw_of("BLPOP", Lane::blocking), bench.in(500));
    auto quick = client.task(incr_of("n"), bench.in(100));
    auto both = bench.wait(when_all(std::move(blocked), std::move(quick)));
    EXPECT_EQ(std::get<0>(both.value()).error().code(), Code::timed_out);
    EXPECT_EQ(std::get<1>(both.value()).value(), 1);
    EXPECT_EQ(bench.server.connections, 2);
    bench.pass(100);
    EXPECT_EQ(bench.server.open_connections, 1);
}

TEST(RedisClient, a_full_queue_is_overloaded_at_once) {
    Bench bench;
    RedisOptions options;
    options.in_flight_max(2);
    Client& client = bench.open(std::move(options));
    std::vector<Task<std::int64_t>> calls;
    for (int i = 0; i < 3; ++i) {
        calls.push_back(client.task(incr_of("n"), bench.in(1'000)));
    }
    auto all = bench.wait(when_all(std::move(calls)));
    EXPECT_TRUE(all.value()[0].ok());
    EXPECT_TRUE(all.value()[1].ok());
    EXPECT_EQ(all.value()[2].error().code(), Code::overloaded);
    EXPECT_EQ(all.value()[2].error().effect(), Effect::none);
}

TEST(RedisClient, a_view_is_the_reply_where_it_lies) {
    Bench bench;
    Client& client = bench.open();
    bench.server.values["k"] = "v";
    auto story = [](Bench* where, Client* of) -> Task<std::string> {
        auto view = co_await of->run(get_of("k").as(read_view), where->in(1'000));
        co_return std::string(view.value().text());
    };
    EXPECT_EQ(bench.wait(story(&bench, &client)).value(), "v");
}

}  // namespace
}  // namespace holdfast::redis
