#pragma once
// The blocking pool of real time: threads on demand up to a bound, a bounded queue before them.

#include <holdfast/io/fork.h>
#include <holdfast/io/runtime.h>

#include <deque>
#include <thread>
#include <vector>

namespace holdfast {

class ThreadPool final : public BlockingPool, private ForkAware {
public:
    ThreadPool(std::size_t threads_max, std::size_t queue_max)
        : threads_max_(threads_max), queue_max_(queue_max) {}
    // Waits for the calls that have begun; the others never do.
    ~ThreadPool() override;

    Result<Done> submit(std::shared_ptr<Job> job) override;
    // From now on submit() answers `closed`.
    void close();

private:
    void forked() noexcept override { forked_.store(true, std::memory_order_relaxed); }
    bool start_thread();
    void serve(std::size_t number);

    const std::size_t threads_max_;
    const std::size_t queue_max_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<Job>> queue_;
    std::vector<std::thread> threads_;
    std::size_t idle_ = 0;  // threads that wait and for which no call is queued yet: may be short
                            // by those that just woke
    bool closed_ = false;
    std::atomic<bool> forked_ = false;  // a child: the mutex may be held by a thread of the parent
};

}  // namespace holdfast
