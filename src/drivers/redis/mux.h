#pragma once
// Many callers on one connection, without the connection: who waits, who was written, whose reply
// comes next.
//
// Replies are matched by position alone. A caller that gives up before its command was written
// takes it back; after that a tombstone keeps its place and swallows its replies. What a reply
// means is the caller's own step: it never touches the order.

#include "order_check.h"
#include "tombstones.h"
#include "write_buffer.h"

#include <holdfast/io/keyed_hash.h>
#include <holdfast/observe/stopwatch.h>
#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/operation.h>
#include <holdfast/redis/probe.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace holdfast::redis {

class MuxOptions {
public:
    std::size_t in_flight_max = in_flight_max_default;
    std::size_t queue_bytes_max = queue_bytes_max_default;
    bool wait_when_full = false;
    Duration silent_max = silent_max_default;   // zero: the server may be silent for ever
    Duration suspect_after = Duration::zero();  // of silence; see suspicious(). Zero: never
    Duration tombstone_age_max = tombstone_age_max_default;
    // The answers of each write are checked for their order; this seeds what is asked for it.
    std::optional<std::uint64_t> check_order;
    RedisProbe* probe = nullptr;  // outlives the mux
    // For its reports.
    std::string node;
    int database = 0;
    std::shared_ptr<const KeyedHash> key_hash;  // null: keys have no numbers
};

// What the mux asks of its transport.
class MuxOwner {
public:
    // Commands wait: call fill() at the end of this turn. Said once until the next fill().
    virtual void flush_due() = 0;
    // Call ring() at this time, or earlier.
    virtual void wake_at(SteadyTime time) = 0;

protected:
    ~MuxOwner() = default;
};

// One thread at a time. Operations that end may submit others, abandon others and close the mux.
class Mux {
public:
    Mux(MuxOwner& owner, const MuxOptions& options) : owner_(&owner), options_(options) {
        if (options.check_order.has_value()) {
            check_.emplace(*options.check_order);
        }
    }
    ~Mux();
    Mux(const Mux&) = delete;
    Mux& operator=(const Mux&) = delete;

    // For callers. Empty: it will be ended later, never inside this call. Else it was not taken,
    // effect none: `overloaded`, `closed`.
    std::optional<Error> submit(Operation& operation);
    // The caller goes: the operation is in no list any more and will not be ended. What is known
    // of its effect.
    Effect abandon(Operation& operation, SteadyTime now);

    // For transports. The bytes that go next are appended to `out`; a command whose time is too
    // short for an answer is ended instead. Stops after about fill_bytes.
    void fill(WriteBuffer& out, SteadyTime now);
    // So many of the bytes have left this machine.
    void sent(std::size_t bytes) { sent_ += bytes; }
    // The same of a connection that took no more for a while: the server reads, so it is alive.
    void sent_at_last(std::size_t bytes, SteadyTime now) {
        sent_ += bytes;
        last_taken_ = now;
    }
    // Around the replies of one read: what is submitted meanwhile goes in one write.
    void read_begins(std::size_t bytes, SteadyTime now);
    void read_ends();
    // False: nobody waits for a reply, or it belongs elsewhere, so the order is lost: drop the
    // connection.
    bool answered(RespView reply);
    // The connection takes commands.
    void opened() { up_ = true; }
    // It is gone. What never left, or may be repeated, waits for the next one; the rest ends
    // `unreachable`, unknown. A reason: nothing waits, what never left ends with its code.
    void lost(SteadyTime now, const Error* reason = nullptr);
    // Ends all: what never left with effect none, the rest unknown. Nothing is taken any more.
    void close(const Error& reason);
    // Nothing is taken any more, what is there goes on.
    void close_door() { closed_ = true; }
    // The same for this reason, which also ends what was not written.
    void send_away(const Error& reason);
    // Ends what is too late. False: the server is silent for too long; drop the connection.
    bool ring(SteadyTime now);

    // The server owes an answer and has said nothing for suspect_after.
    bool suspicious(SteadyTime now) {
        return options_.suspect_after != Duration::zero() && !written_.empty() &&
               silent_since() + options_.suspect_after <= now;
    }

