#pragma once
// Reads that are answered from this process while the server has not said that their key changed:
// client-side caching by CLIENT TRACKING. What it promises: docs/capabilities/redis-caching.md.

#include <holdfast/observe/metrics.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/read.h>
#include <holdfast/redis/tracked_limits.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

class TrackedFlight;
class TrackedReads;
class TrackedSide;

class TrackedOptions {
public:
    // Of all that one loop keeps, its table and keys included. At least tracked_bytes_max_least.
    TrackedOptions& bytes_max(std::size_t bytes) {
        bytes_max_ = bytes;
        return *this;
    }
    // BCAST: the server tells of every change of a key that begins so, and keeps no list of what
    // was read. Other keys are read from it each time. None of several may begin another.
    TrackedOptions& prefix(std::string text) {
        prefixes_.push_back(std::move(text));
        return *this;
    }
    // A value is read again when it was read so long ago, whatever the server says: for keys that
    // expire (see the page). At least tracked_age_max_least; zero (default): no such bound.
    TrackedOptions& age_max(Duration most) {
        age_max_ = most;
        return *this;
    }
    // Counts what is in TrackedCounts; outlives the reads.
    TrackedOptions& metrics(Metrics& registry) {
        metrics_ = &registry;
        return *this;
    }

    std::size_t bytes_max() const { return bytes_max_; }
    const std::vector<std::string>& prefixes() const { return prefixes_; }
    Duration age_max() const { return age_max_; }
    Metrics* metrics() const { return metrics_; }

private:
    std::size_t bytes_max_ = tracked_bytes_max_default;
    std::vector<std::string> prefixes_;
    Duration age_max_ = Duration::zero();
    Metrics* metrics_ = nullptr;
};

struct TrackedCounts {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t joined = 0;         // misses that another's read answered
    std::uint64_t untracked = 0;      // misses while there was no tracked connection, or of keys
                                      // without a prefix: they are not kept
    std::uint64_t invalidations = 0;  // keys that the server said were changed
    std::uint64_t flushes = 0;
    std::uint64_t evictions = 0;
    std::uint64_t bytes = 0;  // at this moment
};

// One who waits for a read. In the frame of its task.
class TrackedWait : public Suspension, private Link {
protected:
    TrackedWait(TrackedReads& reads, std::string_view key, Deadline deadline)
        : reads_(&reads), key_(key), deadline_(deadline) {}
    TrackedWait(TrackedReads& reads, AnyCommand&& command, Deadline deadline)
        : reads_(&reads), command_(std::move(command)), deadline_(deadline) {}
    virtual ~TrackedWait() = default;

    virtual void take(RespView reply) = 0;
    virtual void fail(Error error) = 0;

private:
    friend class List<TrackedWait>;
    friend class TrackedFlight;
    friend class TrackedSide;
    class Alarm final : public Work {
    public:
        explicit Alarm(TrackedWait& wait) : wait_(&wait) {}
        void run() override { wait_->ring(); }

    private:
        TrackedWait* wait_;
    };

    std::string_view key() const { return command_ ? command_->first_key_text() : key_; }
    // Empty: GET.
    std::string_view command() const;
    bool start() final;
    void on_cancel() noexcept final;
    void ring();

    TrackedReads* reads_;
    std::string_view key_;
    std::optional<AnyCommand> command_;
    Deadline deadline_;
    Alarm alarm_{*this};
    bool answered_ = false;
};

// co_await reads.get(..): Result<Reply>.
template <class Reply>
class [[nodiscard]] TrackedRead final : public TrackedWait {
public:
    using value_type = Reply;
    using Read = Result<Reply> (*)(RespView);
    TrackedRead(TrackedReads& reads, std::string_view key, Read how, Deadline deadline)
        : TrackedWait(reads, key, deadline), read_(how) {}
    TrackedRead(TrackedReads& reads, Command<Reply>&& command, Deadline deadline)
        : TrackedWait(reads, AnyCommand(command.any()), deadline), read_(command.reader()) {}

    Result<Reply> await_resume() { return std::move(*outcome_); }

private:
    void take(RespView reply) override { outcome_.emplace(read_(reply)); }
    void fail(Error error) override { outcome_.emplace(std::move(error)); }

    Read read_;
    std::optional<Result<Reply>> outcome_;
};

// A text where it lies, or none.
Result<std::optional<std::string_view>> read_text_view(RespView reply);

// Each loop keeps what its own tasks read, and has a tracked connection of its own to each node it
// reads from. Verbs belong to tasks of the client's loops, the rest is for any thread. Destroyed
// before the client; its calls end `closed` then.
//
// A value that is answered from here was the server's at some moment since the last time it said
// otherwise: it is older than a change by the time that the server's word travels, or, where the
// connection is cut and nobody says so, by tracked_ping_every + tracked_ping_patience at most.
// When the connection is lost all is forgotten at once; until there is another, reads go to the
// server and are not kept.
//
// Errors: those of Client; `unsupported`, none: the server does not speak RESP3.
class TrackedReads {
public:
    TrackedReads(Client& client, const TrackedOptions& options);
    ~TrackedReads();
    TrackedReads(const TrackedReads&) = delete;
    TrackedReads& operator=(const TrackedReads&) = delete;

    // GET. The key stays where it is until the end.
    TrackedRead<std::optional<std::string>> get(std::string_view key, Deadline deadline) {
        return {*this, key, read_optional_text, deadline};
    }
    // The same without a copy: valid until the task that got it awaits anything or ends.
    TrackedRead<std::optional<std::string_view>> view(std::string_view key, Deadline deadline) {
        return {*this, key, read_text_view, deadline};
    }
    // Any command that reads one key and answers by what stands there alone. Others are
    // `invalid_argument`, none: those that write, have several keys, or answer by the time (TTL),
    // by chance (SRANDMEMBER) or by a cursor; and those of modules.
    template <class Reply>
    TrackedRead<Reply> run(Command<Reply>&& command, Deadline deadline) {
        return TrackedRead<Reply>(*this, std::move(command), deadline);
    }

    TrackedCounts counts() const;

private:
    friend class TrackedWait;
    TrackedSide* side_of(const Loop& loop) const;

    std::vector<std::shared_ptr<TrackedSide>> sides_;
};

// Any thread; no connection is opened before the first read. `invalid_argument`, none: options that
// cannot be; `unsupported`, none: a client that shall speak RESP2.
Result<std::unique_ptr<TrackedReads>>
open_tracked_reads(Client& client, const TrackedOptions& options);

}  // namespace holdfast::redis
