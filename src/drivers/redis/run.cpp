#include "loop_side.h"
#include "parts.h"
#include "split_call.h"

#include <holdfast/redis/client.h>

namespace holdfast::redis {

bool Route::many() const {
    return client_ != nullptr && client_->options().shape() != Shape::single;
}

void DropParts::operator()(BatchParts* parts) const {
    delete parts;
}

void DropParts::operator()(SplitCall* split) const {
    delete split;
}

std::optional<Error> RoutedOperation::send(Loop& loop, const Whereto& to) {
    if (route_.client_ == nullptr) {
        return route_.link_->submit(*this);
    }
    side_ = route_.client_->side_of(loop);
    if (side_ == nullptr) {
        return Error(Code::invalid_argument, Effect::none, "a loop of another runtime");
    }
    return side_->send(*this, to);
}

Effect RoutedOperation::abandon() {
    return parked() ? side_->parking().abandon(*this) : route_.link_->abandon(*this);
}

bool RoutedOperation::again(RespView error) {
    return side_ != nullptr && side_->again(*this, error);
}

bool RoutedOperation::again(const Error& error) {
    return side_ != nullptr && side_->again(*this, error);
}

void RoutedOperation::stand_in_for(const RoutedOperation& other) {
    route_ = other.route_;
    side_ = other.side_;
    redirects_ = other.redirects_;
    pauses_ = other.pauses_;
}

RunBase::Parts RunBase::send_parts(Batch& batch, SteadyTime deadline, PartsOwner& owner) {
    if (scope().cancelled()) {
        failed_early(cancelled_error());
        return nullptr;
    }
    Parts parts(new BatchParts(*route_.client_, scope().loop(), batch, deadline, owner));
    if (auto refused = parts->start(); refused.has_value()) {
        failed_early(std::move(*refused));
        return nullptr;
    }
    return parts;
}

RunBase::Split RunBase::send_split(const AnyCommand& command, SteadyTime deadline, bool& whole) {
    whole = !many() || route_.client_->options().shape() != Shape::cluster ||
            !SplitCall::possible(command);
    if (whole) {
        return nullptr;
    }
    if (scope().cancelled()) {
        failed_early(cancelled_error());
        return nullptr;
    }
    Split split(new SplitCall(*route_.client_, scope().loop(), command, deadline, *this));
    if (auto refused = split->start(); refused.has_value()) {
        failed_early(std::move(*refused));
        return nullptr;
    }
    return split;
}

Effect RunBase::give_up_split(SplitCall& split) {
    return split.give_up();
}

Effect RunBatch::give_up() {
    return parts_ == nullptr ? abandon() : parts_->give_up();
}

}  // namespace holdfast::redis
