#pragma once
// co_await Grouped(group, operation, deadline): the operation's outcome once its batch is durable.

#include "group_commit.h"

namespace holdfast {

// Operation: Result<Outcome>(SqlTransaction&), on a pool thread; an error must have changed
// nothing.
template <class Outcome, class Operation>
class [[nodiscard]] Grouped final : public Suspension, private Work {
public:
    Grouped(std::shared_ptr<GroupCommit> group, Operation operation, Deadline deadline)
        : group_(std::move(group)), operation_(std::move(operation)), deadline_(deadline) {}
    ~Grouped() {
        if (call_ != nullptr) {
            (void)group_->withdraw(*call_);
            call_->waiter = nullptr;
        }
    }

    Result<Outcome> await_resume() {
        auto call = std::exchange(call_, nullptr);
        if (call == nullptr) {
            return std::move(*refused_);
        }
        return std::move(*call->outcome);
    }

private:
    struct Call final : GroupedCall {
        Call(Loop& home, Grouped& owner)
            : GroupedCall(home, owner.deadline_), waiter(&owner),
              operation(std::move(owner.operation_)) {}
        bool perform(SqlTransaction& transaction) override {
            outcome.emplace(operation(transaction));
            return outcome->ok();
        }
        void fail(Error error) override { outcome.emplace(std::move(error)); }
        void arrive() override {
            if (waiter != nullptr) {
                waiter->unlink();
                waiter->resume();
            }
        }
        Grouped* waiter;  // loop thread only
        Operation operation;
        std::optional<Result<Outcome>> outcome;
    };

    bool start() override {
        Loop& loop = scope().loop();
        if (scope().cancelled()) {
            refused_.emplace(cancelled_error());
            return false;
        }
        if (deadline_.passed(loop.now())) {
            refused_.emplace(too_late());
            return false;
        }
        call_ = std::make_shared<Call>(loop, *this);
        auto taken = group_->submit(call_, group_);
        if (!taken.ok()) {
            call_ = nullptr;
            refused_.emplace(std::move(taken).error());
            return false;
        }
        if (deadline_.time() != SteadyTime::max()) {
            loop.arm(*this, deadline_.time());
        }
        return true;
    }
    void on_cancel() noexcept override {
        if (leave(cancelled_error())) {
            scope().loop().post(*this);
        }
    }
    // The deadline, or the turn after a cancel.
    void run() override {
        if (refused_.has_value() || leave(too_late())) {
            resume();
        }
    }
    bool leave(Error why) {
        if (call_ == nullptr || !group_->withdraw(*call_)) {
            return false;
        }
        call_ = nullptr;
        refused_.emplace(std::move(why));
        return true;
    }
    static Error too_late() {
        return Error(
            Code::timed_out, Effect::none, "the deadline passed before a transaction began"
        );
    }

    std::shared_ptr<GroupCommit> group_;
    Operation operation_;
    Deadline deadline_;
    std::shared_ptr<Call> call_;
    std::optional<Error> refused_;
};

}  // namespace holdfast
