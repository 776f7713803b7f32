#pragma once
// Which settings of a server lose writes that it has acknowledged, and what to do about each. The
// judgement alone; who asks the server is elsewhere.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

enum class DurabilityFault : std::uint8_t {
    cannot_verify,        // the server does not tell its settings
    too_old,              // before 7.0: scripts without flags, another append-only file
    not_a_primary,        // what is written elsewhere is not in our hands
    no_append_only_file,  // a restart loses everything since the last snapshot
    // A power cut loses what was not yet flushed. With everysec Redis answers writes that wait in
    // its memory, up to two seconds, until the flush before them ends: kill -9 loses those too.
    fsync_not_always,
    fsync_paused_by_rewrite,  // as above, while the file is rewritten
    eviction,                 // memory pressure deletes keys
    append_failed,            // the last write of the append-only file did not succeed
    replicas_not_waited_for,  // a failover loses what a replica had not yet received
};
std::string_view name_of(DurabilityFault fault);

struct DurabilityFinding {
    DurabilityFault fault;
    std::string setting;      // as CONFIG calls it; empty where no setting is at fault
    std::string value;        // what the server says
    std::string_view loses;   // what may be lost, in one sentence
    std::string_view remedy;  // what to change, in one sentence
};

struct DurabilityFacts {
    std::optional<std::map<std::string, std::string>> config;  // CONFIG GET *; nothing: denied
    std::map<std::string, std::string> info;                   // INFO: its lines, name to value
    // How many replicas each write waits for; 0: none.
    std::uint32_t replicas_waited_for = 0;
};

// The settings that are looked at: what CONFIG GET needs to be asked for.
std::vector<std::string_view> durability_settings();

// The fields of INFO: "name:value" lines; headings and empty lines are passed over.
std::map<std::string, std::string> info_fields(std::string_view info);

// In the order of the enumeration; none: nothing that this function knows loses an acknowledged
// write.
std::vector<DurabilityFinding> judge_durability(const DurabilityFacts& facts);

}  // namespace holdfast::redis
