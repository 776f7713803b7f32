#pragma once
// Group commit: calls that come while a transaction runs gather, and share the next one.
//
// The calls wait in a queue. While it is not empty one job on the blocking pool (the drain) takes
// the right to write, then takes all that wait, runs them, commits, and only then answers them. A
// call costs no thread, and one fsync serves all calls of a batch. A call leaves the queue by
// itself when its deadline passes or it is cancelled; once taken it is waited for.

#include "file_clock.h"
#include "sql_transaction.h"

#include <holdfast/io/runtime.h>
#include <holdfast/store_sql/sqlite_store.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace holdfast {

class GroupCommit;

// One call on its way. Belongs to its loop, but for perform() and fail(), which the drain calls
// between taking it and sending it home.
class GroupedCall : public Work {
public:
    GroupedCall(Loop& home, Deadline deadline) : home_(&home), deadline_(deadline) {}
    virtual ~GroupedCall() = default;

    // Runs inside the transaction and keeps the outcome. False: an error, nothing was changed.
    virtual bool perform(SqlTransaction& transaction) = 0;
    virtual void fail(Error error) = 0;
    // The outcome is there; loop thread.
    virtual void arrive() = 0;

private:
    friend class GroupCommit;
    void run() final {
        auto self = std::move(self_);
        arrive();
    }
    static void go_home(std::shared_ptr<GroupedCall> call);

    Loop* home_;
    Deadline deadline_;
    bool taken_ = false;  // by the drain or by withdraw(); under the lock of the queue
    std::shared_ptr<GroupedCall> self_;  // while it waits or is on its way
    bool performed_ = false;             // drain only: its outcome holds once it is committed
};

class GroupCommit {
public:
    GroupCommit(
        Runtime& runtime,
        std::unique_ptr<SqlConnection> connection,
        const SqliteStoreOptions& options
    );
    GroupCommit(const GroupCommit&) = delete;
    GroupCommit& operator=(const GroupCommit&) = delete;

    // Loop thread of the call. An error: the call was not taken and will not arrive.
    Result<Done>
    submit(std::shared_ptr<GroupedCall> call, const std::shared_ptr<GroupCommit>& self);
    // Loop thread of the call. True: no transaction has taken it or ever will; it will not arrive.
    bool withdraw(GroupedCall& call);
    // Any thread. Waits for the transaction that runs; what is queued, or comes later, is answered
    // `closed`.
    void close();

private:
    class DrainJob;
    using Calls = std::vector<std::shared_ptr<GroupedCall>>;

    void drain();
    bool drain_ends();
    void run_batch();
    bool perform(Calls& calls);
    void commit(Calls& calls);
    Calls take(std::size_t most);
    Calls take_locked(std::size_t most);

    // Fixed.
    BlockingPool& pool_;
    const Clock& deadline_clock_;
    const std::size_t queue_max_;
    const std::size_t batch_max_;
    SqlStoreProbe* const probe_;

    // The drain's alone: there is one at a time.
    std::unique_ptr<SqlConnection> connection_;
    FileClock file_clock_;

    std::mutex mutex_;  // what follows
    std::condition_variable drained_;
    List<GroupedCall> queue_;
    std::atomic<std::size_t> queued_ = 0;  // read without the lock only as a hint
    bool draining_ = false;
    bool closed_ = false;
    std::shared_ptr<Job> job_;  // of the drain that runs or will
};

}  // namespace holdfast
