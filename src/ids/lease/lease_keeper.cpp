// How a lease is kept, lost and given back.
#include "lease/lease_keeper.h"

#include "lease/lease_limits.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/io/loop.h>

#include <algorithm>

namespace holdfast {

LeaseKeeper::LeaseKeeper(
    LeasedMachine options,
    std::uint32_t limit,
    SlotLeaseStore& store,
    GateSet& gates,
    TickClock& ticks,
    LeaseJournal& journal,
    const Clock& clock,
    Random& random
)
    : options_(std::move(options)), limit_(limit), store_(store), gates_(gates), ticks_(ticks),
      journal_(journal), clock_(clock), random_(random) {}

Task<Done> LeaseKeeper::keep() {
    const Scope& scope = co_await this_scope();
    loop_ = &scope.loop();
    while (!scope.cancelled() && !suspended_) {
        Result<Done> step = Done();
        if (held_.has_value()) {
            step = co_await renew_in_time();
        } else {
            step = co_await acquire(SteadyTime::max(), Insist::for_ever);
        }
        if (!step.ok()) {
            co_return step;
        }
    }
    co_return Done();
}

// One interval: a renewal, and a second one if the first was not answered.
Task<Done> LeaseKeeper::renew_in_time() {
    const Duration interval = options_.renew_interval();
    const auto early =
        static_cast<std::int64_t>(static_cast<double>(interval.count()) * limits::renew_jitter);
    const SteadyTime due = asked_ + by_chance(interval - Duration(early), interval);
    auto slept = co_await sleep(due);
    if (!slept.ok()) {
        co_return slept;
    }
    asked_ = now();
    Result<bool> done = co_await renew();
    if (done.ok() && !done.value()) {
        const Duration pause = interval / limits::renew_retry_parts;
        slept = co_await sleep(now() + by_chance(pause / 2, pause));
        if (!slept.ok()) {
            co_return slept;
        }
        done = co_await renew();
    }
    if (!done.ok()) {
        co_return std::move(done).error();
    }
    if (!done.value()) {
        journal_.change(LeaseState::renewing_late);
    } else if (held_.has_value()) {
        const StoreTime store_now{Duration(ticks_.exact_ms())};
        if (gates_.ahead_of(store_now, options_.max_ahead())) {
            co_return co_await replace();
        }
    }
    co_return Done();
}

Task<bool> LeaseKeeper::renew() {
    const SteadyTime sent = clock_.steady_now();
    // Room for a second try inside the interval.
    const Deadline deadline = call_deadline(now() + options_.renew_interval() / 2);
    if (fault("use-ceiling-before-ack")) {
        gates_.raise(
            StoreTime(Duration(ticks_.exact_ms())) + options_.ttl() + options_.tolerance()
        );
    }
    LeaseKey whose = key();
    const Result<RenewOutcome> outcome =
        co_await store_.renew(std::move(whose), options_.ttl(), options_.tolerance(), deadline);
    if (outcome.ok()) {
        co_return renewed(outcome.value(), sent);
    }
    const Error& error = outcome.error();
    journal_.renewal(error.effect() == Effect::none ? RenewalEnd::failed : RenewalEnd::unknown);
    if (error.code() == Code::cancelled) {
        co_return cancelled_error(error.effect());
    }
    journal_.failed(error);
    co_return false;
}

bool LeaseKeeper::renewed(const RenewOutcome& outcome, SteadyTime sent) {
    if (const auto* lease = std::get_if<SlotLease>(&outcome)) {
        return extended(*lease, sent);
    }
    journal_.renewal(RenewalEnd::lost);
    if (fault("ids.13")) {
        return true;
    }
    if (std::get<LeaseLost>(outcome).rollback_suspected) {
        (void)suspend("the fence of our lease is above that of its slot");
    } else {
        drop(LeaseState::lost);
    }
    return true;
}

// L3: an answer counts only for the lease that it names, and a ceiling never falls.
bool LeaseKeeper::extended(const SlotLease& lease, SteadyTime sent) {
    SlotLease& known = held_->lease;
    const bool matches = lease.slot == known.slot && lease.fence == known.fence;
    if (!matches && !fault("renew-response-unmatched")) {
        journal_.renewal(RenewalEnd::unmatched);
        return false;
    }
    if (matches && lease.ceiling < known.ceiling) {
        (void)suspend("the ceiling of our lease has fallen");
        return true;
    }
    journal_.renewal(RenewalEnd::renewed);
    ticks_.anchor(lease.store_now, clock_.steady_now());
    known.expires_at = lease.expires_at;
    known.ceiling = std::max(known.ceiling, lease.ceiling);
    gates_.raise(known.ceiling);
    journal_.renewed(known, sent + options_.ttl());
    return true;
}

// The clock went back so far that this lease could not issue for long: another slot may.
Task<Done> LeaseKeeper::replace() {
    (void)gates_.close(Refusal::no_lease);
    journal_.change(LeaseState::acquiring);
    const Deadline deadline = Deadline::in(options_.renew_interval(), now());
    auto released = co_await release(deadline);
    if (!released.ok() && (suspended_ || released.error().code() == Code::cancelled)) {
        co_return released;
    }
    if (held_.has_value()) {
        drop(LeaseState::acquiring);  // it is left to run out
    }
    co_return Done();
}

// The same time again and again: after the first message the lease is dead for us (rule L7).
Task<Done> LeaseKeeper::release(Deadline deadline) {
    const Scope& scope = co_await this_scope();
    loop_ = &scope.loop();
    if (!held_.has_value() || suspended_ || fault("ids.22")) {
        co_return Done();
    }
    const StoreTime nothing = held_->lease.floor - Duration(1);
    StoreTime last = held_->opened ? gates_.last_issued().value_or(nothing) : nothing;
    if (fault("ids.26")) {
        last = StoreTime(Duration(ticks_.exact_ms()));
    }
    Attempt attempt(held_->token);
    for (;;) {
        LeaseKey whose = key();
        const Deadline call = call_deadline(deadline.time());
        Result<ReleaseOutcome> outcome = co_await store_.release(std::move(whose), last, call);
        if (outcome.ok()) {
            co_return released(outcome.value());
        }
        Error error = std::move(outcome).error();
        if (error.code() == Code::invalid_argument) {
            // It is at or above the ceiling that is stored, and below the one acknowledged.
            co_return suspend("the store refuses the time of our last id");
        }
        journal_.failed(error);
        const SteadyTime again = now() + next_pause(attempt);
        if (error.code() == Code::cancelled || again >= deadline.time()) {
            co_return error;
        }
        auto slept = co_await sleep(again);
        if (!slept.ok()) {
            co_return slept;
        }
    }
}

Result<Done> LeaseKeeper::released(const ReleaseOutcome& outcome) {
    const auto* lost = std::get_if<LeaseLost>(&outcome);
    if (lost != nullptr && lost->rollback_suspected) {
        return suspend("the fence of our lease is above that of its slot");
    }
    drop(journal_.info().state);  // lost: an earlier message has arrived, or it had run out
    return Done();
}

// The lease is dead for us, whatever the store thinks of it.
void LeaseKeeper::drop(LeaseState state) {
    const auto last = gates_.close(Refusal::no_lease);
    if (held_->opened && last.has_value()) {
        known_.at(held_->lease.slot.value()).end = *last + Duration(1);
    }
    held_.reset();
    journal_.change(state);
}

Error LeaseKeeper::suspend(LogText what) {
    suspended_ = true;
    (void)gates_.close(Refusal::suspended);
    journal_.suspect_rollback(what);
    journal_.change(LeaseState::suspended);
    return Error(Code::corrupt, Effect::none, "the store has lost an acknowledged write");
}

LeaseKey LeaseKeeper::key() const {
    return LeaseKey(
        options_.name(), held_->lease.slot, options_.owner(), held_->token, held_->lease.fence
    );
}

}  // namespace holdfast
