#pragma once
// Why a call waits between two nodes: what it ends with if it waits to its deadline.

#include <string_view>

namespace holdfast::redis {

inline constexpr std::string_view nobody_serves = "no node is known that serves it";
inline constexpr std::string_view moves = "the keys are on their way to another node";
inline constexpr std::string_view cannot_now = "the node that should serve it cannot now";

}  // namespace holdfast::redis
