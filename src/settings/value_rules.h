#pragma once
// What single values may look like, beyond their kind.

#include <string_view>

namespace holdfast {

bool is_namespace(std::string_view text);
bool is_namespace_or_star(std::string_view text);
bool is_key_prefix(std::string_view text);
bool is_client_name(std::string_view text);
bool is_ip_address(std::string_view text);
bool is_path_pattern(std::string_view text);
bool is_time_zone(std::string_view text);

}  // namespace holdfast
