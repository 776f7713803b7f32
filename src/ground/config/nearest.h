#pragma once
// How far two spellings are apart.

#include <cstddef>
#include <string_view>

namespace holdfast {

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t edit_distance(std::string_view left, std::string_view right);

// The largest distance at which a word of this length is still taken for a slip of the other.
std::size_t near_enough(std::size_t length);

}  // namespace holdfast
