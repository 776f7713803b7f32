// Scripts by their SHA-1, in virtual time against a scripted server.
#include "scripted_server.h"

#include <holdfast/redis/client.h>
#include <holdfast/redis/read.h>
#include <holdfast/redis/script.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

constexpr std::string_view unknown = "-NOSCRIPT No matching script. Please use EVAL.\r\n";

// Knows what was loaded, as a server does.
class ScriptServer {
public:
    ScriptServer()
        : runtime(open_virtual_runtime(VirtualOptions().seed(1))), server(*runtime),
          client(
              std::move(open_redis(*runtime, std::move(RedisOptions().port(server.port())))).value()
          ) {
        server.script = [this](const ServerWords& words) {
            return answer(words);
        };
    }
    ~ScriptServer() {
        client.reset();
        server.down();
        runtime->run(runtime->now() + Duration(20'000));
    }
    Result<std::int64_t> run(const Script& script) {
        auto call = script.call("k", words("a")).as(read_integer);
        return wait(
            *runtime,
            run_script(*client, std::move(call), Deadline::in(Duration(1'000), runtime->clock()))
        );
    }
    std::size_t count(std::string_view name) const { return server.count(name); }

    bool loaded = false;
    bool forgets = false;         // what it was told
    bool loses_load = false;      // the answer of SCRIPT LOAD
    std::string says = ":7\r\n";  // of the script

    std::unique_ptr<VirtualRuntime> runtime;
    ScriptedServer server;
    std::unique_ptr<Client> client;

private:
    ServerAnswer answer(const ServerWords& words) {
        if (words[0] == "SCRIPT") {
            loaded = !forgets;
            return {loses_load ? std::string() : bulk_reply("sha1"), loses_load};
        }
        if (words[0].starts_with("EVALSHA")) {
            return {loaded ? says : std::string(unknown)};
        }
        return server.usual(words);
    }
};

TEST(RedisScript, is_named_by_the_sha1_of_its_text) {
    const Script script("return 1");
    EXPECT_EQ(script.sha1(), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
    EXPECT_EQ(script.call("k", "a").command().any().name(), "EVALSHA");
    EXPECT_EQ(script.call("k").command().any().repeat(), Repeat::once);
    EXPECT_EQ(script.call("k").command().any().on_error(), OnError::maybe_done);
    EXPECT_EQ(Script("x", Repeat::read).call("k").command().any().name(), "EVALSHA_RO");
    EXPECT_EQ(Script("x", Repeat::idempotent).call().command().any().repeat(), Repeat::idempotent);
}

TEST(RedisScript, is_loaded_where_its_keys_are) {
    const auto call = Script("return 1").call("{a}k");
    EXPECT_EQ(call.load().any().slot(), key_slot("a"));
    EXPECT_EQ(call.load().any().keys(), 0U);
}

TEST(RedisScript, is_sent_whole_once_and_by_name_from_then_on) {
    ScriptServer server;
    const Script script("return 7");
    EXPECT_EQ(server.run(script).value(), 7);
    EXPECT_EQ(server.count("SCRIPT"), 1U);
    EXPECT_EQ(server.count("EVALSHA"), 2U);
    EXPECT_EQ(server.run(script).value(), 7);
    EXPECT_EQ(server.count("SCRIPT"), 1U);
    EXPECT_EQ(server.count("EVALSHA"), 3U);
}

TEST(RedisScript, that_the_server_forgets_twice_is_an_invalid_argument_without_effect) {
    ScriptServer server;
    server.forgets = true;
    const auto reply = server.run(Script("return 7"));
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().code(), Code::invalid_argument);
    EXPECT_EQ(reply.error().effect(), Effect::none);
    EXPECT_EQ(server.count("EVALSHA"), 2U);
}

TEST(RedisScript, whose_loading_was_lost_has_not_run) {
    ScriptServer server;
    server.loses_load = true;
    const auto reply = server.run(Script("return 7"));
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().effect(), Effect::none);
}

TEST(RedisScript, that_failed_may_have_written_and_is_not_run_again) {
    ScriptServer server;
    server.loaded = true;
    server.says = "-ERR value is not an integer or out of range script: x, on @user_script:1.\r\n";
    const auto reply = server.run(Script("return 7"));
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().code(), Code::invalid_argument);
    EXPECT_EQ(reply.error().effect(), Effect::unknown);
    EXPECT_EQ(server.count("EVALSHA"), 1U);
}

// A client without loops, and without a server.
class FixedClient {
public:
    template <class Reply>
    Result<Reply> run(const Command<Reply>& command, Deadline) {
        names.emplace_back(command.any().name());
        const std::string bytes = answers.at(names.size() - 1);
        RespParser parser;
        EXPECT_EQ(parser.parse(bytes), RespStatus::complete);
        if (parser.reply().is_error()) {
            return error_of(parser.reply(), command.any());
        }
        return command.read(parser.reply());
    }
    std::vector<std::string> answers;
    std::vector<std::string> names;
};

TEST(RedisScript, runs_on_a_blocking_client_too) {
    FixedClient client;
    client.answers = {std::string(unknown), "+sha1\r\n", ":7\r\n"};
    const Script script("return 7");
    const Deadline deadline = Deadline::in(Duration(1'000), system_clock());
    const Result<std::int64_t> reply =
        run_script(client, script.call("k").as(read_integer), deadline);
    EXPECT_EQ(reply.value(), 7);
    EXPECT_EQ(client.names, (std::vector<std::string>{"EVALSHA", "SCRIPT|LOAD", "EVALSHA"}));
}

}  // namespace
}  // namespace holdfast::redis
