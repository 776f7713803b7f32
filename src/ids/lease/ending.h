#pragma once
// The end of a task that runs by itself, awaited on other loops or by a thread.

#include <holdfast/io/loop.h>
#include <holdfast/io/runtime.h>

#include <memory>
#include <mutex>
#include <vector>

namespace holdfast {

class Ending {
public:
    // Once. Its last act lets block() return, so this object may go then.
    void set() {
        {
            std::lock_guard lock(mutex_);
            set_ = true;
            for (auto& wake : waiting_) {
                Wake& work = *wake;
                work.self = std::move(wake);
                work.loop->send(work);
            }
            waiting_.clear();
        }
        signal_.set();
    }
    // Not on a loop thread.
    void block(Runtime& runtime) { runtime.block(signal_); }

private:
    // Outlives an await that is destroyed while its wake is on the way.
    struct Wake final : Work {
        void run() override;
        std::shared_ptr<Wake> self;
        Loop* loop = nullptr;
        class EndingAwait* waiter = nullptr;  // loop thread only
    };
    friend class EndingAwait;

    std::mutex mutex_;
    std::vector<std::shared_ptr<Wake>> waiting_;
    Signal signal_;
    bool set_ = false;
};

// co_await EndingAwait(ending). Not cancellable: who awaits it has asked for the end.
class [[nodiscard]] EndingAwait final : public Suspension {
public:
    explicit EndingAwait(Ending& ending) : ending_(&ending) {}
    ~EndingAwait() {
        if (wake_ != nullptr) {
            wake_->waiter = nullptr;
        }
    }
    void await_resume() const {}

private:
    friend class Ending;

    bool start() override {
        std::lock_guard lock(ending_->mutex_);
        if (ending_->set_) {
            return false;
        }
        wake_ = std::make_shared<Ending::Wake>();
        wake_->loop = &scope().loop();
        wake_->waiter = this;
        ending_->waiting_.push_back(wake_);
        return true;
    }
    void on_cancel() noexcept override {}

    Ending* ending_;
    std::shared_ptr<Ending::Wake> wake_;
};

inline void Ending::Wake::run() {
    const auto keep = std::move(self);
    if (waiter != nullptr) {
        std::exchange(waiter, nullptr)->resume();
    }
}

}  // namespace holdfast
