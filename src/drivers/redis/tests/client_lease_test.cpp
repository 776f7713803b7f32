// Promises of connections that are held, of batches and of transactions.
#include "client_bench.h"

namespace holdfast::redis {
namespace {

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

TEST(RedisClient, a_client_that_goes_ends_the_calls_of_all_its_leases) {
    Bench bench;
    Client& client = bench.open();
    bench.server.mute = true;
    std::vector<Code> ends;
    for (int i = 0; i < 3; ++i) {
        std::vector<AnyCommand> commands;
        commands.push_back(AnyCommand("GET"));
        spawn(
            bench.runtime->loop(0),
            in_lease(&client, std::move(commands), bench.in(60'000)),
            [&](Result<Done> done) { ends.push_back(done.error().code()); }
        );
    }
    bench.pass(100);
    bench.client.reset();
    bench.pass(100);
    EXPECT_EQ(ends, std::vector<Code>(3, Code::closed));
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

// LOADING ended between them: they have run, each by itself.
TEST(RedisClient, a_transaction_whose_multi_alone_was_refused_may_have_run) {
    Bench bench;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "MULTI") {
            return {"-LOADING its data\r\n"};
        }
        return words[0] == "EXEC" ? ServerAnswer{"-ERR EXEC without MULTI\r\n"}
                                  : bench.server.usual(words);
    };
    Client& client = bench.open();
    Transaction transaction;
    (void)transaction.add(incr_of("n"));
    const auto run = [](Client* of, Transaction* what, Deadline deadline) -> Task<TransactionEnd> {
        co_return co_await of->run(*what, deadline);
    };
    const auto ended = bench.wait(run(&client, &transaction, bench.in(1'000)));
    ASSERT_FALSE(ended.ok());
    EXPECT_EQ(ended.error().code(), Code::unreachable);
    EXPECT_EQ(ended.error().effect(), Effect::unknown);
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

}  // namespace
}  // namespace holdfast::redis
