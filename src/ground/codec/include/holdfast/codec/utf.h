#pragma once
// UTF-8 and UTF-16, strictly: no overlong forms, no surrogates in UTF-8, no unpaired ones in
// UTF-16.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

bool is_utf8(std::string_view text);

// Bytes of the character at the start of `text`, 0 if there is none or it is not UTF-8.
std::size_t utf8_character_bytes(std::string_view text);

// Code units that `text` has in UTF-16, which is what a JVM calls its length. Nothing if it is not
// UTF-8.
std::optional<std::size_t> utf16_length(std::string_view text);

// Nothing if `text` is malformed.
std::optional<std::u16string> to_utf16(std::string_view text);
std::optional<std::string> to_utf8(std::u16string_view text);

}  // namespace holdfast
