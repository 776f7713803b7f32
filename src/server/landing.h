#pragma once
// The page at "/": public, for people. It holds nothing that a stranger may not know.

#include <holdfast/http/message.h>

#include <cstdint>

namespace holdfast {

enum class LandingState : std::uint8_t { up, down, stopping };

// `host` is what the caller's request named; anything but a plain host and port is not repeated.
void write_landing(
    HttpResponse& response, LandingState state, std::string_view host, std::string_view version
);

}  // namespace holdfast
