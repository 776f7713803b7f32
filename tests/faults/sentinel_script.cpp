#include "sentinel_script.h"

namespace holdfast::testing {
namespace {

constexpr const char* all_channels = "*";
constexpr std::size_t id_digits = 40;

std::string id_of(std::uint16_t port) {
    const std::string number = std::to_string(port);
    return std::string(id_digits - number.size(), 'b') + number;
}

// The fields that clients read, of the many that a Sentinel has.
std::vector<std::string> fields_of(const SentinelServer& server, const std::string& name) {
    return {
        bulk("name"),
        bulk(name),
        bulk("ip"),
        bulk(server.host),
        bulk("port"),
        bulk(std::to_string(server.port)),
        bulk("runid"),
        bulk(id_of(server.port)),
        bulk("flags"),
        bulk(server.flags)
    };
}

void add(std::vector<std::string>& fields, const std::string& key, const std::string& value) {
    fields.push_back(bulk(key));
    fields.push_back(bulk(value));
}

std::string primary_of(const SentinelView& view, std::size_t others, bool third) {
    std::vector<std::string> fields = fields_of(view.primary, view.name);
    add(fields, "config-epoch", std::to_string(view.epoch));
    add(fields, "num-slaves", std::to_string(view.replicas.size()));
    add(fields, "num-other-sentinels", std::to_string(others));
    add(fields, "quorum", std::to_string(view.quorum));
    return pairs(fields, third);
}

std::string replicas_of(const SentinelView& view, bool third) {
    std::vector<std::string> all;
    for (const SentinelServer& one : view.replicas) {
        std::vector<std::string> fields = fields_of(one, one.host + ":" + std::to_string(one.port));
        add(fields, "master-link-status", one.link);
        add(fields, "master-host", view.primary.host);
        add(fields, "master-port", std::to_string(view.primary.port));
        add(fields, "slave-priority", "100");
        add(fields, "slave-repl-offset", "0");
        all.push_back(pairs(fields, third));
    }
    return array(all);
}

std::string message(const Caller& caller, const std::vector<std::string>& values) {
    return caller.third ? push(values) : array(values);
}

// One reply for each channel.
std::string subscribed(Caller& caller, const std::string& name, const Words& words) {
    std::string out;
    std::string kind = name;
    for (char& c : kind) {
        c = static_cast<char>(c - 'A' + 'a');
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (name.find("UNSUBSCRIBE") == std::string::npos) {
            caller.channels.insert(words[i]);
        } else {
            caller.channels.erase(words[i]);
        }
        out += message(caller, {bulk(kind), bulk(words[i]), integer(caller.channels.size())});
    }
    return out;
}

}  // namespace

bool hears(const Caller& caller, const std::string& channel) {
    return caller.channels.contains(channel) || caller.channels.contains(all_channels);
}

std::string message_to(const Caller& caller, const std::string& channel, const std::string& text) {
    return caller.channels.contains(channel)
               ? message(caller, {bulk("message"), bulk(channel), bulk(text)})
               : message(caller, {bulk("pmessage"), bulk(all_channels), bulk(channel), bulk(text)});
}

const SentinelView* SentinelScript::view(const std::string& name) const {
    const auto found = views_.find(name);
    return found == views_.end() ? nullptr : &found->second;
}

std::string SentinelScript::others(bool third) const {
    std::vector<std::string> all;
    for (const std::uint16_t port : peers_) {
        all.push_back(
            pairs(fields_of({.port = port, .flags = "sentinel", .link = ""}, id_of(port)), third)
        );
    }
    return array(all);
}

std::string
SentinelScript::of_one(const SentinelView& view, const std::string& name, bool third) const {
    if (name == "SENTINEL GET-MASTER-ADDR-BY-NAME") {
        return array({bulk(view.primary.host), bulk(std::to_string(view.primary.port))});
    }
    if (name == "SENTINEL MASTER") {
        return primary_of(view, peers_.size(), third);
    }
    if (name == "SENTINEL REPLICAS" || name == "SENTINEL SLAVES") {
        return replicas_of(view, third);
    }
    if (name == "SENTINEL SENTINELS") {
        return others(third);
    }
    return name == "SENTINEL CKQUORUM" ? "+OK usable Sentinels\r\n"
                                       : error("ERR unknown subcommand of SENTINEL");
}

std::string SentinelScript::reply(Caller& caller, const std::string& name, const Words& words) {
    if (name == "HELLO") {
        caller.third = words.size() > 1 ? words[1] == "3" : caller.third;
        return Hello{"sentinel", "sentinel", ""}.answer(caller.third);
    }
    if (name == "PING") {
        return !caller.third && !caller.channels.empty() ? array({bulk("pong"), bulk("")})
                                                         : "+PONG\r\n";
    }
    if (name == "CLIENT ID") {
        return integer(caller.number);
    }
    if (name.ends_with("SUBSCRIBE")) {
        return subscribed(caller, name, words);
    }
    if (name == "ROLE") {
        std::vector<std::string> names;
        for (const auto& [one, ignored] : views_) {
            names.push_back(bulk(one));
        }
        return array({bulk("sentinel"), array(names)});
    }
    if (name == "SENTINEL MASTERS") {
        std::vector<std::string> all;
        for (const auto& [ignored, one] : views_) {
            all.push_back(primary_of(one, peers_.size(), caller.third));
        }
        return array(all);
    }
    if (!name.starts_with("SENTINEL")) {
        return name == "AUTH" || name.starts_with("CLIENT ")
                   ? "+OK\r\n"
                   : error("ERR unknown command '" + name + "'");
    }
    const SentinelView* const known = words.size() > 2 ? view(words[2]) : nullptr;
    if (known == nullptr && name == "SENTINEL GET-MASTER-ADDR-BY-NAME") {
        return caller.third ? "_\r\n" : "*-1\r\n";
    }
    return known == nullptr ? error("ERR No such master with that name")
                            : of_one(*known, name, caller.third);
}

}  // namespace holdfast::testing
