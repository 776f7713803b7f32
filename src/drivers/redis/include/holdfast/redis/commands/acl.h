#pragma once
// Users and what they may do.

#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/named_values.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

struct AclSelector {
    std::string commands;
    std::string keys;
    std::string channels;

    friend bool operator==(const AclSelector&, const AclSelector&) = default;
};

struct AclUser {
    std::vector<std::string> flags;
    std::vector<std::string> password_hashes;
    AclSelector root;
    std::vector<AclSelector> selectors;

    friend bool operator==(const AclUser&, const AclUser&) = default;
};

// Something that was refused.
struct AclRefusal {
    std::uint64_t count = 0;
    std::string reason;   // auth, command, key, channel
    std::string context;  // toplevel, multi, lua, module
    std::string object;
    std::string user;
    double age_seconds = 0;
    NamedValues client;

    friend bool operator==(const AclRefusal&, const AclRefusal&) = default;
};

Command<std::vector<std::string>> acl_cat();
Command<std::vector<std::string>> acl_cat(std::string_view category);
Command<std::int64_t> acl_deluser(Words users);
// "OK", or why the user could not.
Command<std::string> acl_dryrun(std::string_view user, Words command);
Command<std::string> acl_genpass(std::uint32_t bits = 256);
Command<std::optional<AclUser>> acl_getuser(std::string_view user);
Command<std::vector<std::string>> acl_list();
Command<Done> acl_load();
Command<std::vector<AclRefusal>> acl_log(std::uint64_t count = 10);
Command<Done> acl_log_reset();
Command<Done> acl_save();
// Rules as in redis.conf: "on", ">password", "~cached:*", "+@read". All or none.
Command<Done> acl_setuser(std::string_view user, Words rules);
Command<std::vector<std::string>> acl_users();
Command<std::string> acl_whoami();

}  // namespace holdfast::redis
