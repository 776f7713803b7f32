#pragma once

#include <cstddef>

namespace holdfast {

// Deep enough for any document we exchange (ours have three levels); keeps the parser's stack
// constant.
inline constexpr std::size_t json_depth_max = 32;

// Offsets inside a document are 32 bits wide; nothing we read is meant to come near this.
inline constexpr std::size_t json_text_bytes_max = 64u << 20;

// A document this small is read without the heap: a request has fewer than ten members and about
// 200 bytes.
inline constexpr std::size_t json_inline_nodes = 24;
inline constexpr std::size_t json_inline_bytes = 256;

}  // namespace holdfast
