#include "mux.h"

#include <holdfast/base/fault_switch.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace holdfast::redis {
namespace {

constexpr std::string_view too_late = "the deadline came before the command was written";
constexpr std::string_view no_answer = "the deadline came before the answer";
constexpr std::string_view asking = "*1\r\n$6\r\nASKING\r\n";
constexpr std::string_view no_connection = "there was no connection before the deadline";

}  // namespace

// Whoever is still there waits in a frame that goes too: nobody is left to hear of it.
Mux::~Mux() {
    in_flight_ = queued_bytes_ = 0;
    tell_queue();
    for (List<Operation>* list : {&written_, &queue_, &waiting_}) {
        while (!list->empty()) {
            list->pop_front().state_ = State::idle;
        }
    }
}

bool Mux::full_for(const Operation& operation) const {
    if (fault("redis.21")) {
        return false;
    }
    if (in_flight_ >= options_.in_flight_max) {
        return true;
    }
    // One that is larger than the limit alone passes when nothing else waits.
    return queued_bytes_ != 0 && queued_bytes_ + operation.bytes_.size() > options_.queue_bytes_max;
}

std::optional<Error> Mux::submit(Operation& operation) {
    if (closed_) {
        return sends_away_ ? Error(Code::moved, Effect::none, "the node has lost its part")
                           : closed_error();
    }
    if (options_.probe != nullptr) {
        watch(operation);
    }
    if (!waiting_.empty() || full_for(operation)) {
        if (!options_.wait_when_full) {
            ++refused_;
            Error full(Code::overloaded, Effect::none, "too many calls wait for this server");
            tell_unanswered(operation, full);
            return full;
        }
        operation.state_ = State::waiting;
        waiting_.push_back(operation);
    } else {
        enqueue(operation);
    }
    note(operation.deadline_);
    return std::nullopt;
}

void Mux::enqueue(Operation& operation) {
    operation.state_ = State::queued;
    queue_.push_back(operation);
    queued_bytes_ += operation.bytes_.size();
    ++in_flight_;
    if (holds_ == 0 && !flush_due_ && up_) {
        flush_due_ = true;
        owner_->flush_due();
    }
}

void Mux::admit() {
    while (!waiting_.empty() && !full_for(waiting_.front())) {
        enqueue(waiting_.pop_front());
    }
}

void Mux::leave_queue(Operation& operation) {
    operation.unlink();
    queued_bytes_ -= operation.bytes_.size();
    --in_flight_;
}

void Mux::leave_written() {
    --in_flight_;
    --written_count_;
}

Effect Mux::abandon(Operation& operation, SteadyTime now) {
    const State state = std::exchange(operation.state_, State::idle);
    if (options_.probe != nullptr && state != State::idle) {
        tell_abandoned(operation, state == State::written ? Effect::unknown : operation.effect_);
    }
    if (state == State::written && !fault("redis.01")) {
        bury(operation, now);
        return Effect::unknown;
    }
    if (state == State::ending) {
        if (!fault("redis.17")) {
            operation.unlink();
        }
        return operation.effect_;
    }
    if (state == State::queued) {
        leave_queue(operation);
        admit();
    } else {
        operation.unlink();
    }
    return operation.effect_;  // unknown, if it was written to a connection that was lost
}

// A tombstone takes the operation's place among those that were written.
void Mux::bury(Operation& operation, SteadyTime now) {
    Tombstone& tombstone = tombstones_.take();
    tombstone.name_ = operation.name_;
    tombstone.replies_ = fault("redis.02") ? 1 : operation.replies_;
    tombstone.asking_due_ = operation.asking_due_;
    tombstone.start_ = operation.start_;
    tombstone.state_ = State::written;
    tombstone.abandoned_ = true;
    tombstone.checks_order_ = false;
    tombstone.since_ = operation.since_;
    tombstone.deadline_ = now + options_.tombstone_age_max;
    tombstone.take_place_of(operation);
    ++tombstone_count_;
    note(tombstone.deadline_);
}

