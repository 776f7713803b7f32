#pragma once
// "5\r\n" after the letter of a type: the announced length of what follows.

#include <cstdint>

namespace holdfast {

struct LengthLine {
    enum class Kind : std::uint8_t { more, broken, number, null, streamed };
    Kind kind;
    std::uint64_t value = 0;
    const char* next = nullptr;  // after CR LF, unless more or broken
};

// Strict: digits alone without leading zero, at most `max`; or "-1" (null) or "?" (streamed).
// Whoever takes neither of the two refuses them.
LengthLine read_length(const char* at, const char* end, std::uint64_t max);

// -1: broken, 0: more bytes are needed, 1: CR LF stands at `at`.
inline int crlf_at(const char* at, const char* end) {
    if (at != end && *at != '\r') {
        return -1;
    }
    if (end - at < 2) {
        return 0;
    }
    return at[1] == '\n' ? 1 : -1;
}

}  // namespace holdfast
