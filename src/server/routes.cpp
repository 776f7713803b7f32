#include "routes.h"

#include <holdfast/store_http/words.h>

#include <array>

namespace holdfast {
namespace {

constexpr std::string_view post = "POST";
constexpr std::string_view get = "GET, HEAD";

constexpr std::array table{
    Route(Action::reserve, HttpMethod::post, http_path::reserve, post, Access::calls),
    Route(Action::seal, HttpMethod::post, http_path::seal, post, Access::calls),
    Route(Action::acquire, HttpMethod::post, http_path::acquire, post, Access::calls),
    Route(Action::renew, HttpMethod::post, http_path::renew, post, Access::calls),
    Route(Action::release, HttpMethod::post, http_path::release, post, Access::calls),
    Route(Action::ids, HttpMethod::get, "/ids", get, Access::calls),
    Route(Action::id_strings, HttpMethod::get, "/ids/strings", get, Access::calls),
    Route(Action::ids_of, HttpMethod::get, "/ids/{generator}", get, Access::calls),
    Route(Action::id_strings_of, HttpMethod::get, "/ids/{generator}/strings", get, Access::calls),
    Route(Action::id_periodic_of, HttpMethod::get, "/ids/{generator}/periodic", get, Access::calls),
    Route(Action::health, HttpMethod::get, "/actuator/health", get, Access::calls),
    Route(Action::liveness, HttpMethod::get, "/actuator/health/liveness", get, Access::calls),
    Route(Action::readiness, HttpMethod::get, "/actuator/health/readiness", get, Access::calls),
    Route(Action::info, HttpMethod::get, "/actuator/info", get, Access::calls),
    Route(Action::cosid, HttpMethod::get, "/actuator/cosid", get, Access::calls),
    Route(Action::cosid_issue, HttpMethod::get, "/actuator/cosid/{generator}", get, Access::calls),
    Route(Action::prometheus, HttpMethod::get, "/actuator/prometheus", get, Access::calls),
    Route(Action::landing, HttpMethod::get, "/", get, Access::open),
    Route(Action::api_docs, HttpMethod::get, "/v3/api-docs", get, Access::admin),
    Route(Action::swagger_move, HttpMethod::get, "/swagger-ui.html", get, Access::admin),
    Route(Action::swagger_page, HttpMethod::get, "/swagger-ui/index.html", get, Access::admin),
    Route(Action::swagger_start, HttpMethod::get, "/swagger-ui/start.js", get, Access::admin),
    Route(
        Action::swagger_bundle,
        HttpMethod::get,
        "/swagger-ui/swagger-ui-bundle.js",
        get,
        Access::admin
    ),
    Route(Action::swagger_style, HttpMethod::get, "/swagger-ui/swagger-ui.css", get, Access::admin),
    Route(
        Action::swagger_icon, HttpMethod::get, "/swagger-ui/favicon-32x32.png", get, Access::admin
    ),
};

bool fits(std::string_view pattern, std::string_view path) {
    constexpr std::string_view all_below = "/**";
    if (!pattern.ends_with(all_below)) {
        return path == pattern;
    }
    pattern.remove_suffix(all_below.size());
    return path.starts_with(pattern) &&
           (path.size() == pattern.size() || path[pattern.size()] == '/');
}

bool fits_any(const std::vector<std::string>& patterns, std::string_view path) {
    for (const std::string& pattern : patterns) {
        if (fits(pattern, path)) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::span<const Route> routes() {
    return table;
}

std::string_view generator_in(const Route& route, std::string_view path) {
    if (route.open_from == std::string_view::npos) {
        return {};
    }
    const std::string_view before = route.path.substr(0, route.open_from);
    const std::string_view behind = route.path.substr(route.open_until);
    if (path.size() <= before.size() + behind.size() || !path.starts_with(before) ||
        !path.ends_with(behind)) {
        return {};
    }
    const std::string_view part =
        path.substr(before.size(), path.size() - before.size() - behind.size());
    return part.find('/') == std::string_view::npos ? part : std::string_view();
}

// A path that is written out goes before one with an open part: /ids/strings is no generator's.
const Route* find_route(std::string_view path) {
    const Route* open = nullptr;
    for (const Route& route : table) {
        if (route.path == path) {
            return &route;
        }
        if (open == nullptr && !generator_in(route, path).empty()) {
            open = &route;
        }
    }
    return open;
}

bool issues_ids(const Route& route) {
    return route.path == "/ids" || route.path.starts_with("/ids/") ||
           route.action == Action::cosid_issue;
}

std::optional<Access> AccessRules::named(std::string_view path) const {
    if (fits_any(public_paths_, path)) {
        return Access::open;
    }
    return fits_any(admin_paths_, path) ? std::optional(Access::admin) : std::nullopt;
}

Access AccessRules::of(std::string_view path) const {
    return named(path).value_or(Access::calls);
}

Access AccessRules::of(const Route& route, std::string_view path) const {
    const Access access = named(path).value_or(route.otherwise);
    return access == Access::open && route.method == HttpMethod::post ? Access::calls : access;
}

}  // namespace holdfast
