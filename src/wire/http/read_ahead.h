#pragma once
// A read that goes on while a handler waits for something else: it tells that the client has left,
// and keeps what else came for the reader. It outlives the handler's wait: cancelling a read that
// has just moved bytes would lose them.

#include <holdfast/http/limits.h>
#include <holdfast/io/stream.h>

#include <array>
#include <optional>
#include <span>

namespace holdfast {

class ReadAhead {
public:
    explicit ReadAhead(Stream& stream) : stream_(&stream) {}

    // `work` is asked to stop if the client leaves or has left. Goes on with a read that is begun.
    void watch(Scope& work) {
        work_ = &work;
        if (begun()) {
            if (count_ == 0) {
                work_->cancel();
            }
            return;
        }
        scope_.emplace(work.loop());
        task_.emplace(read());
        task_->run(*scope_);
    }
    // The work has ended.
    void release_work() { work_ = nullptr; }
    // Begun, and its bytes have not been taken.
    bool begun() const { return task_.has_value(); }
    // Makes it end soon, unless it has.
    void interrupt() noexcept { scope_->cancel(); }

    // co_await ended(): until the read has ended.
    class Ended final : public Suspension {
    public:
        explicit Ended(ReadAhead& ahead) : ahead_(&ahead) {}
        template <OurPromise Promise>
        bool await_suspend(std::coroutine_handle<Promise> waiter) {
            if (!Suspension::await_suspend(waiter)) {
                return false;
            }
            suspended_ = true;
            ahead_->task_->set_continuation(waiter);
            return true;
        }
        void await_resume() {
            if (suspended_) {
                (void)release();
            }
        }

    private:
        bool start() override { return !ahead_->count_.has_value(); }
        void on_cancel() noexcept override { ahead_->interrupt(); }
        ReadAhead* ahead_;
        bool suspended_ = false;
    };
    Ended ended() { return Ended(*this); }

    // After its end. Empty: the client has ended its side, the connection broke, or it was
    // interrupted.
    std::span<const char> take() {
        const std::size_t count = *count_;
        count_.reset();
        task_.reset();
        return {bytes_.data(), count};
    }

private:
    Task<> read() {
        auto got = co_await stream_->read_some(std::as_writable_bytes(std::span(bytes_)));
        count_ = got.ok() ? got.value() : 0;
        if (count_ == 0 && work_ != nullptr) {
            work_->cancel();
        }
        co_return Done();
    }

    Stream* stream_;
    Scope* work_ = nullptr;
    std::optional<Scope> scope_;  // outlives the task
    std::optional<std::size_t> count_;
    std::array<char, read_ahead_bytes> bytes_;
    std::optional<Task<>> task_;
};

}  // namespace holdfast
