// holdfast redis ping, holdfast redis info: is it there, what is it, does it keep what it says.

#include "redis_nodes.h"
#include "redis_target.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/observe/stopwatch.h>
#include <holdfast/redis/commands/connection.h>
#include <holdfast/redis/inspect.h>

#include <array>
#include <cstdio>

namespace holdfast::app {
namespace {

void print_pong(const RedisTarget& target, double seconds, bool first, bool json) {
    if (json) {
        std::string line;
        JsonWriter(line)
            .open_object()
            .field("uri", target.shown)
            .field("microseconds", static_cast<std::int64_t>(seconds * 1e6))
            .field("dialled", first)
            .close_object();
        std::printf("%s\n", line.c_str());
        return;
    }
    std::printf(
        "PONG from %s in %.3f ms%s\n",
        target.shown.c_str(),
        seconds * 1e3,
        first ? ", the connection with it" : ""
    );
}

// What of INFO is shown, and how it is called here.
constexpr std::array<std::pair<const char*, const char*>, 14> shown_fields{{
    {"redis_version", "version"},
    {"redis_mode", "mode"},
    {"role", "role"},
    {"connected_slaves", "replicas"},
    {"uptime_in_seconds", "uptime in seconds"},
    {"connected_clients", "clients"},
    {"blocked_clients", "clients that wait"},
    {"used_memory", "bytes used"},
    {"maxmemory", "bytes at most"},
    {"evicted_keys", "keys evicted"},
    {"aof_enabled", "append-only file"},
    {"aof_last_write_status", "its last write"},
    {"rdb_last_bgsave_status", "the last snapshot"},
    {"instantaneous_ops_per_sec", "commands a second"},
}};

}  // namespace

void print_facts(
    const redis::DurabilityFacts& facts, const std::vector<redis::DurabilityFinding>& findings
) {
    for (const auto& [field, name] : shown_fields) {
        if (const auto found = facts.info.find(field); found != facts.info.end()) {
            std::printf("%-20s %s\n", name, found->second.c_str());
        }
    }
    for (const auto& [field, value] : facts.info) {
        if (field.starts_with("db") && value.starts_with("keys=")) {
            std::printf("%-20s %s\n", field.c_str(), value.c_str());
        }
    }
    if (findings.empty()) {
        std::printf("\nnothing that is known here loses a write that was acknowledged\n");
    }
    for (const redis::DurabilityFinding& finding : findings) {
        std::printf(
            "\n%s%s%s%s%s\n    may lose: %s\n    remedy:   %s\n",
            std::string(redis::name_of(finding.fault)).c_str(),
            finding.value.empty() && finding.setting.empty() ? "" : ": ",
            finding.setting.c_str(),
            finding.setting.empty() ? "" : " ",
            finding.value.c_str(),
            std::string(finding.loses).c_str(),
            std::string(finding.remedy).c_str()
        );
    }
}

void add_facts(
    JsonWriter& writer,
    const redis::DurabilityFacts& facts,
    const std::vector<redis::DurabilityFinding>& findings
) {
    writer.name("info").open_object();
    for (const auto& [field, value] : facts.info) {
        writer.field(field, value);
    }
    writer.close_object().name("findings").open_array();
    for (const redis::DurabilityFinding& finding : findings) {
        writer.open_object()
            .field("fault", redis::name_of(finding.fault))
            .field("setting", finding.setting)
            .field("value", finding.value)
            .field("loses", finding.loses)
            .field("remedy", finding.remedy)
            .close_object();
    }
    writer.close_array();
}

int redis_ping(const RedisArguments& arguments) {
    auto opened = redis_target(arguments);
    if (const int* code = std::get_if<int>(&opened)) {
        return *code;
    }
    RedisTarget& target = std::get<RedisTarget>(opened);
    if (target.client->options().shape() != redis::Shape::single) {
        return ping_nodes(target, arguments);
    }
    for (std::size_t i = 0; i < arguments.count; ++i) {
        const Stopwatch watch;
        auto pong = target.client->wait(redis::ping(), target.deadline());
        if (!pong.ok()) {
            return redis_failure(target.shown, pong.error());
        }
        print_pong(target, watch.seconds(), i == 0, arguments.json);
    }
    return exit_code::done;
}

int redis_info(const RedisArguments& arguments) {
    auto opened = redis_target(arguments);
    if (const int* code = std::get_if<int>(&opened)) {
        return *code;
    }
    RedisTarget& target = std::get<RedisTarget>(opened);
    if (target.client->options().shape() != redis::Shape::single) {
        return info_of_nodes(target, arguments);
    }
    auto facts = wait(*target.runtime, redis::ask_durability(*target.client, 0, target.deadline()));
    if (!facts.ok()) {
        return redis_failure(target.shown, facts.error());
    }
    const auto findings = redis::judge_durability(facts.value());
    if (arguments.json) {
        std::string line;
        JsonWriter writer(line);
        writer.open_object().field("uri", target.shown);
        add_facts(writer, facts.value(), findings);
        writer.close_object();
        std::printf("%s\n", line.c_str());
    } else {
        std::printf("%-20s %s\n", "uri", target.shown.c_str());
        print_facts(facts.value(), findings);
    }
    return arguments.strict && !findings.empty() ? exit_code::no : exit_code::done;
}

}  // namespace holdfast::app
