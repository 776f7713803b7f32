#include "value_rules.h"

#include <holdfast/ids/zone.h>
#include <holdfast/store/limits.h>
#include <holdfast/store/names.h>

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <string>

namespace holdfast {
namespace {

bool letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool name_byte(char c) {
    return letter_or_digit(c) || c == '.' || c == '_' || c == '-' || c == ':' || c == '@';
}

}  // namespace

bool is_namespace(std::string_view text) {
    return Namespace::parse(text).ok();
}

bool is_namespace_or_star(std::string_view text) {
    return text == "*" || is_namespace(text);
}

// The beginning of a range key: a slash may end it, unlike a whole key.
bool is_key_prefix(std::string_view text) {
    return !text.empty() && text.size() <= limits::range_key_bytes_max && text.front() != '/' &&
           text.find("//") == std::string_view::npos &&
           std::ranges::all_of(text, [](char c) { return name_byte(c) || c == '/'; });
}

bool is_client_name(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return letter_or_digit(c) || c == '.' || c == '_' || c == '-';
    });
}

bool is_ip_address(std::string_view text) {
    std::array<unsigned char, sizeof(in6_addr)> address{};
    const std::string terminated(text);
    return terminated.find('\0') == std::string::npos &&
           (inet_pton(AF_INET, terminated.c_str(), address.data()) == 1 ||
            inet_pton(AF_INET6, terminated.c_str(), address.data()) == 1);
}

// As the service compares decoded and normalised paths: no pattern that could never match.
bool is_path_pattern(std::string_view text) {
    if (text.ends_with("/**")) {
        text.remove_suffix(3);
    }
    const bool segments = text.find("//") == std::string_view::npos &&
                          text.find("/./") == std::string_view::npos &&
                          text.find("/../") == std::string_view::npos;
    return (text.empty() || text.front() == '/') && segments && text.size() <= 200 &&
           std::ranges::all_of(text, [](char c) { return name_byte(c) || c == '/' || c == '~'; });
}

bool is_time_zone(std::string_view text) {
    return TimeZone::find(text).ok();
}

}  // namespace holdfast
