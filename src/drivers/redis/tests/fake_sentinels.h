#pragma once
// Sentinels in virtual time. Each has its own idea of who the primary is, which a test may leave
// behind.

#include "scripted_server.h"

#include <holdfast/redis/uri.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

struct FakeGroup {
    std::uint16_t primary = 7'000;  // the ports of 127.0.0.1
    std::vector<std::uint16_t> replicas;
    std::uint64_t epoch = 1;
    std::vector<int> sentinels;  // that it knows, besides itself
};

class FakeSentinels {
public:
    FakeSentinels(VirtualRuntime& runtime, int count) : groups(static_cast<std::size_t>(count)) {
        for (int i = 0; i < count; ++i) {
            servers.push_back(std::make_unique<ScriptedServer>(runtime));
            servers.back()->script = [this, i](const ServerWords& words) {
                return answer(i, words);
            };
            for (int other = 0; other < count; ++other) {
                if (other != i) {
                    group(i).sentinels.push_back(other);
                }
            }
        }
    }

    ScriptedServer& server(int sentinel) { return *servers[static_cast<std::size_t>(sentinel)]; }
    FakeGroup& group(int sentinel) { return groups[static_cast<std::size_t>(sentinel)]; }
    Endpoint at(int sentinel) const {
        return {"127.0.0.1", servers[static_cast<std::size_t>(sentinel)]->port()};
    }
    // What all know from now on.
    void promote(std::uint16_t primary, std::uint64_t epoch) {
        for (FakeGroup& each : groups) {
            each.primary = primary;
            each.epoch = epoch;
        }
    }
    std::size_t polled() const {
        std::size_t count = 0;
        for (const auto& each : servers) {
            for (const ServerWords& words : each->heard) {
                count +=
                    words.size() > 1 && words[0] == "SENTINEL" && words[1] == "MASTER" ? 1U : 0U;
            }
        }
        return count;
    }
    std::size_t heard_by_us() const {
        std::size_t count = 0;
        for (const auto& each : servers) {
            count += each->count("SUBSCRIBE");
        }
        return count;
    }
    int connections() const {
        int count = 0;
        for (const auto& each : servers) {
            count += each->connections;
        }
        return count;
    }
    int open_connections() const {
        int count = 0;
        for (const auto& each : servers) {
            count += each->open_connections;
        }
        return count;
    }

    ServerAnswer answer(int sentinel, const ServerWords& words) {
        if (words[0] == "SUBSCRIBE") {
            std::string out;
            for (std::size_t i = 1; i < words.size(); ++i) {
                out += ">3\r\n" + bulk_reply("subscribe") + bulk_reply(words[i]) + ":" +
                       std::to_string(i) + "\r\n";
            }
            return {out};
        }
        if (words[0] == "SENTINEL" && words[1] == "MYID") {
            return {bulk_reply("id" + std::to_string(sentinel))};
        }
        if (words[0] != "SENTINEL" || words.size() != 3) {
            return server(sentinel).usual(words);
        }
        if (words[2] != "orders") {
            return {"-ERR No such master with that name\r\n"};
        }
        const FakeGroup& known = group(sentinel);
        if (words[1] == "MASTER") {
            return {fields(known.primary, "master", known)};
        }
        std::string out;
        std::size_t count = 0;
        if (words[1] == "REPLICAS") {
            for (const std::uint16_t port : known.replicas) {
                out += fields(port, "slave", known);
                ++count;
            }
        } else {
            for (const int other : known.sentinels) {
                out += fields(at(other).port, "sentinel", known);
                ++count;
            }
        }
        return {"*" + std::to_string(count) + "\r\n" + out};
    }

    static std::string push(std::string_view channel, std::string_view payload) {
        return ">3\r\n" + bulk_reply("message") + bulk_reply(channel) + bulk_reply(payload);
    }

    std::vector<std::unique_ptr<ScriptedServer>> servers;
    std::vector<FakeGroup> groups;

private:
    static std::string fields(std::uint16_t port, std::string_view flags, const FakeGroup& known) {
        return "%9\r\n" + bulk_reply("name") + bulk_reply("orders") + bulk_reply("ip") +
               bulk_reply("127.0.0.1") + bulk_reply("port") + bulk_reply(std::to_string(port)) +
               bulk_reply("runid") + bulk_reply("") + bulk_reply("flags") + bulk_reply(flags) +
               bulk_reply("config-epoch") + bulk_reply(std::to_string(known.epoch)) +
               bulk_reply("num-slaves") + bulk_reply(std::to_string(known.replicas.size())) +
               bulk_reply("num-other-sentinels") +
               bulk_reply(std::to_string(known.sentinels.size())) +
               bulk_reply("master-link-status") + bulk_reply("ok");
    }
};

}  // namespace holdfast::redis
