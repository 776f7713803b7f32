#pragma once
// A client before a cluster of scripted servers, in virtual time. Nodes answer MOVED for keys that
// are another's by their own view.

#include "client_bench.h"
#include "fake_cluster.h"

#include <set>

namespace holdfast::redis {

class ClusterBench {
public:
    // `primaries` first, then one replica for each where asked.
    explicit ClusterBench(int primaries, bool replicas = false, std::uint64_t seed = 1)
        : runtime(open_virtual_runtime(VirtualOptions().seed(seed))),
          cluster(*runtime, replicas ? 2 * primaries : primaries) {
        FakeView view;
        const int step = 16'384 / primaries;
        for (int i = 0; i < primaries; ++i) {
            FakeShard shard;
            shard.first = static_cast<std::uint16_t>(i * step);
            shard.last =
                static_cast<std::uint16_t>(i + 1 == primaries ? 16'383 : (i + 1) * step - 1);
            shard.primary = i;
            if (replicas) {
                shard.replicas.push_back(primaries + i);
            }
            view.push_back(shard);
        }
        cluster.show(view);
        for (std::size_t i = 0; i < cluster.servers.size(); ++i) {
            cluster.servers[i]->script = [this, i](const ServerWords& words) {
                return script(static_cast<int>(i), words);
            };
        }
    }
    ~ClusterBench() {
        client.reset();
        for (const auto& server : cluster.servers) {
            server->down();
        }
        runtime->run(runtime->now() + Duration(20'000));
    }

    Client& open(RedisOptions options = RedisOptions()) {
        options.cluster({cluster.at(0)});
        client = std::move(open_redis(*runtime, std::move(options))).value();
        return *client;
    }
    Deadline in(int ms) const { return Deadline::in(Duration(ms), runtime->clock()); }
    template <class T>
    Result<T> wait(Task<T> task) {
        return holdfast::wait(*runtime, std::move(task));
    }
    template <class Reply>
    Result<Reply> run(Command<Reply> command, int ms = 5'000) {
        return client->wait(std::move(command), in(ms));
    }
    void pass(int ms) { runtime->run(runtime->now() + Duration(ms)); }

    // A key of that node by the view of node 0: "k", with a number.
    std::string key_of(int node, int which = 0) const {
        for (int i = 0;; ++i) {
            std::string key = "k" + std::to_string(i);
            if (owner(0, key) == node && which-- == 0) {
                return key;
            }
        }
    }
    int owner(int asked, std::string_view key) const {
        const auto slot = static_cast<std::uint16_t>(key_slot(key));
        for (const FakeShard& shard : cluster.views[static_cast<std::size_t>(asked)]) {
            if (slot >= shard.first && slot <= shard.last) {
                return shard.primary;
            }
        }
        return -1;
    }
    std::size_t heard(int node, std::string_view name) { return cluster.server(node).count(name); }

    // What a test puts before the usual answers; empty bytes: nothing.
    std::function<ServerAnswer(int node, const ServerWords& words)> first;

    std::unique_ptr<VirtualRuntime> runtime;
    FakeCluster cluster;
    std::unique_ptr<Client> client;

private:
    static bool has_key(const std::string& name) {
        static const std::set<std::string> names{
            "GET", "SET", "INCR", "MGET", "MSET", "DEL", "EXISTS"
        };
        return names.contains(name);
    }
    ServerAnswer script(int node, const ServerWords& words) {
        if (first) {
            if (ServerAnswer answer = first(node, words); !answer.bytes.empty() || answer.closes) {
                return answer;
            }
        }
        if (words[0] == "READONLY" || words[0] == "ASKING" || words[0] == "MULTI") {
            return {"+OK\r\n"};
        }
        if (has_key(words[0]) && words.size() > 1) {
            if (const int right = owner(node, words[1]);
                right != node && !is_replica(node, right)) {
                return {
                    "-MOVED " + std::to_string(key_slot(words[1])) + " " +
                    cluster.at(right).text() + "\r\n"
                };
            }
        }
        if (words[0] == "MGET") {
            std::string out = "*" + std::to_string(words.size() - 1) + "\r\n";
            for (std::size_t i = 1; i < words.size(); ++i) {
                out += cluster.server(node).usual({"GET", words[i]}).bytes;
            }
            return {out};
        }
        if (words[0] == "MSET") {
            for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
                cluster.server(node).values[words[i]] = words[i + 1];
            }
            return {"+OK\r\n"};
        }
        if (words[0] == "DEL" || words[0] == "EXISTS") {
            std::int64_t found = 0;
            for (std::size_t i = 1; i < words.size(); ++i) {
                found += static_cast<std::int64_t>(cluster.server(node).values.count(words[i]));
                if (words[0] == "DEL") {
                    cluster.server(node).values.erase(words[i]);
                }
            }
            return {":" + std::to_string(found) + "\r\n"};
        }
        return cluster.answer(node, words);
    }
    bool is_replica(int node, int of) const {
        for (const FakeShard& shard : cluster.views[static_cast<std::size_t>(node)]) {
            if (shard.primary == of &&
                std::ranges::find(shard.replicas, node) != shard.replicas.end()) {
                return true;
            }
        }
        return false;
    }
};

}  // namespace holdfast::redis
