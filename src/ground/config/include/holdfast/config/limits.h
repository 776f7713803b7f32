#pragma once
// The bounds of reading a configuration. All of it is written by people: real ones stay far below.

#include <cstddef>

namespace holdfast {

inline constexpr std::size_t config_file_bytes_max = 256 * 1024;  // a large Spring file has 20 KiB
inline constexpr std::size_t config_depth_max = 16;  // ours needs 6 levels; keeps recursion small
inline constexpr std::size_t config_nodes_max = 10'000;  // also after aliases are followed
inline constexpr std::size_t config_name_bytes_max =
    200;  // a whole dotted name; bounds the edit distance
inline constexpr std::size_t config_value_bytes_max =
    64 * 1024;  // a certificate chain fits; also after expansion
inline constexpr std::size_t config_list_items_max = 1'000;  // tokens, clients, paths
inline constexpr std::size_t config_placeholder_depth_max =
    8;  // ${A:${B:${C}}} and settings that name settings
inline constexpr std::size_t config_placeholder_steps_max =
    10'000;                                                // all lookups of one load together
inline constexpr std::size_t config_problems_max = 100;    // nobody reads more lines at once
inline constexpr std::size_t config_shown_bytes_max = 60;  // of a refused value in an error line

}  // namespace holdfast
