#include "parking.h"

#include "loop_side.h"

#include <algorithm>

namespace holdfast::redis {

void Parking::park(RoutedOperation& operation, SteadyTime until, std::string_view why) {
    operation.state_ = Operation::State::parked;
    operation.since_ = std::min(until, operation.deadline_);
    operation.refusal_ = why;
    parked_.push_back(operation);
    ++size_;
    if (operation.since_ < armed_) {
        armed_ = operation.since_;
        side_->loop().arm(*this, armed_);
    }
}

void Parking::leave(RoutedOperation& operation) {
    operation.state_ = Operation::State::idle;
    operation.unlink();
    --size_;
}

Effect Parking::abandon(RoutedOperation& operation) {
    leave(operation);
    return operation.effect_;
}

void Parking::fail(RoutedOperation& operation, Code code, std::string_view what) {
    ErrorContext context;
    context.command = operation.name_;
    operation.failed(Error(code, operation.effect_, what).with(std::move(context)));
}

void Parking::run() {
    armed_ = SteadyTime::max();
    const SteadyTime now = side_->loop().now();
    List<RoutedOperation> all;
    List<RoutedOperation> due;
    all.take(parked_);
    while (!all.empty()) {
        RoutedOperation& operation = all.pop_front();
        (operation.since_ <= now ? due : parked_).push_back(operation);
    }
    arm();
    send(due);
}

void Parking::arm() {
    SteadyTime first = SteadyTime::max();
    List<RoutedOperation> all;
    all.take(parked_);
    while (!all.empty()) {
        RoutedOperation& operation = all.pop_front();
        first = std::min(first, operation.since_);
        parked_.push_back(operation);
    }
    if (first != SteadyTime::max()) {
        armed_ = first;
        side_->loop().arm(*this, armed_);
    }
}

void Parking::explain(std::string_view why) {
    List<RoutedOperation> all;
    all.take(parked_);
    while (!all.empty()) {
        RoutedOperation& operation = all.pop_front();
        operation.refusal_ = why;
        parked_.push_back(operation);
    }
}

void Parking::resume_all() {
    List<RoutedOperation> due;
    due.take(parked_);
    unlink();
    armed_ = SteadyTime::max();
    send(due);
}

// Each is still parked until its turn, so that who is ended by another's end can leave.
void Parking::send(List<RoutedOperation>& due) {
    const SteadyTime now = side_->loop().now();
    while (!due.empty()) {
        RoutedOperation& operation = due.pop_front();
        leave(operation);
        if (operation.deadline_ <= now) {
            fail(operation, Code::unreachable, operation.refusal_);
            continue;
        }
        if (auto refused = side_->send_again(operation); refused.has_value()) {
            fail(operation, refused->code(), refused->what());
        }
    }
}

void Parking::fail_all(const Error& reason) {
    List<RoutedOperation> all;
    all.take(parked_);
    while (!all.empty()) {
        RoutedOperation& operation = all.pop_front();
        leave(operation);
        fail(operation, reason.code(), reason.what());
    }
}

}  // namespace holdfast::redis
