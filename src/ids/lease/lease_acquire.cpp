// How a lease is got: one token for each logical acquire, the same for its repetitions (rule L1).
#include "lease/lease_keeper.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/io/loop.h>

#include <algorithm>
#include <array>
#include <span>

namespace holdfast {

Task<Done> LeaseKeeper::acquire_first(Deadline deadline) {
    co_return co_await acquire(deadline.time(), Insist::until_deadline);
}

Task<Done> LeaseKeeper::acquire(SteadyTime until, Insist insist) {
    const Scope& scope = co_await this_scope();
    loop_ = &scope.loop();
    Attempt attempt(new_token());
    for (;;) {
        const SteadyTime sent = clock_.steady_now();
        const Deadline deadline = call_deadline(until);
        AcquireRequest request = request_of(attempt);
        Result<AcquireOutcome> outcome = co_await store_.acquire(std::move(request), deadline);
        auto end = answered(std::move(outcome), attempt, sent, insist);
        if (end.has_value()) {
            co_return std::move(*end);
        }
        const SteadyTime again = now() + attempt.wait;
        if (again >= until) {
            co_return std::move(*attempt.last);
        }
        auto slept = co_await sleep(again);
        if (!slept.ok()) {
            co_return slept;
        }
    }
}

// Nothing: it is to be tried again after the pause.
std::optional<Result<Done>> LeaseKeeper::answered(
    Result<AcquireOutcome> outcome, Attempt& attempt, SteadyTime sent, Insist insist
) {
    if (!outcome.ok()) {
        return refused(std::move(outcome).error(), attempt, insist);
    }
    if (const auto* grant = std::get_if<Acquired>(&outcome.value())) {
        return adopt(*grant, attempt, sent, insist);
    }
    attempt.token = new_token();
    if (const auto* full = std::get_if<SlotsExhausted>(&outcome.value())) {
        return none_free(full->earliest_expires_at, attempt);
    }
    journal_.mismatch();
    attempt.wait = limits::lease_backoff_max;
    attempt.last.emplace(
        Code::invalid_argument, Effect::none, "the namespace exists with another limit or tolerance"
    );
    if (insist == Insist::until_deadline) {
        return Result<Done>(std::move(*attempt.last));
    }
    return std::nullopt;
}

std::optional<Result<Done>> LeaseKeeper::refused(Error error, Attempt& attempt, Insist insist) {
    attempt.wait = next_pause(attempt);
    switch (error.code()) {
    case Code::cancelled:
        return Result<Done>(std::move(error));
    case Code::invalid_argument:
    case Code::denied:
    case Code::unsupported:
    case Code::corrupt:
        if (insist == Insist::until_deadline) {
            return Result<Done>(std::move(error));
        }
        attempt.wait = limits::lease_backoff_max;
        break;
    default:
        break;
    }
    journal_.failed(error);
    attempt.last.emplace(std::move(error));
    return std::nullopt;
}

std::optional<Result<Done>> LeaseKeeper::none_free(StoreTime earliest, Attempt& attempt) {
    journal_.exhausted(earliest);
    if (fault("ids.32")) {
        held_.emplace(SlotLease(), attempt.token, gates_.open(0, earliest, StoreTime::max()));
        return Result<Done>(Done());
    }
    attempt.wait = next_pause(attempt);
    if (anchored_) {
        // The hint is worth something: no sooner than the backoff, no later than its longest.
        const StoreTime store_now{Duration(ticks_.exact_ms())};
        attempt.wait = std::clamp(earliest - store_now, attempt.wait, limits::lease_backoff_max);
    }
    attempt.last.emplace(Code::overloaded, Effect::none, "every slot of the namespace is leased");
    return std::nullopt;
}

std::optional<Result<Done>>
LeaseKeeper::adopt(const Acquired& answer, Attempt& attempt, SteadyTime sent, Insist insist) {
    Acquired grant = answer;
    if (fault("adopt-stale-acquire")) {
        grant = std::exchange(earlier_, grant).value_or(grant);
    }
    const SlotLease& lease = grant.lease;
    if (lease.slot.value() >= limit_ && !fault("ids.23")) {
        // Would not fit into the machine bits; it runs out by itself.
        attempt.token = new_token();
        Error error(Code::corrupt, Effect::none, "the store granted a slot above the limit");
        return refused(std::move(error), attempt, insist);
    }
    const auto before = known_.find(lease.slot.value());
    const bool unguarded = fault("inc-per-process") || fault("adopt-stale-acquire");
    if (before != known_.end() && !unguarded) {
        // L2 and detection 4: a pair that was ours once, or a window that overlaps what we used.
        if (lease.fence <= before->second.fence) {
            return Result<Done>(suspend("a grant repeats a fence that this process has held"));
        }
        if (lease.floor < before->second.end) {
            return Result<Done>(suspend("a grant begins before the end of an id of this process"));
        }
    }
    known_.insert_or_assign(lease.slot.value(), Known{lease.fence, StoreTime::min()});
    ticks_.anchor(lease.store_now, clock_.steady_now());
    ticks_.restart();
    anchored_ = true;
    asked_ = now();
    const auto of_name = static_cast<std::uint32_t>(options_.owner().text().size()) % limit_;
    const std::uint32_t machine = fault("ids.30") ? of_name : lease.slot.value();
    const bool opened = gates_.open(machine, lease.floor, lease.ceiling);
    held_.emplace(lease, attempt.token, opened);
    if (!opened) {
        return Result<Done>(closed_error());
    }
    journal_.granted(grant, sent + options_.ttl());
    return Result<Done>(Done());
}

AcquireRequest LeaseKeeper::request_of(const Attempt& attempt) const {
    return AcquireRequest(options_.name(), options_.owner(), attempt.token)
        .limit(fault("ids.7b") ? 1'024 : limit_)
        .ttl(options_.ttl())
        .tolerance(options_.tolerance())
        .preferred(options_.preferred());
}

Incarnation LeaseKeeper::new_token() {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::array<std::byte, 16> bytes{};
    random_.fill(bytes);
    std::string text;
    for (const std::byte byte : bytes) {
        text += digits[std::to_integer<std::size_t>(byte >> 4U)];
        text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
    }
    if (fault("reuse-incarnation")) {
        text = "reused";
    }
    Incarnation token = Incarnation::parse(text).value();
    if (fault("inc-per-process")) {
        token = session_.emplace(session_.value_or(token));
    }
    return token;
}

Duration LeaseKeeper::by_chance(Duration shortest, Duration longest) {
    const auto span = static_cast<std::uint64_t>((longest - shortest).count()) + 1;
    return shortest + Duration(static_cast<std::int64_t>(random_.next() % span));
}

Duration LeaseKeeper::next_pause(Attempt& attempt) {
    const Duration longest =
        std::clamp(options_.renew_interval(), limits::lease_backoff_min, limits::lease_backoff_max);
    const Duration pause = std::min(attempt.pause, longest);
    attempt.pause = pause * 2;
    return by_chance(pause / 2, pause);
}

Deadline LeaseKeeper::call_deadline(SteadyTime until) const {
    return Deadline::in(options_.call_timeout(), now()).sooner(Deadline::at(until));
}

}  // namespace holdfast
