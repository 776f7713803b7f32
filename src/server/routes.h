#pragma once
// The one table of what the service answers: the router, the access rule and the metrics all go by
// it.

#include <holdfast/http/message.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
    ids,
    id_strings,
    ids_of,
    id_strings_of,
    id_periodic_of,
    health,
    liveness,
    readiness,
    info,
    cosid,
    cosid_issue,
    prometheus,
    landing,
    api_docs,
    swagger_move,
    swagger_page,
    swagger_start,
    swagger_bundle,
    swagger_style,
    swagger_icon
};

// A row says who may call it where neither the public nor the admin paths of the settings name it:
// there is no default, so a row without a decision does not compile.
class Route {
public:
    consteval Route(
        Action what, HttpMethod how, std::string_view where, std::string_view allowed, Access who
    )
        : action(what), method(how), path(where), allow(allowed), otherwise(who),
          open_from(where.find('{')),
          open_until(open_from == std::string_view::npos ? 0 : where.find('}') + 1) {}

    Action action;
    HttpMethod method;       // GET routes answer HEAD too
    std::string_view path;   // one part may be open: /ids/{generator}
    std::string_view allow;  // the Allow header of a 405
    Access otherwise;
    std::size_t open_from;  // of the part in braces; npos: there is none
    std::size_t open_until;
};

std::span<const Route> routes();

// Null: no such path.
const Route* find_route(std::string_view path);

// The open part of a path that the route was found for, into `path`; empty: the route has none.
std::string_view generator_in(const Route& route, std::string_view path);

// Whether the route gives out the service's own ids: it is there where they are switched on.
bool issues_ids(const Route& route);

// The access rule of a path, route or not: public paths first, then admin paths, else any token.
class AccessRules {
public:
    AccessRules(
        const std::vector<std::string>& public_paths, const std::vector<std::string>& admin_paths
    )
        : public_paths_(public_paths), admin_paths_(admin_paths) {}
    Access of(std::string_view path) const;
    // Of a route as it was asked for. What calls the store is never public: its caller must be
    // known.
    Access of(const Route& route, std::string_view path) const;

private:
    std::optional<Access> named(std::string_view path) const;

    std::vector<std::string> public_paths_;
    std::vector<std::string> admin_paths_;
};

}  // namespace holdfast
