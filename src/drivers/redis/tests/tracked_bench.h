#pragma once
// Tracked reads before a scripted server that tracks what is read, in virtual time.

#include "client_bench.h"
#include "fault_from_environment.h"

#include <holdfast/redis/tracked_reads.h>

#include <set>

namespace holdfast::redis {

inline std::string invalidation_of(std::string_view key) {
    return ">2\r\n" + bulk_reply("invalidate") + "*1\r\n" + bulk_reply(key);
}
inline std::string invalidation_of_all() {
    return ">2\r\n" + bulk_reply("invalidate") + "_\r\n";
}

struct TrackedBench : Bench {
    explicit TrackedBench(std::uint64_t seed = 1) : Bench(seed) {}
    ~TrackedBench() { reads.reset(); }

    TrackedReads&
    track(TrackedOptions options = TrackedOptions(), RedisOptions server_options = {}) {
        open(std::move(server_options));
        reads = std::move(open_tracked_reads(*client, options)).value();
        return *reads;
    }
    // What a read gives; "-" for no value, the code's name for an error.
    std::string get(std::string key, int ms = 1'000) {
        auto story = [](TrackedReads* of, std::string name, Deadline deadline
                     ) -> Task<std::string> {
            auto got = co_await of->get(name, deadline);
            if (!got.ok()) {
                co_return std::string(name_of(got.error().code()));
            }
            co_return got.value().value_or("-");
        };
        return wait(story(reads.get(), std::move(key), in(ms))).value();
    }
    // Said on all connections; on the client's own it means nothing.
    void push(const std::string& bytes) {
        server.say(bytes);
        pass(50);
    }
    void change(const std::string& key, std::string value) {
        server.values[key] = std::move(value);
        push(invalidation_of(key));
    }

    std::unique_ptr<TrackedReads> reads;
};

}  // namespace holdfast::redis
