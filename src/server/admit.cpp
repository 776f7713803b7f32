// What is decided by the head alone: who calls, and whether there is such a thing to call.

#include "answer.h"
#include "handler.h"

namespace holdfast {
namespace {

bool equal_without_case(std::string_view a, std::string_view lower) {
    if (a.size() != lower.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        const char c = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] + ('a' - 'A')) : a[i];
        if (c != lower[i]) {
            return false;
        }
    }
    return true;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

// application/json, with or without charset=utf-8.
bool is_json(std::string_view type) {
    const std::size_t semicolon = type.find(';');
    if (!equal_without_case(trimmed(type.substr(0, semicolon)), "application/json")) {
        return false;
    }
    if (semicolon == std::string_view::npos) {
        return true;
    }
    const std::string_view parameter = trimmed(type.substr(semicolon + 1));
    return equal_without_case(parameter, "charset=utf-8") ||
           equal_without_case(parameter, "charset=\"utf-8\"");
}

bool method_fits(const Route& route, HttpMethod method) {
    return method == route.method ||
           (route.method == HttpMethod::get && method == HttpMethod::head);
}

}  // namespace

bool ServiceHandler::check_access(
    const HttpRequest& request, Access access, HttpResponse& response, std::uint32_t& caller
) {
    if (access == Access::open) {
        return true;
    }
    std::optional<std::string_view> authorization;
    bool twice = false;
    for (const HttpField& field : request.fields) {
        if (equal_without_case(field.name, "authorization")) {
            twice = authorization.has_value();
            authorization = twice ? std::string_view() : field.value;
            if (twice) {
                break;
            }
        }
    }
    const auto found = tokens_.find(authorization);
    if (twice || !found.has_value()) {
        metrics_.token_refused();
        set_error(response, http_code::unauthorized, "a bearer token is needed");
        response.add_header("WWW-Authenticate", "Bearer");
        return false;
    }
    caller = *found;
    if (access == Access::admin && !tokens_.grant(caller).unrestricted()) {
        set_error(response, http_code::forbidden, "this token may not do that");
        return false;
    }
    return true;
}

bool ServiceHandler::check_body(const HttpRequest& request, HttpResponse& response) {
    if (!request.field("content-encoding").empty() &&
        !equal_without_case(request.field("content-encoding"), "identity")) {
        set_error(response, http_code::unsupported_media_type, "no content encoding is taken");
        return false;
    }
    if (!is_json(request.field("content-type"))) {
        set_error(
            response,
            http_code::unsupported_media_type,
            "Content-Type must be application/json in UTF-8"
        );
        return false;
    }
    return true;
}

bool ServiceHandler::admit(const HttpRequest& request, HttpResponse& response) {
    const Route* route = find_route(request.path);
    std::uint32_t caller = 0;
    const Access access = route != nullptr
                              ? route_access_[static_cast<std::size_t>(route - routes().data())]
                              : rules_.of(request.path);
    bool admitted = check_access(request, access, response, caller);
    if (admitted && route == nullptr) {
        set_error(response, http_code::not_found, "there is no such path");
        admitted = false;
    }
    if (admitted && !method_fits(*route, request.method)) {
        set_error(response, http_code::method_not_allowed, "the path does not take this method");
        response.add_header("Allow", route->allow);
        admitted = false;
    }
    if (admitted && route->method == HttpMethod::post) {
        admitted = check_body(request, response);
    }
    if (!admitted) {
        metrics_.answered(route, response.status, 0);
        return false;
    }
    response.note = static_cast<std::uint64_t>(route - routes().data()) << 32 | caller;
    return true;
}

Task<Done> ServiceHandler::serve(const HttpRequest& request, HttpResponse& response) {
    const Stopwatch watch;
    const Route& route = routes()[response.note >> 32];
    const auto caller = static_cast<std::uint32_t>(response.note);
    auto answered = co_await answer(route, caller, request, response);
    if (answered.ok()) {
        metrics_.answered(&route, response.status, watch.seconds());
    }
    co_return answered;
}

void ServiceHandler::refuse(HttpRefusal refusal, HttpResponse& response) {
    HttpCode code = http_code::bad_request;
    for (const HttpCode& known :
         {http_code::request_timeout,
          http_code::body_too_large,
          http_code::uri_too_long,
          http_code::expectation_failed,
          http_code::headers_too_large,
          http_code::not_implemented,
          http_code::busy,
          http_code::version_not_supported}) {
        code = known.status == refusal.status ? known : code;
    }
    set_error(response, code, refusal.what);
    response.status = refusal.status;
    if (code == http_code::busy) {
        response.add_header("Retry-After", "1");
        response.add_header(effect_header, name_of(Effect::none));
        metrics_.busy();
    }
    metrics_.answered(nullptr, response.status, 0);
}

}  // namespace holdfast
