// Which answer belongs to which route; health and metrics.

#include "answer.h"
#include "handler.h"
#include "ids_report.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/io/compose.h>

namespace holdfast {
namespace {

std::string_view word_of(bool up) {
    return up ? "UP" : "DOWN";
}

// What is inside, for those who may know: the store's name and kind.
void write_health(
    HttpResponse& response, std::string_view status, const ServiceState& state, bool store_up
) {
    JsonWriter json(response.body);
    json.open_object()
        .field("status", status)
        .name("components")
        .open_object()
        .name("store")
        .open_object()
        .field("status", word_of(store_up))
        .name("details")
        .open_object()
        .field("name", std::string_view(state.options.store_name))
        .field("type", state.store->type())
        .close_object()
        .close_object();
    if (state.ids != nullptr) {
        write_ids_health(json.name("ids"), *state.ids);
    }
    json.close_object().close_object();
}

void write_status(HttpResponse& response, std::string_view status) {
    JsonWriter(response.body).open_object().field("status", status).close_object();
}

}  // namespace

ServiceHandler::ServiceHandler(ServiceState& state, Loop& loop)
    : state_(&state), loop_(&loop), metrics_(*state.metrics) {
    take_new_tokens();
}

void ServiceHandler::write_info(std::string& out) const {
    const ServiceOptions& options = state_->options;
    JsonWriter json(out);
    json.open_object()
        .name("build")
        .open_object()
        .field("version", std::string_view(options.build.version))
        .field("commit", std::string_view(options.build.commit))
        .field("compiler", std::string_view(options.build.compiler))
        .close_object()
        .name("store")
        .open_object()
        .field("name", std::string_view(options.store_name))
        .field("type", state_->store->type())
        .close_object()
        .name("runtime")
        .open_object()
        .field("namespace", std::string_view(options.namespace_name))
        .name("layout");
    write_default_layout(json, state_->ids);
    json.close_object().close_object();
}

Task<Done> ServiceHandler::answer(
    const Route& route, std::uint32_t caller, const HttpRequest& request, HttpResponse& response
) {
    switch (route.action) {
    case Action::liveness:
        write_status(response, "UP");
        co_return Done();
    case Action::health:
    case Action::readiness: {
        const bool detailed = tokens_->knows(caller) && tokens_->grant(caller).unrestricted();
        co_return co_await readiness(detailed, response);
    }
    case Action::info:
        write_info(response.body);
        co_return Done();
    case Action::cosid:
        write_cosid(response.body, state_->ids);
        co_return Done();
    case Action::ids:
    case Action::id_strings:
    case Action::ids_of:
    case Action::id_strings_of:
    case Action::id_periodic_of:
    case Action::cosid_issue:
        co_return co_await issue(route, caller, request, response);
    case Action::prometheus:
        response.content_type = "text/plain; version=0.0.4; charset=utf-8";
        response.body.append(state_->metrics->text());
        co_return Done();
    case Action::landing:
    case Action::api_docs:
    case Action::swagger_move:
    case Action::swagger_page:
    case Action::swagger_start:
    case Action::swagger_bundle:
    case Action::swagger_style:
    case Action::swagger_icon:
        co_return co_await page(route.action, request, response);
    case Action::reserve:
    case Action::seal:
    case Action::acquire:
    case Action::renew:
    case Action::release:
        break;
    }
    StoreCall call(tokens_, caller, request, response);
    if (!request.field("traceparent").empty()) {
        begin_trace(call);  // else one is begun by the first record about the call, if there is any
    }
    const Admission::Place place(state_->admission);
    if (!place.taken()) {
        store_failed(
            "admission", Error(Code::overloaded, Effect::none, "too many store calls at once"), call
        );
        co_return Done();
    }
    switch (route.action) {
    case Action::reserve:
        co_return co_await reserve(call);
    case Action::seal:
        co_return co_await seal(call);
    case Action::acquire:
        co_return co_await acquire(call);
    case Action::renew:
        co_return co_await renew(call);
    default:
        co_return co_await release(call);
    }
}

// One probe at a time a loop, and at most one in readiness_cache: health checks must not become the
// store's load.
Task<> ServiceHandler::look_at_store() {
    const bool stopping = state_->stopping.load(std::memory_order_relaxed);
    if (!stopping && !probing_ && ready_until_ <= loop_->now()) {
        probing_ = true;
        // The answer is for all who ask: whoever asked first may leave without spoiling it.
        auto probed = co_await shielded(state_->store->probe(store_deadline()));
        probing_ = false;
        ready_ = probed.ok();
        ready_until_ = loop_->now() + state_->options.readiness_cache;
    }
    co_return Done();
}

Task<Done> ServiceHandler::readiness(bool detailed, HttpResponse& response) {
    (void)co_await look_at_store();
    const bool stopping = state_->stopping.load(std::memory_order_relaxed);
    const std::string_view status = stopping ? "OUT_OF_SERVICE" : word_of(ready_);
    if (stopping || !ready_) {
        response.status = 503;
        response.add_header(effect_header, name_of(Effect::none));
    }
    if (detailed) {
        write_health(response, status, *state_, ready_);
    } else {
        write_status(response, status);
    }
    co_return Done();
}

}  // namespace holdfast
