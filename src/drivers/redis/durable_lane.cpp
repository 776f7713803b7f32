#include "durable_lane.h"

#include "durable_parking.h"
#include "loop_side.h"

#include <holdfast/base/fault_switch.h>

namespace holdfast::redis {
namespace {

constexpr std::string_view late_before = "the deadline came before the write was sent";

}  // namespace

Effect DurableCall::leave() {
    timer_.unlink();
    if (group_ != nullptr) {
        group_->recall();
    }
    if (group_ != nullptr) {
        std::exchange(group_, nullptr)->leave(place_);
        std::exchange(lane_, nullptr)->left();
        return Effect::unknown;  // its bytes go with those of the group
    }
    if (lane_ != nullptr) {
        unlink();
        std::exchange(lane_, nullptr)->left();
    }
    if (parking_ != nullptr) {
        unlink();
        std::exchange(parking_, nullptr)->left();
    }
    return Effect::none;
}

void DurableCall::Timer::run() {
    DurableCall& call = *call_;
    const bool parked = call.parking_ != nullptr;
    const Effect effect = call.leave();
    if (parked) {
        call.failed(Error(Code::unreachable, effect, call.refusal_));
        return;
    }
    call.failed(Error(
        Code::timed_out,
        effect,
        effect == Effect::none ? late_before : "the deadline came before the replicas' answer"
    ));
}

DurableLane::DurableLane(
    Loop& loop,
    std::size_t in_flight_max,
    std::shared_ptr<NodeLink> first,
    std::shared_ptr<NodeLink> second
)
    : loop_(&loop), in_flight_max_(in_flight_max),
      groups_{DurableGroup(*this, std::move(first)), DurableGroup(*this, std::move(second))} {}

DurableLane::~DurableLane() = default;

std::optional<Error> DurableLane::submit(DurableCall& call) {
    if (closed_) {
        return closed_error();
    }
    if (call.deadline_.passed(loop_->now()) && !fault("redis.late")) {
        return Error(Code::timed_out, Effect::none, late_before);
    }
    if (const RequiredCopies* required = call.copies_.required(); required != nullptr) {
        if (auto refused = required->refusal(loop_->now()); refused.has_value()) {
            return refused;
        }
    }
    if (in_flight_ >= in_flight_max_) {
        return Error(Code::overloaded, Effect::none, "too many writes wait for replicas");
    }
    ++in_flight_;
    call.lane_ = this;
    waiting_.push_back(call);
    loop_->arm(call.timer_, call.deadline_.time());
    if (!flush_work_.linked()) {
        loop_->post(flush_work_);
    }
    return std::nullopt;
}

// Before those that came later, and in a turn of its own.
void DurableLane::take_back(List<DurableCall>& calls) {
    calls.take(waiting_);
    waiting_.take(calls);
    group_ended();
}

void DurableLane::end_waiting(DurableCall& call, Error error) {
    (void)call.leave();
    call.failed(std::move(error));
}

void DurableLane::fsync_untold(const Error& error, SteadyTime until) {
    List<DurableCall> all;
    List<DurableCall> ended;
    all.take(waiting_);
    while (!all.empty()) {
        DurableCall& call = all.front();
        const bool waits = error.code() == Code::timed_out && call.deadline_.time() > until;
        (call.copies_.asks_fsync() && !waits ? ended : waiting_).push_back(call);
    }
    while (!ended.empty()) {
        end_waiting(ended.front(), Error(error.code(), Effect::none, error.what()));
    }
}

void DurableLane::add_open_links(std::vector<std::shared_ptr<NodeLink>>& open) const {
    for (const DurableGroup& group : groups_) {
        if (group.link().protocol() != 0) {
            open.push_back(group.link().shared_from_this());
        }
    }
}

void DurableLane::flush() {
    for (DurableGroup& group : groups_) {
        if (group.free() && !waiting_.empty()) {
            group.send(waiting_, loop_->now(), !groups_[0].asks() && !groups_[1].asks());
        }
    }
}

void DurableLane::group_ended() {
    if (!waiting_.empty() && !flush_work_.linked()) {
        loop_->post(flush_work_);
    }
}

void DurableLane::close(const Error& reason) {
    closed_ = true;
    for (DurableGroup& group : groups_) {
        group.link().close(reason);
    }
    end_all_waiting(reason);
}

void DurableLane::retire(const Error& reason) {
    closed_ = true;
    for (DurableGroup& group : groups_) {
        group.link().retire(reason);
    }
    end_all_waiting(reason);
}

void DurableLane::end_all_waiting(const Error& reason) {
    while (!waiting_.empty()) {
        DurableCall& call = waiting_.front();
        (void)call.leave();
        lost(call, Error(reason.code(), Effect::none, reason.what()));
    }
}

void DurableLane::lost(DurableCall& call, Error error) {
    const bool harmless = error.effect() == Effect::none || fault("redis.durable_resend");
    if (call.side_ != nullptr && error.code() == Code::moved && harmless) {
        call.side_->go_on(call);
    } else {
        call.failed(std::move(error));
    }
}

bool DurableLane::has(const NodeLink* link) const {
    return &groups_[0].link() == link || &groups_[1].link() == link;
}

}  // namespace holdfast::redis
