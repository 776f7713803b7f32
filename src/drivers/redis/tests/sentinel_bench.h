#pragma once
// A client before scripted sentinels and two servers of their group, in virtual time.

#include "client_bench.h"
#include "fake_sentinels.h"

namespace holdfast::redis {

class SentinelBench {
public:
    SentinelBench() : runtime(open_virtual_runtime(VirtualOptions())), sentinels(*runtime, 3) {
        for (int i = 0; i < 2; ++i) {
            servers.push_back(std::make_unique<ScriptedServer>(*runtime));
            servers.back()->script = [this, i](const ServerWords& words) {
                return script(i, words);
            };
        }
        for (FakeGroup& group : sentinels.groups) {
            group.primary = servers[0]->port();
            group.replicas = {servers[1]->port()};
        }
    }
    ~SentinelBench() {
        client.reset();
        for (const auto& server : servers) {
            server->down();
        }
        for (const auto& sentinel : sentinels.servers) {
            sentinel->down();
        }
        runtime->run(runtime->now() + Duration(20'000));
    }
    Client& open() {
        RedisOptions options;
        options.sentinels({sentinels.at(0), sentinels.at(1), sentinels.at(2)}, "orders");
        client = std::move(open_redis(*runtime, std::move(options))).value();
        return *client;
    }
    // Sentinels name it from now on, and it says itself that it is the primary.
    void promote(int server, std::uint64_t epoch) {
        primary = server;
        sentinels.promote(servers[static_cast<std::size_t>(server)]->port(), epoch);
        for (FakeGroup& group : sentinels.groups) {
            group.replicas = {servers[static_cast<std::size_t>(1 - server)]->port()};
        }
        const std::string was =
            std::to_string(servers[1 - static_cast<std::size_t>(server)]->port());
        const std::string is = std::to_string(servers[static_cast<std::size_t>(server)]->port());
        for (const auto& sentinel : sentinels.servers) {
            sentinel->say(FakeSentinels::push(
                "+switch-master", "orders 127.0.0.1 " + was + " 127.0.0.1 " + is
            ));
        }
    }
    Deadline in(int ms) const { return Deadline::in(Duration(ms), runtime->clock()); }
    void pass(int ms) { runtime->run(runtime->now() + Duration(ms)); }

    std::function<ServerAnswer(int server, const ServerWords& words)> first;
    int primary = 0;
    int replicas = 1;  // that are connected to the primary
    std::unique_ptr<VirtualRuntime> runtime;
    FakeSentinels sentinels;
    std::vector<std::unique_ptr<ScriptedServer>> servers;
    std::unique_ptr<Client> client;

private:
    ServerAnswer script(int server, const ServerWords& words) {
        if (first) {
            if (ServerAnswer answer = first(server, words); !answer.bytes.empty()) {
                return answer;
            }
        }
        if (words[0] == "ROLE") {
            if (server != primary) {
                return {
                    "*5\r\n" + bulk_reply("slave") + bulk_reply("127.0.0.1") + ":1\r\n" +
                    bulk_reply("connected") + ":100\r\n"
                };
            }
            std::string out =
                "*3\r\n" + bulk_reply("master") + ":100\r\n*" + std::to_string(replicas) + "\r\n";
            for (int i = 0; i < replicas; ++i) {
                out += "*3\r\n" + bulk_reply("127.0.0.1") + bulk_reply("1") + bulk_reply("100");
            }
            return {out};
        }
        if (words[0] == "WAIT") {
            return {":" + std::to_string(std::min(replicas, std::stoi(words[1]))) + "\r\n"};
        }
        if (words[0] == "SUBSCRIBE") {
            return {">3\r\n" + bulk_reply("subscribe") + bulk_reply(words[1]) + ":1\r\n"};
        }
        if (words[0] == "INCR" && server != primary) {
            return {"-READONLY You can't write against a read only replica.\r\n"};
        }
        return servers[static_cast<std::size_t>(server)]->usual(words);
    }
};

}  // namespace holdfast::redis
