#include "cluster_node_script.h"

#include <live/redis_cluster.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace holdfast::testing {
namespace {

// Commands without a key, of those that clients send.
constexpr std::array keyless = {"ACL",      "ASKING",    "AUTH",         "CLIENT",   "CLUSTER",
                                "COMMAND",  "CONFIG",    "DBSIZE",       "DISCARD",  "ECHO",
                                "EXEC",     "FLUSHALL",  "FLUSHDB",      "FUNCTION", "HELLO",
                                "INFO",     "KEYS",      "MULTI",        "PING",     "PSUBSCRIBE",
                                "PUBLISH",  "PUBSUB",    "PUNSUBSCRIBE", "QUIT",     "RANDOMKEY",
                                "READONLY", "READWRITE", "RESET",        "ROLE",     "SCAN",
                                "SCRIPT",   "SELECT",    "SUBSCRIBE",    "TIME",     "UNSUBSCRIBE",
                                "UNWATCH",  "WAIT",      "WAITAOF"};
constexpr std::array with_second_word = {"CLIENT", "CLUSTER", "CONFIG", "FUNCTION", "SCRIPT"};
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

std::string upper(std::string text) {
    for (char& c : text) {
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return text;
}

std::string name_of(const Words& words) {
    return words.empty() ? "" : upper(words[0]);
}

// The slot of the first key; none: the command has none.
std::optional<std::uint16_t> slot_of_words(const Words& words) {
    const std::string name = name_of(words);
    if (among(keyless, name)) {
        return std::nullopt;
    }
    const std::size_t at = among(key_is_fourth, name) ? 3 : among(key_is_third, name) ? 2 : 1;
    return words.size() > at ? std::optional(slot_of(words[at])) : std::nullopt;
}

std::string error(const std::string& text) {
    return "-" + text + "\r\n";
}

}  // namespace

void ClusterNodeScript::count(const Words& words) {
    std::string name = name_of(words);
    if (among(with_second_word, name) && words.size() > 1) {
        name += " " + upper(words[1]);
    }
    ++commands_[name];
    if (name == "CLUSTER SLOTS" || name == "CLUSTER NODES" || name == "CLUSTER SHARDS") {
        questions_.push_back(system_clock().steady_now());
    }
}

Answer ClusterNodeScript::answer(Caller& caller, const Words& words) {
    heard_.push_back({caller.number, words});
    count(words);
    const bool asking = std::exchange(caller.asking, false);
    if (mute_) {
        return Answer::none();
    }
    const auto handler = std::find_if(handlers_.rbegin(), handlers_.rend(), [&](const auto& one) {
        return matches(one.first, words);
    });
    if (const auto refusal = refused(caller, words, asking); refusal.has_value()) {
        caller.aborted = caller.aborted || caller.in_multi;
        return *refusal;
    }
    return handler != handlers_.rend() ? handler->second : Answer(reply(caller, words));
}

std::string ClusterNodeScript::reply(Caller& caller, const Words& words) {
    const std::string name = name_of(words);
    if (auto own = of_connection(caller, words); own.has_value()) {
        return *std::move(own);
    }
    if (auto own = of_transaction(caller, words); own.has_value()) {
        return *std::move(own);
    }
    if (name == "CLUSTER" && words.size() > 1) {
        const std::string what = upper(words[1]);
        if (what == "SLOTS") {
            return map_->cluster_slots(caller.third);
        }
        if (what == "NODES") {
            return map_->cluster_nodes(number_);
        }
        if (what == "SHARDS") {
            return map_->cluster_shards(caller.third);
        }
        return what == "MYID" ? bulk(map_->members.at(number_).id)
                              : error("ERR unknown subcommand of CLUSTER");
    }
    if (name == "GET") {
        return bulk(std::to_string(number_));
    }
    return name == "INCR" || name == "DEL" ? ":1\r\n" : name == "ROLE" ? role() : "+OK\r\n";
}

std::optional<std::string>
ClusterNodeScript::of_connection(Caller& caller, const Words& words) const {
    const std::string name = name_of(words);
    if (name == "HELLO") {
        caller.third = words.size() > 1 ? words[1] == "3" : caller.third;
        const bool replica = map_->members.at(number_).primary.has_value();
        return Hello{"cluster", replica ? "replica" : "master", zone_}.answer(caller.third);
    }
    if (name == "PING") {
        return "+PONG\r\n";
    }
    if (name == "CLIENT" && words.size() > 1 && upper(words[1]) == "ID") {
        return ":" + std::to_string(caller.number) + "\r\n";
    }
    if (name == "ASKING") {
        caller.asking = true;
        return "+OK\r\n";
    }
    if (name == "READONLY" || name == "READWRITE") {
        caller.reads_replicas = name == "READONLY";
        return "+OK\r\n";
    }
    if (name == "RESET") {
        caller = Caller{.number = caller.number};
        return "+RESET\r\n";
    }
    return std::nullopt;
}

std::optional<std::string>
ClusterNodeScript::of_transaction(Caller& caller, const Words& words) const {
    const std::string name = name_of(words);
    if (name == "MULTI") {
        caller.in_multi = true;
        return "+OK\r\n";
    }
    if (!caller.in_multi) {
        return std::nullopt;
    }
    if (name != "EXEC" && name != "DISCARD") {
        ++caller.queued;
        return "+QUEUED\r\n";
    }
    const std::vector<std::string> replies(std::exchange(caller.queued, 0), "+OK\r\n");
    caller.in_multi = false;
    if (std::exchange(caller.aborted, false) && name == "EXEC") {
        return error("EXECABORT Transaction discarded because of previous errors.");
    }
    return name == "EXEC" ? array(replies) : "+OK\r\n";
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
std::optional<std::string>
ClusterNodeScript::refused(const Caller& caller, const Words& words, bool asking) {
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
    const bool reads_here = map_->members.at(number_).primary == owner && caller.reads_replicas &&
                            !among(writes, name_of(words));
    return reads_here
               ? std::nullopt
               : std::optional(error("MOVED " + std::to_string(*slot) + " " + map_->address(*owner))
                 );
}

std::string ClusterNodeScript::role() const {
    const ClusterMember& own = map_->members.at(number_);
    if (!own.primary.has_value()) {
        return array({bulk("master"), ":0\r\n", array({})});
    }
    const ClusterMember& primary = map_->members.at(*own.primary);
    return array(
        {bulk("slave"),
         bulk(primary.host.value_or("")),
         ":" + std::to_string(primary.port) + "\r\n",
         bulk("connected"),
         ":0\r\n"}
    );
}

}  // namespace holdfast::testing
