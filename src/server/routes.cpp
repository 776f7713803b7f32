#include "routes.h"

#include <holdfast/store_http/words.h>

#include <array>

namespace holdfast {
namespace {

constexpr std::string_view post = "POST";
constexpr std::string_view get = "GET, HEAD";

constexpr std::array table{
    Route{Action::reserve, HttpMethod::post, Access::calls, http_path::reserve, post},
    Route{Action::seal, HttpMethod::post, Access::calls, http_path::seal, post},
    Route{Action::acquire, HttpMethod::post, Access::calls, http_path::acquire, post},
    Route{Action::renew, HttpMethod::post, Access::calls, http_path::renew, post},
    Route{Action::release, HttpMethod::post, Access::calls, http_path::release, post},
    Route{Action::health, HttpMethod::get, Access::open, "/actuator/health", get},
    Route{Action::liveness, HttpMethod::get, Access::open, "/actuator/health/liveness", get},
    Route{Action::readiness, HttpMethod::get, Access::open, "/actuator/health/readiness", get},
    Route{Action::prometheus, HttpMethod::get, Access::admin, "/actuator/prometheus", get},
};

}  // namespace

std::span<const Route> routes() {
    return table;
}

const Route* find_route(std::string_view path) {
    for (const Route& route : table) {
        if (route.path == path) {
            return &route;
        }
    }
    return nullptr;
}

Access access_of_unknown(std::string_view path) {
    return path.starts_with("/actuator") ? Access::admin : Access::calls;
}

}  // namespace holdfast
