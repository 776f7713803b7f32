#include "durable_parking.h"

#include "loop_side.h"

#include <algorithm>

namespace holdfast::redis {

void DurableParking::park(DurableCall& call, SteadyTime until, std::string_view why) {
    call.parking_ = this;
    call.again_at_ = until;
    call.refusal_ = why;
    parked_.push_back(call);
    ++size_;
    side_->loop().arm(call.timer_, call.deadline_.time());
    arm();
}

void DurableParking::arm() {
    SteadyTime first = SteadyTime::max();
    List<DurableCall> all;
    all.take(parked_);
    while (!all.empty()) {
        DurableCall& call = all.front();
        first = std::min(first, call.again_at_);
        parked_.push_back(call);
    }
    if (first == SteadyTime::max()) {
        unlink();
    } else {
        side_->loop().arm(*this, first);
    }
}

void DurableParking::run() {
    const SteadyTime now = side_->loop().now();
    List<DurableCall> all;
    List<DurableCall> due;
    all.take(parked_);
    while (!all.empty()) {
        DurableCall& call = all.front();
        (call.again_at_ <= now ? due : parked_).push_back(call);
    }
    arm();
    send(due);
}

void DurableParking::resume_all() {
    List<DurableCall> due;
    due.take(parked_);
    unlink();
    send(due);
}

void DurableParking::explain(std::string_view why) {
    List<DurableCall> all;
    all.take(parked_);
    while (!all.empty()) {
        DurableCall& call = all.front();
        if (call.again_at_ == SteadyTime::max()) {
            call.refusal_ = why;
        }
        parked_.push_back(call);
    }
}

// Each is still parked until its turn, so that who is ended by another's end can leave.
void DurableParking::send(List<DurableCall>& due) {
    while (!due.empty()) {
        DurableCall& call = due.front();
        (void)call.leave();
        side_->go_on(call);
    }
}

void DurableParking::fail_all(const Error& reason) {
    List<DurableCall> all;
    all.take(parked_);
    while (!all.empty()) {
        DurableCall& call = all.front();
        (void)call.leave();
        call.failed(Error(reason.code(), Effect::none, reason.what()));
    }
}

}  // namespace holdfast::redis
