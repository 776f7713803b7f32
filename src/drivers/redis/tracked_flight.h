#pragma once
// One read of the server for all that want it. Lives by itself until its answer, also when nobody
// waits any more: the next one will.

#include "tracked_side.h"

#include <holdfast/redis/owned_reply.h>

namespace holdfast::redis {

class FlightCommand {
protected:
    explicit FlightCommand(AnyCommand any) : any_(std::move(any)) {}
    AnyCommand any_;
};

class TrackedFlight final : private FlightCommand, public CacheFlight, public Operation {
public:
    TrackedFlight(TrackedSide& side, AnyCommand any, bool is_get, Deadline deadline)
        : FlightCommand(std::move(any)),
          CacheFlight(any_.first_key_text(), is_get ? std::string_view() : any_.bytes()),
          side_(side.shared_from_this()), deadline_(deadline) {
        carry(any_, deadline.time());
    }

    // One whose own time is not longer than the read's needs no alarm: the read ends in time.
    void join(TrackedWait& wait) {
        if (wait.deadline_.time() < deadline_.time()) {
            side_->loop().arm(wait.alarm_, wait.deadline_.time());
        }
        waiting_.push_back(wait);
    }
    // By the client's own connections; the reply is not kept.
    void read_untracked();

private:
    void replied(RespView reply, bool last) override;
    void failed(Error error) override;
    void run() override {}
    void answer(RespView reply);
    void give_up(const Error& error);
    TrackedWait& next();

    std::shared_ptr<TrackedSide> side_;
    Deadline deadline_;
    List<TrackedWait> waiting_;
};

}  // namespace holdfast::redis
