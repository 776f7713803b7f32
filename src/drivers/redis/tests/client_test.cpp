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
        {"CLIENT", "SETINFO", "LIB-VER", "1"},
        {"AUTH", "word"},
        {"CLIENT", "SETNAME", "tests"},
        {"SELECT", "3"},
        {"CLIENT", "SETINFO", "LIB-NAME", "holdfast"},
        {"CLIENT", "SETINFO", "LIB-VER", "1"},
        {"GET", "k"},
    };
    EXPECT_EQ(bench.server.heard, expected);
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

TEST(RedisClient, commands_that_change_a_connection_are_refused_on_a_shared_one) {
    Bench bench;
    Client& client = bench.open();
    for (const Lane lane : {Lane::lease, Lane::push}) {
        auto refused = bench.wait(client.task(raw_of("WATCH", lane), bench.in(1'000)));
        EXPECT_EQ(refused.error().code(), Code::invalid_argument);
        EXPECT_EQ(refused.error().effect(), Effect::none);
    }
    EXPECT_EQ(bench.server.connections, 0);
}

Task<> in_lease(Client* client, std::vector<AnyCommand> commands, Deadline deadline) {
    Loop& loop = (co_await this_scope()).loop();
    auto lease = client->lease(loop);
    if (!lease.ok()) {
        co_return std::move(lease).error();
    }
    for (AnyCommand& any : commands) {
        Command<OwnedReply> command(std::move(any), read_reply);
        auto reply = co_await lease.value().run(std::move(command), deadline);
        if (!reply.ok()) {
            co_return std::move(reply).error();
        }
    }
    co_return Done();
}

TEST(RedisClient, a_lease_that_watched_comes_back_unwatched) {
    Bench bench;
    Client& client = bench.open();
    for (int i = 0; i < 3; ++i) {
        std::vector<AnyCommand> commands;
        commands.push_back(std::move(AnyCommand("WATCH").add("k").set_lane(Lane::lease)));
        EXPECT_TRUE(bench.wait(in_lease(&client, std::move(commands), bench.in(1'000))).ok());
        bench.pass(50);
    }
    EXPECT_EQ(bench.server.count("UNWATCH"), 3U);
    EXPECT_EQ(bench.server.connections, 1);
}

TEST(RedisClient, a_lease_in_a_mode_that_cannot_be_undone_does_not_come_back) {
    Bench bench;
    Client& client = bench.open();
    for (const char* name : {"MULTI", "MONITOR", "SELECT"}) {
        std::vector<AnyCommand> commands;
        commands.push_back(std::move(AnyCommand(name).set_lane(Lane::lease)));
        EXPECT_TRUE(bench.wait(in_lease(&client, std::move(commands), bench.in(1'000))).ok());
        bench.pass(50);
        EXPECT_EQ(bench.server.open_connections, 0);
    }
    EXPECT_EQ(bench.server.connections, 3);
}

TEST(RedisClient, a_lease_does_not_go_on_on_another_connection) {
    Bench bench;
    Client& client = bench.open();
    auto story = [](Bench* where, Client* of) -> Task<> {
        Loop& loop = (co_await this_scope()).loop();
        auto lease = of->lease(loop);
        Command<OwnedReply> watch = raw_of("WATCH", Lane::lease);
        auto watched = co_await lease.value().run(std::move(watch), where->in(1'000));
        EXPECT_TRUE(watched.ok());
        where->server.break_connections();
        (void)co_await sleep(where->runtime->now() + Duration(100));
        auto after = co_await lease.value().run(incr_of("n"), where->in(1'000));
        EXPECT_FALSE(after.ok());
        EXPECT_EQ(after.error().effect(), Effect::none);
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&bench, &client)).ok());
    EXPECT_EQ(bench.server.count("INCR"), 0U);
}

TEST(RedisClient, leases_are_bounded) {
    Bench bench;
    RedisOptions options;
    options.leases_max(1);
    Client& client = bench.open(std::move(options));
    auto story = [](Client* of) -> Task<> {
        Loop& loop = (co_await this_scope()).loop();
        {
            auto first = of->lease(loop);
            EXPECT_TRUE(first.ok());
            EXPECT_EQ(of->lease(loop).error().code(), Code::overloaded);
        }
        EXPECT_TRUE(of->lease(loop).ok());
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&client)).ok());
}

TEST(RedisClient, a_batch_is_one_write_and_each_command_has_its_own_answer) {
    Bench bench;
    Client& client = bench.open();
    bench.server.values["k"] = "a value that is longer than the space inside of a string";
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "BAD" ? ServerAnswer{"-WRONGTYPE no\r\n"} : bench.server.usual(words);
    };
    auto story = [](Bench* where, Client* of) -> Task<> {
        Batch batch;
        for (int round = 0; round < 3; ++round) {
            batch.clear();
            const auto n = batch.add(incr_of("n"));
            const auto bad = batch.add(raw_of("BAD", Lane::shared));
            const auto value = batch.add(get_of("k"));
            auto done = co_await of->run(batch, where->in(1'000));
            EXPECT_TRUE(done.ok());
            EXPECT_EQ(batch.get(n).value(), round + 1);
            EXPECT_EQ(batch.get(bad).error().code(), Code::invalid_argument);
            EXPECT_EQ(batch.get(bad).error().effect(), Effect::none);
            EXPECT_EQ(batch.get(value).value(), where->server.values["k"]);
        }
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&bench, &client)).ok());
}

TEST(RedisClient, a_batch_that_is_cut_off_keeps_the_answers_that_came) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "CUT" ? ServerAnswer{"", true} : bench.server.usual(words);
    };
    auto story = [](Bench* where, Client* of) -> Task<> {
        Batch batch;
        const auto n = batch.add(incr_of("n"));
        const auto cut = batch.add(raw_of("CUT", Lane::shared));
        auto done = co_await of->run(batch, where->in(1'000));
        EXPECT_EQ(done.error().effect(), Effect::unknown);
        EXPECT_EQ(batch.get(n).value(), 1);
        EXPECT_EQ(batch.get(cut).error().effect(), Effect::unknown);
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&bench, &client)).ok());
}

TEST(RedisClient, a_transaction_commits_aborts_or_is_refused_as_a_whole) {
    Bench bench;
    Client& client = bench.open();
    std::string exec;
    std::string queued = "+QUEUED\r\n";
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "EXEC") {
            return {exec};
        }
        return words[0] == "INCR" ? ServerAnswer{queued} : bench.server.usual(words);
    };
    auto story = [](Bench* where, Client* of, std::string* answer, std::string* to_incr) -> Task<> {
        Transaction transaction;
        const auto n = transaction.add(incr_of("n"));
        const auto m = transaction.add(incr_of("m"));
        *answer = "*2\r\n:7\r\n-WRONGTYPE no\r\n";
        auto committed = co_await of->run(transaction, where->in(1'000));
        EXPECT_EQ(committed.value(), TransactionEnd::committed);
        EXPECT_EQ(transaction.get(n).value(), 7);
        EXPECT_EQ(transaction.get(m).error().code(), Code::invalid_argument);
        *answer = "_\r\n";
        auto aborted = co_await of->run(transaction, where->in(1'000));
        EXPECT_EQ(aborted.value(), TransactionEnd::aborted);
        *answer = "-EXECABORT Transaction discarded because of previous errors.\r\n";
        *to_incr = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
        auto refused = co_await of->run(transaction, where->in(1'000));
        EXPECT_EQ(refused.error().code(), Code::overloaded);
        EXPECT_EQ(refused.error().effect(), Effect::none);
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&bench, &client, &exec, &queued)).ok());
}

TEST(RedisClient, fault_23_a_pipeline_larger_than_all_buffers_is_read_while_it_is_written) {
    Bench bench;
    Client& client = bench.open();
    const std::string value(1'000, 'x');
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "ECHO" ? ServerAnswer{bulk_reply(value)} : bench.server.usual(words);
    };
    auto story = [](Bench* where, Client* of, const std::string* text) -> Task<> {
        Batch batch;
        for (int i = 0; i < 200; ++i) {
            AnyCommand echo("ECHO");
            echo.add(*text);
            batch.add_any(echo);
        }
        auto done = co_await of->run(batch, where->in(1'000'000));
        EXPECT_TRUE(done.ok());
        EXPECT_EQ(batch.replies().size(), 200U);
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&bench, &client, &value)).ok());
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
