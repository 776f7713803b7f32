#include "build.h"
#include "fields.h"

#include <holdfast/redis/commands/command_table.h>

namespace holdfast::redis {

namespace {

// Of a name, not of a depth: no command of Redis has subcommands that have some.
template <auto Subcommand>
Result<CommandInfo> read_command(RespView reply) {
    CommandInfo info;
    Places places(reply, 7);
    places.take(info.name, read_text)
        .take(info.arity, read_integer)
        .take(info.flags, read_texts)
        .take(info.first_key, read_integer)
        .take(info.last_key, read_integer)
        .take(info.key_step, read_integer)
        .take(info.categories, read_texts)
        .skip()   // hints
        .skip();  // key specifications
    if (places.more()) {
        places.take(info.subcommands, read_list<Subcommand>);
    }
    return places.give(info);
}

Result<CommandInfo> read_nothing_below(RespView) {
    return wrong_shape();
}

Result<KeyFlags> read_key_flags(RespView reply) {
    KeyFlags key;
    return Places(reply, 2).take(key.key, read_text).take(key.flags, read_texts).give(key);
}

Command<std::vector<std::string>> filtered(std::string_view by, std::string_view what) {
    const std::string_view filter = "FILTERBY";
    return {build("COMMAND|LIST", Repeat::read, filter, by, what), read_texts};
}

constexpr auto read_top = read_command<read_command<read_nothing_below>>;

}  // namespace

Command<std::int64_t> command_count() {
    return {build("COMMAND|COUNT", Repeat::read), read_integer};
}

Command<OwnedReply> command_docs(Words names) {
    AnyCommand any = build("COMMAND|DOCS", Repeat::read, names);
    any.set_bulky(names.empty());
    return {std::move(any), read_reply};
}

Command<std::vector<std::string>> command_getkeys(Words command) {
    return {build("COMMAND|GETKEYS", Repeat::read, command), read_texts};
}

Command<std::vector<KeyFlags>> command_getkeysandflags(Words command) {
    return {build("COMMAND|GETKEYSANDFLAGS", Repeat::read, command), read_list<read_key_flags>};
}

Command<std::vector<std::optional<CommandInfo>>> command_info(Words names) {
    AnyCommand any = build("COMMAND|INFO", Repeat::read, names);
    any.set_bulky(names.empty());
    return {std::move(any), read_list<read_optional<read_top>>};
}

Command<std::vector<std::string>> command_list() {
    return {build("COMMAND|LIST", Repeat::read), read_texts};
}

Command<std::vector<std::string>> command_list_of_category(std::string_view category) {
    return filtered("ACLCAT", category);
}

Command<std::vector<std::string>> command_list_of_module(std::string_view module) {
    return filtered("MODULE", module);
}

Command<std::vector<std::string>> command_list_matching(std::string_view pattern) {
    return filtered("PATTERN", pattern);
}

}  // namespace holdfast::redis
