// The store's calls: read the body, check what the caller may reach, ask the store, write its
// answer.

#include "answer.h"
#include "handler.h"

#include <holdfast/store_http/requests.h>

namespace holdfast {
namespace {

void refuse_field(HttpResponse& response, const FieldProblem& problem) {
    set_error(response, http_code::bad_request, problem.text());
}

void forbid(HttpResponse& response) {
    set_error(response, http_code::forbidden, "this token may not reach that");
}

}  // namespace

Task<Done> ServiceHandler::reserve(StoreCall& call) {
    HttpResponse& response = call.response;
    auto read = read_reserve(call.request.body, state_->options.limits);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    auto& request = std::get<ReserveRequest>(read);
    if (!call.grant().allows(request.key())) {
        forbid(response);
        co_return Done();
    }
    CallerCounts::Use use = count(call, request.key());
    if (over_limit(use, response)) {
        co_return Done();
    }
    auto outcome = co_await state_->store->ranges().reserve(std::move(request), store_deadline());
    if (!outcome.ok()) {
        store_failed("reserve", outcome.error(), call);
    } else if (const auto* range = std::get_if<Range>(&outcome.value())) {
        use.kept();
        write_range(response.body, *range);
    } else if (std::holds_alternative<RangeSealed>(outcome.value())) {
        set_error(response, http_code::range_sealed, "the key is sealed");
    } else {
        set_error(response, http_code::range_exhausted, "the key has no such range left");
    }
    co_return Done();
}

Task<Done> ServiceHandler::seal(StoreCall& call) {
    HttpResponse& response = call.response;
    auto read = read_seal(call.request.body);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    auto& key = std::get<RangeKey>(read);
    if (!call.grant().allows(key)) {
        forbid(response);
        co_return Done();
    }
    CallerCounts::Use use = count(call, key);
    if (over_limit(use, response)) {
        co_return Done();
    }
    auto outcome = co_await state_->store->ranges().seal(std::move(key), store_deadline());
    if (!outcome.ok()) {
        store_failed("seal", outcome.error(), call);
    } else if (outcome.value() == SealOutcome::sealed) {
        use.kept();
        set_no_content(response);
    } else {
        set_error(response, http_code::seal_unsupported, "this store cannot seal");
        response.add_header(effect_header, name_of(Effect::none));
    }
    co_return Done();
}

Task<Done> ServiceHandler::acquire(StoreCall& call) {
    HttpResponse& response = call.response;
    auto read = read_acquire(call.request.body, state_->options.limits);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    const auto& request = std::get<AcquireRequest>(read);
    if (!call.grant().allows(request.name())) {
        forbid(response);
        co_return Done();
    }
    auto outcome = co_await state_->store->slots().acquire(request, store_deadline());
    if (!outcome.ok()) {
        store_failed("acquire", outcome.error(), call);
    } else if (const auto* acquired = std::get_if<Acquired>(&outcome.value())) {
        write_acquired(
            response.body, request.name(), request.owner(), request.incarnation(), *acquired
        );
    } else if (const auto* exhausted = std::get_if<SlotsExhausted>(&outcome.value())) {
        response.status = http_code::slots_exhausted.status;
        write_exhausted(response.body, *exhausted);
    } else {
        set_error(
            response, http_code::namespace_mismatch, "the namespace has another limit or tolerance"
        );
    }
    co_return Done();
}

Task<Done> ServiceHandler::renew(StoreCall& call) {
    HttpResponse& response = call.response;
    auto read = read_renew(call.request.body, state_->options.limits);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    const auto& request = std::get<RenewRequest>(read);
    if (!call.grant().allows(request.key().name())) {
        forbid(response);
        co_return Done();
    }
    auto outcome = co_await state_->store->slots().renew(
        request.key(), request.ttl(), request.tolerance(), store_deadline()
    );
    if (!outcome.ok()) {
        store_failed("renew", outcome.error(), call);
    } else if (const auto* lease = std::get_if<SlotLease>(&outcome.value())) {
        write_renewed(response.body, request.key(), *lease);
    } else {
        lease_lost(std::get<LeaseLost>(outcome.value()).rollback_suspected, call);
    }
    co_return Done();
}

Task<Done> ServiceHandler::release(StoreCall& call) {
    HttpResponse& response = call.response;
    auto read = read_release(call.request.body);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    const auto& request = std::get<ReleaseRequest>(read);
    if (!call.grant().allows(request.key().name())) {
        forbid(response);
        co_return Done();
    }
    auto outcome = co_await state_->store->slots().release(
        request.key(), request.last_issued(), store_deadline()
    );
    if (!outcome.ok()) {
        store_failed("release", outcome.error(), call);
    } else if (std::holds_alternative<Released>(outcome.value())) {
        set_no_content(response);
    } else {
        lease_lost(std::get<LeaseLost>(outcome.value()).rollback_suspected, call);
    }
    co_return Done();
}

CallerCounts::Use ServiceHandler::count(const StoreCall& call, const RangeKey& key) {
    return CallerCounts::Use(
        state_->counts, call.grant().counted_as(), first_segment(key), key.text(), loop_->now()
    );
}

bool ServiceHandler::over_limit(const CallerCounts::Use& use, HttpResponse& response) {
    switch (use.refusal()) {
    case CallerCounts::Refusal::none:
        return false;
    case CallerCounts::Refusal::too_many_keys:
        metrics_.too_many_keys();
        set_error(
            response, http_code::too_many_keys, "this client uses too many keys in this namespace"
        );
        return true;
    case CallerCounts::Refusal::too_many_namespaces:
        metrics_.too_many_namespaces();
        set_error(response, http_code::too_many_namespaces, "this client uses too many namespaces");
        return true;
    }
    return true;
}

// The answer is the same with and without the suspicion: anyone can make up a fence.
void ServiceHandler::lease_lost(bool rollback_suspected, StoreCall& call) {
    if (rollback_suspected) {
        metrics_.rollback_suspected();
        const std::string trace = trace_of(call);
        state_->log->warn(
            "store_rollback_suspected",
            "a caller's fence is above the store's: has the store lost a write?",
            {{"client", call.grant().name()}, {"trace_id", trace}}
        );
    }
    set_error(
        call.response,
        http_code::lease_lost,
        "the lease is not held by this owner, incarnation and fence"
    );
}

void ServiceHandler::begin_trace(StoreCall& call) {
    const TraceContext::Random random = [this] {
        return state_->span_number();
    };
    const auto sent = TraceContext::parse(call.request.field("traceparent"));
    call.trace = sent.has_value() ? sent->child(random) : TraceContext::start(random, false);
    call.response.add_header("traceparent", call.trace->traceparent());
}

std::string ServiceHandler::trace_of(StoreCall& call) {
    if (!call.trace.has_value()) {
        begin_trace(call);
    }
    return call.trace->trace_id_text();
}

void ServiceHandler::store_failed(LogText operation, const Error& error, StoreCall& call) {
    HttpResponse& response = call.response;
    const HttpCode code = http_code_of(error);
    set_error(
        response, code, code == http_code::bad_request ? error.what() : http_message_of(code)
    );
    if (code.status < 500) {
        return;
    }
    response.add_header(effect_header, name_of(error.effect()));
    if (code == http_code::busy || code == http_code::store_unavailable) {
        response.add_header("Retry-After", "1");
    }
    response.close = error.code() == Code::closed;
    if (error.code() == Code::cancelled) {
        metrics_.cancelled();  // the client went away: nobody reads this
        return;
    }
    if (code == http_code::busy) {
        metrics_.busy();  // counted, not logged: there may be very many
        return;
    }
    const std::string trace = trace_of(call);
    state_->log->warn(
        "store_call_failed",
        "the store failed a call",
        {{"operation", operation.text()},
         {"client", call.grant().name()},
         {"code", name_of(error.code())},
         {"effect", name_of(error.effect())},
         {"what", error.what()},
         {"trace_id", trace}}
    );
}

}  // namespace holdfast
