#pragma once
// The cells of one loop, and how an answer finds its own. Each cell has one writer: the loop.

#include <holdfast/io/loop.h>
#include <holdfast/observe/metrics.h>
#include <holdfast/store/store.h>

#include <array>

namespace holdfast {

enum class Outcome : std::uint8_t {
    range,
    sealed,
    exhausted,
    unsupported,
    acquired,
    mismatch,
    renewed,
    released,
    lost,
    up,
    error_none,
    error_unknown,
    count,
};

enum class Operation : std::uint8_t { reserve, seal, acquire, renew, release, probe, count };

inline Outcome outcome_of(const Range&) {
    return Outcome::range;
}
inline Outcome outcome_of(const RangeSealed&) {
    return Outcome::sealed;
}
inline Outcome outcome_of(const RangeExhausted&) {
    return Outcome::exhausted;
}
inline Outcome outcome_of(const Acquired&) {
    return Outcome::acquired;
}
inline Outcome outcome_of(const SlotsExhausted&) {
    return Outcome::exhausted;
}
inline Outcome outcome_of(const NamespaceMismatch&) {
    return Outcome::mismatch;
}
inline Outcome outcome_of(const SlotLease&) {
    return Outcome::renewed;
}
inline Outcome outcome_of(const Released&) {
    return Outcome::released;
}
inline Outcome outcome_of(const LeaseLost&) {
    return Outcome::lost;
}
inline Outcome outcome_of(const Done&) {
    return Outcome::up;
}
inline Outcome outcome_of(SealOutcome outcome) {
    return outcome == SealOutcome::sealed ? Outcome::sealed : Outcome::unsupported;
}
template <class... Values>
Outcome outcome_of(const std::variant<Values...>& answer) {
    return std::visit([](const auto& value) { return outcome_of(value); }, answer);
}
template <class T>
Outcome outcome_of(const Result<T>& answer) {
    if (answer.ok()) {
        return outcome_of(answer.value());
    }
    return answer.error().effect() == Effect::none ? Outcome::error_none : Outcome::error_unknown;
}

class StoreMeter {
public:
    StoreMeter(const Loop& loop, Metrics& metrics);

    const Loop& loop() const { return *loop_; }
    void called(Operation operation, Outcome outcome, double seconds);

private:
    static constexpr auto operations = static_cast<std::size_t>(Operation::count);
    static constexpr auto outcomes = static_cast<std::size_t>(Outcome::count);

    const Loop* loop_;
    std::array<std::array<Histogram*, outcomes>, operations> calls_{};  // null: cannot happen
};

}  // namespace holdfast
