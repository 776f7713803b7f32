#pragma once
// The chains of the few periods around now.

#include "ranges/range_chain.h"

#include <holdfast/ids/zone.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace holdfast {

struct PeriodChain {
    std::string name;
    std::shared_ptr<RangeChain> chain;
    SteadyTime used_at{};
};

// A base that is made before its table is known to the registry of forks.
class PeriodGate {
protected:
    ~PeriodGate() = default;
    std::atomic<bool> shut_ = false;
    std::atomic<bool> forked_ = false;  // another thread may have held the lock for ever
};

// Any thread. A period's chain is made when the period is first asked for, and let go when nobody
// has asked for a while and another is newer. What it had in hand is burnt then; if the clock comes
// back to it, it reserves anew under its own key.
class PeriodTable final : private PeriodGate, private ForkAware {
public:
    PeriodTable(std::shared_ptr<ChainSetup> setup, PeriodOptions options, std::string prefix);

    // closed: after halt(), and in a forked child.
    Result<std::shared_ptr<const PeriodChain>> at(WallTime now);

    // Numbers of the period that were taken and will not be used.
    void burn(const std::string& period, std::size_t numbers);

    void halt();
    Task<Done> ended(Deadline deadline);
    void finish();  // not on a loop thread

    bool shut() const { return shut_.load(std::memory_order_acquire); }
    // All chains together; state and last of the newest asked for.
    ChainFigures figures() const;
    std::vector<std::shared_ptr<const PeriodChain>> in_hand() const;
    bool rollback_suspected() const;

private:
    Result<std::shared_ptr<PeriodChain>> find_or_make(const std::string& name);
    void let_go(SteadyTime now);
    void leave(std::size_t index);
    void remember(const PeriodChain& period);

    void forked() noexcept override {
        forked_.store(true, std::memory_order_seq_cst);
        shut_.store(true, std::memory_order_seq_cst);
    }

    const std::shared_ptr<ChainSetup> setup_;
    const PeriodOptions options_;
    const std::string prefix_;  // {namespace}/{generator}@

    mutable std::mutex mutex_;
    std::int64_t second_ = -1;              // of the calendar: in it, now is `current_`
    std::shared_ptr<PeriodChain> current_;  // the last that was asked for
    std::vector<std::shared_ptr<PeriodChain>> periods_;
    std::vector<std::shared_ptr<RangeChain>> leaving_;  // their tasks may still run
    std::map<std::string, std::int64_t> ends_;          // of periods that were let go
    std::uint64_t issued_before_ = 0;                   // by those
    std::uint64_t burnt_before_ = 0;
    bool rollback_before_ = false;
};

}  // namespace holdfast
