#pragma once
// RFC 4648 section 5 without padding. Each byte string has exactly one text.

#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

std::string base64url(std::string_view bytes);

// The bytes, or nothing if the text has padding, white space, other characters, an impossible
// length or set trailing bits.
std::optional<std::string> parse_base64url(std::string_view text);

}  // namespace holdfast
