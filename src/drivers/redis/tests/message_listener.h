#pragma once
// Takes what a subscription hears, in virtual time.

#include <holdfast/io/virtual_runtime.h>
#include <holdfast/redis/client.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace holdfast::redis {

class MessageListener {
public:
    MessageListener(VirtualRuntime& runtime, Client& client, Channels channels)
        : runtime_(&runtime) {
        auto opened = client.subscribe(runtime.loop(0), std::move(channels));
        EXPECT_TRUE(opened.ok());
        spawn(
            runtime.loop(0), hearing(this, std::move(opened).value()), [](Result<Done>) {}, &stop_
        );
    }
    ~MessageListener() {
        stop_.request();
        runtime_->run(runtime_->now() + Duration(5'000));
        EXPECT_TRUE(ended_);
    }
    MessageListener(const MessageListener&) = delete;
    MessageListener& operator=(const MessageListener&) = delete;

    // False: not within the time.
    bool hears(std::size_t count, int ms) {
        const SteadyTime until = runtime_->now() + Duration(ms);
        while (heard.size() < count && runtime_->step(until)) {
        }
        return heard.size() >= count;
    }

    std::vector<std::string> heard;  // "subscribed", or channel/payload
    std::optional<Code> failure;

private:
    static Task<> hearing(MessageListener* self, Subscription subscription) {
        for (;;) {
            auto next = co_await subscription.next();
            if (!next.ok()) {
                self->failure = next.error().code();
                break;
            }
            const Message& message = next.value();
            self->heard.push_back(
                message.kind == Message::Kind::subscribed ? "subscribed"
                                                          : message.channel + "/" + message.payload
            );
        }
        self->ended_ = true;
        co_return Done();
    }

    VirtualRuntime* runtime_;
    Stop stop_;
    bool ended_ = false;
};

inline std::string push_of(std::initializer_list<std::string_view> words) {
    std::string out = ">" + std::to_string(words.size()) + "\r\n";
    for (const std::string_view word : words) {
        out += "$" + std::to_string(word.size()) + "\r\n" + std::string(word) + "\r\n";
    }
    return out;
}
inline std::string confirmed(std::string_view kind, std::string_view channel) {
    return ">3\r\n$" + std::to_string(kind.size()) + "\r\n" + std::string(kind) + "\r\n$" +
           std::to_string(channel.size()) + "\r\n" + std::string(channel) + "\r\n:1\r\n";
}

}  // namespace holdfast::redis
