#pragma once
// What a request is aimed at, in one spelling only.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace holdfast {

// Decodes percent signs once, in place. Nothing: the path could be read in two ways (an encoded
// slash, percent sign or control character, `//`, a dot segment, `;`, `\`), or is not UTF-8.
std::optional<std::string_view> normalise_path(std::span<char> path);

// A host as the Host field and CONNECT name it: a name or an address, and a port of digits.
bool is_host(std::string_view text);

}  // namespace holdfast
