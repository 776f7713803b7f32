#pragma once
// What of a value or a name may stand in a line that people read.

#include <holdfast/config/setting.h>

#include <string>
#include <string_view>

namespace holdfast {

// One line without control characters, cut at config_shown_bytes_max.
std::string shown_text(std::string_view text);
// One line without control characters.
std::string single_line(std::string_view text);

// An option's value with the credentials in it hidden: all of it where the name says so (password,
// token, secret), else what stands before the @ of an address, and the parameters with such names.
std::string shown_option(std::string_view name, std::string_view value);

}  // namespace holdfast