void Mux::fill(WriteBuffer& out, SteadyTime now) {
    flush_due_ = false;
    if (!up_) {
        return;
    }
    ++holds_;
    const std::size_t before = out.size();
    const double at = options_.probe != nullptr ? watch_.seconds() : 0;
    while (!queue_.empty() && out.size() < fill_bytes) {
        Operation& operation = queue_.front();
        leave_queue(operation);
        if (too_short(operation, now)) {
            end(operation, late_error(operation, dump(now)));
            continue;
        }
        const std::size_t start = out.size();
        try {
            char* to = out.room(operation.bytes_.size() + resp_line_bytes_max + asking.size());
            if (operation.asking_ && !fault("redis.36")) {
                to = std::ranges::copy(asking, to).out;
            }
            if (operation.words_ != 0) {
                to = write_resp_count(to, operation.words_);
            }
            std::memcpy(to, operation.bytes_.data(), operation.bytes_.size());
            out.wrote(to + operation.bytes_.size());
            if (operation.asking_ && fault("redis.36")) {  // not right before its command
                out.wrote(std::ranges::copy(asking, out.room(asking.size())).out);
            }
        } catch (const std::bad_alloc&) {  // not one byte was written
            if (fault("redis.08")) {
                out.wrote(write_resp_count(out.room(resp_line_bytes_max), operation.words_));
            }
            end(operation, Code::overloaded, "no memory for the bytes of the command");
            continue;
        }
        operation.state_ = State::written;
        operation.asking_due_ = operation.asking_;
        operation.start_ = filled_ + (start - before);
        operation.since_ = now;
        operation.written_ = at;
        written_.push_back(operation);
        ++in_flight_;
        ++written_count_;
        ++operations_written_;
    }
    --holds_;
    if (out.size() == before) {
        if (!fault("redis.room")) {
            admit();  // those that were too late have left room
        }
        return;
    }
    if (check_.has_value()) {
        ask_for_order(out, now);
    }
    filled_ += out.size() - before;
    if (probe_ == 0) {
        probe_ = operations_written_;
        probe_written_ = now;
    }
    if (options_.silent_max != Duration::zero()) {
        note(now + options_.silent_max);
    }
    if (options_.suspect_after != Duration::zero()) {
        note(now + options_.suspect_after);
    }
    tell_queue();
    admit();
}

// Behind what one write carries. It takes nobody's room in the queue.
void Mux::ask_for_order(WriteBuffer& out, SteadyTime now) {
    Tombstone* mark = nullptr;
    try {
        mark = &tombstones_.take();
        check_->append(out);
    } catch (const std::bad_alloc&) {  // this write goes without
        if (mark != nullptr) {
            tombstones_.give_back(*mark);
        }
        return;
    }
    mark->name_ = "ECHO";
    mark->replies_ = 1;
    mark->start_ = filled_;
    mark->state_ = State::written;
    mark->abandoned_ = true;
    mark->checks_order_ = true;
    mark->asking_due_ = false;
    mark->since_ = now;
    mark->deadline_ = SteadyTime::max();  // the rule of silence is enough
    written_.push_back(*mark);
}

bool Mux::too_short(const Operation& operation, SteadyTime now) const {
    const Duration left = operation.deadline_ - now;
    if (left <= Duration::zero()) {
        return true;
    }
    return left < round_trip_ && now - measured_at_ <= round_trip_age_max;
}

void Mux::read_begins(std::size_t bytes, SteadyTime now) {
    ++holds_;
    bytes_read_ += bytes;
    last_read_ = now;
    read_at_ = options_.probe != nullptr ? watch_.seconds() : 0;
}

