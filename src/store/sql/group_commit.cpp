#include "group_commit.h"

#include <algorithm>
#include <limits>
#include <thread>

namespace holdfast {
namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

using Calls = std::vector<std::shared_ptr<GroupedCall>>;

Error closed_store() {
    return Error(Code::closed, Effect::none, "the store is being closed");
}

void fail(GroupedCall& call, const Error& why, Effect effect) {
    Error error(why.code(), effect, why.what());
    if (why.context() != nullptr) {
        error = std::move(error).with(ErrorContext(*why.context()));
    }
    call.fail(std::move(error));
}

}  // namespace

class GroupCommit::DrainJob final : public Job {
public:
    DrainJob(Loop& home, std::shared_ptr<GroupCommit> owner)
        : Job(home), owner_(std::move(owner)) {}

private:
    void work() override { owner_->drain(); }
    void finish() override {}
    std::shared_ptr<GroupCommit> owner_;
};

GroupCommit::GroupCommit(
    Runtime& runtime, std::unique_ptr<SqlConnection> connection, const SqliteStoreOptions& options
)
    : pool_(runtime.pool()), deadline_clock_(runtime.clock()), queue_max_(options.queue_max()),
      batch_max_(options.batch_max()), probe_(options.probe()), connection_(std::move(connection)),
      file_clock_(
          options.clock() == nullptr ? runtime.clock() : *options.clock(),
          options.wall_clock_alone() ? FileClock::Mark::none : FileClock::Mark::kept
      ) {}

void GroupedCall::go_home(std::shared_ptr<GroupedCall> call) {
    GroupedCall& sent = *call;
    sent.self_ = std::move(call);
    sent.home_->send(sent);
}

Result<Done>
GroupCommit::submit(std::shared_ptr<GroupedCall> call, const std::shared_ptr<GroupCommit>& self) {
    std::shared_ptr<Job> job;
    {
        std::lock_guard lock(mutex_);
        if (closed_) {
            return closed_store();
        }
        if (queued_ >= queue_max_) {
            return Error(Code::overloaded, Effect::none, "too many calls wait for the database");
        }
        call->self_ = call;
        queue_.push_back(*call);
        ++queued_;
        if (draining_) {
            return Done();
        }
        draining_ = true;
        job_ = std::make_shared<DrainJob>(*call->home_, self);
        job = job_;
    }
    auto started = pool_.submit(std::move(job));
    if (started.ok()) {
        return started;
    }
    Calls refused;
    {
        std::lock_guard lock(mutex_);
        draining_ = false;
        job_.reset();
        drained_.notify_all();
        refused = take_locked(all);
    }
    for (auto& other : refused) {
        if (other != call) {
            fail(*other, started.error(), Effect::none);
            GroupedCall::go_home(std::move(other));
        }
    }
    return started;
}

bool GroupCommit::withdraw(GroupedCall& call) {
    std::shared_ptr<GroupedCall> self;
    std::lock_guard lock(mutex_);
    if (call.taken_) {
        return false;
    }
    call.taken_ = true;
    call.unlink();
    self = std::move(call.self_);
    --queued_;
    return true;
}

Calls GroupCommit::take_locked(std::size_t most) {
    Calls calls;
    calls.reserve(std::min(most, queued_.load()));
    while (!queue_.empty() && calls.size() < most) {
        GroupedCall& call = queue_.pop_front();
        call.taken_ = true;
        calls.push_back(std::move(call.self_));
        --queued_;
    }
    return calls;
}

Calls GroupCommit::take(std::size_t most) {
    std::lock_guard lock(mutex_);
    return take_locked(most);
}

void GroupCommit::close() {
    Calls left;
    std::shared_ptr<Job> not_begun;
    {
        std::lock_guard lock(mutex_);
        closed_ = true;
        left = take_locked(all);
        if (job_ != nullptr && job_->withdraw()) {
            not_begun = std::move(job_);
            draining_ = false;
        }
    }
    for (auto& call : left) {
        call->fail(closed_store());
        GroupedCall::go_home(std::move(call));
    }
    std::unique_lock lock(mutex_);
    drained_.wait(lock, [this] { return !draining_; });
    connection_.reset();
}

// --- the drain: pool thread

void GroupCommit::drain() {
    while (!drain_ends()) {
        auto begun = connection_->begin(Deadline::in(sql_lock_slice, deadline_clock_));
        if (begun.ok()) {
            run_batch();
            continue;
        }
        if (begun.error().code() == Code::timed_out) {
            if (probe_ != nullptr) {
                probe_->lock_missed();
            }
            continue;  // whoever has no time left leaves the queue by himself
        }
        for (auto& call : take(all)) {
            fail(*call, begun.error(), Effect::none);
            GroupedCall::go_home(std::move(call));
        }
    }
}

bool GroupCommit::drain_ends() {
    // Without the lock: whoever submits just now must not find it taken.
    for (int looks = 0; looks < sql_linger_looks && queued_ == 0; ++looks) {
        std::this_thread::yield();
    }
    std::shared_ptr<Job> ended;
    std::lock_guard lock(mutex_);
    if (!queue_.empty()) {
        return false;
    }
    draining_ = false;
    ended = std::move(job_);
    drained_.notify_all();
    return true;
}

void GroupCommit::run_batch() {
    Calls calls = take(batch_max_);
    if (calls.empty()) {
        connection_->rollback();
        return;
    }
    if (perform(calls)) {
        commit(calls);
    }
    for (auto& call : calls) {
        GroupedCall::go_home(std::move(call));
    }
}

// False: the transaction is gone, and all calls have their errors.
bool GroupCommit::perform(Calls& calls) {
    file_clock_.begin();
    SqlTransaction transaction(*connection_, file_clock_);
    for (auto& call : calls) {
        if (call->deadline_.passed(call->home_->now())) {
            call->fail(Error(Code::timed_out, Effect::none, "the deadline passed in the queue"));
            continue;
        }
        call->performed_ = call->perform(transaction);
        if (connection_->in_transaction()) {
            continue;
        }
        // The library gave the whole transaction up (disk full, damage, no memory).
        for (auto& undone : calls) {
            if (undone != call || call->performed_) {
                undone->fail(
                    Error(Code::internal, Effect::none, "the database rolled the batch back")
                );
            }
        }
        if (probe_ != nullptr) {
            probe_->batch_failed(calls.size(), Effect::none);
        }
        return false;
    }
    return true;
}

void GroupCommit::commit(Calls& calls) {
    auto ended = file_clock_.keep(*connection_);
    if (ended.ok()) {
        ended = connection_->commit();
    } else {
        connection_->rollback();
    }
    if (ended.ok()) {
        if (probe_ != nullptr) {
            probe_->batch_committed(calls.size());
        }
        return;
    }
    const Effect effect = ended.error().effect();
    for (auto& call : calls) {
        if (call->performed_) {
            fail(*call, ended.error(), effect);
        }
    }
    if (probe_ != nullptr) {
        probe_->batch_failed(calls.size(), effect);
    }
}

}  // namespace holdfast
