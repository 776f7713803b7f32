#include "build.h"
#include "fields.h"

#include <holdfast/redis/commands/lists.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

namespace {

std::string_view word_of(ListEnd end) {
    return end == ListEnd::left ? "LEFT" : "RIGHT";
}

AnyCommand build_move(
    std::string_view name, std::string_view from, std::string_view to, ListEnd taken, ListEnd put_at
) {
    AnyCommand any = build_on(name, Repeat::once, from);
    any.add_key(to).add(word_of(taken)).add(word_of(put_at));
    return any;
}

Command<std::optional<PoppedOne>> pop_waiting(std::string_view name, Words keys, Duration wait) {
    AnyCommand any = build_on_all(name, Repeat::once, keys);
    any.add(in_seconds(wait)).set_lane(Lane::blocking);
    return {std::move(any), read_optional<read_two<read_text, read_text>>};
}

Result<Popped<std::string>> read_popped(RespView reply) {
    Popped<std::string> popped;
    return Places(reply, 2).take(popped.key, read_text).take(popped.items, read_texts).give(popped);
}

Command<std::int64_t> insert(
    std::string_view key, std::string_view where, std::string_view pivot, std::string_view element
) {
    return {build_on("LINSERT", Repeat::once, key, where, pivot, element), read_integer};
}

}  // namespace

void LposOptions::put_into(AnyCommand& command) const {
    if (rank_) {
        command.add("RANK").add(*rank_);
    }
    if (length_max_) {
        command.add("MAXLEN").add(*length_max_);
    }
}

Command<std::optional<std::string>>
blmove(std::string_view from, std::string_view to, ListEnd taken, ListEnd put_at, Duration wait) {
    AnyCommand any = build_move("BLMOVE", from, to, taken, put_at);
    any.add(in_seconds(wait)).set_lane(Lane::blocking);
    return {std::move(any), read_optional_text};
}

Command<std::optional<Popped<std::string>>>
blmpop(Words keys, ListEnd end, Duration wait, std::uint64_t count) {
    AnyCommand any = build("BLMPOP", Repeat::once, in_seconds(wait));
    put_counted_keys(any, keys);
    any.add(word_of(end)).add("COUNT").add(count).set_lane(Lane::blocking);
    return {std::move(any), read_optional<read_popped>};
}

Command<std::optional<PoppedOne>> blpop(Words keys, Duration wait) {
    return pop_waiting("BLPOP", keys, wait);
}

Command<std::optional<PoppedOne>> brpop(Words keys, Duration wait) {
    return pop_waiting("BRPOP", keys, wait);
}

Command<std::optional<std::string>> lindex(std::string_view key, std::int64_t index) {
    return {build_on("LINDEX", Repeat::read, key, index), read_optional_text};
}

Command<std::int64_t>
linsert_before(std::string_view key, std::string_view pivot, std::string_view element) {
    return insert(key, "BEFORE", pivot, element);
}

Command<std::int64_t>
linsert_after(std::string_view key, std::string_view pivot, std::string_view element) {
    return insert(key, "AFTER", pivot, element);
}

Command<std::int64_t> llen(std::string_view key) {
    return {build_on("LLEN", Repeat::read, key), read_integer};
}

Command<std::optional<std::string>>
lmove(std::string_view from, std::string_view to, ListEnd taken, ListEnd put_at) {
    return {build_move("LMOVE", from, to, taken, put_at), read_optional_text};
}

Command<std::optional<Popped<std::string>>> lmpop(Words keys, ListEnd end, std::uint64_t count) {
    AnyCommand any("LMPOP");
    put_counted_keys(any, keys);
    any.add(word_of(end)).add("COUNT").add(count);
    return {std::move(any), read_optional<read_popped>};
}

Command<std::optional<std::string>> lpop(std::string_view key) {
    return {build_on("LPOP", Repeat::once, key), read_optional_text};
}

Command<std::vector<std::string>> lpop(std::string_view key, std::uint64_t count) {
    return {build_on("LPOP", Repeat::once, key, count), read_texts};
}

Command<std::optional<std::int64_t>>
lpos(std::string_view key, std::string_view element, const LposOptions& options) {
    AnyCommand any = build_on("LPOS", Repeat::read, key, element);
    options.put_into(any);
    return {std::move(any), read_optional_integer};
}

Command<std::vector<std::int64_t>> lpos_all(
    std::string_view key, std::string_view element, std::uint64_t count, const LposOptions& options
) {
    AnyCommand any = build_on("LPOS", Repeat::read, key, element);
    options.put_into(any);
    any.add("COUNT").add(count);
    return {std::move(any), read_integers};
}

Command<std::int64_t> lpush(std::string_view key, Words elements) {
    return {build_on("LPUSH", Repeat::once, key, elements), read_integer};
}

Command<std::int64_t> lpushx(std::string_view key, Words elements) {
    return {build_on("LPUSHX", Repeat::once, key, elements), read_integer};
}

Command<std::vector<std::string>>
lrange(std::string_view key, std::int64_t first, std::int64_t last) {
    return {build_on("LRANGE", Repeat::read, key, first, last), read_texts};
}

Command<std::int64_t> lrem(std::string_view key, std::int64_t count, std::string_view element) {
    return {build_on("LREM", Repeat::once, key, count, element), read_integer};
}

Command<Done> lset(std::string_view key, std::int64_t index, std::string_view element) {
    return {build_on("LSET", Repeat::once, key, index, element), read_ok};
}

Command<Done> ltrim(std::string_view key, std::int64_t first, std::int64_t last) {
    return {build_on("LTRIM", Repeat::once, key, first, last), read_ok};
}

Command<std::optional<std::string>> rpop(std::string_view key) {
    return {build_on("RPOP", Repeat::once, key), read_optional_text};
}

Command<std::vector<std::string>> rpop(std::string_view key, std::uint64_t count) {
    return {build_on("RPOP", Repeat::once, key, count), read_texts};
}

Command<std::int64_t> rpush(std::string_view key, Words elements) {
    return {build_on("RPUSH", Repeat::once, key, elements), read_integer};
}

Command<std::int64_t> rpushx(std::string_view key, Words elements) {
    return {build_on("RPUSHX", Repeat::once, key, elements), read_integer};
}

}  // namespace holdfast::redis
