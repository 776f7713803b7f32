#pragma once
// Tasks that wait until something has changed, on any loops; told by any thread.

#include <holdfast/io/loop.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

namespace holdfast {

// seen = list.changes(); look; then co_await list.wait(seen, until): a change since `seen` is not
// missed. In a forked child nothing waits, and notify() must not be called.
class WaitList {
public:
    class Wait;

    explicit WaitList(std::size_t most) : most_(most) {}
    WaitList(const WaitList&) = delete;
    WaitList& operator=(const WaitList&) = delete;

    std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }
    // Done: something has changed. timed_out, cancelled, overloaded (too many wait): none. The list
    // outlives the wait.
    Wait wait(std::uint64_t seen, SteadyTime until);
    // Allocates nothing.
    void notify();

private:
    struct Waiter;
    using Waiters = std::list<std::shared_ptr<Waiter>>;

    std::mutex mutex_;
    Waiters waiters_;
    std::atomic<std::uint64_t> changes_ = 0;  // written under the lock
    const std::size_t most_;
};

// What a loop is sent: it cannot be taken back, so it outlives the wait that it belongs to.
struct WaitList::Waiter final : Work {
    Waiter(Wait& waiting, Loop& loop) : wait(&waiting), home(&loop) {}
    void run() override;

    Wait* wait;  // loop thread only; null: it is gone
    Loop* home;
    bool listed = true;  // under the list's lock: whoever clears it ends the wait
    Waiters::iterator place;
    std::shared_ptr<Waiter> self;  // while it is on its way
};

class [[nodiscard]] WaitList::Wait final : public Suspension, private Work {
public:
    Wait(WaitList& list, std::uint64_t seen, SteadyTime until)
        : list_(&list), seen_(seen), until_(until) {}
    ~Wait();

    Result<Done> await_resume() const;

private:
    friend struct WaitList::Waiter;
    enum class End : std::uint8_t { changed, timed_out, cancelled, overloaded };

    bool start() override;
    void on_cancel() noexcept override;
    void run() override;  // of the timer, or of a request to stop
    bool leave();         // false: a change is on its way

    WaitList* list_;
    std::uint64_t seen_;
    SteadyTime until_;
    std::shared_ptr<Waiter> waiter_;
    End end_ = End::changed;
};

inline WaitList::Wait WaitList::wait(std::uint64_t seen, SteadyTime until) {
    return Wait(*this, seen, until);
}

}  // namespace holdfast
