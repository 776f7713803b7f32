#include "blocking_link.h"

#include "resp_kinds.h"

#include <holdfast/base/fault_switch.h>

#include <thread>

namespace holdfast::redis {
namespace {

MuxOptions mux_options(const RedisOptions& options, RedisProbe* probe) {
    MuxOptions mux;
    mux.probe = probe;
    mux.node = options.node();
    mux.database = options.database();
    mux.key_hash = options.key_hash();
    mux.in_flight_max = options.in_flight_max();
    mux.queue_bytes_max = options.queue_bytes_max();
    mux.wait_when_full = options.when_full() == WhenFull::wait;
    mux.silent_max = options.silent_max();
    return mux;
}

Error silent() {
    return Error(Code::unreachable, Effect::none, "the server owes an answer and is silent");
}

Error broken() {
    return Error(Code::unreachable, Effect::none, "the connection broke");
}

}  // namespace

// A thread that sleeps while another leads.
struct BlockingLink::Waiting {
    BlockingCall* call = nullptr;
    Waiting* older = nullptr;
    Waiting* newer = nullptr;
};

BlockingLink::BlockingLink(RedisOptions options, LookUp look_up)
    : options_(std::move(options)), probe_(options_.probe() ? options_.probe()() : nullptr),
      mux_(*this, mux_options(options_, probe_.get())), backoff_(system_random()),
      resolver_(std::move(look_up)) {}

BlockingLink::~BlockingLink() = default;

void BlockingLink::perform(BlockingCall& call) {
    if (stream_.is_forked() && !fault("redis.fork")) {  // another thread may have held the lock
        call.refused(closed_error());
        return;
    }
    Lock lock(mutex_);
    if (auto refusal = mux_.submit(call); refusal.has_value()) {
        call.refused(std::move(*refusal));
        return;
    }
    if (led_) {
        follow(call, lock);
        if (call.ended_) {
            if (!led_) {
                hand_over();  // it was our turn
            }
            return;
        }
    }
    led_ = true;
    lead(call, lock);
    led_ = fault("redis.50");
    hand_over();
}

// Until the call has ended or nobody leads.
void BlockingLink::follow(BlockingCall& call, Lock& lock) {
    Waiting place{&call, newest_, nullptr};
    (newest_ != nullptr ? newest_->newer : oldest_) = &place;
    newest_ = &place;
    // Whoever leads writes for us when its read comes back; that is soon, or it waits for something
    // slow and we write ourselves.
    bool flushed = false;
    while (!call.ended_ && led_) {
        const SteadyTime time = now();
        const SteadyTime until =
            flushed ? call.deadline() : std::min(time + follower_patience, call.deadline());
        if (time < until) {
            call.changed_.wait_for(lock, until - time);
        } else if (time >= call.deadline()) {
            if (!mux_.ring(time)) {
                broken_ = silent();
            }
            if (!call.ended_ && led_) {
                call.changed_.wait_for(lock, follower_patience);
            }
        } else {
            flushed = true;
            if (mux_.up() && !writing_ && mux_.wants_to_write() && !write(lock, time)) {
                broken_ = broken();
            }
        }
    }
    (place.older != nullptr ? place.older->newer : oldest_) = place.newer;
    (place.newer != nullptr ? place.newer->older : newest_) = place.older;
}

void BlockingLink::hand_over() {
    if (oldest_ != nullptr) {
        oldest_->call->changed_.notify_one();
    }
}

void BlockingLink::lead(BlockingCall& call, Lock& lock) {
    while (!call.ended_) {
        const SteadyTime time = now();
        if (time >= wake_) {
            wake_ = SteadyTime::max();
            if (!mux_.ring(time)) {
                drop(lock, silent());
            }
            continue;
        }
        if (closed_) {
            mux_.close(closed_error());
        } else if (broken_.has_value()) {
            drop(lock, *std::exchange(broken_, std::nullopt));
        } else if (!mux_.up()) {
            dial(call, lock);
        } else {
            exchange(lock, time);
        }
    }
}

// Writes what waits and reads what comes.
void BlockingLink::exchange(Lock& lock, SteadyTime time) {
    // Nobody has read while nobody called: the server may have left long ago, and what is written
    // to it would be of unknown effect for nothing.
    if (mux_.written() == 0 && time - last_read_ >= idle_trusted_max) {
        if (stream_.has_ended()) {
            drop(lock, Error(Code::unreachable, Effect::none, "the server closed it while idle"));
            return;
        }
        last_read_ = time;
    }
    if (!writing_ && (has_rest() || mux_.wants_to_write()) && !write(lock, time)) {
        drop(lock, broken());
        return;
    }
    const Duration most = std::max(wake_ - time, Duration(1));
    if (has_rest() && !writing_) {
        lock.unlock();
        stream_.wait_for_room(most);
        lock.lock();
        read(lock, Duration(1));
        return;
    }
    read(lock, most);
}

// One write of what waits. False: the connection broke.
bool BlockingLink::write(Lock& lock, SteadyTime time) {
    writing_ = true;
    if (out_sent_ == out_.size()) {
        out_.clear();
        out_sent_ = 0;
        mux_.fill(out_, time);
    }
    bool good = true;
    if (has_rest()) {
        const bool rest = out_sent_ != 0;
        lock.unlock();
        auto sent = stream_.send_now(out_.view().substr(out_sent_));
        lock.lock();
        good = sent.ok();
        if (good && rest && sent.value() != 0) {
            mux_.sent_at_last(sent.value(), time);
        } else if (good) {
            mux_.sent(sent.value());
        }
        out_sent_ += good ? sent.value() : 0;
    }
    writing_ = false;
    return good;
}

void BlockingLink::read(Lock& lock, Duration most) {
    const std::span<std::byte> space = in_.space();
    if (space.empty()) {
        drop(lock, Error(Code::overloaded, Effect::none, "no memory for replies"));
        return;
    }
    lock.unlock();
    auto got = stream_.receive(space, most);
    lock.lock();
    if (!got.ok()) {
        drop(lock, got.error());
        return;
    }
    if (got.value() == 0) {
        return;
    }
    in_.received(got.value());
    last_read_ = now();
    mux_.read_begins(got.value(), last_read_);
    const bool good = parse();
    mux_.read_ends();
    if (!good) {
        drop(lock, Error(Code::corrupt, Effect::none, "the replies are out of order"));
    }
}

bool BlockingLink::parse() {
    for (;;) {
        const RespStatus status = parser_.parse(in_.unread());
        if (status != RespStatus::complete) {
            return status == RespStatus::incomplete;
        }
        in_.parsed(parser_.consumed());
        const RespView reply = parser_.reply();
        if (protocol_ == 2 && only_in_resp3(reply.type())) {
            return false;
        }
        if (reply.type() != RespType::push && !mux_.answered(reply)) {
            return false;
        }
    }
}

void BlockingLink::drop(Lock& lock, const Error& why) {
    while (writing_) {  // without waiting for anything: soon over
        lock.unlock();
        std::this_thread::yield();
        lock.lock();
    }
    broken_.reset();
    if (probe_ != nullptr && mux_.up()) {
        probe_->connection_lost(options_.node(), why);
    }
    forget_connection();
    mux_.lost(now());
}

void BlockingLink::forget_connection() {
    stream_.close();
    parser_.reset();
    in_ = ReadBuffer();
    out_.clear();
    out_sent_ = 0;
}

void BlockingLink::dial(BlockingCall& call, Lock& lock) {
    const SteadyTime time = now();
    if (time < next_dial_) {
        const SteadyTime until = std::min({next_dial_, wake_, call.deadline()});
        call.changed_.wait_for(lock, std::max(until - time, Duration(1)));
        return;
    }
    const Deadline deadline =
        Deadline::in(options_.dial_time(), time).sooner(Deadline::at(call.deadline()));
    dialling_ = true;
    lock.unlock();
    auto greeted = stream_.open(options_, resolver_, deadline);
    if (greeted.ok()) {
        greeted = greet(deadline);
    }
    lock.lock();
    dialling_ = false;
    if (greeted.ok()) {
        backoff_.succeeded();
        last_read_ = now();
        if (probe_ != nullptr) {
            probe_->connected(options_.node(), protocol_);
        }
        mux_.opened();
        return;
    }
    forget_connection();
    next_dial_ = now() + backoff_.next();
    const Error& error = greeted.error();
    if (probe_ != nullptr) {
        probe_->dial_failed(options_.node(), error);
    }
    if (beyond_waiting(error.code())) {
        mux_.lost(now(), &error);
    }
}

// The first words. Only who leads touches what it uses.
Result<Done> BlockingLink::greet(Deadline deadline) {
    Credentials credentials;
    if (options_.credentials()) {
        auto given = options_.credentials()();
        if (!given.ok()) {
            return std::move(given).error();
        }
        credentials = std::move(given).value();
    }
    Handshake handshake(options_, credentials);
    std::string output;
    while (!handshake.done()) {
        output += handshake.take_output();
        if (deadline.passed(now())) {
            return Error(Code::timed_out, Effect::none, "the server did not greet in time");
        }
        auto sent = stream_.send_now(output);
        if (!sent.ok()) {
            return std::move(sent).error();
        }
        output.erase(0, sent.value());
        auto got =
            stream_.receive(in_.space(), output.empty() ? deadline.left(now()) : Duration(1));
        if (!got.ok()) {
            return std::move(got).error();
        }
        in_.received(got.value());
        RespStatus status = RespStatus::incomplete;
        while (!handshake.done() && !handshake.failure() &&
               (status = parser_.parse(in_.unread())) == RespStatus::complete) {
            in_.parsed(parser_.consumed());
            if (parser_.reply().type() != RespType::push) {
                handshake.answered(parser_.reply());
            }
        }
        if (handshake.failure()) {
            return Error(handshake.failure()->code(), Effect::none, handshake.failure()->what());
        }
        if (status == RespStatus::broken) {
            return Error(Code::corrupt, Effect::none, "the server does not speak this protocol");
        }
    }
    protocol_ = handshake.protocol();
    return Done();
}

void BlockingLink::close() {
    if (stream_.is_forked()) {
        return;
    }
    Lock lock(mutex_);
    closed_ = true;
    mux_.close(closed_error());
    if (!dialling_) {
        stream_.wake_reader();
    }
}

}  // namespace holdfast::redis
