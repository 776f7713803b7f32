#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/durable_limits.h>
#include <holdfast/redis/read.h>
#include <holdfast/redis/required_copies.h>

#include <algorithm>
#include <charconv>

namespace holdfast::redis {
namespace {

// One of ROLE's replicas: [address, port, offset].
Result<bool> may_be_promoted(RespView replica) {
    if (replica.type() != RespType::array || replica.size() != 3) {
        return wrong_shape();
    }
    auto at = replica.begin();
    ++at;
    const Result<std::int64_t> port = read_integer(*at);
    ++at;
    const Result<std::int64_t> offset = read_integer(*at);
    if (!port.ok() || !offset.ok()) {
        return wrong_shape();
    }
    if (fault("redis.wait_offset0") && offset.value() == 0) {
        return false;
    }
    return port.value() != 0 || fault("redis.wait_port0");
}

}  // namespace

Result<WaitRule> WaitRule::parse(std::string_view text) {
    if (text == "auto") {
        return automatic();
    }
    if (text == "off") {
        return off();
    }
    std::int64_t replicas = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), replicas);
    if (problem != std::errc() || end != text.data() + text.size() || replicas < 0 ||
        replicas > wait_replicas_max) {
        return Error(
            Code::invalid_argument, Effect::none, "wait is auto, off or a number of replicas"
        );
    }
    return at_least(replicas);
}

// ["master", offset, [[address, port, offset], ..]], or another shape for others.
Result<ReplicasSeen> read_replicas_seen(RespView role) {
    if (role.type() != RespType::array || role.size() == 0) {
        return wrong_shape();
    }
    auto at = role.begin();
    if ((*at).text() != "master") {
        return ReplicasSeen(false, 0);
    }
    if (role.size() < 3) {
        return wrong_shape();
    }
    ++at;
    ++at;
    const RespView replicas = *at;
    std::int64_t connected = 0;
    for (auto replica = replicas.begin(); replica != replicas.end(); ++replica) {
        const Result<bool> counts = may_be_promoted(*replica);
        if (!counts.ok()) {
            return wrong_shape();
        }
        connected += counts.value() ? 1 : 0;
    }
    return ReplicasSeen(true, connected);
}

void RequiredCopies::known(std::int64_t replicas) {
    const std::lock_guard lock(mutex_);
    if (!fault("redis.wait_down")) {
        highest_ = std::max(highest_, replicas);
    }
}

void RequiredCopies::flushes_always(bool yes) {
    const std::lock_guard lock(mutex_);
    flushes_always_ = yes;
}

void RequiredCopies::another_primary() {
    const std::lock_guard lock(mutex_);
    flushes_always_ = false;
    last_.reset();
}

void RequiredCopies::seen(ReplicasSeen seen, SteadyTime now) {
    const std::lock_guard lock(mutex_);
    seen_locked(seen, now);
}

void RequiredCopies::seen_locked(ReplicasSeen seen, SteadyTime now) {
    last_ = seen;
    last_at_ = now;
    if (!seen.primary) {
        return;
    }
    if (fault("redis.wait_lowered")) {
        highest_ = std::max(rule_.least(), seen.connected);
        return;
    }
    highest_ = std::max(highest_, seen.connected);
}

std::int64_t RequiredCopies::required() const {
    const std::lock_guard lock(mutex_);
    return required_locked();
}

std::int64_t RequiredCopies::required_locked() const {
    if (!rule_.waits()) {
        return 0;
    }
    return fault("redis.wait_one") ? std::min<std::int64_t>(highest_, 1) : highest_;
}

std::optional<Error> RequiredCopies::refusal(SteadyTime now) const {
    const std::lock_guard lock(mutex_);
    const std::int64_t required = required_locked();
    if (rule_.waits() && alone_ == Alone::must_flush && required == 0 && !flushes_always_ &&
        !fault("redis.wait_alone")) {
        return Error(
            Code::unsupported,
            Effect::none,
            "a primary of a cluster that has no replica and does not flush each write"
        );
    }
    if (!last_.has_value() || now - last_at_ > role_trusted_max || fault("redis.wait_refused")) {
        return std::nullopt;
    }
    if (!last_->primary) {
        return Error(Code::unreachable, Effect::none, "the server is no primary");
    }
    if (last_->connected < required) {
        return Error(
            Code::unreachable, Effect::none, "fewer replicas are connected than must have the write"
        );
    }
    return std::nullopt;
}

CopiesVerdict RequiredCopies::judge(
    std::int64_t waited_for, std::int64_t acknowledged, ReplicasSeen seen, SteadyTime now
) {
    const std::lock_guard lock(mutex_);
    seen_locked(seen, now);
    if (!seen.primary && !fault("redis.wait_role")) {
        return CopiesVerdict::not_primary;
    }
    if (required_locked() > waited_for && !fault("redis.wait_grown")) {
        return CopiesVerdict::grown;
    }
    const std::int64_t least =
        fault("redis.wait_grown") ? std::min(waited_for, required_locked()) : required_locked();
    return acknowledged < least ? CopiesVerdict::too_few : CopiesVerdict::kept;
}

Error error_of(CopiesVerdict verdict) {
    return Error(
        Code::unreachable,
        Effect::unknown,
        verdict == CopiesVerdict::not_primary
            ? "the server is no primary any more"
            : "fewer replicas confirmed the write than must have it"
    );
}

}  // namespace holdfast::redis
