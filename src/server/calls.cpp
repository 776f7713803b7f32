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

Task<Done>
ServiceHandler::reserve(const Grant& grant, std::string_view body, HttpResponse& response) {
    auto read = read_reserve(body, state_->options.limits);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    auto& request = std::get<ReserveRequest>(read);
    if (!grant.allows(request.key())) {
        forbid(response);
        co_return Done();
    }
    auto outcome = co_await state_->store->ranges().reserve(std::move(request), store_deadline());
    if (!outcome.ok()) {
        store_failed("reserve", outcome.error(), response);
    } else if (const auto* range = std::get_if<Range>(&outcome.value())) {
        write_range(response.body, *range);
    } else if (std::holds_alternative<RangeSealed>(outcome.value())) {
        set_error(response, http_code::range_sealed, "the key is sealed");
    } else {
        set_error(response, http_code::range_exhausted, "the key has no such range left");
    }
    co_return Done();
}

Task<Done> ServiceHandler::seal(const Grant& grant, std::string_view body, HttpResponse& response) {
    auto read = read_seal(body);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    auto& key = std::get<RangeKey>(read);
    if (!grant.allows(key)) {
        forbid(response);
        co_return Done();
    }
    auto outcome = co_await state_->store->ranges().seal(std::move(key), store_deadline());
    if (!outcome.ok()) {
        store_failed("seal", outcome.error(), response);
    } else if (outcome.value() == SealOutcome::sealed) {
        set_no_content(response);
    } else {
        set_error(response, http_code::seal_unsupported, "this store cannot seal");
        response.add_header(effect_header, name_of(Effect::none));
    }
    co_return Done();
}

Task<Done>
ServiceHandler::acquire(const Grant& grant, std::string_view body, HttpResponse& response) {
    auto read = read_acquire(body, state_->options.limits);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    const auto& request = std::get<AcquireRequest>(read);
    if (!grant.allows(request.name())) {
        forbid(response);
        co_return Done();
    }
    auto outcome = co_await state_->store->slots().acquire(request, store_deadline());
    if (!outcome.ok()) {
        store_failed("acquire", outcome.error(), response);
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

Task<Done>
ServiceHandler::renew(const Grant& grant, std::string_view body, HttpResponse& response) {
    auto read = read_renew(body, state_->options.limits);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    const auto& request = std::get<RenewRequest>(read);
    if (!grant.allows(request.key().name())) {
        forbid(response);
        co_return Done();
    }
    auto outcome = co_await state_->store->slots().renew(
        request.key(), request.ttl(), request.tolerance(), store_deadline()
    );
    if (!outcome.ok()) {
        store_failed("renew", outcome.error(), response);
    } else if (const auto* lease = std::get_if<SlotLease>(&outcome.value())) {
        write_renewed(response.body, request.key(), *lease);
    } else {
        lease_lost(std::get<LeaseLost>(outcome.value()).rollback_suspected, response);
    }
    co_return Done();
}

Task<Done>
ServiceHandler::release(const Grant& grant, std::string_view body, HttpResponse& response) {
    auto read = read_release(body);
    if (const auto* problem = std::get_if<FieldProblem>(&read)) {
        refuse_field(response, *problem);
        co_return Done();
    }
    const auto& request = std::get<ReleaseRequest>(read);
    if (!grant.allows(request.key().name())) {
        forbid(response);
        co_return Done();
    }
    auto outcome = co_await state_->store->slots().release(
        request.key(), request.last_issued(), store_deadline()
    );
    if (!outcome.ok()) {
        store_failed("release", outcome.error(), response);
    } else if (std::holds_alternative<Released>(outcome.value())) {
        set_no_content(response);
    } else {
        lease_lost(std::get<LeaseLost>(outcome.value()).rollback_suspected, response);
    }
    co_return Done();
}

// The answer is the same with and without the suspicion: anyone can make up a fence.
void ServiceHandler::lease_lost(bool rollback_suspected, HttpResponse& response) {
    if (rollback_suspected) {
        metrics_.rollback_suspected();
        state_->log->warn(
            "store_rollback_suspected",
            "a caller's fence is above the store's: has the store lost a write?"
        );
    }
    set_error(
        response,
        http_code::lease_lost,
        "the lease is not held by this owner, incarnation and fence"
    );
}

void ServiceHandler::store_failed(LogText operation, const Error& error, HttpResponse& response) {
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
    if (code == http_code::busy) {
        metrics_.busy();  // counted, not logged: there may be very many
        return;
    }
    state_->log->warn(
        "store_call_failed",
        "the store failed a call",
        {{"operation", operation.text()},
         {"code", name_of(error.code())},
         {"effect", name_of(error.effect())},
         {"what", error.what()}}
    );
}

}  // namespace holdfast
