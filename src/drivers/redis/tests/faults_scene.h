#pragma once
// A client of one loop before a real server, for tests of faults.

#include "fault_from_environment.h"

#include <holdfast/io/compose.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands.h>
#include <holdfast/redis/read.h>

#include <faults/fault_proxy.h>
#include <gtest/gtest.h>
#include <live/redis_server.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

using holdfast::testing::eventually;
using holdfast::testing::FaultProxy;
using holdfast::testing::in_words;
using holdfast::testing::patience;
using holdfast::testing::RawRedis;
using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;
using holdfast::testing::Toward;

class FaultScene {
public:
    explicit FaultScene(std::uint16_t port, RedisOptions options = RedisOptions())
        : runtime(std::move(open_runtime(RuntimeOptions().loops(1))).value()),
          client(std::move(open_redis(*runtime, options.port(port))).value()) {}

    Deadline in(Duration time = patience) const { return Deadline::in(time, runtime->clock()); }
    template <class Reply>
    Result<Reply> run(Command<Reply> command, Duration time = patience) {
        return client->wait(std::move(command), in(time));
    }
    template <class T>
    Result<T> wait(Task<T> task) {
        return holdfast::wait(*runtime, std::move(task));
    }

    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<Client> client;
};

// How many calls ended in which way.
class Outcomes {
public:
    template <class T>
    void add(const Result<T>& outcome) {
        if (outcome.ok()) {
            ++good_;
        } else {
            ++(outcome.error().effect() == Effect::none ? none_ : unknown_);
            ++by_code_[static_cast<std::size_t>(outcome.error().code())];
        }
    }
    int good() const { return good_; }
    int none() const { return none_; }
    int unknown() const { return unknown_; }
    int of(Code code) const { return by_code_[static_cast<std::size_t>(code)]; }
    int all() const { return good_ + none_ + unknown_; }

private:
    std::atomic<int> good_ = 0;
    std::atomic<int> none_ = 0;
    std::atomic<int> unknown_ = 0;
    std::array<std::atomic<int>, 16> by_code_{};
};

}  // namespace holdfast::redis
