// Every command against a server: what the server says about it, and what it answers.

#include "tests/commands_absent.h"
#include "tests/commands_golden_text.h"
#include "tests/commands_samples.h"
#include "tests/commands_wire.h"

#include <holdfast/redis/errors.h>

#include <gtest/gtest.h>
#include <live/redis_server.h>

#include <set>

namespace holdfast::redis::testing {
namespace {

using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;

// One of each for all tests: they empty it before each sample.
class Servers {
public:
    Servers() {
        std::ofstream(folder_.path() / "users.acl").flush();
        const std::string users = (folder_.path() / "users.acl").string();
        single_ = std::make_unique<RedisServer>(
            RedisServerOptions().memory_only().option("aclfile", users)
        );
        cluster_ = std::make_unique<RedisServer>(
            RedisServerOptions().memory_only().option("cluster-enabled", "yes")
        );
    }
    std::uint16_t port(Stage stage) const {
        return stage == Stage::cluster ? cluster_->port() : single_->port();
    }
    // As it was at the start.
    void clean(Stage stage) {
        Wire wire(port(stage));
        ASSERT_TRUE(holdfast::testing::eventually([&] {  // one that saves refuses some commands
            const auto persistence = read_info(wire.call("INFO persistence").view());
            return persistence.value().integer("rdb_bgsave_in_progress") == 0 &&
                   persistence.value().integer("aof_rewrite_in_progress") == 0;
        }));
        const std::vector<std::string_view> lines =
            stage == Stage::cluster
                ? std::vector<std::string_view>{"FLUSHALL", "CLUSTER RESET"}
                : std::vector<std::string_view>{
                      "REPLICAOF NO ONE",
                      "CLIENT UNPAUSE",
                      "CONFIG SET maxmemory-policy noeviction slowlog-log-slower-than 10000 "
                      "latency-monitor-threshold 0",
                      "ACL DELUSER app",
                      "FLUSHALL",
                      "FUNCTION FLUSH",
                      "SCRIPT FLUSH",
                      "LATENCY RESET",
                  };
        for (const std::string_view line : lines) {
            const OwnedReply reply = wire.call(line);
            ASSERT_FALSE(reply.view().is_error()) << line << ": " << reply.view().text();
        }
    }

private:
    holdfast::testing::TemporaryFolder folder_;
    std::unique_ptr<RedisServer> single_;
    std::unique_ptr<RedisServer> cluster_;
};

class CommandsLive : public ::testing::Test {
protected:
    static void SetUpTestSuite() { servers = std::make_unique<Servers>(); }
    static void TearDownTestSuite() { servers.reset(); }

