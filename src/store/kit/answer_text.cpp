#include "answer_text.h"

namespace holdfast {
namespace {

std::string number(std::int64_t value) {
    return std::to_string(value);
}
std::string time_text(StoreTime time) {
    return number(time.time_since_epoch().count());
}

std::string describe(const Range& range) {
    return "range " + number(range.start) + ".." + number(range.end);
}
std::string describe(const RangeSealed&) {
    return "sealed";
}
std::string describe(const RangeExhausted&) {
    return "exhausted";
}

std::string describe(const SlotLease& lease) {
    return "slot " + std::to_string(lease.slot.value()) + " fence " +
           std::to_string(lease.fence.value()) + " expires " + time_text(lease.expires_at) +
           " window " + time_text(lease.floor) + ".." + time_text(lease.ceiling) + " now " +
           time_text(lease.store_now);
}
std::string describe(const Acquired& acquired) {
    return describe(acquired.lease) + " " + std::string(name_of(acquired.reason)) +
           (acquired.duplicate_owner_key ? " duplicate" : "");
}
std::string describe(const SlotsExhausted& exhausted) {
    return "exhausted until " + time_text(exhausted.earliest_expires_at);
}
std::string describe(const NamespaceMismatch&) {
    return "mismatch";
}
std::string describe(const LeaseLost& lost) {
    return lost.rollback_suspected ? "lost, rollback suspected" : "lost";
}
std::string describe(const Released&) {
    return "released";
}

std::string describe(const Error& error) {
    return "error " + number(static_cast<int>(error.code())) +
           (error.effect() == Effect::none ? " none" : " unknown");
}

template <class Outcome>
std::string any_text(const Result<Outcome>& answer) {
    if (!answer.ok()) {
        return describe(answer.error());
    }
    return std::visit([](const auto& value) { return describe(value); }, answer.value());
}

}  // namespace

std::string text_of(const Result<ReserveOutcome>& answer) {
    return any_text(answer);
}
std::string text_of(const Result<AcquireOutcome>& answer) {
    return any_text(answer);
}
std::string text_of(const Result<RenewOutcome>& answer) {
    return any_text(answer);
}
std::string text_of(const Result<ReleaseOutcome>& answer) {
    return any_text(answer);
}
std::string text_of(const Result<SealOutcome>& answer) {
    if (!answer.ok()) {
        return describe(answer.error());
    }
    return answer.value() == SealOutcome::sealed ? "sealed" : "unsupported";
}

}  // namespace holdfast
