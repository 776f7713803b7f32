#pragma once
// COMMAND: what the server itself says about its commands.

#include <holdfast/redis/command.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

struct CommandInfo {
    std::string name;
    std::int64_t arity = 0;  // words; negative: at least so many
    std::vector<std::string> flags;
    std::int64_t first_key = 0;
    std::int64_t last_key = 0;
    std::int64_t key_step = 0;
    std::vector<std::string> categories;
    std::vector<CommandInfo> subcommands;

    friend bool operator==(const CommandInfo&, const CommandInfo&) = default;
};

struct KeyFlags {
    std::string key;
    std::vector<std::string> flags;

    friend bool operator==(const KeyFlags&, const KeyFlags&) = default;
};

Command<std::int64_t> command_count();
Command<OwnedReply> command_docs(Words names = {});
// `command`: its words, the name first.
Command<std::vector<std::string>> command_getkeys(Words command);
Command<std::vector<KeyFlags>> command_getkeysandflags(Words command);
// Null for a name that the server does not have. Without names: all.
Command<std::vector<std::optional<CommandInfo>>> command_info(Words names = {});
Command<std::vector<std::string>> command_list();
Command<std::vector<std::string>> command_list_of_category(std::string_view category);
Command<std::vector<std::string>> command_list_of_module(std::string_view module);
Command<std::vector<std::string>> command_list_matching(std::string_view pattern);

}  // namespace holdfast::redis
