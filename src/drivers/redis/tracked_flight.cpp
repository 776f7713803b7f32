#include "tracked_flight.h"

namespace holdfast::redis {

TrackedWait& TrackedFlight::next() {
    TrackedWait& wait = waiting_.pop_front();
    wait.alarm_.unlink();
    return wait;
}

void TrackedFlight::answer(RespView reply) {
    while (!waiting_.empty()) {
        TrackedWait& wait = next();
        if (reply.is_error()) {
            wait.fail(error_of(reply, any_));
        } else {
            wait.take(reply);
        }
        wait.resume();
    }
    delete this;
}

// Who has more time than the one that sent the read sends another.
void TrackedFlight::give_up(const Error& error) {
    side_->cache_.give_up(*this);
    List<TrackedWait> ending;
    ending.take(waiting_);
    while (!ending.empty()) {
        waiting_.push_back(ending.pop_front());
        TrackedWait& wait = next();
        if (error.code() == Code::timed_out && wait.deadline_.time() > deadline_.time()) {
            if (side_->read(wait)) {
                continue;
            }
        } else {
            wait.fail(Error(error.code(), error.effect(), error.what()));
        }
        wait.resume();
    }
    delete this;
}

void TrackedFlight::replied(RespView reply, bool) {
    if (reply.is_error()) {
        const Error error = error_of(reply, any_);
        if (error.code() == Code::moved || error.code() == Code::unreachable) {
            side_->cache_.give_up(*this);
            read_untracked();  // the client knows where to go, and when again
            return;
        }
    }
    side_->land(*this, reply);
    answer(reply);
}

void TrackedFlight::failed(Error error) {
    if (error.code() == Code::closed && !side_->closed_) {
        side_->cache_.give_up(*this);
        read_untracked();  // the node is none of ours any more
    } else if (error.code() == Code::unsupported) {
        give_up(no_tracking());
    } else {
        give_up(error);
    }
}

void TrackedFlight::read_untracked() {
    side_->cells_.untracked->add();
    spawn(
        side_->loop(),
        side_->client_->task(Command<OwnedReply>(any_, read_reply), deadline_),
        [this](Result<OwnedReply> reply) {
            if (reply.ok()) {
                answer(reply.value().view());
            } else {
                give_up(reply.error());
            }
        }
    );
}

}  // namespace holdfast::redis
