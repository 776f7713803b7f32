#pragma once
// The store's clock: max(wall clock, mark of the file + steady time since that was read).
//
// A wall clock that is set back is outrun by the mark, also across restarts and between processes:
// every transaction that asked for the time leaves the largest answer in the file, in the same
// commit that makes its answers durable. The mark carries no lead: with two processes on one file a
// lead would be taken for time that has passed, and added to again, by each in turn. The price is
// one small row more in transactions about slots; those about ranges never ask for the time.

#include <holdfast/sql/connection.h>

#include <optional>

namespace holdfast {

// One thread at a time, like its connection.
class FileClock {
public:
    enum class Mark { kept, none };  // none: the wall clock alone
    FileClock(const Clock& clock, Mark mark) : clock_(&clock), keeps_mark_(mark == Mark::kept) {}

    // A new transaction: the mark has to be read again, another process may have moved it.
    void begin() { mark_.reset(); }
    // Inside a transaction. corrupt, none: the mark cannot be read.
    Result<StoreTime> now(SqlConnection& connection);
    // Before the commit: keeps what was answered.
    Result<Done> keep(SqlConnection& connection);

private:
    Result<Done> read(SqlConnection& connection);

    const Clock* clock_;
    bool keeps_mark_;
    StoreTime base_{};  // what the marks seen say that the time was at base_at_
    SteadyTime base_at_{};
    bool based_ = false;
    std::optional<StoreTime> mark_;  // as it stands in the file; empty: not read yet
    StoreTime answered_{};
};

}  // namespace holdfast
