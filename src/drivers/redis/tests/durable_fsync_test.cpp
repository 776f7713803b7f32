// Promises of writes that must be on disk, in virtual time against a scripted server: it says what
// a Redis of 7.2 would, and nothing here was seen from one.
#include "client_bench.h"

namespace holdfast::redis {
namespace {

// What kind of server it is.
enum class Files : std::uint8_t { none, unknown_command, there };

struct Scripted72 : Bench {
    Scripted72() {
        server.script = [this](const ServerWords& words) -> ServerAnswer {
            if (words[0] == "WAITAOF" && files == Files::unknown_command) {
                return {"-ERR unknown command 'WAITAOF', with args beginning with: '1' \r\n"};
            }
            if (words[0] == "WAITAOF" && files == Files::none && words[1] == "1") {
                return {"-ERR WAITAOF cannot be used when numlocal is set but appendonly is "
                        "disabled.\r\n"};
            }
            if (words[0] == "WAITAOF") {
                return {files == Files::there ? "*2\r\n:1\r\n:1\r\n" : "*2\r\n:0\r\n:1\r\n"};
            }
            if (words[0] == "WAIT") {
                return {":1\r\n"};
            }
            if (words[0] == "ROLE") {
                return {"*3\r\n$6\r\nmaster\r\n:1\r\n*0\r\n"};
            }
            return server.usual(words);
        };
    }
    Files files = Files::there;
};

Task<Durable<std::int64_t>>
flushed(Client* client, bool here, std::int64_t replicas, Deadline deadline) {
    const Copies copies = Copies(1, Duration(500)).fsynced(here, replicas);
    co_return co_await client->run_durable(incr_of("n"), copies, deadline);
}
Task<Durable<std::int64_t>> plain(Client* client, Deadline deadline) {
    const Copies copies(1, Duration(500));
    co_return co_await client->run_durable(incr_of("n"), copies, deadline);
}

TEST(ScriptedWaitaof, a_connection_is_asked_once_and_then_each_group_waits_for_the_files) {
    Scripted72 bench;
    Client& client = bench.open();
    for (int i = 0; i < 3; ++i) {
        auto done = bench.wait(flushed(&client, true, 1, bench.in(10'000)));
        ASSERT_TRUE(done.ok());
        EXPECT_EQ(done.value().synced_here, 1);
        EXPECT_EQ(done.value().synced_replicas, 1);
        EXPECT_EQ(done.value().acknowledged, 1);
    }
    EXPECT_EQ(bench.server.count("WAITAOF"), 1U + 3U);
    const auto& heard = bench.server.heard;
    EXPECT_EQ(heard[heard.size() - 2], (ServerWords{"WAITAOF", "1", "1", "500"}));
}

TEST(ScriptedWaitaof, a_server_without_it_gets_no_write_and_is_asked_once) {
    Scripted72 bench;
    bench.files = Files::unknown_command;
    Client& client = bench.open();
    for (int i = 0; i < 3; ++i) {
        auto refused = bench.wait(flushed(&client, false, 1, bench.in(10'000)));
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code(), Code::unsupported);
        EXPECT_EQ(refused.error().effect(), Effect::none);
    }
    EXPECT_EQ(bench.server.count("INCR"), 0U);
    EXPECT_EQ(bench.server.count("WAITAOF"), 1U);
    EXPECT_TRUE(bench.wait(plain(&client, bench.in(10'000))).ok());
}

TEST(ScriptedWaitaof, a_server_without_a_file_can_only_wait_for_its_replicas) {
    Scripted72 bench;
    bench.files = Files::none;
    Client& client = bench.open();
    auto refused = bench.wait(flushed(&client, true, 1, bench.in(10'000)));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::unsupported);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    EXPECT_EQ(bench.server.count("INCR"), 0U);
    auto done = bench.wait(flushed(&client, false, 1, bench.in(10'000)));
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done.value().synced_here, 0);
    EXPECT_EQ(done.value().synced_replicas, 1);
}

TEST(ScriptedWaitaof, a_new_connection_is_asked_again) {
    Scripted72 bench;
    Client& client = bench.open();
    EXPECT_TRUE(bench.wait(flushed(&client, true, 0, bench.in(10'000))).ok());
    bench.server.break_connections();
    bench.pass(100);
    bench.files = Files::unknown_command;
    auto refused = bench.wait(flushed(&client, true, 0, bench.in(10'000)));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().effect(), Effect::none);
    EXPECT_EQ(bench.server.count("INCR"), 1U);
}

TEST(ScriptedWaitaof, an_old_server_refuses_only_those_that_ask) {
    Scripted72 bench;
    bench.files = Files::unknown_command;
    Client& client = bench.open();
    auto both = bench.wait(
        when_all(flushed(&client, true, 0, bench.in(10'000)), plain(&client, bench.in(10'000)))
    );
    EXPECT_EQ(std::get<0>(both.value()).error().effect(), Effect::none);
    ASSERT_TRUE(std::get<1>(both.value()).ok());
    EXPECT_EQ(std::get<1>(both.value()).value().synced_here, -1);
    EXPECT_EQ(bench.server.count("INCR"), 1U);
}

TEST(ScriptedWaitaof, a_question_without_an_answer_costs_the_deadline_and_sends_nothing) {
    Scripted72 bench;
    const auto usual = bench.server.script;
    bench.server.script = [&](const ServerWords& words) {
        return words[0] == "WAITAOF" ? ServerAnswer{""} : usual(words);
    };
    Client& client = bench.open();
    auto late = bench.wait(flushed(&client, true, 0, bench.in(300)));
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::none);
    EXPECT_EQ(bench.server.count("INCR"), 0U);
}

TEST(ScriptedWaitaof, files_that_are_not_flushed_in_time_are_told_and_not_judged) {
    Scripted72 bench;
    const auto usual = bench.server.script;
    bench.server.script = [&](const ServerWords& words) {
        const bool group = words[0] == "WAITAOF" && words[3] == "500";
        return group ? ServerAnswer{"*2\r\n:0\r\n:0\r\n"} : usual(words);
    };
    Client& client = bench.open();
    auto done = bench.wait(flushed(&client, true, 1, bench.in(10'000)));
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done.value().synced_here, 0);
    EXPECT_EQ(done.value().synced_replicas, 0);
}

}  // namespace
}  // namespace holdfast::redis
