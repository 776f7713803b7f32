#pragma once
// The awaits of a client's verbs. What they need to be called, answered and given up is in the
// caller's frame.

#include <holdfast/redis/batch.h>
#include <holdfast/redis/errors.h>
#include <holdfast/redis/route.h>

#include <optional>

namespace holdfast::redis {

class RunBase : public Suspension, protected RoutedOperation {
protected:
    explicit RunBase(Route route) : RoutedOperation(route) {}
    ~RunBase() override {
        if (pending()) {
            (void)abandon();
        }
    }

    // False: it was not taken.
    bool send(const Whereto& to) {
        if (scope().cancelled()) {
            failed_early(cancelled_error());
            return false;
        }
        auto refused = RoutedOperation::send(scope().loop(), to);
        if (refused.has_value()) {
            failed_early(std::move(*refused));
            return false;
        }
        return true;
    }
    virtual void failed_early(Error error) = 0;
    // It will not be ended. What is known of its effect.
    virtual Effect give_up() { return abandon(); }

    using Parts = std::unique_ptr<BatchParts, DropParts>;
    using Split = std::unique_ptr<SplitCall, DropParts>;
    // A batch of a client of many nodes. Null, and it has failed early: nothing was taken.
    Parts send_parts(Batch& batch, SteadyTime deadline, PartsOwner& owner);
    // A command whose keys have different slots, which may be asked of each by itself. Null: it was
    // not taken, or `whole` tells that it goes as it is.
    Split send_split(const AnyCommand& command, SteadyTime deadline, bool& whole);
    static Effect give_up_split(SplitCall& split);
    bool many() const { return route_.many(); }

private:
    void on_cancel() noexcept override {
        failed_early(cancelled_error(give_up()));
        scope().loop().post(*this);
    }
    void run() override { resume(); }
};

// co_await client.run(command, deadline): Result<Reply>.
template <class Reply>
class [[nodiscard]] Run final : public RunBase {
public:
    using value_type = Reply;
    Run(Route route, Command<Reply>&& command, Deadline deadline)
        : RunBase(route), command_(std::move(command)), deadline_(deadline) {}

    Result<Reply> await_resume() { return std::move(*outcome_); }

private:
    bool start() override {
        carry(command_.any(), deadline_.time());
        if (command_.any().told_slot() == slot_of_many) {
            bool whole = false;
            split_ = send_split(command_.any(), deadline_.time(), whole);
            if (!whole) {
                return split_ != nullptr;
            }
        }
        return send(whereto());
    }
    Whereto whereto() const override { return Whereto(command_.any()); }
    void replied(RespView reply, bool) override {
        if (reply.is_error()) {
            if (again(reply)) {
                return;
            }
            outcome_.emplace(error_of(reply, command_.any(), effect_before()));
        } else {
            outcome_.emplace(command_.read(reply));
        }
        resume();
    }
    void failed(Error error) override {
        if (again(error)) {
            return;
        }
        outcome_.emplace(std::move(error));
        resume();
    }
    void failed_early(Error error) override { outcome_.emplace(std::move(error)); }
    Effect give_up() override { return split_ == nullptr ? abandon() : give_up_split(*split_); }
    std::string_view first_key() const override { return command_.any().first_key_text(); }

    Command<Reply> command_;
    Split split_;
    Deadline deadline_;
    std::optional<Result<Reply>> outcome_;
};

// co_await client.run(batch, deadline): Done once every command has its answer. After an error the
// batch still holds the answers that came before it.
class [[nodiscard]] RunBatch final : public RunBase, private PartsOwner {
public:
    using value_type = Done;
    RunBatch(Route route, Batch& batch, Deadline deadline)
        : RunBase(route), batch_(&batch), deadline_(deadline) {}

    Result<Done> await_resume() {
        if (error_.has_value()) {
            return std::move(*error_);
        }
        return Done();
    }

private:
    bool start() override {
        batch_->forget_answers();
        if (batch_->empty()) {
            return false;
        }
        if (many()) {
            parts_ = send_parts(*batch_, deadline_.time(), *this);
            return parts_ != nullptr;
        }
        carry("batch", batch_->bytes_, batch_->count(), batch_->repeat_, deadline_.time());
        return send(whereto());
    }
    Whereto whereto() const override {
        return {*batch_, batch_->repeat_, batch_->lane_, batch_->bulky_};
    }
    void replied(RespView reply, bool last) override {
        batch_->answered(batch_->replies_.answered(), effect_before());
        batch_->replies_.add(reply);
        if (last) {
            resume();
        }
    }
    void failed(Error error) override {
        error_.emplace(std::move(error));
        resume();
    }
    void failed_early(Error error) override { error_.emplace(std::move(error)); }

    Effect give_up() override;
    void parts_ended(std::optional<Error> error) override {
        error_ = std::move(error);
        resume();
    }

    Batch* batch_;
    Deadline deadline_;
    std::optional<Error> error_;
    Parts parts_;
};

}  // namespace holdfast::redis
