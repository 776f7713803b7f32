#include "cluster_node_script.h"

#include <live/redis_cluster.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace holdfast::testing {
namespace {

// By their first word: commands without a key, of those that clients send.
constexpr std::array keyless = {"ACL",      "ASKING",    "AUTH",         "CLIENT",   "CLUSTER",
                                "COMMAND",  "CONFIG",    "DBSIZE",       "DISCARD",  "ECHO",
                                "EXEC",     "FLUSHALL",  "FLUSHDB",      "FUNCTION", "HELLO",
                                "INFO",     "KEYS",      "MULTI",        "PING",     "PSUBSCRIBE",
                                "PUBLISH",  "PUBSUB",    "PUNSUBSCRIBE", "QUIT",     "RANDOMKEY",
                                "READONLY", "READWRITE", "RESET",        "ROLE",     "SCAN",
                                "SCRIPT",   "SELECT",    "SUBSCRIBE",    "TIME",     "UNSUBSCRIBE",
                                "UNWATCH",  "WAIT",      "WAITAOF"};
constexpr std::array key_is_fourth = {
    "EVAL", "EVALSHA", "EVALSHA_RO", "EVAL_RO", "FCALL", "FCALL_RO"
};
constexpr std::array key_is_third = {"BITOP", "OBJECT", "XGROUP", "XINFO"};
constexpr std::array writes = {
    "APPEND",
    "DEL",
    "EXPIRE",
    "HSET",
    "INCR",
    "INCRBY",
    "LPUSH",
    "RPUSH",
    "SADD",
    "SET",
    "XADD",
    "ZADD"
};

template <class Names>
bool among(const Names& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

// The slot of the first key; none: the command has none.
std::optional<std::uint16_t> slot_of_words(const Words& words) {
    const std::string name = words.empty() ? "" : upper(words[0]);
    if (name.empty() || among(keyless, name)) {
        return std::nullopt;
    }
    const std::size_t at = among(key_is_fourth, name) ? 3 : among(key_is_third, name) ? 2 : 1;
    return words.size() > at ? std::optional(slot_of(words[at])) : std::nullopt;
}

std::string of_transaction(Caller& caller, const std::string& name) {
    if (name == "MULTI") {
        caller.in_multi = true;
        return "+OK\r\n";
    }
    if (name != "EXEC" && name != "DISCARD") {
        ++caller.queued;
        return "+QUEUED\r\n";
    }
    const std::vector<std::string> replies(std::exchange(caller.queued, 0), "+OK\r\n");
    const bool aborted = std::exchange(caller.aborted, false);
    caller.in_multi = false;
    if (name == "DISCARD") {
        return "+OK\r\n";
    }
    return aborted ? error("EXECABORT Transaction discarded because of previous errors.")
                   : array(replies);
}

}  // namespace

std::optional<std::string>
ClusterNodeScript::before_handlers(Caller& caller, const std::string& name, const Words& words) {
    const bool asking = std::exchange(caller.asking, false);
    Reply refusal = refused(caller, name, words, asking);
    caller.aborted = caller.aborted || (refusal.has_value() && caller.in_multi);
    return refusal;
}

std::string ClusterNodeScript::reply(Caller& caller, const std::string& name, const Words& words) {
    if (auto own = of_connection(caller, name, words); own.has_value()) {
        return *std::move(own);
    }
    if (auto own = of_map(caller, name); own.has_value()) {
        return *std::move(own);
    }
    if (name == "GET") {
        return bulk(std::to_string(number_));
    }
    return name == "INCR" || name == "DEL" ? integer(1) : name == "ROLE" ? role() : "+OK\r\n";
}

std::optional<std::string> ClusterNodeScript::of_connection(
    Caller& caller, const std::string& name, const Words& words
) const {
    if (caller.in_multi || name == "MULTI") {
        return of_transaction(caller, name);
    }
    if (name == "HELLO") {
        caller.third = words.size() > 1 ? words[1] == "3" : caller.third;
        const bool replica = map_->members.at(number_).primary.has_value();
        return Hello{"cluster", replica ? "replica" : "master", zone_}.answer(caller.third);
    }
    if (name == "PING") {
        return "+PONG\r\n";
    }
    if (name == "CLIENT ID") {
        return integer(caller.number);
    }
    if (name == "RESET") {
        caller = Caller{.number = caller.number};
        return "+RESET\r\n";
    }
    caller.asking = name == "ASKING";  // and is answered with OK, as others are
    if (name == "READONLY" || name == "READWRITE") {
        caller.reads_replicas = name == "READONLY";
    }
    return std::nullopt;
}

std::optional<std::string>
ClusterNodeScript::of_map(const Caller& caller, const std::string& name) const {
    if (name == "CLUSTER SLOTS") {
        return map_->cluster_slots(caller.third);
    }
    if (name == "CLUSTER NODES") {
        return map_->cluster_nodes(number_);
    }
    if (name == "CLUSTER SHARDS") {
        return map_->cluster_shards(caller.third);
    }
    if (name == "CLUSTER MYID") {
        return bulk(map_->members.at(number_).id);
    }
    return name.starts_with("CLUSTER") ? Reply(error("ERR unknown subcommand")) : std::nullopt;
}

std::optional<std::string> ClusterNodeScript::next_refusal(std::uint16_t slot) {
    if (refusals_.empty()) {
        return std::nullopt;
    }
    const Refusal refusal = refusals_.front().first;
    if (refusals_.front().second != ScriptedCluster::always && --refusals_.front().second == 0) {
        refusals_.pop_front();
    }
    if (refusal.kind_ == Refusal::Kind::text) {
        return error(refusal.text_);
    }
    const char* const word = refusal.kind_ == Refusal::Kind::moved ? "MOVED " : "ASK ";
    return error(word + std::to_string(slot) + " " + map_->address(refusal.to_));
}

// The error that this command gets here; none: it runs.
std::optional<std::string> ClusterNodeScript::refused(
    const Caller& caller, const std::string& name, const Words& words, bool asking
) {
    const std::optional<std::uint16_t> slot = slot_of_words(words);
    if (!slot.has_value()) {
        asked_in_vain_ += asking ? 1 : 0;
        return std::nullopt;
    }
    if (auto refusal = next_refusal(*slot); refusal.has_value()) {
        return refusal;
    }
    const std::optional<std::size_t> owner = map_->owner(*slot);
    if (owner == number_) {
        asked_in_vain_ += asking ? 1 : 0;
        return std::nullopt;
    }
    if (asking) {
        ++asked_;
        return std::nullopt;
    }
    if (!owner.has_value()) {
        return error("CLUSTERDOWN Hash slot not served");
    }
    if (map_->members.at(number_).primary == owner && caller.reads_replicas &&
        !among(writes, name)) {
        return std::nullopt;
    }
    return error("MOVED " + std::to_string(*slot) + " " + map_->address(*owner));
}

std::string ClusterNodeScript::role() const {
    const ClusterMember& own = map_->members.at(number_);
    if (!own.primary.has_value()) {
        return array({bulk("master"), integer(0), array({})});
    }
    const ClusterMember& primary = map_->members.at(*own.primary);
    return array(
        {bulk("slave"),
         bulk(primary.host.value_or("")),
         integer(primary.port),
         bulk("connected"),
         integer(0)}
    );
}

}  // namespace holdfast::testing
