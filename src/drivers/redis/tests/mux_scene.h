#pragma once
// A mux with a transport of two strings and a clock that is driven by hand.

#include "mux.h"

#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace holdfast::redis {

class Scene final : public MuxOwner {
public:
    explicit Scene(const MuxOptions& options = MuxOptions()) : mux(*this, options) { mux.opened(); }

    void flush_due() override { ++flushes_due; }
    void wake_at(SteadyTime time) override { wake = std::min(wake, time); }

    // One write of all that is due; what went out in it.
    std::string write() {
        WriteBuffer out;
        mux.fill(out, now);
        mux.sent(out.size());
        return std::string(out.view());
    }
    // One read. False: the mux wants the connection dropped.
    bool read(std::string_view text) {
        unread += text;
        mux.read_begins(text.size(), now);
        bool good = true;
        std::size_t at = 0;
        while (good && parser.parse(std::string_view(unread).substr(at)) == RespStatus::complete) {
            at += parser.consumed();
            good = mux.answered(parser.reply());
        }
        unread.erase(0, at);
        mux.read_ends();
        return good;
    }
    // Time goes on; the mux is rung when it asked for it. False: it wants the connection dropped.
    bool pass(Duration by) {
        const SteadyTime end = now + by;
        while (wake <= end) {
            now = std::max(now, wake);
            wake = SteadyTime::max();
            if (!mux.ring(now)) {
                return false;
            }
        }
        now = end;
        return true;
    }

    Mux mux;
    RespParser parser;
    std::string unread;
    SteadyTime now{Duration(1'000'000)};
    SteadyTime wake = SteadyTime::max();
    int flushes_due = 0;
};

class Call final : public Operation {
public:
    explicit Call(AnyCommand asked) : command(std::move(asked)) {}
    static Call get(std::string_view key) {
        return Call(std::move(AnyCommand("GET", Repeat::read).add(key)));
    }
    static Call incr(std::string_view key) { return Call(std::move(AnyCommand("INCR").add(key))); }

    std::optional<Error> submit(Scene& scene, Duration within = Duration(1'000)) {
        carry(command, scene.now + within);
        return scene.mux.submit(*this);
    }
    std::optional<Error>
    submit_batch(Scene& scene, std::string bytes, std::uint32_t count, Repeat repeat) {
        batch = std::move(bytes);
        carry("batch", batch, count, repeat, scene.now + Duration(1'000));
        return scene.mux.submit(*this);
    }
    // Once more, after a redirection.
    std::optional<Error> submit_again(Scene& scene) {
        carry_again(false);
        return scene.mux.submit(*this);
    }
    bool ended() const { return last || error.has_value(); }
    std::string said() const { return replies.empty() ? "" : replies.back(); }

    AnyCommand command;
    std::string batch;
    std::vector<std::string> replies;
    std::optional<Error> error;
    bool last = false;
    std::function<void()> then;

private:
    void replied(RespView reply, bool is_last) override {
        replies.emplace_back(reply.text());
        last = is_last;
        if (then && last) {
            then();
        }
    }
    void failed(Error why) override {
        error.emplace(std::move(why));
        if (then) {
            then();
        }
    }
    void run() override {}
};

inline std::string bulk(std::string_view text) {
    return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}
inline std::string frame(std::initializer_list<std::string_view> words) {
    std::string out = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string_view word : words) {
        out += bulk(word);
    }
    return out;
}

}  // namespace holdfast::redis
