#include "thread_pool.h"

#include "thread_name.h"

#include <system_error>

namespace holdfast {

ThreadPool::~ThreadPool() {
    close();
    std::deque<std::shared_ptr<Job>> dropped;
    {
        std::lock_guard lock(mutex_);
        dropped.swap(queue_);
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void ThreadPool::close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
}

Result<Done> ThreadPool::submit(std::shared_ptr<Job> job) {
    if (forked_.load(std::memory_order_relaxed)) {
        return closed_error();
    }
    std::unique_lock lock(mutex_);
    if (closed_) {
        return closed_error();
    }
    if (queue_.size() >= idle_ && !(threads_.size() < threads_max_ && start_thread())) {
        if (queue_.size() - std::min(idle_, queue_.size()) >= queue_max_ || threads_.empty()) {
            return Error(Code::overloaded, Effect::none, "the pool of blocking calls is full");
        }
    }
    queue_.push_back(std::move(job));
    lock.unlock();  // or the woken thread would find it taken
    changed_.notify_one();
    return Done();
}

// False: the system gives no more threads; those we have will do.
bool ThreadPool::start_thread() {
    try {
        const std::size_t number = threads_.size();
        threads_.emplace_back([this, number] { serve(number); });
        ++idle_;
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

void ThreadPool::serve(std::size_t number) {
    name_this_thread("hf-pool-", number);
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
        if (queue_.empty()) {
            return;
        }
        auto job = std::move(queue_.front());
        queue_.pop_front();
        --idle_;
        lock.unlock();
        Job& work = *job;
        const bool called = work.call();
        if (!called) {
            job.reset();
        }
        lock.lock();
        ++idle_;  // before it is known to be done: whoever asks again at once finds this thread
        if (called) {
            lock.unlock();
            work.go_home(std::move(job));
            lock.lock();
        }
    }
}

}  // namespace holdfast
