#pragma once
// Commands as bytes: an array of bulk strings.

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

// The most bytes that append_resp_count() and the length line of append_resp_bulk() add.
inline constexpr std::size_t resp_line_bytes_max = 24;

// "*3\r\n": how many words follow.
void append_resp_count(std::string& out, std::size_t words);
// "$5\r\nhello\r\n"
void append_resp_bulk(std::string& out, std::string_view word);

// The same into memory that has room; the byte after the last one written.
char* write_resp_count(char* to, std::size_t words);
char* write_resp_bulk(char* to, std::string_view word);

}  // namespace holdfast
