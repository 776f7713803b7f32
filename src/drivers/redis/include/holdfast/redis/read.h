#pragma once
// Readers of answers: from the shape that the protocol gives to the value that a command promises.
// Both protocol versions are read: RESP2 sends a map as a flat array, a double or a boolean as text
// or number. All answer corrupt, unknown, for another shape, and copy what they keep.

#include <holdfast/base/result.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace holdfast::redis {

Error wrong_shape();  // corrupt, unknown

Result<Done> read_ok(RespView reply);               // +OK
Result<bool> read_ok_or_null(RespView reply);       // null: false, the condition did not hold
Result<Done> read_done(RespView reply);             // any text or number whose value tells nothing
Result<std::int64_t> read_integer(RespView reply);  // also as text
Result<std::uint64_t> read_unsigned(RespView reply);  // also as text
Result<bool> read_boolean(RespView reply);            // :0 :1 #t #f
Result<double> read_real(RespView reply);             // also as text or integer
Result<std::string> read_text(RespView reply);        // bulk, simple, verbatim
Result<std::optional<std::string>> read_optional_text(RespView reply);
Result<std::optional<std::int64_t>> read_optional_integer(RespView reply);
Result<std::optional<double>> read_optional_real(RespView reply);
Result<std::vector<std::string>> read_texts(RespView reply);  // array, set; null: none
Result<std::vector<std::optional<std::string>>> read_optional_texts(RespView reply);
Result<std::vector<std::int64_t>> read_integers(RespView reply);
Result<std::vector<std::pair<std::string, std::string>>> read_pairs(RespView reply);  // map

// The value that a reader makes.
template <auto Read>
using ReadValue = std::remove_cvref_t<decltype(Read(std::declval<RespView>()).value())>;

inline bool is_list(RespView reply) {
    return reply.type() == RespType::array || reply.type() == RespType::set ||
           reply.type() == RespType::push;
}

// An array or set of what `Read` reads; null is an empty one.
template <auto Read>
Result<std::vector<ReadValue<Read>>> read_list(RespView reply) {
    std::vector<ReadValue<Read>> values;
    if (reply.is_null()) {
        return values;
    }
    if (!is_list(reply)) {
        return wrong_shape();
    }
    values.reserve(reply.size());
    for (const RespView item : reply) {
        auto value = Read(item);
        if (!value.ok()) {
            return std::move(value).error();
        }
        values.push_back(std::move(value).value());
    }
    return values;
}

template <auto Read>
Result<std::optional<ReadValue<Read>>> read_optional(RespView reply) {
    using Value = std::optional<ReadValue<Read>>;
    if (reply.is_null()) {
        return Value();
    }
    auto value = Read(reply);
    if (!value.ok()) {
        return std::move(value).error();
    }
    return Value(std::move(value).value());
}

// An array of exactly two.
template <auto First, auto Second>
Result<std::pair<ReadValue<First>, ReadValue<Second>>> read_two(RespView reply) {
    if (!is_list(reply) || reply.size() != 2) {
        return wrong_shape();
    }
    auto at = reply.begin();
    auto first = First(*at);
    if (!first.ok()) {
        return std::move(first).error();
    }
    auto second = Second(*++at);
    if (!second.ok()) {
        return std::move(second).error();
    }
    return std::pair(std::move(first).value(), std::move(second).value());
}

// Names with values in any of the three shapes they travel in: a map, a flat array, or an array of
// twos. The name is no aggregate.
template <auto Name, auto Value>
Result<std::vector<std::pair<ReadValue<Name>, ReadValue<Value>>>> read_pairs_of(RespView reply) {
    std::vector<std::pair<ReadValue<Name>, ReadValue<Value>>> values;
    if (reply.is_null()) {
        return values;
    }
    const bool map = reply.type() == RespType::map;
    if (!map && !is_list(reply)) {
        return wrong_shape();
    }
    if (!map && reply.size() > 0 && is_list(*reply.begin())) {
        return read_list<read_two<Name, Value>>(reply);
    }
    if (reply.size() % 2 != 0) {
        return wrong_shape();
    }
    values.reserve(reply.size() / 2);
    for (auto at = reply.begin(); at != reply.end(); ++at) {
        auto name = Name(*at);
        if (!name.ok()) {
            return std::move(name).error();
        }
        auto value = Value(*++at);
        if (!value.ok()) {
            return std::move(value).error();
        }
        values.emplace_back(std::move(name).value(), std::move(value).value());
    }
    return values;
}

}  // namespace holdfast::redis
