// Promises of writes that must be kept by all replicas, in virtual time against a scripted server.
#include "client_bench.h"
#include "durable_lane.h"

#include <holdfast/redis/durable_watch.h>

namespace holdfast::redis {
namespace {

std::string role_with(int replicas) {
    std::string text = "*3\r\n$6\r\nmaster\r\n:100\r\n*" + std::to_string(replicas) + "\r\n";
    for (int i = 0; i < replicas; ++i) {
        text += "*3\r\n$9\r\n127.0.0.1\r\n$4\r\n638" + std::to_string(i) + "\r\n$3\r\n100\r\n";
    }
    return text;
}

struct Replicated : Bench {
    explicit Replicated(std::uint64_t seed = 1) : Bench(seed) {
        server.script = [this](const ServerWords& words) -> ServerAnswer {
            if (words[0] == "WAIT") {
                return {":" + std::to_string(std::min(confirm, std::stoi(words[1]))) + "\r\n"};
            }
            return words[0] == "ROLE" ? ServerAnswer{role_with(connected)} : server.usual(words);
        };
    }
    std::vector<std::string> waits() const {
        std::vector<std::string> counts;
        for (const ServerWords& words : server.heard) {
            if (words[0] == "WAIT") {
                counts.push_back(words[1]);
            }
        }
        return counts;
    }
    int connected = 2;
    int confirm = 2;
};

Task<Durable<std::int64_t>>
writing(Client* client, RequiredCopies* required, std::string key, Deadline deadline) {
    const Copies copies(*required, Duration(1'000));
    co_return co_await client->run_durable(incr_of(key), copies, deadline);
}

TEST(DurableCopies, a_write_that_all_replicas_have_is_kept) {
    Replicated bench;
    Client& client = bench.open();
    RequiredCopies required(WaitRule::at_least(2));
    auto kept = bench.wait(writing(&client, &required, "n", bench.in(10'000)));
    ASSERT_TRUE(kept.ok());
    EXPECT_EQ(kept.value().value, 1);
    EXPECT_EQ(kept.value().acknowledged, 2);
    EXPECT_EQ(kept.value().connected, 2);
    EXPECT_EQ(bench.waits(), std::vector<std::string>{"2"});
}

TEST(DurableCopies, too_few_confirmations_are_an_error_with_unknown_effect) {
    Replicated bench;
    bench.confirm = 1;
    Client& client = bench.open();
    RequiredCopies required(WaitRule::at_least(2));
    auto lost = bench.wait(writing(&client, &required, "n", bench.in(10'000)));
    ASSERT_FALSE(lost.ok());
    EXPECT_EQ(lost.error().code(), Code::unreachable);
    EXPECT_EQ(lost.error().effect(), Effect::unknown);
}

TEST(DurableCopies, replicas_that_are_found_by_the_write_are_waited_for_on_the_same_connection) {
    Replicated bench;
    Client& client = bench.open();
    RequiredCopies required(WaitRule::automatic());
    auto kept = bench.wait(writing(&client, &required, "n", bench.in(10'000)));
    ASSERT_TRUE(kept.ok());
    EXPECT_EQ(bench.waits(), (std::vector<std::string>{"0", "2"}));
    EXPECT_EQ(bench.server.connections, 1);
    EXPECT_EQ(bench.server.count("INCR"), 1U);
    EXPECT_EQ(required.required(), 2);
}

// A write in a lane whose connections the test holds.
class LaneWrite final : public DurableCall {
public:
    LaneWrite(RequiredCopies& required, Deadline deadline)
        : DurableCall(Copies(required, Duration(1'000)), deadline) {}
    std::optional<Error> error;
    bool over = false;

private:
    void replied(RespView) override {}
    void ended(const CopiesReached&) override { over = true; }
    void failed(Error why) override {
        over = true;
        error.emplace(std::move(why));
    }
    const AnyCommand& command() const override { return command_.any(); }
    void run() override {}

    Command<std::int64_t> command_ = incr_of("n");
};

// The new connection has written nothing, so WAIT answers there at once, with all replicas.
TEST(DurableCopies, a_second_wait_on_another_connection_is_not_believed) {
    Replicated bench;
    RedisOptions options;
    options.port(bench.server.port());
    const auto shared = std::make_shared<const RedisOptions>(std::move(options));
    Loop& loop = bench.runtime->loop(0);
    NodeLinkOptions link_options;
    link_options.target.node = Endpoint("127.0.0.1", bench.server.port());
    link_options.redial = Redial::on_demand;
    std::vector<std::shared_ptr<NodeLink>> links;
    for (int i = 0; i < 2; ++i) {
        links.push_back(
            std::make_shared<NodeLink>(loop, bench.runtime->random(), shared, link_options)
        );
    }
    DurableLane lane(loop, 100, links[0], links[1]);
    RequiredCopies required(WaitRule::automatic());
    LaneWrite write(required, bench.in(10'000));
    ASSERT_FALSE(lane.submit(write).has_value());
    while (required.required() == 0) {
        ASSERT_TRUE(bench.runtime->step(bench.runtime->now() + Duration(5'000)));
    }
    links[0]->drop();  // the first WAIT and ROLE were answered, the second were not yet written
    bench.pass(5'000);
    ASSERT_TRUE(write.over);
    ASSERT_TRUE(write.error.has_value());
    EXPECT_EQ(write.error->code(), Code::unreachable);
    EXPECT_EQ(write.error->effect(), Effect::unknown);
    EXPECT_EQ(bench.server.count("INCR"), 1U);
    lane.close(closed_error());
    bench.pass(5'000);
}

TEST(DurableCopies, a_deadline_in_the_second_wait_is_unknown_and_nothing_is_sent_again) {
    Replicated bench;
    Client& client = bench.open();
    RequiredCopies required(WaitRule::automatic());
    const auto usual = bench.server.script;
    bench.server.script = [&](const ServerWords& words) {
        ServerAnswer answer = usual(words);
        answer.after = words[0] == "WAIT" && words[1] == "2" ? Duration(800) : Duration(0);
        return answer;
    };
    auto late = bench.wait(writing(&client, &required, "n", bench.in(200)));
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::unknown);
    bench.pass(5'000);
    EXPECT_EQ(bench.server.count("INCR"), 1U);
}

TEST(DurableCopies, a_write_that_the_server_refused_is_none_whatever_the_replicas_say) {
    Replicated bench;
    bench.confirm = 0;
    Client& client = bench.open();
    RequiredCopies required(WaitRule::at_least(2));
    const auto usual = bench.server.script;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "INCR" ? ServerAnswer{"-READONLY You can't write against a replica.\r\n"}
                                  : usual(words);
    };
    auto refused = bench.wait(writing(&client, &required, "n", bench.in(10'000)));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().effect(), Effect::none);
    EXPECT_EQ(server_word(refused.error()), "READONLY");
}

TEST(DurableCopies, a_server_that_does_not_tell_its_replicas_keeps_nothing) {
    Replicated bench;
    Client& client = bench.open();
    RequiredCopies required(WaitRule::at_least(2));
    const auto usual = bench.server.script;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "ROLE" ? ServerAnswer{"-NOPERM no\r\n"} : usual(words);
    };
    auto denied = bench.wait(writing(&client, &required, "n", bench.in(10'000)));
    ASSERT_FALSE(denied.ok());
    EXPECT_EQ(denied.error().code(), Code::denied);
    EXPECT_EQ(denied.error().effect(), Effect::unknown);
}

Task<> trying_while_refused(Replicated* bench, RequiredCopies* required) {
    auto refused = co_await writing(bench->client.get(), required, "n", bench->in(1'000));
    EXPECT_TRUE(!refused.ok() && refused.error().effect() == Effect::none);
    EXPECT_EQ(bench->server.count("INCR"), 0U);
    bench->connected = 2;
    (void)co_await sleep(bench->runtime->now() + Duration(1'500));
    auto kept = co_await writing(bench->client.get(), required, "n", bench->in(1'000));
    EXPECT_TRUE(kept.ok());
    co_return Done();
}

TEST(DurableCopies, writes_are_refused_while_a_replica_is_missing_and_go_on_when_it_is_back) {
    Replicated bench;
    bench.connected = 1;
    Client& client = bench.open();
    RequiredCopies required(WaitRule::at_least(2));
    Stop stop;
    bool ended = false;
    spawn(
        bench.runtime->loop(0),
        watch_copies(client, required),
        [&](Result<Done>) { ended = true; },
        &stop
    );
    bench.pass(500);
    EXPECT_TRUE(bench.wait(trying_while_refused(&bench, &required)).ok());
    stop.request();
    bench.pass(2'000);
    EXPECT_TRUE(ended);
}

TEST(DurableCopies, replicas_are_looked_at_each_second_also_when_the_server_was_away) {
    Replicated bench;
    Client& client = bench.open();
    RequiredCopies required(WaitRule::automatic());
    Stop stop;
    spawn(bench.runtime->loop(0), watch_copies(client, required), [](Result<Done>) {}, &stop);
    bench.pass(10'500);
    EXPECT_EQ(bench.server.count("ROLE"), 11U);
    EXPECT_EQ(required.required(), 2);
    bench.server.down();
    bench.pass(10'000);
    bench.connected = 3;
    bench.server.up();
    bench.pass(10'000);
    EXPECT_EQ(required.required(), 3);
    stop.request();
    bench.pass(2'000);
}

TEST(DurableLane, credentials_that_changed_are_said_behind_a_group_that_waits) {
    Replicated bench;
    std::string password = "first";
    RedisOptions options;
    options.credentials([&]() -> Result<Credentials> {
        return Credentials("app", Secret(password));
    });
    Client& client = bench.open(std::move(options));
    RequiredCopies required(WaitRule::at_least(2));
    EXPECT_TRUE(bench.wait(writing(&client, &required, "n", bench.in(10'000))).ok());
    password = "second";
    EXPECT_TRUE(bench.wait(client.reauthenticate(bench.in(1'000))).ok());
    EXPECT_EQ(bench.server.heard.back(), (ServerWords{"AUTH", "app", "second"}));
    EXPECT_EQ(bench.server.connections, 1);
    EXPECT_TRUE(bench.wait(writing(&client, &required, "n", bench.in(10'000))).ok());
}

}  // namespace
}  // namespace holdfast::redis
