// holdfast redis ping and info of deployments of several nodes.

#include "redis_nodes.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/io/compose.h>
#include <holdfast/observe/stopwatch.h>
#include <holdfast/redis/commands/connection.h>
#include <holdfast/redis/inspect.h>

#include <algorithm>
#include <cstdio>

namespace holdfast::app {
namespace {

// Seconds, of the first time with the connection.
Task<double> ping_one(redis::OneNode node, Deadline deadline) {
    const Stopwatch watch;
    auto pong = co_await node.run(redis::ping(), deadline);
    if (!pong.ok()) {
        co_return std::move(pong).error();
    }
    co_return watch.seconds();
}

Task<std::vector<Result<double>>> ping_all(std::vector<redis::OneNode> nodes, Deadline deadline) {
    std::vector<Task<double>> pings;
    for (const redis::OneNode& node : nodes) {
        pings.push_back(ping_one(node, deadline));
    }
    co_return co_await when_all(std::move(pings));
}

const char* role_of(const redis::OneNode& node) {
    return node.is_replica() ? "replica" : "primary";
}

std::string place_of(const redis::OneNode& node) {
    std::string text = node.endpoint().text() + " (" + role_of(node);
    if (node.slots() != 0) {
        text += ", " + std::to_string(node.slots()) + " slots";
    }
    return text + ")";
}

void print_pong(const redis::OneNode& node, const Result<double>& pong, bool first, bool json) {
    if (json) {
        std::string line;
        JsonWriter writer(line);
        writer.open_object()
            .field("node", node.endpoint().text())
            .field("role", role_of(node))
            .field("slots", node.slots());
        if (pong.ok()) {
            writer.field("microseconds", static_cast<std::int64_t>(pong.value() * 1e6))
                .field("dialled", first);
        } else {
            writer.field("error", name_of(pong.error().code()));
        }
        writer.close_object();
        std::printf("%s\n", line.c_str());
        return;
    }
    if (!pong.ok()) {
        std::printf(
            "no answer from %s: %s\n",
            place_of(node).c_str(),
            std::string(name_of(pong.error().code())).c_str()
        );
        return;
    }
    std::printf(
        "PONG from %s in %.3f ms%s\n",
        place_of(node).c_str(),
        pong.value() * 1e3,
        first ? ", the connection with it" : ""
    );
}

void print_topology(const std::vector<redis::OneNode>& nodes) {
    for (const redis::OneNode& node : nodes) {
        std::printf("%-20s %s\n", role_of(node), place_of(node).c_str());
    }
}

void add_topology(JsonWriter& writer, const std::vector<redis::OneNode>& nodes) {
    writer.name("nodes").open_array();
    for (const redis::OneNode& node : nodes) {
        writer.open_object()
            .field("node", node.endpoint().text())
            .field("role", role_of(node))
            .field("slots", node.slots())
            .close_object();
    }
    writer.close_array();
}

}  // namespace

int ping_nodes(RedisTarget& target, const RedisArguments& arguments) {
    std::optional<Error> failure;
    for (std::size_t i = 0; i < arguments.count; ++i) {
        const Deadline deadline = target.deadline();
        auto nodes = wait(*target.runtime, redis::nodes_of(target.client.get(), deadline));
        if (!nodes.ok()) {
            return redis_failure(target.shown, nodes.error());
        }
        auto pongs = wait(*target.runtime, ping_all(nodes.value(), deadline));
        if (!pongs.ok()) {
            return redis_failure(target.shown, pongs.error());
        }
        for (std::size_t at = 0; at < nodes.value().size(); ++at) {
            Result<double>& pong = pongs.value()[at];
            print_pong(nodes.value()[at], pong, i == 0, arguments.json);
            if (!pong.ok() && !failure.has_value()) {
                failure.emplace(std::move(pong).error());
            }
        }
    }
    return failure.has_value() ? redis_failure(target.shown, *failure) : exit_code::done;
}

int info_of_nodes(RedisTarget& target, const RedisArguments& arguments) {
    auto nodes = wait(*target.runtime, redis::nodes_of(target.client.get(), target.deadline()));
    if (!nodes.ok()) {
        return redis_failure(target.shown, nodes.error());
    }
    std::string line;
    JsonWriter writer(line);
    if (arguments.json) {
        writer.open_object().field("uri", target.shown);
        add_topology(writer, nodes.value());
        writer.name("primaries").open_array();
    } else {
        std::printf("%-20s %s\n", "uri", target.shown.c_str());
        print_topology(nodes.value());
    }
    bool found = false;
    for (const redis::OneNode& node : nodes.value()) {
        if (node.is_replica()) {
            continue;
        }
        auto facts = wait(*target.runtime, redis::ask_durability(node, 0, target.deadline()));
        if (!facts.ok()) {
            return redis_failure(node.endpoint().text(), facts.error());
        }
        const auto findings = redis::judge_durability(facts.value());
        found = found || !findings.empty();
        if (arguments.json) {
            writer.open_object().field("node", node.endpoint().text());
            add_facts(writer, facts.value(), findings);
            writer.close_object();
        } else {
            std::printf("\n%-20s %s\n", "node", node.endpoint().text().c_str());
            print_facts(facts.value(), findings);
        }
    }
    if (arguments.json) {
        writer.close_array().close_object();
        std::printf("%s\n", line.c_str());
    }
    return arguments.strict && found ? exit_code::no : exit_code::done;
}

}  // namespace holdfast::app