void Mux::read_ends() {
    if (probe_ != 0 && operations_answered_ >= probe_) {
        measure(last_read_);
    }
    if (!waiting_.empty()) {
        admit();
    }
    tell_queue();
    if (--holds_ == 0 && !queue_.empty() && up_ && !flush_due_) {
        flush_due_ = true;
        owner_->flush_due();
    }
}

void Mux::measure(SteadyTime now) {
    // Times are in whole milliseconds: the true one may be shorter by one.
    const Duration sample = std::max(now - probe_written_ - Duration(1), Duration::zero());
    probe_ = 0;
    measured_at_ = now;
    round_trip_ = std::min(round_trip_, sample);
    window_least_ = window_size_ == 0 ? sample : std::min(window_least_, sample);
    if (++window_size_ == round_trip_window) {
        round_trip_ = window_least_;
        window_size_ = 0;
    }
}

bool Mux::answered(RespView reply) {
    if (written_.empty()) {
        return order_lost();
    }
    Operation& operation = written_.front();
    if (check_.has_value()) {
        if (!check_->allows(reply, operation.checks_order_)) {
            return order_lost();
        }
        if (operation.checks_order_) {
            tombstones_.give_back(operation);
            return true;
        }
    }
    if (operation.asking_due_) {
        operation.asking_due_ = false;
        operation.asking_refused_ = reply.is_error();
        return true;
    }
    const bool last = --operation.replies_ == 0 || (fault("redis.09") && reply.is_error());
    if (last) {
        operation.unlink();
        leave_written();
        ++operations_answered_;
        operation.state_ = fault("redis.18") ? State::written : State::idle;
        if (operation.abandoned_) {
            --tombstone_count_;
            tombstones_.give_back(operation);
            return true;
        }
    }
    if (last && options_.probe != nullptr) {
        tell_answered(operation, reply);
    }
    operation.replied(reply, last);
    return true;
}

void Mux::end(Operation& operation, Error error) {
    operation.state_ = State::idle;
    tell_unanswered(operation, error);
    operation.failed(std::move(error));
}

void Mux::end_all(List<Operation>& operations, Code code, std::string_view what) {
    while (!operations.empty()) {
        end(operations.pop_front(), code, what);
    }
}

void Mux::lost(SteadyTime now, const Error* reason) {
    up_ = false;
    List<Operation> again;
    List<Operation> failed;
    while (!written_.empty()) {
        Operation& operation = written_.pop_front();
        if (operation.checks_order_) {
            tombstones_.give_back(operation);
            continue;
        }
        leave_written();
        if (operation.abandoned_) {
            --tombstone_count_;
            tombstones_.give_back(operation);
            continue;
        }
        const bool never_left = operation.start_ >= sent_;
        const bool harmless = (operation.repeat_ != Repeat::once || fault("redis.F4")) &&
                              operation.replies_ == operation.replies_due_ &&
                              now < operation.deadline_;
        if (never_left || harmless) {
            operation.state_ = State::queued;
            if (!never_left) {
                operation.effect_ = Effect::unknown;
                operation.count_resend();
            }
            queued_bytes_ += operation.bytes_.size();
            ++in_flight_;
            again.push_back(operation);
        } else {
            operation.state_ = State::ending;
            operation.effect_ = Effect::unknown;
            failed.push_back(operation);
        }
    }
    again.take(queue_);
    queue_.take(again);
    sent_ = filled_;  // what the transport still holds goes with the connection
    operations_answered_ = operations_written_;
    probe_ = 0;
    if (check_.has_value()) {
        check_->lost();
    }
    if (reason != nullptr) {
        end_unwritten(*reason);
    }
    while (fault("redis.F9") && !failed.empty()) {
        failed.pop_front();
    }
    end_all(failed, Code::unreachable, "the connection was lost before the answer");
    tell_queue();
}

void Mux::end_unwritten(const Error& reason) {
    List<Operation> all;
    all.take(queue_);
    all.take(waiting_);
    queued_bytes_ = 0;
    in_flight_ = written_count_;
    List<Operation> marked;
    while (!all.empty()) {
        Operation& operation = all.pop_front();
        operation.state_ = State::ending;
        marked.push_back(operation);
    }
    end_all(marked, reason.code(), reason.what());
}

