#pragma once
// A handler's task at work. One that ends at once costs a call; only when it really waits is the
// client watched meanwhile.

#include "read_ahead.h"

namespace holdfast {

class [[nodiscard]] Serving final : public Suspension {
public:
    Serving(Task<> task, ReadAhead& ahead) : ahead_(&ahead), task_(std::move(task)) {}

    template <OurPromise Promise>
    bool await_suspend(std::coroutine_handle<Promise> waiter) {
        if (!Suspension::await_suspend(waiter)) {
            return false;
        }
        suspended_ = true;
        task_.set_continuation(waiter);
        return true;
    }
    Result<Done> await_resume() {
        if (suspended_) {
            (void)release();
            ahead_->release_work();
        }
        stopped_ = inner_->cancelled();
        return task_.take();
    }
    // The client has left, or this side stops: nobody reads the answer.
    bool stopped() const { return stopped_; }

private:
    bool start() override {
        inner_.emplace(scope().loop());
        if (scope().cancelled()) {
            inner_->cancel();
        }
        if (task_.run(*inner_)) {
            return false;
        }
        ahead_->watch(*inner_);
        return true;
    }
    void on_cancel() noexcept override { inner_->cancel(); }

    ReadAhead* ahead_;
    std::optional<Scope> inner_;  // outlives the task
    Task<> task_;
    bool suspended_ = false;
    bool stopped_ = false;
};

}  // namespace holdfast
