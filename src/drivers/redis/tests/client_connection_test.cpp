// Promises of a client about its connections: dials, lost and silent servers, the end.
#include "client_bench.h"

namespace holdfast::redis {
namespace {

TEST(RedisClient, fault_16_calls_wait_for_a_server_that_is_down_for_a_hundred_dials) {
    Bench bench;
    Client& client = bench.open();
    EXPECT_TRUE(bench.wait(client.task(set_of("k", "v"), bench.in(1'000))).ok());
    bench.server.down();
    bench.pass(300'000);
    auto down = bench.wait(client.task(incr_of("n"), bench.in(1'000)));
    EXPECT_EQ(down.error().code(), Code::unreachable);
    EXPECT_EQ(down.error().effect(), Effect::none);
    bench.server.up();
    EXPECT_EQ(bench.wait(client.task(get_of("k"), bench.in(10'000))).value(), "v");
    EXPECT_EQ(bench.server.connections, 2);
}

TEST(RedisClient, fault_19_each_phase_of_a_dial_may_fail_once) {
    Bench bench;
    Client& client = bench.open();
    int step = 0;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "HELLO" && step == 0) {
            ++step;
            return {"", true};
        }
        if (words[0] == "CLIENT" && step == 1) {
            ++step;
            return {"", true};
        }
        if (words[0] == "HELLO" && step == 2) {
            ++step;
            return {"-LOADING Redis is loading the dataset in memory\r\n"};
        }
        return bench.server.usual(words);
    };
    bench.server.down();
    auto waiting = client.task(set_of("k", "v"), bench.in(60'000));
    auto later = [](Bench* which) -> Task<> {
        (void)co_await sleep(which->runtime->now() + Duration(500));
        which->server.up();
        co_return Done();
    };
    auto both = bench.wait(when_all(std::move(waiting), later(&bench)));
    EXPECT_TRUE(std::get<0>(both.value()).ok());
    EXPECT_EQ(step, 3);
}

TEST(RedisClient, fault_22_a_wrong_password_is_told_at_once) {
    Bench bench;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "HELLO") {
            EXPECT_EQ(words.at(2), "AUTH");
            return {"-WRONGPASS invalid username-password pair or user is disabled.\r\n"};
        }
        return {"-NOAUTH Authentication required.\r\n"};
    };
    RedisOptions options;
    options.credentials("app", Secret("wrong"));
    Client& client = bench.open(std::move(options));
    const SteadyTime before = bench.runtime->now();
    auto refused = bench.wait(client.task(incr_of("n"), bench.in(60'000)));
    EXPECT_EQ(refused.error().code(), Code::denied);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    EXPECT_LT(bench.runtime->now() - before, Duration(1'000));
    EXPECT_EQ(bench.server.count("INCR"), 0U);
}

TEST(RedisClient, fault_27_a_mute_server_costs_a_dial_its_limit_and_no_more) {
    Bench bench;
    Client& client = bench.open();
    bench.server.mute = true;
    auto waiting = bench.wait(client.task(get_of("k"), bench.in(5'000)));
    EXPECT_EQ(waiting.error().code(), Code::unreachable);
    EXPECT_EQ(waiting.error().effect(), Effect::none);
    EXPECT_GE(bench.server.connections, 2);
    bench.server.mute = false;
    EXPECT_TRUE(bench.wait(client.task(get_of("k"), bench.in(20'000))).ok());
}

TEST(RedisClient, a_server_without_hello_is_spoken_to_in_resp2) {
    Bench bench;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "HELLO") {
            return {"-ERR unknown command `HELLO`, with args beginning with: `3`, \r\n"};
        }
        if (words[0] == "CLIENT") {
            return {"-ERR Syntax error, try CLIENT (LIST | KILL | GETNAME | SETNAME)\r\n"};
        }
        if (words[0] == "GET") {
            return {"$-1\r\n"};
        }
        return {"+OK\r\n"};
    };
    RedisOptions options;
    options.credentials("", Secret("word")).database(3).client_name("tests");
    Client& client = bench.open(std::move(options));
    EXPECT_EQ(bench.wait(client.task(get_of("k"), bench.in(1'000))).value(), std::nullopt);
    const std::vector<ServerWords> expected = {
        {"HELLO", "3", "AUTH", "default", "word", "SETNAME", "tests"},
        {"SELECT", "3"},
        {"CLIENT", "SETINFO", "LIB-NAME", "holdfast"},
        {"CLIENT", "SETINFO", "LIB-VER", HOLDFAST_VERSION},
        {"AUTH", "word"},
        {"CLIENT", "SETNAME", "tests"},
        {"SELECT", "3"},
        {"CLIENT", "SETINFO", "LIB-NAME", "holdfast"},
        {"CLIENT", "SETINFO", "LIB-VER", HOLDFAST_VERSION},
        {"GET", "k"},
    };
    EXPECT_EQ(bench.server.heard, expected);
}

TEST(RedisClient, a_program_may_say_its_own_library) {
    Bench bench;
    Client& client = bench.open(RedisOptions().library("shop", "2.1"));
    EXPECT_TRUE(bench.wait(client.task(get_of("k"), bench.in(1'000))).ok());
    const ServerWords name = {"CLIENT", "SETINFO", "LIB-NAME", "shop"};
    const ServerWords version = {"CLIENT", "SETINFO", "LIB-VER", "2.1"};
    EXPECT_EQ(bench.server.heard.at(1), name);
    EXPECT_EQ(bench.server.heard.at(2), version);
}

TEST(RedisClient, a_user_who_may_not_say_echo_cannot_check_the_order) {
    Bench bench;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "ECHO") {
            return {"-NOPERM User app has no permissions to run the 'echo' command\r\n"};
        }
        return bench.server.usual(words);
    };
    Client& client = bench.open(RedisOptions().check_order(true));
    auto refused = bench.wait(client.task(get_of("k"), bench.in(1'000)));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::denied);
    EXPECT_EQ(refused.error().effect(), Effect::none);
}

TEST(RedisClient, a_silent_server_costs_one_call_its_deadline_and_then_its_connection) {
    Bench bench;
    Client& client = bench.open();
    bool hangs = true;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "INCR" && hangs ? ServerAnswer{""} : bench.server.usual(words);
    };
    auto late = bench.wait(client.task(incr_of("n"), bench.in(200)));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::unknown);
    ASSERT_NE(late.error().context(), nullptr);
    EXPECT_EQ(late.error().context()->command, "INCR");
    EXPECT_NE(late.error().context()->situation.find("written=1"), std::string::npos);
    hangs = false;
    bench.pass(20'000);
    EXPECT_EQ(bench.wait(client.task(incr_of("m"), bench.in(1'000))).value(), 1);
    EXPECT_EQ(bench.server.connections, 2);
}

TEST(RedisClient, closing_lets_calls_in_flight_end_and_takes_no_more) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        ServerAnswer answer = bench.server.usual(words);
        answer.after = words[0] == "INCR" ? Duration(100) : Duration(0);
        return answer;
    };
    auto call = client.task(incr_of("n"), bench.in(1'000));
    auto closing = client.close(bench.in(1'000));
    auto both = bench.wait(when_all(std::move(call), std::move(closing)));
    EXPECT_EQ(std::get<0>(both.value()).value(), 1);
    EXPECT_TRUE(std::get<1>(both.value()).value());
    auto after = bench.wait(client.task(incr_of("n"), bench.in(1'000)));
    EXPECT_EQ(after.error().code(), Code::closed);
    bench.pass(100);
    EXPECT_EQ(bench.server.open_connections, 0);
}

TEST(RedisClient, a_client_that_is_destroyed_ends_its_calls_first) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "INCR" ? ServerAnswer{""} : bench.server.usual(words);
    };
    auto future = client.start(incr_of("n"), bench.in(60'000));
    bench.pass(100);
    bench.client.reset();
    bench.pass(100);
    ASSERT_EQ(future.wait_for(std::chrono::seconds(0)), std::future_status::ready);
    auto ended = future.get();
    EXPECT_EQ(ended.error().code(), Code::closed);
    EXPECT_EQ(ended.error().effect(), Effect::unknown);
}

TEST(RedisClient, credentials_that_changed_are_said_on_open_connections) {
    Bench bench;
    std::string password = "first";
    RedisOptions options;
    options.credentials([&]() -> Result<Credentials> {
        return Credentials("app", Secret(password));
    });
    Client& client = bench.open(std::move(options));
    EXPECT_TRUE(bench.wait(client.task(set_of("k", "v"), bench.in(1'000))).ok());
    password = "second";
    EXPECT_TRUE(bench.wait(client.reauthenticate(bench.in(1'000))).ok());
    EXPECT_EQ(bench.server.heard.back(), (ServerWords{"AUTH", "app", "second"}));
    EXPECT_EQ(bench.server.connections, 1);
    bench.server.script = [](const ServerWords&) {
        return ServerAnswer{"-WRONGPASS no\r\n"};
    };
    EXPECT_EQ(bench.wait(client.reauthenticate(bench.in(1'000))).error().code(), Code::denied);
}

}  // namespace
}  // namespace holdfast::redis
