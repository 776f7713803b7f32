#pragma once
// What others see of a lease: its state, one log record and one count for each change, listeners.

#include <holdfast/ids/machine.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/metrics.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace holdfast {

enum class RenewalEnd : std::uint8_t { renewed, lost, unmatched, failed, unknown };

// Read by any thread; changed by one at a time, on a loop.
class LeaseJournal {
public:
    // Clock, metrics and log outlive it.
    LeaseJournal(const LeasedMachine& options, const Clock& clock, Metrics& metrics, Log& log);
    LeaseJournal(const LeaseJournal&) = delete;
    LeaseJournal& operator=(const LeaseJournal&) = delete;
    ~LeaseJournal();

    LeaseInfo info() const;
    bool rollback_suspected() const { return rollback_.load(std::memory_order_relaxed); }
    void listen(LeaseListener& listener);

    void change(LeaseState to);
    void granted(const Acquired& grant, SteadyTime valid_until);
    void renewed(const SlotLease& lease, SteadyTime valid_until);
    void renewal(RenewalEnd end);
    void exhausted(StoreTime earliest);  // once until the next change
    void failed(const Error& error);     // once until the next change
    void mismatch();                     // once until the next change
    void suspect_rollback(LogText what);

private:
    // The metric may be read after this is gone.
    struct TimeLeft {
        std::mutex mutex;
        const Clock* clock;
        SteadyTime until{};
        double seconds();
    };
    bool first_time() { return !std::exchange(complained_, true); }
    void note(const SlotLease& lease, SteadyTime valid_until);
    void end_of_lease();

    Log& log_;
    mutable std::mutex mutex_;
    LeaseInfo info_;
    std::vector<LeaseListener*> listeners_;
    std::shared_ptr<TimeLeft> left_;
    Gauge& slot_;
    Counter& rollbacks_;
    std::array<Counter*, 6> changes_{};
    std::array<Counter*, 5> renewals_{};
    std::atomic<bool> rollback_ = false;
    bool complained_ = false;
};

}  // namespace holdfast
