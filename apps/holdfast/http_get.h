#pragma once
// One GET to a service, for commands; plain HTTP alone.

#include <holdfast/base/secret.h>

#include <string>
#include <variant>

namespace holdfast::app {

struct GetAnswer {
    int status = 0;
    std::string body;
};

// A text for people: the address cannot be read, nobody answers, the answer is no HTTP. Blocks for
// some seconds at most.
std::variant<GetAnswer, std::string>
http_get(const std::string& base_url, const std::string& path, const Secret& token);

}  // namespace holdfast::app