    // What the server says about every command, by name.
    static std::map<std::string, CommandInfo> server_commands() {
        Wire wire(servers->port(Stage::single));
        const auto command = command_info();
        auto all = command.read(wire.call(command.any()).view());
        EXPECT_TRUE(all.ok());
        std::map<std::string, CommandInfo> commands;
        for (auto& one : all.value()) {
            for (CommandInfo& below : one->subcommands) {
                commands[below.name] = below;
            }
            commands[one->name] = *one;
        }
        return commands;
    }
    static std::string server_name(const AnyCommand& any) {
        std::string name(any.name());
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
        return name;
    }
    static std::unique_ptr<Servers> servers;
};

std::unique_ptr<Servers> CommandsLive::servers;

bool has(const std::vector<std::string>& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

TEST_F(CommandsLive, each_is_answered_and_read_alike_in_both_protocols) {
    const Samples samples = all_samples();
    std::string recorded;
    for (const Sample& sample : samples.all()) {
        if (sample.stage == Stage::none) {
            continue;
        }
        std::vector<OwnedReply> replies;
        std::string answers = "== " + sample.label + "\n";
        for (const std::string_view hello : {"HELLO 2", "HELLO 3"}) {
            servers->clean(sample.stage);
            Wire wire(servers->port(sample.stage));
            ASSERT_FALSE(wire.call(hello).view().is_error());
            for (const std::string_view line : sample.before) {
                wire.call(line);
            }
            std::string bytes;
            replies.push_back(wire.call(sample.any, &bytes));
            answers += hello == "HELLO 2" ? "-- resp2\n" : "-- resp3\n";
            answers += escaped(bytes) + "\n";
            const RespView reply = replies.back().view();
            if (!sample.refusal.empty()) {
                EXPECT_TRUE(reply.is_error()) << sample.label;
                EXPECT_TRUE(reply.text().starts_with(sample.refusal))
                    << sample.label << ": " << reply.text();
            } else {
                EXPECT_FALSE(reply.is_error()) << sample.label << ": " << reply.text();
                EXPECT_FALSE(sample.reads(reply).has_value())
                    << sample.label << ": " << escaped(bytes);
            }
        }
        recorded += sample.recorded ? answers : "";
        if (sample.refusal.empty() && !sample.varies) {
            EXPECT_TRUE(sample.same(replies[0].view(), replies[1].view())) << sample.label;
        }
    }
    (void)wrote_golden("replies.inc", recorded);
}

TEST_F(CommandsLive, the_server_takes_the_number_of_words_of_each) {
    const auto commands = server_commands();
    const Samples samples = all_samples();
    for (const Sample& sample : samples.all()) {
        const auto found = commands.find(server_name(sample.any));
        if (sample.stage == Stage::none) {
            EXPECT_EQ(found, commands.end()) << sample.label << " can be run here";
            continue;
        }
        ASSERT_NE(found, commands.end()) << sample.label;
        const std::int64_t arity = found->second.arity;
        const auto words = static_cast<std::int64_t>(sample.any.words());
        EXPECT_TRUE(arity < 0 ? words >= -arity : words == arity) << sample.label;
    }
}

// Writes that change nothing the second time, by their own nature.
const std::set<std::string> idempotent_writes{
    "bitfield",   // one that only reads
    "expireat",   // the same time
    "pexpireat",  // the same time
    "sort",       // without STORE
    "xack",       // is acknowledged or not
};

TEST_F(CommandsLive, only_what_the_server_calls_a_read_is_repeated_as_one) {
    const auto commands = server_commands();
    const Samples samples = all_samples();
    std::set<std::string> seen;
    for (const Sample& sample : samples.all()) {
        const std::string name = server_name(sample.any);
        const auto found = commands.find(name);
        if (found == commands.end()) {
            continue;
        }
        const std::vector<std::string>& flags = found->second.flags;
        if (has(flags, "write")) {
            EXPECT_NE(sample.any.repeat(), Repeat::read) << sample.label;
            if (sample.any.repeat() == Repeat::idempotent) {
                seen.insert(name);
            }
        }
        if (has(flags, "readonly")) {
            EXPECT_EQ(sample.any.repeat(), Repeat::read) << sample.label;
        }
    }
    EXPECT_EQ(seen, idempotent_writes);
}

TEST_F(CommandsLive, each_travels_on_the_lane_that_its_nature_asks_for) {
    const auto commands = server_commands();
    const Samples samples = all_samples();
    for (const Sample& sample : samples.all()) {
        const std::string name = server_name(sample.any);
        const auto found = commands.find(name);
        if (found == commands.end()) {
            continue;
        }
        const bool may_wait = has(found->second.flags, "blocking");
        const std::vector<std::string> words = words_of(sample.any);
        const bool waits = may_wait && (!name.starts_with("xread") || has(words, "BLOCK"));
        const bool listens =
            name.ends_with("subscribe") || name == "client|tracking" || name == "client|caching";
        const bool changes_connection = has(found->second.categories, "@transaction") ||
                                        std::set<std::string>{
                                            "auth",
                                            "hello",
                                            "reset",
                                            "select",
                                            "asking",
                                            "readonly",
                                            "readwrite",
                                            "wait",
                                            "client|setname",
                                            "client|no-evict"
                                        }
                                            .contains(name);
        const Lane expected = waits                ? Lane::blocking
                              : listens            ? Lane::push
                              : changes_connection ? Lane::lease
                                                   : Lane::shared;
        EXPECT_EQ(sample.any.lane(), expected) << sample.label;
    }
}

bool of_shard(const AnyCommand& any) {
    return std::set<std::string_view>{"SPUBLISH", "SSUBSCRIBE", "SUNSUBSCRIBE"}.contains(any.name()
    );
}

TEST_F(CommandsLive, the_server_finds_the_same_keys_in_each) {
    Wire wire(servers->port(Stage::single));
    const Samples samples = all_samples();
    for (const Sample& sample : samples.all()) {
        if (sample.stage == Stage::none) {
            continue;
        }
        const std::vector<std::string> words = words_of(sample.any);
        const OwnedReply reply = wire.call(command_getkeys(words).any());
        if (reply.view().is_error()) {
            const std::string_view text = reply.view().text();
            EXPECT_TRUE(
                words.size() == 1 || text.starts_with("ERR The command has no key arguments")
            ) << sample.label
              << ": " << text;
            // A channel of a shard has a slot like a key, but is none to the server.
            EXPECT_EQ(sample.any.keys(), of_shard(sample.any) ? 1U : 0U) << sample.label;
            continue;
        }
        const auto keys = read_texts(reply.view());
        ASSERT_TRUE(keys.ok());
        EXPECT_EQ(keys.value().size(), sample.any.keys()) << sample.label;
        if (sample.any.key_step() != 0) {
            EXPECT_EQ(keys.value(), keys_of(sample.any)) << sample.label;
        } else {
            EXPECT_EQ(keys.value().front(), keys_of(sample.any).front()) << sample.label;
        }
        std::set<std::int32_t> slots;
        for (const std::string& key : keys.value()) {
            slots.insert(key_slot(key));
        }
        const std::int32_t one = slots.empty() ? slot_of_no_key : *slots.begin();
        EXPECT_EQ(sample.any.slot(), slots.size() > 1 ? slot_of_many : one) << sample.label;
    }
}

TEST_F(CommandsLive, a_cluster_computes_the_same_slots) {
    Wire wire(servers->port(Stage::cluster));
    std::string key;
    for (int i = 0; i < 500; ++i) {
        key += static_cast<char>(i * 37);
        for (const std::string& tried :
             {key, "{" + key + "}x", "a{" + key, "{}" + key, "x{a" + key + "}}", "{{" + key + "}}"
             }) {
            const OwnedReply reply = wire.call(cluster_keyslot(tried).any());
            ASSERT_EQ(reply.view().number(), key_slot(tried)) << escaped(tried);
        }
        if (key.size() > 40) {
            key.clear();
        }
    }
}

TEST_F(CommandsLive, what_is_absent_has_a_reason_and_nothing_else_has_one) {
    const auto commands = server_commands();
    const Samples samples = all_samples();
    std::set<std::string> ours;
    for (const Sample& sample : samples.all()) {
        ours.insert(server_name(sample.any));
    }
    std::size_t absent = 0;
    for (const auto& [name, info] : commands) {
        if (ours.contains(name) || only_a_container(name, !info.subcommands.empty())) {
            continue;
        }
        const auto reason = absent_commands().find(name);
        EXPECT_NE(reason, absent_commands().end()) << name << " is missing without a reason";
        ++absent;
        std::printf(
            "absent: %-22s %s\n",
            name.c_str(),
            reason == absent_commands().end() ? "?" : reason->second.c_str()
        );
    }
    EXPECT_EQ(absent, absent_commands().size()) << "a reason for what is there or does not exist";
    for (const auto& [name, reason] : absent_commands()) {
        EXPECT_FALSE(ours.contains(name)) << name << " is there: its reason is stale";
        EXPECT_TRUE(commands.contains(name)) << name << " is no command of this server";
    }
    std::printf("commands of the server: %zu, of the library: %zu\n", commands.size(), ours.size());
}

}  // namespace
}  // namespace holdfast::redis::testing
