#include "redis_cluster_child.h"

#include "redis_child.h"

#include <hiredis.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <memory>

namespace holdfast::bench {
namespace {

constexpr std::size_t primaries = 3;
constexpr std::size_t nodes_count = 2 * primaries;
constexpr int asks_max = 3'000;
constexpr int ask_pause_ms = 10;

// The texts of an answer, one a line; empty: there was none, or an error.
std::string ask(std::uint16_t port, std::initializer_list<const char*> words) {
    const std::unique_ptr<redisContext, void (*)(redisContext*)> connection(
        redisConnect("127.0.0.1", port), redisFree
    );
    if (connection == nullptr || connection->err != 0) {
        return {};
    }
    std::vector<const char*> all(words);
    const std::unique_ptr<void, void (*)(void*)> answer(
        redisCommandArgv(connection.get(), static_cast<int>(all.size()), all.data(), nullptr),
        freeReplyObject
    );
    const auto* reply = static_cast<const redisReply*>(answer.get());
    if (reply == nullptr || reply->type == REDIS_REPLY_ERROR) {
        return {};
    }
    if (reply->type == REDIS_REPLY_INTEGER) {
        return std::to_string(reply->integer);
    }
    std::string text(reply->str == nullptr ? "" : reply->str, reply->len);
    for (std::size_t i = 0; i < reply->elements; ++i) {
        const redisReply* child = reply->element[i];
        text += child->str == nullptr ? std::to_string(child->integer) : std::string(child->str);
        text += '\n';
    }
    return text;
}

template <class Condition>
void await(Condition condition, const char* what) {
    for (int i = 0; i < asks_max; ++i) {
        if (condition()) {
            return;
        }
        ::poll(nullptr, 0, ask_pause_ms);
    }
    fail(std::string("the cluster: ") + what);
}

}  // namespace

RedisClusterChild::RedisClusterChild() : nodes_(nodes_count) {
    std::string command = "redis-cli --cluster create";
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        nodes_[i].port = free_port();
        nodes_[i].bus_port = free_port();
        start(i);
        command += " 127.0.0.1:" + std::to_string(nodes_[i].port);
    }
    command += " --cluster-replicas 1 --cluster-yes > " + folder_.path() + "/create.log 2>&1";
    if (std::system(command.c_str()) != 0) {  // NOLINT(cert-env33-c): the words are our own
        fail("redis-cli could not create the cluster");
    }
    wait_until_ok();
}

RedisClusterChild::~RedisClusterChild() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        kill(i);
    }
}

void RedisClusterChild::start(std::size_t node) {
    const std::string port = std::to_string(nodes_[node].port);
    const std::string bus = std::to_string(nodes_[node].bus_port);
    const std::string file = "nodes-" + port + ".conf";
    const std::string log = folder_.path() + "/" + port + ".log";
    nodes_[node].pid = ::fork();
    if (nodes_[node].pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const std::vector<const char*> words{
            "redis-server",
            "--port",
            port.c_str(),
            "--cluster-port",
            bus.c_str(),
            "--cluster-enabled",
            "yes",
            "--cluster-config-file",
            file.c_str(),
            "--dir",
            folder_.path().c_str(),
            "--cluster-node-timeout",
            "1000",
            // The slots of others are served on while one shard has no primary.
            "--cluster-require-full-coverage",
            "no",
            "--save",
            "",
            "--appendonly",
            "no",
            "--repl-diskless-sync-delay",
            "0",
            "--logfile",
            log.c_str(),
            "--loglevel",
            "warning",
            nullptr
        };
        ::execvp("redis-server", const_cast<char* const*>(words.data()));
        ::_exit(127);
    }
    await([&] { return ask(nodes_[node].port, {"PING"}) == "PONG"; }, "a node did not start");
}

void RedisClusterChild::kill(std::size_t node) {
    if (nodes_[node].pid > 0) {
        ::kill(nodes_[node].pid, SIGKILL);
        ::waitpid(nodes_[node].pid, nullptr, 0);
        nodes_[node].pid = -1;
    }
}

bool RedisClusterChild::is_primary(std::size_t node) const {
    return ask(nodes_[node].port, {"ROLE"}).starts_with("master");
}

std::size_t RedisClusterChild::replica_of(std::size_t primary) const {
    const std::string wanted = "127.0.0.1\n" + std::to_string(nodes_[primary].port) + "\n";
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (ask(nodes_[i].port, {"ROLE"}).starts_with("slave\n" + wanted)) {
            return i;
        }
    }
    fail("a primary has no replica");
}

std::size_t RedisClusterChild::owner_of(const std::string& key) const {
    std::size_t owner = nodes_.size();
    await(
        [&] {
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                if (!ask(nodes_[i].port, {"EXISTS", key.c_str()}).empty()) {
                    owner = i;
                    return true;
                }
            }
            return false;
        },
        "nobody has a key"
    );
    return owner;
}

bool RedisClusterChild::ok() const {
    return std::ranges::all_of(nodes_, [](const Node& node) {
        const std::string role = ask(node.port, {"ROLE"});
        return ask(node.port, {"CLUSTER", "INFO"}).find("cluster_state:ok") != std::string::npos &&
               (role.starts_with("master") || role.find("\nconnected\n") != std::string::npos);
    });
}

void RedisClusterChild::wait_until_ok() const {
    await([this] { return ok(); }, "it is not whole");
}

}  // namespace holdfast::bench
