// Promises of who asks the sentinels, in virtual time.
#include "fake_sentinels.h"
#include "fault_from_environment.h"
#include "sentinel_watch.h"

#include <holdfast/redis/client_limits.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

constexpr Duration calm_time{60'000};

class SentinelScene {
public:
    explicit SentinelScene(int count, std::uint64_t seed = 1)
        : runtime(open_virtual_runtime(VirtualOptions().seed(seed))), sentinels(*runtime, count) {}
    ~SentinelScene() {
        stop();
        watch.reset();
        for (const auto& server : sentinels.servers) {
            server->down();
        }
        pass(Duration(20'000));
    }

    SentinelWatch& open(
        std::vector<Endpoint> given,
        std::string master = "orders",
        const RedisOptions& options = RedisOptions()
    ) {
        watch = std::make_unique<SentinelWatch>(
            runtime->loop(0),
            runtime->random(),
            std::make_shared<const RedisOptions>(options),
            std::move(given),
            std::move(master),
            [this](std::shared_ptr<const Topology> topology) {
                published.push_back(std::move(topology));
            },
            [this](const Error& why) { failures.push_back(why.code()); }
        );
        on_loop([this] { watch->start(); });
        return *watch;
    }
    void on_loop(const std::function<void()>& what) { (void)holdfast::wait(*runtime, doing(what)); }
    void suspect() {
        on_loop([this] { watch->suspect(Suspicion::unreachable); });
    }
    void stop() {
        on_loop([this] { watch->stop(); });
    }
    void pass(Duration time) { runtime->run(runtime->now() + time); }
    std::uint16_t primary() const {
        return published.empty() ? 0 : published.back()->shards()[0].primary.port;
    }
    // Until this one is published, or the time has passed.
    bool primary_within(Duration time, std::uint16_t port) {
        const SteadyTime until = runtime->now() + time;
        while (primary() != port) {
            if (!runtime->step(until)) {
                return false;
            }
        }
        return true;
    }
    // A sentinel tells those that listen.
    void announce(int sentinel, std::string_view channel, std::string_view payload) {
        sentinels.server(sentinel).say(FakeSentinels::push(channel, payload));
    }

    std::unique_ptr<VirtualRuntime> runtime;
    FakeSentinels sentinels;
    std::vector<std::shared_ptr<const Topology>> published;
    std::vector<Code> failures;
    std::unique_ptr<SentinelWatch> watch;

private:
    static Task<> doing(std::function<void()> what) {
        what();
        co_return Done();
    }
};

TEST(SentinelWatch, primary_and_replicas_are_learnt_from_one_sentinel) {
    SentinelScene scene(3);
    for (FakeGroup& group : scene.sentinels.groups) {
        group.replicas = {7'001, 7'002};
    }
    scene.open({scene.sentinels.at(1)});
    ASSERT_TRUE(scene.primary_within(Duration(500), 7'000));
    const Topology& topology = *scene.published.back();
    EXPECT_EQ(topology.shape(), Shape::sentinel);
    EXPECT_EQ(topology.shards()[0].replicas.size(), 2U);
    scene.pass(calm_time);
    EXPECT_EQ(scene.published.size(), 1U);
    for (int i = 0; i < 3; ++i) {  // the others were named by it
        EXPECT_GT(scene.sentinels.server(i).count("SENTINEL"), 0U) << i;
    }
    EXPECT_EQ(scene.sentinels.heard_by_us(), sentinels_heard);
    EXPECT_LE(scene.sentinels.open_connections(), 5);
}

TEST(SentinelWatch, sentinels_that_are_mute_or_down_cost_the_first_answer_a_moment) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SentinelScene scene(3, seed);
        scene.sentinels.server(0).mute = true;
        scene.sentinels.server(1).down();
        scene.open({scene.sentinels.at(0), scene.sentinels.at(1), scene.sentinels.at(2)});
        ASSERT_TRUE(scene.primary_within(2 * ask_patience, 7'000)) << seed;
    }
}

TEST(SentinelWatch, a_sentinel_with_an_old_epoch_is_not_believed_also_if_it_answers_first) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SentinelScene scene(3, seed);
        scene.sentinels.promote(7'001, 5);
        scene.sentinels.group(0).primary = 7'000;
        scene.sentinels.group(0).epoch = 1;
        for (const int slow : {1, 2}) {
            scene.sentinels.server(slow).script = [&scene, slow](const ServerWords& words) {
                ServerAnswer answer = scene.sentinels.answer(slow, words);
                answer.after = words[0] == "SENTINEL" ? Duration(40) : Duration(0);
                return answer;
            };
        }
        scene.open({scene.sentinels.at(0), scene.sentinels.at(1), scene.sentinels.at(2)});
        scene.pass(calm_time);
        ASSERT_FALSE(scene.published.empty());
        for (const auto& topology : scene.published) {
            ASSERT_EQ(topology->shards()[0].primary.port, 7'001) << seed;
        }
        for (int i = 0; i < 30; ++i) {
            scene.suspect();
            scene.pass(Duration(1'000));
        }
        EXPECT_EQ(scene.published.size(), 1U);
    }
}

TEST(SentinelWatch, an_old_sentinel_that_alone_is_left_is_not_believed_by_two_names) {
    SentinelScene scene(3);
    scene.sentinels.promote(7'001, 5);
    scene.sentinels.group(0).primary = 7'000;
    scene.sentinels.group(0).epoch = 1;
    const Endpoint by_name{"localhost", scene.sentinels.at(0).port};
    scene.open({scene.sentinels.at(0), by_name, scene.sentinels.at(1), scene.sentinels.at(2)});
    ASSERT_TRUE(scene.primary_within(Duration(1'000), 7'001));
    scene.sentinels.server(1).down();
    scene.sentinels.server(2).down();
    const std::size_t before = scene.sentinels.server(0).count("SENTINEL");
    scene.pass(3 * sentinel_said_kept);
    EXPECT_GT(scene.sentinels.server(0).count("SENTINEL"), before);
    EXPECT_EQ(scene.published.size(), 1U);
}

TEST(SentinelWatch, a_switch_that_a_sentinel_announces_is_published_without_waiting_for_a_poll) {
    SentinelScene scene(3);
    scene.open({scene.sentinels.at(0)});
    ASSERT_TRUE(scene.primary_within(Duration(500), 7'000));
    scene.pass(Duration(8'000));
    const std::size_t polled = scene.sentinels.polled();
    scene.sentinels.promote(7'001, 2);
    for (int i = 0; i < 3; ++i) {
        scene.announce(i, "+switch-master", "orders 127.0.0.1 7000 127.0.0.1 7001");
    }
    ASSERT_TRUE(scene.primary_within(Duration(30), 7'001));
    EXPECT_EQ(scene.sentinels.polled(), polled);
    scene.pass(Duration(1'500));
    EXPECT_GT(scene.sentinels.polled(), polled);
    scene.pass(calm_time);
    EXPECT_EQ(scene.primary(), 7'001);
}

TEST(SentinelWatch, a_hint_of_our_master_is_asked_about_and_one_of_another_is_not) {
    SentinelScene scene(3);
    scene.open({scene.sentinels.at(0)});
    ASSERT_TRUE(scene.primary_within(Duration(500), 7'000));
    scene.pass(calm_time);
    const std::size_t before = scene.sentinels.polled();
    for (int i = 0; i < 3; ++i) {
        scene.announce(i, "+sdown", "master orders-old 127.0.0.1 7100");
        scene.announce(i, "+switch-master", "orders-old 127.0.0.1 7000 127.0.0.1 7100");
    }
    scene.pass(Duration(200));
    EXPECT_LE(scene.sentinels.polled(), before + 3);  // that of every quarter of a minute
    const std::size_t quiet = scene.sentinels.polled();
    scene.sentinels.promote(7'001, 2);
    for (int i = 0; i < 3; ++i) {
        scene.announce(i, "+sdown", "master orders 127.0.0.1 7000");
    }
    ASSERT_TRUE(scene.primary_within(Duration(1'500), 7'001));
    EXPECT_GT(scene.sentinels.polled(), quiet);
}

TEST(SentinelWatch, a_storm_of_suspicions_is_one_poll_a_second) {
    SentinelScene scene(3);
    scene.open({scene.sentinels.at(0)});
    ASSERT_TRUE(scene.primary_within(Duration(500), 7'000));
    scene.pass(calm_time);
    const std::size_t before = scene.sentinels.server(0).count("SENTINEL");
    for (int i = 0; i < 3'000; ++i) {
        scene.suspect();
        scene.pass(Duration(10));
    }
    EXPECT_LE(scene.sentinels.server(0).count("SENTINEL") - before, 4U * 31U);
    EXPECT_GE(scene.sentinels.server(0).count("SENTINEL") - before, 4U * 10U);
}

TEST(SentinelWatch, polls_use_the_connections_of_the_first) {
    SentinelScene scene(3);
    scene.open({scene.sentinels.at(0)});
    ASSERT_TRUE(scene.primary_within(Duration(500), 7'000));
    for (int i = 0; i < 500; ++i) {
        scene.suspect();
        scene.pass(Duration(1'000));
    }
    EXPECT_EQ(scene.sentinels.connections(), 5);
    EXPECT_EQ(scene.watch->connections(), 5U);
}

TEST(SentinelWatch, who_stops_to_hear_one_sentinel_hears_another) {
    SentinelScene scene(3);
    scene.open({scene.sentinels.at(0)});
    ASSERT_TRUE(scene.primary_within(Duration(500), 7'000));
    scene.pass(calm_time);
    int first = 0;
    while (scene.sentinels.server(first).count("SUBSCRIBE") == 0) {
        ++first;
    }
    scene.sentinels.server(first).down();
    scene.pass(calm_time);
    for (int i = 0; i < 3; ++i) {
        if (i != first) {
            EXPECT_GT(scene.sentinels.server(i).count("SUBSCRIBE"), 0U) << i;
        }
    }
}

TEST(SentinelWatch, a_name_that_the_sentinels_do_not_know_is_told_at_once) {
    SentinelScene scene(3);
    scene.open({scene.sentinels.at(0)}, "order");
    scene.pass(Duration(200));
    EXPECT_EQ(scene.failures, std::vector<Code>{Code::invalid_argument});
    ASSERT_TRUE(scene.watch->last_failure().has_value());
    EXPECT_EQ(scene.watch->last_failure()->context()->node, scene.sentinels.at(0).text());
}

TEST(SentinelWatch, a_wrong_password_of_the_sentinels_is_told_at_once) {
    SentinelScene scene(1);
    scene.sentinels.server(0).script = [](const ServerWords&) {
        return ServerAnswer{"-WRONGPASS invalid username-password pair\r\n"};
    };
    RedisOptions options;
    options.credentials("app", Secret("wrong"));
    scene.open({scene.sentinels.at(0)}, "orders", options);
    scene.pass(Duration(200));
    EXPECT_EQ(scene.failures, std::vector<Code>{Code::denied});
}

TEST(SentinelWatch, without_any_sentinel_the_last_topology_stays_and_the_reason_is_said) {
    SentinelScene scene(3);
    scene.open({scene.sentinels.at(0)});
    ASSERT_TRUE(scene.primary_within(Duration(500), 7'000));
    scene.pass(calm_time);
    for (const auto& server : scene.sentinels.servers) {
        server->down();
    }
    scene.pass(calm_time);
    EXPECT_EQ(scene.published.size(), 1U);
    EXPECT_TRUE(scene.failures.empty());
    const auto failure = scene.watch->last_failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->code(), Code::unreachable);
    EXPECT_EQ(failure->what(), "no sentinel answers");
    EXPECT_TRUE(failure->context()->situation.starts_with("sentinels=3 "));
    scene.sentinels.promote(7'002, 9);
    for (const auto& server : scene.sentinels.servers) {
        server->up();
    }
    EXPECT_TRUE(scene.primary_within(2 * backoff_max, 7'002));
    EXPECT_FALSE(scene.watch->last_failure().has_value());
}

TEST(SentinelWatch, nothing_is_published_after_the_stop_and_no_connection_stays) {
    for (int ms = 0; ms < 60; ++ms) {
        SentinelScene scene(3, static_cast<std::uint64_t>(ms) + 1);
        scene.open({scene.sentinels.at(0), scene.sentinels.at(1)});
        scene.pass(Duration(2 * ms));
        scene.stop();
        const std::size_t published = scene.published.size();
        scene.pass(Duration(2'500));  // a dial that has begun ends by its own time at the latest
        const std::uint64_t steps_before = scene.runtime->steps();
        scene.pass(calm_time);
        EXPECT_EQ(scene.published.size(), published);
        EXPECT_EQ(scene.sentinels.open_connections(), 0);
        EXPECT_LT(scene.runtime->steps() - steps_before, 50U);
    }
}

TEST(SentinelWatch, a_loop_that_closes_ends_what_is_asked_and_heard) {
    SentinelScene scene(3);
    scene.open({scene.sentinels.at(0)});
    scene.pass(Duration(1'000));
    EXPECT_EQ(scene.runtime->close(Deadline::at(scene.runtime->now() + Duration(100))), 0U);
}

}  // namespace
}  // namespace holdfast::redis