void Mux::send_away(const Error& reason) {
    closed_ = sends_away_ = true;
    end_unwritten(reason);
    tell_queue();
}

void Mux::close(const Error& reason) {
    closed_ = true;
    up_ = false;
    List<Operation> all;
    for (List<Operation>* list : {&written_, &queue_, &waiting_}) {
        while (!list->empty() && !(fault("redis.14") && list == &waiting_)) {
            Operation& operation = list->pop_front();
            if (operation.abandoned_) {
                tombstones_.give_back(operation);
                continue;
            }
            if (operation.state_ == State::written && operation.start_ < sent_) {
                operation.effect_ = Effect::unknown;
            }
            operation.state_ = State::ending;
            all.push_back(operation);
        }
    }
    in_flight_ = written_count_ = tombstone_count_ = 0;
    queued_bytes_ = 0;
    end_all(all, reason.code(), reason.what());
    tell_queue();
}

void Mux::note(SteadyTime due) {
    if (due < earliest_) {
        earliest_ = due;
        owner_->wake_at(due);
    }
}

// Moves those whose time is over to `late`. True: a tombstone is among them, which stays.
bool Mux::take_late(List<Operation>& from, List<Operation>& late, SteadyTime now) {
    bool tombstone_late = false;
    List<Operation> all;
    all.take(from);
    while (!all.empty()) {
        Operation& operation = all.pop_front();
        if (operation.deadline_ > now || operation.abandoned_) {
            tombstone_late = tombstone_late || operation.deadline_ <= now;
            earliest_ = std::min(earliest_, operation.deadline_);
            from.push_back(operation);
            continue;
        }
        if (operation.state_ == State::queued) {
            leave_queue(operation);
        } else if (operation.state_ == State::written) {
            from.push_back(operation);
            bury(operation, now);
            operation.effect_ = Effect::unknown;
        }
        operation.state_ = State::ending;
        late.push_back(operation);
    }
    return tombstone_late;
}

bool Mux::ring(SteadyTime now) {
    if (now < earliest_) {
        owner_->wake_at(earliest_);  // rung earlier than asked
        return true;
    }
    earliest_ = SteadyTime::max();
    List<Operation> late;
    bool dead = take_late(written_, late, now);
    take_late(queue_, late, now);
    take_late(waiting_, late, now);
    if (!written_.empty() && options_.silent_max != Duration::zero()) {
        const SteadyTime since = silent_since();
        dead = dead || (now - since >= options_.silent_max && !fault("redis.24"));
        earliest_ = std::min(earliest_, since + options_.silent_max);
    }
    if (!written_.empty() && options_.suspect_after != Duration::zero()) {
        const SteadyTime due = silent_since() + options_.suspect_after;
        earliest_ = std::min(earliest_, due <= now ? now + options_.suspect_after : due);
    }
    admit();
    if (earliest_ != SteadyTime::max()) {
        owner_->wake_at(earliest_);
    }
    dead = dead || (fault("redis.48") && !late.empty());
    if (!late.empty()) {
        const std::string situation = dump(now);
        while (!late.empty()) {
            Operation& operation = late.pop_front();
            end(operation, late_error(operation, situation));
        }
    }
    tell_queue();
    return !dead;
}

Error Mux::late_error(const Operation& operation, const std::string& situation) const {
    ErrorContext context;
    context.command = operation.name_;
    context.situation = situation;
    if (operation.effect_ == Effect::none && !up_) {
        return Error(Code::unreachable, Effect::none, no_connection).with(std::move(context));
    }
    return Error(
               Code::timed_out,
               operation.effect_,
               operation.effect_ == Effect::none ? too_late : no_answer
    )
        .with(std::move(context));
}

}  // namespace holdfast::redis
