// Promises of subscriptions, in virtual time against a scripted server.
#include "client_bench.h"

namespace holdfast::redis {
namespace {

std::string push(std::initializer_list<std::string_view> words) {
    std::string out = ">" + std::to_string(words.size()) + "\r\n";
    for (const std::string_view word : words) {
        out += bulk_reply(word);
    }
    return out;
}

TEST(Subscription, a_stream_begins_with_its_confirmation_and_goes_on_with_messages) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "SUBSCRIBE") {
            return {
                ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n" + push({"message", "a", "one"}) +
                push({"message", "a", "two"})
            };
        }
        if (words[0] == "PSUBSCRIBE") {
            return {
                ">3\r\n$10\r\npsubscribe\r\n$2\r\nb*\r\n:2\r\n" +
                push({"pmessage", "b*", "bc", "three"})
            };
        }
        return bench.server.usual(words);
    };
    auto story = [](Client* of, Deadline deadline) -> Task<> {
        Loop& loop = (co_await this_scope()).loop();
        Channels channels;
        channels.channel("a").pattern("b*");
        auto opened = of->subscribe(loop, std::move(channels));
        Subscription& stream = opened.value();
        std::vector<std::string> heard;
        for (int i = 0; i < 4; ++i) {
            auto next = co_await with_deadline(stream.next(), deadline);
            EXPECT_TRUE(next.ok());
            const Message& message = next.value();
            heard.push_back(
                message.kind == Message::Kind::subscribed
                    ? "subscribed"
                    : message.pattern + "/" + message.channel + "/" + message.payload
            );
        }
        const std::vector<std::string> expected = {"/a/one", "/a/two", "subscribed", "b*/bc/three"};
        EXPECT_EQ(heard, expected);
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&client, bench.in(10'000))).ok());
    bench.pass(100);
    EXPECT_EQ(bench.server.open_connections, 0);
}

TEST(Subscription, a_lost_connection_is_dialled_again_and_the_gap_is_shown) {
    Bench bench;
    Client& client = bench.open();
    int times = 0;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] != "SUBSCRIBE") {
            return bench.server.usual(words);
        }
        ++times;
        return {
            ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n" +
                push({"message", "a", std::to_string(times)}),
            times < 3
        };
    };
    auto story = [](Client* of, Deadline deadline) -> Task<> {
        Loop& loop = (co_await this_scope()).loop();
        Channels channels;
        channels.channel("a");
        auto opened = of->subscribe(loop, std::move(channels));
        for (int i = 1; i <= 3; ++i) {
            auto begun = co_await with_deadline(opened.value().next(), deadline);
            EXPECT_EQ(begun.value().kind, Message::Kind::subscribed);
            auto message = co_await with_deadline(opened.value().next(), deadline);
            EXPECT_EQ(message.value().payload, std::to_string(i));
        }
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&client, bench.in(20'000))).ok());
}

TEST(Subscription, one_that_is_refused_says_so_and_ends) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        return words[0] == "SUBSCRIBE"
                   ? ServerAnswer{"-NOPERM this user has no permissions to access the channel\r\n"}
                   : bench.server.usual(words);
    };
    auto story = [](Client* of, Deadline deadline) -> Task<> {
        Loop& loop = (co_await this_scope()).loop();
        Channels channels;
        channels.channel("a");
        auto opened = of->subscribe(loop, std::move(channels));
        for (int i = 0; i < 2; ++i) {
            auto next = co_await with_deadline(opened.value().next(), deadline);
            EXPECT_EQ(next.error().code(), Code::denied);
        }
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&client, bench.in(10'000))).ok());
}

TEST(Subscription, a_reader_that_is_slow_stops_the_server_and_gets_every_message_in_order) {
    Bench bench;
    Client& client = bench.open();
    constexpr int count = 3'000;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] != "SUBSCRIBE") {
            return bench.server.usual(words);
        }
        std::string all = ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n";
        for (int i = 0; i < count; ++i) {
            all += push({"message", "a", std::to_string(i) + std::string(100, 'x')});
        }
        return {all};
    };
    auto story = [](Client* of, Deadline deadline) -> Task<> {
        Loop& loop = (co_await this_scope()).loop();
        Channels channels;
        channels.channel("a");
        auto opened = of->subscribe(loop, std::move(channels));
        (void)co_await sleep(loop.now() + Duration(5'000));
        (void)co_await with_deadline(opened.value().next(), deadline);
        for (int i = 0; i < count; ++i) {
            auto next = co_await with_deadline(opened.value().next(), deadline);
            EXPECT_TRUE(next.ok() && next.value().payload.starts_with(std::to_string(i) + "x"));
        }
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&client, bench.in(1'000'000))).ok());
}

TEST(Subscription, waiting_may_be_given_up_without_losing_a_message) {
    Bench bench;
    Client& client = bench.open();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        ServerAnswer answer = bench.server.usual(words);
        if (words[0] == "SUBSCRIBE") {
            answer.bytes =
                ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n" + push({"message", "a", "m"});
            answer.after = Duration(300);
        }
        return answer;
    };
    auto story = [](Client* of) -> Task<> {
        Loop& loop = (co_await this_scope()).loop();
        Channels channels;
        channels.channel("a");
        auto opened = of->subscribe(loop, std::move(channels));
        int late = 0;
        std::vector<std::string> heard;
        while (heard.size() < 2) {
            const Deadline soon = Deadline::in(Duration(10), loop.now());
            auto next = co_await with_deadline(opened.value().next(), soon);
            if (next.ok()) {
                heard.push_back(next.value().payload);
            } else {
                EXPECT_EQ(next.error().code(), Code::timed_out);
                ++late;
            }
        }
        EXPECT_GT(late, 10);
        EXPECT_EQ(heard.back(), "m");
        co_return Done();
    };
    EXPECT_TRUE(bench.wait(story(&client)).ok());
}

}  // namespace
}  // namespace holdfast::redis
