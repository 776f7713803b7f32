#pragma once
// Makes a text harmless inside a line: whatever could end it, open a field or fool a terminal is
// written as an escape.

#include <string>
#include <string_view>

namespace holdfast {

// In JSON's string syntax with its quotes. Bytes that are no UTF-8 become U+FFFD; C1 controls, line
// separators and bidirectional controls are escaped too. Longer texts than log_value_bytes_max are
// cut and end in "...".
void append_quoted(std::string& out, std::string_view text);

// As it is if it is a plain word, else as above.
void append_word(std::string& out, std::string_view text);

}  // namespace holdfast
