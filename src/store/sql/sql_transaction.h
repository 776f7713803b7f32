#pragma once
// What a call sees of the transaction it runs in.

#include "file_clock.h"

#include <holdfast/sql/connection.h>

namespace holdfast {

class SqlTransaction {
public:
    SqlTransaction(SqlConnection& connection, FileClock& clock)
        : connection_(&connection), clock_(&clock) {}

    SqlConnection& connection() const { return *connection_; }
    Result<StoreTime> now() const { return clock_->now(*connection_); }

    // Runs `call` so that nothing of it stays when it answers an error.
    template <class Call>
    auto guarded(Call call) -> decltype(call()) {
        auto opened = connection_->execute("SAVEPOINT call");
        if (!opened.ok()) {
            return std::move(opened).error();
        }
        auto outcome = call();
        if (!connection_->in_transaction()) {
            return outcome;  // all is rolled back already
        }
        if (!outcome.ok()) {
            auto undone = connection_->execute("ROLLBACK TO call");
            if (!undone.ok()) {
                connection_->rollback();  // rather nothing of the batch than half of a call
                return outcome;
            }
        }
        auto closed = connection_->execute("RELEASE call");
        if (!closed.ok()) {
            connection_->rollback();
            return std::move(closed).error();
        }
        return outcome;
    }

private:
    SqlConnection* connection_;
    FileClock* clock_;
};

}  // namespace holdfast
