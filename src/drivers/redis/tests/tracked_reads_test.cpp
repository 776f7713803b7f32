// Promises of tracked reads, in virtual time against a scripted server.
#include "tracked_bench.h"

#include <holdfast/redis/commands/hashes.h>
#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/commands/sets.h>
#include <holdfast/redis/commands/strings.h>

namespace holdfast::redis {
namespace {

using Texts = std::vector<std::string>;

Task<std::string> getting(TrackedReads* reads, std::string key, Deadline deadline, Duration later) {
    Loop& loop = (co_await this_scope()).loop();
    (void)co_await sleep(loop.now() + later);
    auto got = co_await reads->get(key, deadline);
    if (!got.ok()) {
        co_return std::string(name_of(got.error().code()));
    }
    co_return got.value().value_or("-");
}

template <class Reply>
Task<Reply> running(TrackedReads* reads, Command<Reply> command, Deadline deadline) {
    co_return co_await reads->run(std::move(command), deadline);
}

bool heard(const ScriptedServer& server, const ServerWords& words) {
    return std::find(server.heard.begin(), server.heard.end(), words) != server.heard.end();
}

TEST(TrackedReads, a_value_is_read_from_the_server_once_and_again_when_it_was_changed) {
    TrackedBench bench;
    bench.track();
    bench.server.values["k"] = "one";
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(bench.get("k"), "one");
    }
    EXPECT_EQ(bench.server.count("GET"), 1U);
    EXPECT_TRUE(heard(bench.server, {"CLIENT", "TRACKING", "ON"}));
    bench.change("k", "two");
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(bench.get("k"), "two");
    }
    EXPECT_EQ(bench.server.count("GET"), 2U);
    bench.change("another", "x");
    EXPECT_EQ(bench.get("k"), "two");
    EXPECT_EQ(bench.server.count("GET"), 2U);
}

TEST(TrackedReads, that_there_is_no_value_is_remembered_until_there_is_one) {
    TrackedBench bench;
    bench.track();
    EXPECT_EQ(bench.get("k"), "-");
    EXPECT_EQ(bench.get("k"), "-");
    EXPECT_EQ(bench.server.count("GET"), 1U);
    bench.change("k", "born");
    EXPECT_EQ(bench.get("k"), "born");
}

TEST(TrackedReads, all_is_forgotten_when_the_server_says_that_all_was_changed) {
    TrackedBench bench;
    bench.track();
    bench.server.values = {{"a", "1"}, {"b", "2"}};
    EXPECT_EQ(bench.get("a") + bench.get("b"), "12");
    bench.server.values = {};
    bench.push(invalidation_of_all());
    EXPECT_EQ(bench.get("a") + bench.get("b"), "--");
    EXPECT_EQ(bench.reads->counts().flushes, 1U);
}

