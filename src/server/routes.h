#pragma once
// The one table of what the service answers: the router, the access rule and the metrics all go by
// it.

#include <holdfast/http/message.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace holdfast {

enum class Access : std::uint8_t {
    open,   // anybody, without a token
    calls,  // any token; what it may reach is decided by the body
    admin,  // unrestricted tokens only
};

enum class Action : std::uint8_t {
    reserve,
    seal,
    acquire,
    renew,
    release,
    health,
    liveness,
    readiness,
    prometheus
};

struct Route {
    Action action;
    HttpMethod method;  // GET routes answer HEAD too
    Access access;
    std::string_view path;
    std::string_view allow;  // the Allow header of a 405
};

std::span<const Route> routes();

// Null: no such path.
const Route* find_route(std::string_view path);

// The rule for a path that is no route: what lies below an admin path is the admins' too.
Access access_of_unknown(std::string_view path);

}  // namespace holdfast
