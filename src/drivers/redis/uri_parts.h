#pragma once
// The pieces that a URI is made of.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::redis {

// `detail` never holds a secret.
Error uri_error(std::string_view what, std::string detail = {});

// Nothing: a % without two hex digits, or a NUL.
std::optional<std::string> percent_decoded(std::string_view text);
// Digits alone, at most `max`.
std::optional<std::uint32_t> small_number(std::string_view text, std::uint32_t max);
// Units d h m s ms us ns; plain digits are milliseconds. Nothing: anything else, less than a
// millisecond, or more than a day.
std::optional<Duration> uri_duration(std::string_view text);
// What stands before the first `mark` is cut off `rest` and returned, the mark dropped; without
// one: all.
std::string_view cut(std::string_view& rest, char mark);

}  // namespace holdfast::redis
