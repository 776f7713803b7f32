#pragma once
// Commands of the server that the library does not have, each with the reason.

#include <map>
#include <string>
#include <string_view>

namespace holdfast::redis::testing {

inline const std::map<std::string, std::string, std::less<>>& absent_commands() {
    static const std::string replaced = "deprecated by the server; here instead: ";
    static const std::string between_servers = "spoken between servers";
    static const std::string operators = "for operators, with their own tools";
    static const std::map<std::string, std::string, std::less<>> absent{
        {"brpoplpush", replaced + "blmove"},
        {"client|reply", "answers find their callers by their order: none may be left out"},
        {"cluster|slaves", replaced + "cluster_replicas"},
        {"debug", operators},
        {"failover", operators},
        {"georadius", replaced + "geosearch"},
        {"georadius_ro", replaced + "geosearch"},
        {"georadiusbymember", replaced + "geosearch"},
        {"georadiusbymember_ro", replaced + "geosearch"},
        {"getset", replaced + "set_get"},
        {"hmset", replaced + "hset"},
        {"lolwut", "a picture"},
        {"migrate", operators},
        {"module|load", operators},
        {"module|loadex", operators},
        {"module|unload", operators},
        {"monitor", "shows every value of every client; a debugging tool of operators"},
        {"pfdebug", "a test of the server"},
        {"pfselftest", "a test of the server"},
        {"psync", between_servers},
        {"quit", "a client closes its connection instead"},
        {"replconf", between_servers},
        {"restore-asking", between_servers},
        {"rpoplpush", replaced + "lmove"},
        {"script|debug", operators},
        {"shutdown", operators},
        {"slaveof", replaced + "replicaof"},
        {"substr", replaced + "getrange"},
        {"sync", between_servers},
        {"zrangebylex", replaced + "zrange"},
        {"zrangebyscore", replaced + "zrange"},
        {"zrevrange", replaced + "zrange"},
        {"zrevrangebylex", replaced + "zrange"},
        {"zrevrangebyscore", replaced + "zrange"},
    };
    return absent;
}

// Words that only hold others ("CLIENT") and their help texts ("CLIENT HELP").
inline bool only_a_container(std::string_view name, bool has_subcommands) {
    return has_subcommands || name.ends_with("|help");
}

}  // namespace holdfast::redis::testing
