#pragma once
// The page at "/": public, for people. It holds nothing that a stranger may not know.

#include <holdfast/http/message.h>

#include <cstdint>
#include <string_view>

namespace holdfast {

enum class LandingState : std::uint8_t { up, down, stopping };

struct LandingFacts {
    LandingState state;
    std::string_view version;
    std::string_view host;  // what the request named; all but a plain host and port is not repeated
    bool tls = false;
};

void write_landing(HttpResponse& response, const LandingFacts& facts);

}  // namespace holdfast
