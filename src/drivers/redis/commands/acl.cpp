#include "build.h"
#include "fields.h"

#include <holdfast/redis/commands/acl.h>

namespace holdfast::redis {

namespace {

// A server before 7.0 answers patterns as a list.
Result<std::string> read_patterns(RespView reply) {
    if (!is_list(reply)) {
        return read_text(reply);
    }
    return read_texts(reply).and_then([](std::vector<std::string>&& patterns) {
        std::string joined;
        for (const std::string& pattern : patterns) {
            joined += (joined.empty() ? "" : " ") + pattern;
        }
        return Result<std::string>(std::move(joined));
    });
}

void take_selector(Fields& fields, AclSelector& selector) {
    fields.take("commands", selector.commands, read_text)
        .take("keys", selector.keys, read_patterns)
        .take_if_there("channels", selector.channels, read_patterns);
}

Result<AclSelector> read_selector(RespView reply) {
    AclSelector selector;
    Fields fields(reply);
    take_selector(fields, selector);
    return fields.give(selector);
}

Result<AclUser> read_user(RespView reply) {
    AclUser user;
    Fields fields(reply);
    take_selector(fields, user.root);
    return fields.take("flags", user.flags, read_texts)
        .take("passwords", user.password_hashes, read_texts)
        .take_if_there("selectors", user.selectors, read_list<read_selector>)
        .give(user);
}

Result<AclRefusal> read_refusal(RespView reply) {
    AclRefusal refusal;
    return Fields(reply)
        .take("count", refusal.count, read_unsigned)
        .take("reason", refusal.reason, read_text)
        .take("context", refusal.context, read_text)
        .take("object", refusal.object, read_text)
        .take("username", refusal.user, read_text)
        .take("age-seconds", refusal.age_seconds, read_real)
        .take("client-info", refusal.client, read_client)
        .give(refusal);
}

}  // namespace

Command<std::vector<std::string>> acl_cat() {
    return {build("ACL|CAT", Repeat::read), read_texts};
}

Command<std::vector<std::string>> acl_cat(std::string_view category) {
    return {build("ACL|CAT", Repeat::read, category), read_texts};
}

Command<std::int64_t> acl_deluser(Words users) {
    return {build("ACL|DELUSER", Repeat::once, users), read_integer};
}

Command<std::string> acl_dryrun(std::string_view user, Words command) {
    return {build("ACL|DRYRUN", Repeat::read, user, command), read_text};
}

Command<std::string> acl_genpass(std::uint32_t bits) {
    return {build("ACL|GENPASS", Repeat::read, bits), read_text};
}

Command<std::optional<AclUser>> acl_getuser(std::string_view user) {
    return {build("ACL|GETUSER", Repeat::read, user), read_optional<read_user>};
}

Command<std::vector<std::string>> acl_list() {
    return {build("ACL|LIST", Repeat::read), read_texts};
}

Command<Done> acl_load() {
    return {build("ACL|LOAD", Repeat::once), read_ok};
}

Command<std::vector<AclRefusal>> acl_log(std::uint64_t count) {
    return {build("ACL|LOG", Repeat::read, count), read_list<read_refusal>};
}

Command<Done> acl_log_reset() {
    return {build("ACL|LOG", Repeat::once, std::string_view("RESET")), read_ok};
}

Command<Done> acl_save() {
    return {build("ACL|SAVE", Repeat::once), read_ok};
}

Command<Done> acl_setuser(std::string_view user, Words rules) {
    return {build("ACL|SETUSER", Repeat::once, user, rules), read_ok};
}

Command<std::vector<std::string>> acl_users() {
    return {build("ACL|USERS", Repeat::read), read_texts};
}

Command<std::string> acl_whoami() {
    return {build("ACL|WHOAMI", Repeat::read), read_text};
}

}  // namespace holdfast::redis
