#pragma once
// A cluster of scripted servers in virtual time. Each node has its own view of it, which a test may
// leave behind.

#include "scripted_server.h"

#include <holdfast/redis/uri.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

struct FakeShard {
    std::uint16_t first = 0;
    std::uint16_t last = 0;
    int primary = 0;  // the number of the node
    std::vector<int> replicas;
    std::uint64_t epoch = 1;
};
using FakeView = std::vector<FakeShard>;

class FakeCluster {
public:
    FakeCluster(VirtualRuntime& runtime, int nodes) : views(static_cast<std::size_t>(nodes)) {
        for (int i = 0; i < nodes; ++i) {
            servers.push_back(std::make_unique<ScriptedServer>(runtime));
            servers.back()->script = [this, i](const ServerWords& words) {
                return answer(i, words);
            };
        }
    }

    // What all nodes know.
    void show(const FakeView& view) {
        for (FakeView& each : views) {
            each = view;
        }
    }
    ScriptedServer& server(int node) { return *servers[static_cast<std::size_t>(node)]; }
    FakeView& view(int node) { return views[static_cast<std::size_t>(node)]; }
    Endpoint at(int node) const {
        return {"127.0.0.1", servers[static_cast<std::size_t>(node)]->port()};
    }
    // Questions for the map, of all nodes.
    std::size_t asked() const {
        std::size_t count = 0;
        for (const auto& each : servers) {
            count += asked_at(*each);
        }
        return count;
    }
    static std::size_t asked_at(const ScriptedServer& server) {
        std::size_t count = 0;
        for (const ServerWords& words : server.heard) {
            count += words.size() > 1 && words[0] == "CLUSTER" && words[1] == "SLOTS" ? 1U : 0U;
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

    ServerAnswer answer(int node, const ServerWords& words) {
        if (words[0] != "CLUSTER" || words.size() < 2) {
            return server(node).usual(words);
        }
        return {words[1] == "SLOTS" ? slots(view(node)) : bulk_reply(lines(node))};
    }

    std::vector<std::unique_ptr<ScriptedServer>> servers;
    std::vector<FakeView> views;

private:
    static std::string id_of(int node) {
        std::string id = std::to_string(node);
        return std::string(40 - id.size(), 'a') + id;
    }
    std::string slots(const FakeView& view) const {
        std::string out = "*" + std::to_string(view.size()) + "\r\n";
        for (const FakeShard& shard : view) {
            out += "*" + std::to_string(3 + shard.replicas.size()) +
                   "\r\n:" + std::to_string(shard.first) + "\r\n:" + std::to_string(shard.last) +
                   "\r\n";
            out += slot_node(shard.primary);
            for (const int replica : shard.replicas) {
                out += slot_node(replica);
            }
        }
        return out;
    }
    std::string slot_node(int node) const {
        return "*4\r\n" + bulk_reply("127.0.0.1") + ":" + std::to_string(at(node).port) + "\r\n" +
               bulk_reply(id_of(node)) + "*0\r\n";
    }
    std::string line(int node, int asked, int primary, std::uint64_t epoch) const {
        std::string text = id_of(node) + " " + at(node).text() + "@1 ";
        text += node == asked ? "myself," : "";
        text += node == primary ? "master - " : "slave " + id_of(primary) + " ";
        return text + "0 0 " + std::to_string(epoch) + " connected";
    }
    // Each node once, whatever it has.
    std::string lines(int asked) const {
        std::map<int, std::string> all;
        for (const FakeShard& shard : views[static_cast<std::size_t>(asked)]) {
            std::string& text = all[shard.primary];
            if (text.empty()) {
                text = line(shard.primary, asked, shard.primary, shard.epoch);
            }
            text += " " + std::to_string(shard.first) + "-" + std::to_string(shard.last);
            for (const int replica : shard.replicas) {
                all[replica] = line(replica, asked, shard.primary, shard.epoch);
            }
        }
        std::string out;
        for (const auto& [node, text] : all) {
            out += text + "\n";
        }
        return out;
    }
};

}  // namespace holdfast::redis
