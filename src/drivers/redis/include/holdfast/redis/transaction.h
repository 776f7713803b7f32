#pragma once
// Commands that happen together or not at all: MULTI, they, EXEC, in one write.

#include <holdfast/redis/batch.h>
#include <holdfast/redis/run.h>

#include <string>
#include <vector>

namespace holdfast::redis {

enum class TransactionEnd : std::uint8_t {
    committed,
    aborted,  // a watched key had changed: nothing was done
};

// As a Batch. Commands that are refused while they are queued undo the whole; an error of one that
// runs is that one's answer, and the others have happened.
class Transaction {
public:
    template <class Reply>
    Slot<Reply> add(const Command<Reply>& command) {
        const std::size_t index = commands_.size();
        commands_.add_any(command.any());
        return Slot<Reply>(index, command.reader());
    }
    void clear() { commands_.clear(); }
    std::size_t size() const { return commands_.size(); }

    // After it was committed.
    template <class Reply>
    Result<Reply> get(const Slot<Reply>& slot) const {
        if (answer_ == nullptr || slot.index() >= RespView(answer_).size()) {
            return Error(Code::unreachable, Effect::unknown, "the transaction has no answers");
        }
        auto at = RespView(answer_).begin();
        for (std::size_t i = 0; i < slot.index(); ++i) {
            ++at;
        }
        if ((*at).is_error()) {
            return commands_.error_at(slot.index(), *at);
        }
        return slot.read(*at);
    }

private:
    friend class RunTransaction;
    // Sets `bytes_`.
    void finish();
    Result<TransactionEnd> end();
    // MULTI was refused, and what followed it was not: each command by itself.
    bool may_have_run() const;
    // Why EXEC was refused and nothing has run; null: it is not so.
    const RespNode* refusal() const;

    Batch commands_;
    std::string bytes_;
    Replies replies_;
    const RespNode* answer_ = nullptr;
};

// co_await client.run(transaction, deadline): Result<TransactionEnd>. An error of EXEC itself has
// effect none if the server refused the whole.
class [[nodiscard]] RunTransaction final : public RunBase {
public:
    using value_type = TransactionEnd;
    RunTransaction(Route route, Transaction& transaction, Deadline deadline)
        : RunBase(route), transaction_(&transaction), deadline_(deadline) {}

    Result<TransactionEnd> await_resume() {
        if (error_.has_value()) {
            return std::move(*error_);
        }
        return transaction_->end();
    }

private:
    bool start() override;
    Whereto whereto() const override {
        return {transaction_->commands_, Repeat::once, Lane::shared, false};
    }
    void replied(RespView reply, bool last) override {
        transaction_->replies_.add(reply);
        if (!last) {
            return;
        }
        // Not one command has run, if the first was refused by a node that is not the right one.
        if (const RespNode* refusal = transaction_->refusal();
            refusal != nullptr && again(RespView(refusal))) {
            transaction_->replies_.clear();
            return;
        }
        resume();
    }
    void failed(Error error) override {
        if (transaction_->replies_.size() == 0 && again(error)) {
            return;
        }
        error_.emplace(std::move(error));
        resume();
    }
    void failed_early(Error error) override { error_.emplace(std::move(error)); }

    Transaction* transaction_;
    Deadline deadline_;
    std::optional<Error> error_;
};

}  // namespace holdfast::redis
