#pragma once
// The Redis server that a command is about.

#include "commands.h"

#include <holdfast/redis/client.h>

#include <memory>
#include <string>
#include <variant>

namespace holdfast::app {

class RedisTarget {
public:
    Deadline deadline() const { return Deadline::in(timeout, runtime->clock()); }

    std::string shown;  // the URI without secrets
    Duration timeout{};
    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<redis::Client> client;
};

// Or the exit code, after a complaint. No connection is opened yet.
std::variant<RedisTarget, int> redis_target(const RedisArguments& arguments);

// Complains in one line; the exit code.
int redis_failure(const std::string& shown, const Error& error);

}  // namespace holdfast::app