    bool empty() const { return in_flight_ == 0 && waiting_.empty(); }
    // Not one byte of it has been given to the transport.
    static bool unsent(const Operation& operation) {
        return (operation.state_ == State::queued || operation.state_ == State::waiting) &&
               operation.effect_ == Effect::none;
    }
    bool wants_to_write() const { return !queue_.empty(); }
    bool up() const { return up_; }
    std::size_t in_flight() const { return in_flight_; }
    std::size_t written() const { return written_count_; }
    std::size_t queued_bytes() const { return queued_bytes_; }
    std::uint64_t bytes_written() const { return filled_; }
    std::uint64_t bytes_read() const { return bytes_read_; }
    std::uint64_t refused() const { return refused_; }
    Duration round_trip() const { return round_trip_; }
    // What a person needs who asks why a call was late. No user data.
    std::string dump(SteadyTime now) const;

private:
    using State = Operation::State;

    // Of the oldest that is unanswered: when it was written, or the last sign.
    SteadyTime silent_since() {
        return std::max({written_.front().since_, last_read_, last_taken_});
    }
    bool full_for(const Operation& operation) const;
    void enqueue(Operation& operation);
    void admit();
    void leave_queue(Operation& operation);
    void leave_written();
    void bury(Operation& operation, SteadyTime now);
    bool order_lost() const;
    void ask_for_order(WriteBuffer& out, SteadyTime now);
    // Only where somebody watches.
    void watch(Operation& operation);
    CallReport report_of(const Operation& operation, double ended) const;
    void tell_answered(const Operation& operation, RespView reply) const;
    void tell_unanswered(const Operation& operation, const Error& error) const;
    void tell_abandoned(const Operation& operation, Effect effect) const;
    void tell_queue() {
        if (options_.probe != nullptr) {
            tell_queue_changed();
        }
    }
    void tell_queue_changed();
    void end(Operation& operation, Error error);
    void end(Operation& operation, Code code, std::string_view what) {
        end(operation, Error(code, operation.effect_, what));
    }
    void end_unwritten(const Error& reason);
    void end_all(List<Operation>& operations, Code code, std::string_view what);
    void note(SteadyTime due);
    void measure(SteadyTime now);
    bool too_short(const Operation& operation, SteadyTime now) const;
    bool take_late(List<Operation>& from, List<Operation>& late, SteadyTime now);
    Error late_error(const Operation& operation, const std::string& situation) const;

    MuxOwner* owner_;
    MuxOptions options_;
    Tombstones tombstones_;
    std::optional<OrderCheck> check_;
    List<Operation> waiting_;
    List<Operation> queue_;
    List<Operation> written_;
    std::size_t in_flight_ = 0;  // queued and written, tombstones included
    std::size_t written_count_ = 0;
    std::size_t tombstone_count_ = 0;
    std::size_t queued_bytes_ = 0;
    std::uint64_t filled_ = 0;  // bytes given to the transport, of all connections
    std::uint64_t sent_ = 0;    // of them those that left
    std::uint64_t bytes_read_ = 0;
    std::uint64_t refused_ = 0;
    SteadyTime last_read_{};
    SteadyTime last_taken_{};
    SteadyTime earliest_ = SteadyTime::max();  // when ring() is due
    Stopwatch watch_;
    std::size_t told_in_flight_ = 0;  // by the last QueueReport
    std::size_t told_bytes_ = 0;
    bool told_full_ = false;
    double read_at_ = 0;
    int holds_ = 0;
    bool flush_due_ = false;
    bool up_ = false;
    bool closed_ = false;
    bool sends_away_ = false;  // those that come go elsewhere

    // The round trip: the least of the last few measured ones.
    std::uint64_t operations_written_ = 0;
    std::uint64_t operations_answered_ = 0;
    std::uint64_t probe_ = 0;  // the operation whose reply is timed; 0: none
    SteadyTime probe_written_{};
    SteadyTime measured_at_{};
    Duration round_trip_{0};
    Duration window_least_{0};
    int window_size_ = 0;
};

}  // namespace holdfast::redis
