#include "build.h"

#include <holdfast/redis/commands/bitmaps.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

namespace {

std::string_view word_of(BitOperation operation) {
    switch (operation) {
    case BitOperation::all_of:
        return "AND";
    case BitOperation::any_of:
        return "OR";
    case BitOperation::one_of:
        return "XOR";
    case BitOperation::invert:
        break;
    }
    return "NOT";
}

}  // namespace

void BitRange::put_into(AnyCommand& command) const {
    command.add(first_).add(last_);
    if (unit_ == RangeUnit::bits) {  // a server before 7.0 knows no unit
        command.add("BIT");
    }
}

Bitfield& Bitfield::get(BitNumber number, std::uint64_t offset_bits) {
    arguments_.insert(arguments_.end(), {"GET", number.word(), std::to_string(offset_bits)});
    return *this;
}

Bitfield& Bitfield::set(BitNumber number, std::uint64_t offset_bits, std::int64_t value) {
    only_reads_ = false;
    arguments_.insert(
        arguments_.end(), {"SET", number.word(), std::to_string(offset_bits), std::to_string(value)}
    );
    return *this;
}

Bitfield& Bitfield::increment(BitNumber number, std::uint64_t offset_bits, std::int64_t by) {
    only_reads_ = false;
    arguments_.insert(
        arguments_.end(), {"INCRBY", number.word(), std::to_string(offset_bits), std::to_string(by)}
    );
    return *this;
}

Bitfield& Bitfield::wrap() {
    arguments_.insert(arguments_.end(), {"OVERFLOW", "WRAP"});
    return *this;
}

Bitfield& Bitfield::saturate() {
    arguments_.insert(arguments_.end(), {"OVERFLOW", "SAT"});
    return *this;
}

Bitfield& Bitfield::fail() {
    arguments_.insert(arguments_.end(), {"OVERFLOW", "FAIL"});
    return *this;
}

Command<std::int64_t> bitcount(std::string_view key, const std::optional<BitRange>& range) {
    AnyCommand any = build_on("BITCOUNT", Repeat::read, key);
    if (range) {
        range->put_into(any);
    }
    return {std::move(any), read_integer};
}

Command<std::vector<std::optional<std::int64_t>>>
bitfield(std::string_view key, const Bitfield& operations) {
    const Repeat repeat = operations.only_reads() ? Repeat::idempotent : Repeat::once;
    return {build_on("BITFIELD", repeat, key, Words(operations.arguments())), read_list<read_optional_integer>};
}

Command<std::vector<std::optional<std::int64_t>>>
bitfield_ro(std::string_view key, const Bitfield& operations) {
    return {build_on("BITFIELD_RO", Repeat::read, key, Words(operations.arguments())), read_list<read_optional_integer>};
}

Command<std::int64_t> bitop(BitOperation operation, std::string_view to, Words from) {
    AnyCommand any = build("BITOP", Repeat::once, word_of(operation));
    any.add_key(to).add_keys(from);
    return {std::move(any), read_integer};
}

Command<std::int64_t> bitpos(std::string_view key, bool bit, const std::optional<BitRange>& range) {
    AnyCommand any = build_on("BITPOS", Repeat::read, key, int{bit});
    if (range) {
        range->put_into(any);
    }
    return {std::move(any), read_integer};
}

Command<bool> getbit(std::string_view key, std::uint64_t offset) {
    return {build_on("GETBIT", Repeat::read, key, offset), read_boolean};
}

Command<bool> setbit(std::string_view key, std::uint64_t offset, bool bit) {
    return {build_on("SETBIT", Repeat::once, key, offset, int{bit}), read_boolean};
}

}  // namespace holdfast::redis
