#pragma once
// The record of one call on its way to the server and back. It lives where the caller waits: in a
// coroutine's frame or on the stack of a blocked thread. Nothing of it is on the heap.

#include <holdfast/io/loop.h>
#include <holdfast/observe/trace.h>
#include <holdfast/redis/command.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace holdfast::redis {

class Mux;

// Whose trace a call belongs to. Read and written only where somebody watches, so that others pay
// nothing.
class TraceParent {
public:
    TraceParent() {}  // NOLINT(cppcoreguidelines-pro-type-member-init): costs nothing unread
    void set(const std::optional<TraceContext>& context) {
        set_ = context.has_value();
        if (set_) {
            context_ = *context;
        }
    }
    const TraceContext* get() const { return set_ ? &context_ : nullptr; }

private:
    union {
        TraceContext context_;
    };
    bool set_;
};

// One connection's callers and its transport touch it under that connection's rule: its loop's
// thread, or its lock. Exactly one of `replied` with `last` and `failed` ends it, and is the last
// touch.
class Operation : public Work {
public:
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    std::string_view name() const { return name_; }
    SteadyTime deadline() const { return deadline_; }
    // Submitted and not ended.
    bool pending() const { return state_ != State::idle; }

protected:
    Operation() = default;
    ~Operation() override = default;

    // The bytes stay where they are until the end.
    void carry(const AnyCommand& command, SteadyTime deadline) {
        name_ = command.name();
        bytes_ = command.bytes();
        words_ = command.words();
        replies_ = replies_due_ = 1;
        repeat_ = command.repeat();
        deadline_ = deadline;
        effect_ = Effect::none;
        asking_ = false;
        resends_ = 0;
    }
    // Several commands, whole as they travel, each with its own reply.
    void carry(
        std::string_view name,
        std::string_view bytes,
        std::uint32_t replies,
        Repeat repeat,
        SteadyTime deadline
    ) {
        name_ = name;
        bytes_ = bytes;
        words_ = 0;
        replies_ = replies_due_ = replies;
        repeat_ = repeat;
        deadline_ = deadline;
        effect_ = Effect::none;
        asking_ = false;
        resends_ = 0;
    }

    // Once more. What is known of its effect stays. `asking`: ASKING goes before it, in one write.
    void carry_again(bool asking) {
        replies_ = replies_due_;
        count_resend();
        asking_ = asking;
        asking_refused_ = false;
    }
    Repeat repeat() const { return repeat_; }
    // While it is answered: what is known of earlier attempts, whose answers were lost.
    Effect effect_before() const { return effect_; }
    bool parked() const { return state_ == State::parked; }
    bool asking_refused() const { return asking_refused_; }

    // An answer, in order. The view is valid during the call.
    virtual void replied(RespView reply, bool last) = 0;
    virtual void failed(Error error) = 0;
    // The first one, for reports; nothing: none, or of several commands.
    virtual std::string_view first_key() const { return {}; }

private:
    void count_resend() {
        if (resends_ != UINT8_MAX) {
            ++resends_;
        }
    }

    friend class Mux;
    friend class Parking;
    friend class SplitCall;
    enum class State : std::uint8_t {
        idle,
        waiting,  // for room in the queue
        queued,
        written,
        ending,  // taken out by the mux, which is about to end it
        parked,  // between two attempts; see Parking
    };

    std::string_view name_;
    std::string_view bytes_;
    SteadyTime deadline_{};
    SteadyTime since_{};  // written, or abandoned
    // Where somebody watches: seconds of the mux's watch, and whose trace it is.
    double submitted_;  // NOLINT(cppcoreguidelines-pro-type-member-init): set by submit()
    double written_;    // NOLINT(cppcoreguidelines-pro-type-member-init): set by submit()
    TraceParent parent_;
    std::uint64_t start_ = 0;  // where its bytes begin in all that the connection wrote
    std::uint32_t words_ = 0;  // of the command whose count must still be put before; 0: none
    std::uint32_t replies_ = 1;
    std::uint32_t replies_due_ = 1;
    Repeat repeat_ = Repeat::once;
    State state_ = State::idle;
    Effect effect_ = Effect::none;  // of what was written to connections that are gone
    bool abandoned_ = false;
    bool asking_ = false;
    bool asking_due_ = false;  // the reply to ASKING comes first
    bool asking_refused_ = false;
    bool checks_order_ = false;  // it is an ECHO of ours
    std::uint8_t resends_ = 0;
};

}  // namespace holdfast::redis
