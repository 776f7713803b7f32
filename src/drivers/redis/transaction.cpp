#include <holdfast/redis/read.h>
#include <holdfast/redis/transaction.h>

namespace holdfast::redis {

void Transaction::finish() {
    bytes_.clear();
    append_resp_count(bytes_, 1);
    append_resp_bulk(bytes_, "MULTI");
    bytes_ += commands_.bytes();
    append_resp_count(bytes_, 1);
    append_resp_bulk(bytes_, "EXEC");
    replies_.clear();
    answer_ = nullptr;
}

bool Transaction::may_have_run() const {
    bool run = false;
    for (std::size_t i = 0; i < commands_.size() && replies_[0].is_error(); ++i) {
        run = run || !replies_[i + 1].is_error();
    }
    return run;
}

const RespNode* Transaction::refusal() const {
    if (!replies_[replies_.size() - 1].is_error() || may_have_run()) {
        return nullptr;
    }
    for (std::size_t i = 0; i < replies_.size(); ++i) {
        if (const RespView reply = replies_[i]; reply.is_error()) {
            return reply.nodes().data();
        }
    }
    return nullptr;
}

Result<TransactionEnd> Transaction::end() {
    const RespView exec = replies_[replies_.size() - 1];
    if (exec.is_null()) {
        return TransactionEnd::aborted;
    }
    if (!exec.is_error()) {
        if (exec.type() != RespType::array || exec.size() != commands_.size()) {
            return wrong_shape();
        }
        answer_ = exec.nodes().data();
        return TransactionEnd::committed;
    }
    if (may_have_run()) {
        AnyCommand multi("MULTI");
        return error_of(replies_[0], multi, Effect::unknown);
    }
    // The first refusal says why; EXEC only that there was one.
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        if (const RespView reply = replies_[i + 1]; reply.is_error()) {
            Error why = commands_.error_at(i, reply);
            return Error(why.code(), Effect::none, why.what()).with(ErrorContext(*why.context()));
        }
    }
    AnyCommand command("EXEC");
    command.set_on_error(OnError::maybe_done);
    return error_of(exec, command);
}

bool RunTransaction::start() {
    if (transaction_->commands_.lane() != Lane::shared) {
        failed_early(Error(
            Code::invalid_argument,
            Effect::none,
            "a transaction takes no command that waits or watches"
        ));
        return false;
    }
    transaction_->finish();
    const auto replies = static_cast<std::uint32_t>(transaction_->size() + 2);
    carry("EXEC", transaction_->bytes_, replies, Repeat::once, deadline_.time());
    return send(whereto());
}

}  // namespace holdfast::redis
