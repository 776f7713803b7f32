#pragma once
// Strings as rows of bits and of small numbers.

#include <holdfast/redis/command.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

enum class RangeUnit : std::uint8_t { bytes, bits };

// Negative positions count from the end; `last` belongs to it.
class BitRange {
public:
    BitRange(std::int64_t first, std::int64_t last, RangeUnit unit = RangeUnit::bytes)
        : first_(first), last_(last), unit_(unit) {}

    void put_into(AnyCommand& command) const;

private:
    std::int64_t first_;
    std::int64_t last_;
    RangeUnit unit_;
};

enum class BitOperation : std::uint8_t { all_of, any_of, one_of, invert };  // AND OR XOR NOT

// A number of 1 to 64 bits (63 without sign).
class BitNumber {
public:
    static BitNumber with_sign(std::uint8_t bits) { return BitNumber('i', bits); }
    static BitNumber without_sign(std::uint8_t bits) { return BitNumber('u', bits); }

    std::string word() const { return kind_ + std::to_string(bits_); }

private:
    BitNumber(char kind, std::uint8_t bits) : kind_(kind), bits_(bits) {}
    char kind_;
    std::uint8_t bits_;
};

// What BITFIELD does, in order; one answer for each.
class Bitfield {
public:
    Bitfield& get(BitNumber number, std::uint64_t offset_bits);
    Bitfield& set(BitNumber number, std::uint64_t offset_bits, std::int64_t value);
    Bitfield& increment(BitNumber number, std::uint64_t offset_bits, std::int64_t by);
    // For the increments and sets that follow. At first they wrap around.
    Bitfield& wrap();
    Bitfield& saturate();
    Bitfield& fail();  // answers null and leaves the number

    const std::vector<std::string>& arguments() const { return arguments_; }
    bool only_reads() const { return only_reads_; }

private:
    std::vector<std::string> arguments_;
    bool only_reads_ = true;
};

Command<std::int64_t>
bitcount(std::string_view key, const std::optional<BitRange>& range = std::nullopt);
Command<std::vector<std::optional<std::int64_t>>>
bitfield(std::string_view key, const Bitfield& operations);
// `operations` only reads.
Command<std::vector<std::optional<std::int64_t>>>
bitfield_ro(std::string_view key, const Bitfield& operations);
Command<std::int64_t> bitop(BitOperation operation, std::string_view to, Words from);
// -1: none.
Command<std::int64_t>
bitpos(std::string_view key, bool bit, const std::optional<BitRange>& range = std::nullopt);
Command<bool> getbit(std::string_view key, std::uint64_t offset);
Command<bool> setbit(std::string_view key, std::uint64_t offset, bool bit);  // what it was

}  // namespace holdfast::redis
