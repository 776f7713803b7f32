#include "build.h"
#include "fields.h"
#include "flush_mode.h"
#include "server_read.h"

#include <holdfast/redis/commands/server.h>

namespace holdfast::redis {

namespace {

Result<Synced> read_synced(RespView reply) {
    Synced synced;
    std::int64_t here = 0;
    Places places(reply, 2);
    places.take(here, read_integer).take(synced.replicas, read_integer);
    synced.here = here != 0;
    return places.give(synced);
}

Result<std::pair<std::string, std::string>> read_module(RespView reply) {
    std::pair<std::string, std::string> module;
    std::int64_t version = 0;
    Fields fields(reply);
    fields.take("name", module.first, read_text).take("ver", version, read_integer);
    module.second = std::to_string(version);
    return fields.give(module);
}

}  // namespace

Command<Done> bgrewriteaof() {
    return {build("BGREWRITEAOF", Repeat::once), read_done};
}

Command<Done> bgsave() {
    return {build("BGSAVE", Repeat::once), read_done};
}

Command<std::vector<std::pair<std::string, std::string>>> config_get(Words patterns) {
    return {build("CONFIG|GET", Repeat::read, patterns), read_pairs};
}

Command<Done> config_resetstat() {
    return {build("CONFIG|RESETSTAT", Repeat::once), read_ok};
}

Command<Done> config_rewrite() {
    return {build("CONFIG|REWRITE", Repeat::once), read_ok};
}

Command<Done> config_set(WordPairs settings) {
    return {build("CONFIG|SET", Repeat::once, settings), read_ok};
}

Command<std::int64_t> dbsize() {
    return {build("DBSIZE", Repeat::read), read_integer};
}

Command<Done> flushall(FlushMode mode) {
    return {flushing("FLUSHALL", mode), read_ok};
}

Command<Done> flushdb(FlushMode mode) {
    return {flushing("FLUSHDB", mode), read_ok};
}

Command<NamedValues> info(Words sections) {
    return {build("INFO", Repeat::read, sections), read_info};
}

Command<ServerTime> lastsave() {
    return {build("LASTSAVE", Repeat::read), read_time_in_seconds};
}

Command<std::vector<std::pair<std::string, std::string>>> module_list() {
    return {build("MODULE|LIST", Repeat::read), read_list<read_module>};
}

Command<Done> replicaof(std::string_view host, std::uint16_t port) {
    return {build("REPLICAOF", Repeat::once, host, port), read_done};
}

Command<Done> replicaof_no_one() {
    return {
        build("REPLICAOF", Repeat::once, std::string_view("NO"), std::string_view("ONE")), read_done
    };
}

Command<ServerRole> role() {
    return {build("ROLE", Repeat::read), read_role};
}

Command<Done> save() {
    return {build("SAVE", Repeat::once), read_ok};
}

Command<Done> swapdb(std::uint32_t one, std::uint32_t other) {
    return {build("SWAPDB", Repeat::once, one, other), read_ok};
}

Command<ServerTime> time() {
    return {build("TIME", Repeat::read), read_time_in_two};
}

Command<std::int64_t> wait(std::uint32_t replicas, Duration wait) {
    AnyCommand any = build("WAIT", Repeat::read, replicas, wait);
    any.set_lane(Lane::lease);
    return {std::move(any), read_integer};
}

Command<Synced> waitaof(bool here, std::uint32_t replicas, Duration wait) {
    AnyCommand any = build("WAITAOF", Repeat::read, int{here}, replicas, wait);
    any.set_lane(Lane::lease);
    return {std::move(any), read_synced};
}

}  // namespace holdfast::redis
