#pragma once
// What all parts of one simulated world share.

#include "chance.h"
#include "ledger.h"
#include "plan.h"
#include "totals.h"

#include <holdfast/io/virtual_runtime.h>

#include <cstdarg>
#include <memory>

namespace holdfast::sim {

class Scene {
public:
    Scene(std::uint64_t seed, bool traces);

    VirtualRuntime& runtime() { return *runtime_; }
    Loop& world() { return runtime_->loop(0); }  // never paused, never killed
    Chance& chance() { return chance_; }
    const Plan& plan() const { return plan_; }
    // How hard the faults are now.
    double faults() const { return quiet_ ? 0 : plan_.faults; }
    bool quiet() const { return quiet_; }
    void make_quiet() { quiet_ = true; }
    std::int64_t now_ms() const { return (runtime_->now() - begin_).count(); }

    Ledger ledger;
    Totals totals;

    bool traces() const { return traces_; }
    // One readable line, where traces are wanted.
    [[gnu::format(printf, 2, 3)]] void trace(const char* format, ...) const;

private:
    std::unique_ptr<VirtualRuntime> runtime_;
    Chance chance_;
    Plan plan_;
    SteadyTime begin_;
    bool quiet_ = false;
    bool traces_;
};

// A wall clock beside a steady one; both sides may be moved.
class SkewedClock final : public Clock {
public:
    explicit SkewedClock(const Loop& loop) : loop_(&loop), begin_(loop.now()) {}
    SteadyTime steady_now() const override { return loop_->now(); }
    WallTime wall_now() const override { return wall_begin + (loop_->now() - begin_) + skew; }
    Duration skew{0};

private:
    static constexpr WallTime wall_begin{Duration(1'700'000'000'000)};
    const Loop* loop_;
    SteadyTime begin_;
};

}  // namespace holdfast::sim