TEST(TrackedReads, many_that_miss_one_key_at_once_are_one_read) {
    TrackedBench bench;
    TrackedReads& reads = bench.track();
    bench.server.values["k"] = "v";
    std::vector<Task<std::string>> callers;
    for (int i = 0; i < 64; ++i) {
        callers.push_back(getting(&reads, "k", bench.in(1'000), Duration(0)));
    }
    const auto all = bench.wait(when_all(std::move(callers)));
    for (const auto& got : all.value()) {
        EXPECT_EQ(got.value(), "v");
    }
    EXPECT_EQ(bench.server.count("GET"), 1U);
    EXPECT_EQ(reads.counts().joined, 63U);
    EXPECT_EQ(reads.counts().misses, 64U);
}

TEST(TrackedReads, a_value_that_was_changed_while_it_was_read_is_not_kept) {
    TrackedBench bench;
    bench.track();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "GET" && bench.server.count("GET") == 1) {
            return {invalidation_of("k") + bulk_reply("old")};
        }
        return bench.server.usual(words);
    };
    bench.server.values["k"] = "new";
    EXPECT_EQ(bench.get("k"), "old");  // its read was sent before the change was heard of
    EXPECT_EQ(bench.get("k"), "new");
    EXPECT_EQ(bench.get("k"), "new");
    EXPECT_EQ(bench.server.count("GET"), 2U);
}

TEST(TrackedReads, who_comes_after_a_change_was_heard_of_joins_no_read_from_before_it) {
    TrackedBench bench;
    TrackedReads& reads = bench.track();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "GET" && words[1] == "k") {
            return {
                bulk_reply(bench.server.count("GET") == 2 ? "old" : "new"), false, Duration(200)
            };
        }
        return bench.server.usual(words);
    };
    EXPECT_EQ(bench.get("first"), "-");
    auto before = getting(&reads, "k", bench.in(2'000), Duration(0));
    auto after = getting(&reads, "k", bench.in(2'000), Duration(100));
    auto change = [](ScriptedServer* server, Loop* loop) -> Task<> {
        (void)co_await sleep(loop->now() + Duration(50));
        server->say(invalidation_of("k"));
        co_return Done();
    };
    auto all = bench.wait(when_all(
        std::move(before), std::move(after), change(&bench.server, &bench.runtime->loop(0))
    ));
    EXPECT_EQ(std::get<0>(all.value()).value(), "old");
    EXPECT_EQ(std::get<1>(all.value()).value(), "new");
    EXPECT_EQ(bench.get("k"), "new");
}

TEST(TrackedReads, all_is_forgotten_at_once_when_the_connection_is_lost) {
    TrackedBench bench;
    bench.track();
    bench.server.values["k"] = "old";
    EXPECT_EQ(bench.get("k"), "old");
    bench.server.values["k"] = "new";  // and nobody can be told
    bench.server.break_connections();
    bench.pass(10);
    EXPECT_EQ(bench.reads->counts().flushes, 1U);
    EXPECT_EQ(bench.get("k"), "new");
    bench.pass(1'000);
    EXPECT_EQ(bench.get("k"), "new");
    const std::size_t asked = bench.server.count("GET");
    EXPECT_EQ(bench.get("k"), "new");
    EXPECT_EQ(bench.server.count("GET"), asked);  // there is a connection again
}

TEST(TrackedReads, without_a_tracked_connection_reads_go_to_the_server_and_are_not_kept) {
    TrackedBench bench;
    bench.track();
    bench.server.values["k"] = "one";
    EXPECT_EQ(bench.get("k"), "one");
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "CLIENT" && words[1] == "TRACKING") {
            return {"", true};
        }
        return bench.server.usual(words);
    };
    bench.server.break_connections();
    bench.pass(100);
    for (const char* value : {"two", "three", "four"}) {
        bench.server.values["k"] = value;
        EXPECT_EQ(bench.get("k"), value);
    }
    EXPECT_EQ(bench.reads->counts().untracked, 3U);
}

TEST(TrackedReads, a_server_that_says_nothing_any_more_is_believed_for_three_seconds_at_most) {
    TrackedBench bench;
    bench.track();
    bench.server.values["k"] = "old";
    EXPECT_EQ(bench.get("k"), "old");
    bench.pass(5'500);  // whatever the moment: it answers pings
    EXPECT_EQ(bench.get("k"), "old");
    EXPECT_EQ(bench.server.count("GET"), 1U);
    bench.server.mute = true;  // it takes what we write, as a network that drops what comes back
    bench.pass(900);
    EXPECT_EQ(bench.get("k"), "old");
    bench.pass(2'200);
    EXPECT_EQ(bench.reads->counts().flushes, 1U);
    EXPECT_NE(bench.get("k", 500), "old");
}

TEST(TrackedReads, a_server_without_resp3_is_unsupported) {
    TrackedBench bench;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "HELLO" ? ServerAnswer{"-ERR unknown command 'HELLO'\r\n"}
                                   : bench.server.usual(words);
    };
    TrackedReads& reads = bench.track();
    for (int i = 0; i < 2; ++i) {
        auto got = bench.wait(running(&reads, get_of("k"), bench.in(1'000)));
        ASSERT_FALSE(got.ok());
        EXPECT_EQ(got.error().code(), Code::unsupported);
        EXPECT_EQ(got.error().effect(), Effect::none);
        EXPECT_EQ(got.error().what(), "client-side caching needs a server that speaks RESP3");
    }
    auto old = std::move(open_redis(*bench.runtime, RedisOptions().port(1).protocol(2))).value();
    auto refused = open_tracked_reads(*old, TrackedOptions());
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::unsupported);
}

TEST(TrackedReads, a_server_that_refuses_tracking_says_so_to_the_reader) {
    TrackedBench bench;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "CLIENT" && words[1] == "TRACKING") {
            return {"-NOPERM this user has no permissions to run it\r\n"};
        }
        return bench.server.usual(words);
    };
    bench.track();
    EXPECT_EQ(bench.get("k"), "denied");
    EXPECT_EQ(bench.get("k"), "denied");
}

TEST(TrackedReads, one_who_leaves_takes_nothing_from_those_who_joined) {
    TrackedBench bench;
    TrackedReads& reads = bench.track();
    EXPECT_EQ(bench.get("first"), "-");
    bench.server.values["k"] = "v";
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        ServerAnswer answer = bench.server.usual(words);
        answer.after = Duration(words[0] == "GET" ? 100 : 0);
        return answer;
    };
    // The one that sent the read has no time, is told to stop; one that joined has no time.
    auto late = getting(&reads, "k", bench.in(30), Duration(0));
    auto patient = getting(&reads, "k", bench.in(2'000), Duration(1));
    auto stopped = with_deadline(getting(&reads, "k", bench.in(2'000), Duration(1)), bench.in(50));
    auto hasty = getting(&reads, "k", bench.in(20), Duration(1));
    auto all = bench.wait(
        when_all(std::move(late), std::move(patient), std::move(stopped), std::move(hasty))
    );
    EXPECT_EQ(std::get<0>(all.value()).value(), "timed_out");
    EXPECT_EQ(std::get<1>(all.value()).value(), "v");
    EXPECT_FALSE(std::get<2>(all.value()).ok() && std::get<2>(all.value()).value() == "v");
    EXPECT_EQ(std::get<3>(all.value()).value(), "timed_out");
}

TEST(TrackedReads, an_error_of_the_server_is_told_to_all_who_asked_and_not_kept) {
    TrackedBench bench;
    bench.track();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "GET" ? ServerAnswer{"-WRONGTYPE of a list\r\n"}
                                 : bench.server.usual(words);
    };
    EXPECT_EQ(bench.get("k"), "invalid_argument");
    EXPECT_EQ(bench.get("k"), "invalid_argument");
    EXPECT_EQ(bench.server.count("GET"), 2U);
}

TEST(TrackedReads, any_read_of_one_key_is_kept_by_its_words_and_forgotten_by_its_key) {
    TrackedBench bench;
    TrackedReads& reads = bench.track();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "HGET" ? ServerAnswer{bulk_reply(words[2] + bench.server.values["h"])}
                                  : bench.server.usual(words);
    };
    const auto field = [&](const char* name) {
        return bench.wait(running(&reads, hget("h", name), bench.in(1'000))).value().value();
    };
    bench.server.values["h"] = "1";
    EXPECT_EQ(field("a") + field("b") + field("a") + field("b"), "a1b1a1b1");
    EXPECT_EQ(bench.server.count("HGET"), 2U);
    bench.change("h", "2");
    EXPECT_EQ(field("a") + field("b") + field("a") + field("b"), "a2b2a2b2");
    EXPECT_EQ(bench.server.count("HGET"), 4U);
    // GET as a command and by name is one thing.
    EXPECT_EQ(bench.wait(running(&reads, get_of("h"), bench.in(1'000))).value(), "2");
    EXPECT_EQ(bench.get("h"), "2");
    EXPECT_EQ(bench.server.count("GET"), 1U);
}

TEST(TrackedReads, what_does_not_answer_by_its_key_alone_is_refused) {
    TrackedBench bench;
    TrackedReads& reads = bench.track();
    const auto code = [&](auto command) {
        auto got = bench.wait(running(&reads, std::move(command), bench.in(1'000)));
        return got.ok() ? Code::internal : got.error().code();
    };
    EXPECT_EQ(code(set_of("k", "v")), Code::invalid_argument);
    EXPECT_EQ(code(incr_of("k")), Code::invalid_argument);
    EXPECT_EQ(code(mget(words("a", "b"))), Code::invalid_argument);
    EXPECT_EQ(code(ttl("k")), Code::invalid_argument);
    EXPECT_EQ(code(srandmember("k")), Code::invalid_argument);
    EXPECT_EQ(bench.server.heard.size(), 0U);
}

TEST(TrackedReads, with_prefixes_other_keys_are_read_each_time) {
    TrackedBench bench;
    bench.track(TrackedOptions().prefix("user:").prefix("order:"));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(bench.get("user:1") + bench.get("order:1") + bench.get("other"), "---");
    }
    EXPECT_TRUE(heard(
        bench.server, {"CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "user:", "PREFIX", "order:"}
    ));
    EXPECT_EQ(bench.server.count("GET"), 5U);
    auto overlapping = open_tracked_reads(*bench.client, TrackedOptions().prefix("a").prefix("ab"));
    EXPECT_EQ(overlapping.error().code(), Code::invalid_argument);
}

TEST(TrackedReads, a_value_is_read_again_when_it_is_as_old_as_it_may_be) {
    TrackedBench bench;
    bench.track(TrackedOptions().age_max(Duration(5'000)));
    bench.server.values["k"] = "old";
    EXPECT_EQ(bench.get("k"), "old");
    bench.server.values["k"] = "new";  // the server forgets to say so, as it does of a key that
                                       // has expired and that nobody touched
    bench.pass(2'500);
    EXPECT_EQ(bench.get("k"), "old");
    bench.pass(2'500);
    EXPECT_EQ(bench.get("k"), "new");
}

TEST(TrackedReads, memory_stays_within_the_bound) {
    TrackedBench bench;
    TrackedReads& reads = bench.track(TrackedOptions().bytes_max(tracked_bytes_max_least));
    for (int i = 0; i < 300; ++i) {
        bench.server.values[std::to_string(i)] = std::string(500, 'v');
        EXPECT_EQ(bench.get(std::to_string(i)).size(), 500U);
        ASSERT_LE(reads.counts().bytes, tracked_bytes_max_least);
    }
    EXPECT_GT(reads.counts().evictions, 0U);
    const auto small = TrackedOptions().bytes_max(tracked_bytes_max_least - 1);
    EXPECT_EQ(open_tracked_reads(*bench.client, small).error().code(), Code::invalid_argument);
}

TEST(TrackedReads, what_happens_is_counted) {
    Metrics metrics;
    TrackedBench bench;
    bench.track(TrackedOptions().metrics(metrics));
    EXPECT_EQ(bench.get("k") + bench.get("k") + bench.get("k"), "---");
    bench.change("k", "v");
    const TrackedCounts counts = bench.reads->counts();
    EXPECT_EQ(counts.hits, 2U);
    EXPECT_EQ(counts.misses, 1U);
    EXPECT_EQ(counts.invalidations, 1U);
    EXPECT_GT(counts.bytes, 0U);
    const std::string text = metrics.text();
    for (const char* line :
         {"holdfast_redis_tracked_hits_total 2\n",
          "holdfast_redis_tracked_misses_total 1\n",
          "holdfast_redis_tracked_invalidations_total 1\n",
          "holdfast_redis_tracked_flushes_total 0\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << text;
    }
}

TEST(TrackedReads, calls_end_when_the_reads_are_destroyed) {
    TrackedBench bench;
    TrackedReads& reads = bench.track();
    EXPECT_EQ(bench.get("first"), "-");
    bench.server.script = [](const ServerWords&) -> ServerAnswer {
        return {""};
    };
    auto waiting = getting(&reads, "k", bench.in(60'000), Duration(0));
    auto closing = [](TrackedBench* of) -> Task<> {
        (void)co_await sleep(of->runtime->now() + Duration(100));
        of->reads.reset();
        co_return Done();
    };
    auto both = bench.wait(when_all(std::move(waiting), closing(&bench)));
    EXPECT_EQ(std::get<0>(both.value()).value(), "closed");
}

}  // namespace
}  // namespace holdfast::redis
