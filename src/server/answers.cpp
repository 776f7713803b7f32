// Which answer belongs to which route; health and metrics.

#include "answer.h"
#include "handler.h"

namespace holdfast {
namespace {

void set_up(HttpResponse& response) {
    response.body.append(R"({"status":"UP"})");
}
void set_down(HttpResponse& response, std::string_view status) {
    response.status = 503;
    response.body.append(R"({"status":")").append(status).append(R"("})");
    response.add_header(effect_header, name_of(Effect::none));
}

}  // namespace

ServiceHandler::ServiceHandler(ServiceState& state, Loop& loop)
    : state_(&state), loop_(&loop), tokens_(state.options.auth),
      rules_(state.options.auth.public_paths, state.options.auth.admin_paths),
      metrics_(*state.metrics) {
    for (const Route& route : routes()) {
        route_access_.push_back(rules_.of(route));
    }
}

Task<Done> ServiceHandler::answer(
    const Route& route, std::uint32_t caller, const HttpRequest& request, HttpResponse& response
) {
    switch (route.action) {
    case Action::liveness:
        set_up(response);
        co_return Done();
    case Action::health:
    case Action::readiness:
        co_return co_await readiness(response);
    case Action::prometheus:
        response.content_type = "text/plain; version=0.0.4; charset=utf-8";
        response.body.append(state_->metrics->text());
        co_return Done();
    default:
        break;
    }
    const Admission::Place place(state_->admission);
    if (!place.taken()) {
        store_failed(
            "admission",
            Error(Code::overloaded, Effect::none, "too many store calls at once"),
            response
        );
        co_return Done();
    }
    const Grant& grant = tokens_.grant(caller);
    switch (route.action) {
    case Action::reserve:
        co_return co_await reserve(grant, request.body, response);
    case Action::seal:
        co_return co_await seal(grant, request.body, response);
    case Action::acquire:
        co_return co_await acquire(grant, request.body, response);
    case Action::renew:
        co_return co_await renew(grant, request.body, response);
    default:
        co_return co_await release(grant, request.body, response);
    }
}

// One probe at a time a loop, and at most one in readiness_cache: health checks must not become the
// store's load.
Task<Done> ServiceHandler::readiness(HttpResponse& response) {
    if (state_->stopping.load(std::memory_order_relaxed)) {
        set_down(response, "OUT_OF_SERVICE");
        co_return Done();
    }
    if (!probing_ && ready_until_ <= loop_->now()) {
        probing_ = true;
        auto probed = co_await state_->store->probe(store_deadline());
        probing_ = false;
        ready_ = probed.ok();
        ready_until_ = loop_->now() + state_->options.readiness_cache;
    }
    if (ready_) {
        set_up(response);
    } else {
        set_down(response, "DOWN");
    }
    co_return Done();
}

}  // namespace holdfast
