#pragma once
// A client before a scripted server, in virtual time.

#include "scripted_server.h"

#include <holdfast/redis/client.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/read.h>

#include <gtest/gtest.h>

namespace holdfast::redis {

inline Command<std::optional<std::string>> get_of(std::string_view key) {
    return {std::move(AnyCommand("GET", Repeat::read).add_key(key)), read_optional_text};
}
inline Command<std::int64_t> incr_of(std::string_view key) {
    return {std::move(AnyCommand("INCR").add_key(key)), read_integer};
}
inline Command<Done> set_of(std::string_view key, std::string_view value) {
    return {std::move(AnyCommand("SET").add_key(key).add(value)), read_ok};
}
inline Command<OwnedReply> raw_of(std::string_view name, Lane lane) {
    return {std::move(AnyCommand(name).set_lane(lane)), read_reply};
}

struct Bench {
    explicit Bench(std::uint64_t seed = 1)
        : runtime(open_virtual_runtime(VirtualOptions().seed(seed))), server(*runtime) {}
    ~Bench() {
        client.reset();
        server.down();
        runtime->run(runtime->now() + Duration(20'000));
    }
    Client& open(RedisOptions options = RedisOptions()) {
        options.port(server.port());
        client = std::move(open_redis(*runtime, std::move(options))).value();
        return *client;
    }
    Deadline in(int ms) const { return Deadline::in(Duration(ms), runtime->clock()); }
    template <class T>
    Result<T> wait(Task<T> task) {
        return holdfast::wait(*runtime, std::move(task));
    }
    void pass(int ms) { runtime->run(runtime->now() + Duration(ms)); }

    std::unique_ptr<VirtualRuntime> runtime;
    ScriptedServer server;
    std::unique_ptr<Client> client;
};

}  // namespace holdfast::redis
