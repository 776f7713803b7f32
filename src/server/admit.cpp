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

// A page for people in a browser, which can ask for a password but sends no bearer token.
bool takes_basic(Access access, HttpMethod method) {
    return access == Access::admin && (method == HttpMethod::get || method == HttpMethod::head);
}

// What admit() found out, in the 64 bits that serve() gets.
constexpr std::uint32_t nobody = 0xffff'ffff;
constexpr std::uint32_t version_mask = 0x00ff'ffff;

std::uint64_t noted(std::size_t route, std::uint32_t version, std::uint32_t caller) {
    return static_cast<std::uint64_t>(route) << 56 |
           static_cast<std::uint64_t>(version & version_mask) << 32 | caller;
}

}  // namespace

void ServiceHandler::refuse_caller(
    const HttpRequest& request, Access access, HttpResponse& response
) {
    metrics_.token_refused();
    set_error(response, http_code::unauthorized, "a bearer token is needed");
    response.add_header("WWW-Authenticate", "Bearer");
    if (takes_basic(access, request.method)) {
        response.add_header(
            "WWW-Authenticate",
            "Basic realm=\"holdfast: the password is a token\", charset=\"UTF-8\""
        );
    }
}

// On an open path nobody is refused: a caller we know may see more.
bool ServiceHandler::check_access(
    const HttpRequest& request, Access access, HttpResponse& response, std::uint32_t& caller
) {
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
    if (access == Access::open && (twice || !authorization.has_value())) {
        return true;
    }
    const auto found = tokens_->find(
        authorization,
        takes_basic(access, request.method) ? TokenTable::Schemes::bearer_and_basic
                                            : TokenTable::Schemes::bearer
    );
    if (access == Access::open) {
        caller = found.value_or(nobody);
        return true;
    }
    if (twice || !found.has_value()) {
        refuse_caller(request, access, response);
        return false;
    }
    caller = *found;
    if (access == Access::admin && !tokens_->grant(caller).unrestricted()) {
        set_error(response, http_code::forbidden, "this token may not do that");
        return false;
    }
    return true;
}

// Other tokens hold from the next request on.
void ServiceHandler::take_new_tokens() {
    const std::uint32_t version = state_->auth_version();
    if (version == auth_version_) {
        return;
    }
    const auto auth = state_->auth();
    tokens_ = std::make_shared<TokenTable>(*auth, state_->names);
    rules_.emplace(auth->public_paths, auth->admin_paths);
    route_access_.clear();
    for (const Route& route : routes()) {
        route_access_.push_back(rules_->of(route, route.path));
    }
    auth_version_ = version;
}

// Of the path itself where the route has an open part: a rule may name one generator.
Access ServiceHandler::access_to(const Route& route, std::string_view path) const {
    return route.path == path ? route_access_[static_cast<std::size_t>(&route - routes().data())]
                              : rules_->of(route, path);
}

bool ServiceHandler::check_body(const HttpRequest& request, HttpResponse& response) {
    for (const HttpField& field : request.fields) {  // each of them: they would add up
        if (equal_without_case(field.name, "content-encoding") && !field.value.empty() &&
            !equal_without_case(field.value, "identity")) {
            set_error(response, http_code::unsupported_media_type, "no content encoding is taken");
            return false;
        }
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
    take_new_tokens();
    const Route* route = find_route(request.path);
    if (route != nullptr && state_->ids == nullptr && issues_ids(*route)) {
        route = nullptr;  // not switched on: as any path that does not exist
    }
    std::uint32_t caller = nobody;
    const Access access =
        route != nullptr ? access_to(*route, request.path) : rules_->of(request.path);
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
        close_if_stopping(response);
        return false;
    }
    response.note = noted(static_cast<std::size_t>(route - routes().data()), auth_version_, caller);
    return true;
}

Task<Done> ServiceHandler::serve(const HttpRequest& request, HttpResponse& response) {
    const Stopwatch watch;
    const std::size_t row = response.note >> 56;
    const Route& route = routes()[row];
    auto caller = static_cast<std::uint32_t>(response.note);
    take_new_tokens();
    if ((response.note >> 32 & version_mask) != (auth_version_ & version_mask)) {
        // While the body came in other tokens were taken: the caller's number means another one.
        caller = nobody;
        if (!check_access(request, access_to(route, request.path), response, caller)) {
            metrics_.answered(&route, response.status, watch.seconds());
            co_return Done();
        }
    }
    auto answered = co_await answer(route, caller, request, response);
    if (answered.ok()) {
        metrics_.answered(&route, response.status, watch.seconds());
    }
    close_if_stopping(response);
    co_return answered;
}

// The client asks elsewhere next time, and none of its requests meets the end of the connection.
void ServiceHandler::close_if_stopping(HttpResponse& response) const {
    response.close = response.close || state_->stopping.load(std::memory_order_relaxed);
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
