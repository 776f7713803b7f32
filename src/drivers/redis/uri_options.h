#pragma once
#include <holdfast/redis/uri.h>

#include <string_view>

namespace holdfast::redis {

inline constexpr std::uint32_t database_max = 1'000'000;  // servers have 16 by default

// name=value&name=value. Errors as RedisUri::parse().
Result<Done> set_uri_options(RedisUri& uri, std::string_view text);

}  // namespace holdfast::redis
