#pragma once
// Ranges and slot leases in one SQLite file: the embedded default.
//
// Durable (WAL, synchronous=FULL): an answer leaves after the fsync of its transaction. Calls that
// come together share one transaction and one fsync. Any number of stores, in one process or in
// several on one host, may use one file; not over a network file system.

#include <holdfast/io/runtime.h>
#include <holdfast/store/store.h>
#include <holdfast/store_sql/limits.h>

#include <memory>
#include <string>

namespace holdfast {

// What a store tells about its work, from the thread that did it: must be cheap and thread-safe.
class SqlStoreProbe {
public:
    virtual ~SqlStoreProbe() = default;
    virtual void batch_committed(std::size_t calls) = 0;
    virtual void batch_failed(std::size_t calls, Effect effect) = 0;
    virtual void lock_missed() = 0;  // another connection held the file for one whole slice
};

class SqliteStoreOptions {
public:
    explicit SqliteStoreOptions(std::string path) : path_(std::move(path)) {}
    // Default: the runtime's. Gives the wall clock and the steady time beside it; outlives the
    // store. Deadlines are measured on the runtime's clock in any case.
    SqliteStoreOptions& clock(const Clock& clock) {
        clock_ = &clock;
        return *this;
    }
    // Default false. True: the store's clock is the wall clock alone and goes back with it, as
    // other backends' clocks may. No uniqueness rests on it; leases then end early or late. For the
    // conformance kit and simulations.
    SqliteStoreOptions& wall_clock_alone(bool yes) {
        wall_clock_alone_ = yes;
        return *this;
    }
    // Calls that wait; one more is `overloaded`.
    SqliteStoreOptions& queue_max(std::size_t calls) {
        queue_max_ = calls;
        return *this;
    }
    // Calls in one transaction.
    SqliteStoreOptions& batch_max(std::size_t calls) {
        batch_max_ = calls;
        return *this;
    }
    // Outlives the store.
    SqliteStoreOptions& probe(SqlStoreProbe& probe) {
        probe_ = &probe;
        return *this;
    }

    const std::string& path() const { return path_; }
    const Clock* clock() const { return clock_; }
    bool wall_clock_alone() const { return wall_clock_alone_; }
    std::size_t queue_max() const { return queue_max_; }
    std::size_t batch_max() const { return batch_max_; }
    SqlStoreProbe* probe() const { return probe_; }

private:
    std::string path_;
    const Clock* clock_ = nullptr;
    bool wall_clock_alone_ = false;
    std::size_t queue_max_ = sql_queue_default;
    std::size_t batch_max_ = sql_batch_default;
    SqlStoreProbe* probe_ = nullptr;
};

// Opens the file, makes it and its tables where they are missing. Blocks on the disk: not on a loop
// thread. The store is destroyed before its runtime; that waits for a transaction that runs and
// answers the calls behind it `closed`, none.
//
// unsupported, none: a newer version made the tables, or the file system cannot keep them durable.
// corrupt, none: not a database, or not our tables; left untouched. denied, unreachable, timed_out:
// none.
//
// Calls: timed_out, none: the deadline passed before a transaction began; a call whose transaction
// has begun is waited for. cancelled likewise. overloaded, none: queue_max calls wait. An error of
// a commit has effect unknown unless nothing can have been kept.
Result<std::unique_ptr<Store>>
open_sqlite_store(Runtime& runtime, const SqliteStoreOptions& options, Deadline deadline);

}  // namespace holdfast
