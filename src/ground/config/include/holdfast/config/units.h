#pragma once
// The written forms of numbers, spans of time and sizes.

#include <holdfast/base/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

// Plain decimal with an optional minus sign; nothing: anything else, or outside int64.
std::optional<std::int64_t> parse_whole_number(std::string_view text);

// true, yes, on, 1, false, no, off, 0, without regard to case.
std::optional<bool> parse_yes_or_no(std::string_view text);

// `500ms`, `3s`, `1m`, `1h`, `1d`, ISO-8601 such as `PT0.5S` or `P1DT2H`, or plain milliseconds.
// Nothing: anything else, a negative span, one finer than a millisecond, or one that does not fit.
std::optional<Duration> parse_duration(std::string_view text);
// In the largest unit that says it exactly: 90s, 1h, 0ms.
std::string duration_text(Duration duration);

// `512`, `512B`, `64KiB`, `1MiB`, `1GiB`; KB, MB and GB mean the same powers of two, as in Spring.
std::optional<std::int64_t> parse_byte_size(std::string_view text);
std::string byte_size_text(std::int64_t bytes);

}  // namespace holdfast
