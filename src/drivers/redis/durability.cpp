#include <holdfast/redis/durability.h>

#include <array>
#include <charconv>

namespace holdfast::redis {
namespace {

struct Words {
    std::string_view name;
    std::string_view loses;
    std::string_view remedy;
};

// In the order of the enumeration.
constexpr std::array<Words, 9> words{{
    {"cannot_verify",
     "Nothing is known: every fault below may be there.",
     "Let this user call CONFIG GET, or vouch for the settings yourself."},
    {"too_old",
     "Rules of this version were not proved for servers before 7.0.",
     "Run Redis 7.0 or later."},
    {"not_a_primary",
     "Writes are refused, or go to another server whose settings are not known here.",
     "Name the primary, the sentinels or the cluster."},
    {"no_append_only_file",
     "A restart loses every write since the last snapshot, with replicas that follow it too.",
     "Set appendonly yes."},
    {"fsync_not_always",
     "A power cut loses the writes of the last second, or more; with everysec a killed server "
     "does too, if a flush was slow.",
     "Set appendfsync always; writes that arrive together share one flush."},
    {"fsync_paused_by_rewrite",
     "While the file is rewritten a power cut loses what was acknowledged since its begin.",
     "Set no-appendfsync-on-rewrite no."},
    {"eviction",
     "With its memory full the server deletes keys that it has acknowledged.",
     "Set maxmemory-policy noeviction."},
    {"append_failed",
     "The last write of the append-only file failed; what follows may not be on disk.",
     "Look at the disk and at the server's log."},
    {"replicas_not_waited_for",
     "A failover loses the writes that the promoted replica has not received.",
     "Wait for every replica that may be promoted."},
}};

class Judge {
public:
    explicit Judge(const DurabilityFacts& facts) : facts_(&facts) {}

    std::vector<DurabilityFinding> all() && {
        if (!facts_->config) {
            add(DurabilityFault::cannot_verify, {}, {});
        }
        version();
        primary();
        unless(DurabilityFault::no_append_only_file, "appendonly", "yes");
        unless(DurabilityFault::fsync_not_always, "appendfsync", "always");
        unless(DurabilityFault::fsync_paused_by_rewrite, "no-appendfsync-on-rewrite", "no");
        unless(DurabilityFault::eviction, "maxmemory-policy", "noeviction");
        append();
        replicas();
        return std::move(found_);
    }

private:
    void add(DurabilityFault fault, std::string_view setting, std::string_view value) {
        const Words& said = words[static_cast<std::size_t>(fault)];
        found_.push_back({fault, std::string(setting), std::string(value), said.loses, said.remedy}
        );
    }
    void unless(DurabilityFault fault, std::string_view setting, std::string_view good) {
        if (!facts_->config) {
            return;
        }
        const auto at = facts_->config->find(std::string(setting));
        const std::string value = at == facts_->config->end() ? "not told" : at->second;
        if (value != good) {
            add(fault, setting, value);
        }
    }
    std::string_view info(const std::string& name) const {
        const auto at = facts_->info.find(name);
        return at == facts_->info.end() ? std::string_view() : std::string_view(at->second);
    }
    static std::uint32_t number(std::string_view text) {
        std::uint32_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    }

    void version() {
        const std::string_view version = info("redis_version");
        if (!version.empty() && number(version) < 7) {
            add(DurabilityFault::too_old, {}, version);
        }
    }
    void primary() {
        const std::string_view role = info("role");
        if (!role.empty() && role != "master") {
            add(DurabilityFault::not_a_primary, {}, role);
        }
    }
    void append() {
        const std::string_view status = info("aof_last_write_status");
        if (!status.empty() && status != "ok") {
            add(DurabilityFault::append_failed, {}, status);
        }
    }
    void replicas() {
        const std::string_view connected = info("connected_slaves");
        if (number(connected) > facts_->replicas_waited_for) {
            add(DurabilityFault::replicas_not_waited_for, {}, connected);
        }
    }

    const DurabilityFacts* facts_;
    std::vector<DurabilityFinding> found_;
};

}  // namespace

std::string_view name_of(DurabilityFault fault) {
    return words[static_cast<std::size_t>(fault)].name;
}

std::vector<std::string_view> durability_settings() {
    return {"appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy"};
}

std::map<std::string, std::string> info_fields(std::string_view info) {
    std::map<std::string, std::string> fields;
    while (!info.empty()) {
        const std::size_t end = info.find('\n');
        std::string_view line = info.substr(0, end);
        info = end == std::string_view::npos ? std::string_view() : info.substr(end + 1);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        const std::size_t colon = line.find(':');
        if (!line.starts_with('#') && colon != std::string_view::npos) {
            fields.insert_or_assign(
                std::string(line.substr(0, colon)), std::string(line.substr(colon + 1))
            );
        }
    }
    return fields;
}

std::vector<DurabilityFinding> judge_durability(const DurabilityFacts& facts) {
    return Judge(facts).all();
}

}  // namespace holdfast::redis
