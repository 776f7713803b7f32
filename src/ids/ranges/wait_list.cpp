#include "ranges/wait_list.h"

namespace holdfast {

void WaitList::notify() {
    Waiters told;
    {
        const std::lock_guard lock(mutex_);
        changes_.fetch_add(1, std::memory_order_release);
        for (const auto& waiter : waiters_) {
            waiter->listed = false;
        }
        told.swap(waiters_);
    }
    for (auto& waiter : told) {
        Waiter& going = *waiter;
        going.self = std::move(waiter);
        going.home->send(going);
    }
}

void WaitList::Waiter::run() {
    const auto keep = std::move(self);
    if (wait != nullptr) {
        wait->resume();
    }
}

bool WaitList::Wait::start() {
    if (scope().cancelled()) {
        end_ = End::cancelled;
        return false;
    }
    if (list_->changes() != seen_) {
        return false;
    }
    Loop& loop = scope().loop();
    if (until_ <= loop.now()) {
        end_ = End::timed_out;
        return false;
    }
    waiter_ = std::make_shared<Waiter>(*this, loop);
    Waiters place;
    place.push_back(waiter_);
    waiter_->place = place.begin();
    {
        const std::lock_guard lock(list_->mutex_);
        const bool full = list_->waiters_.size() >= list_->most_;
        if (full || list_->changes_.load(std::memory_order_relaxed) != seen_) {
            waiter_.reset();
            end_ = full ? End::overloaded : End::changed;
            return false;
        }
        list_->waiters_.splice(list_->waiters_.end(), place);
    }
    if (until_ != SteadyTime::max()) {
        loop.arm(*this, until_);
    }
    return true;
}

bool WaitList::Wait::leave() {
    const std::lock_guard lock(list_->mutex_);
    if (waiter_ == nullptr || !waiter_->listed) {
        return false;
    }
    waiter_->listed = false;
    list_->waiters_.erase(waiter_->place);
    return true;
}

void WaitList::Wait::on_cancel() noexcept {
    if (leave()) {
        end_ = End::cancelled;
        scope().loop().post(*this);
    }
}

void WaitList::Wait::run() {
    if (end_ == End::cancelled) {
        resume();
    } else if (leave()) {
        end_ = End::timed_out;
        resume();
    }
}

WaitList::Wait::~Wait() {
    if (waiter_ != nullptr) {
        waiter_->wait = nullptr;
        (void)leave();
    }
}

Result<Done> WaitList::Wait::await_resume() const {
    switch (end_) {
    case End::changed:
        return Done();
    case End::timed_out:
        return Error(Code::timed_out, Effect::none, "the deadline passed while waiting for ids");
    case End::cancelled:
        return cancelled_error();
    case End::overloaded:
        break;
    }
    return Error(Code::overloaded, Effect::none, "too many tasks wait for the next range");
}

}  // namespace holdfast
