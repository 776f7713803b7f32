#pragma once
// What stands in the order for a caller that left: it swallows the replies that were due.

#include <holdfast/redis/operation.h>

#include <memory>
#include <vector>

namespace holdfast::redis {

class Tombstone final : public Operation {
public:
    void replied(RespView, bool) override {}
    void failed(Error) override {}
    void run() override {}
};

// Kept for use again: a mux never holds more of them than it lets calls be in flight.
class Tombstones {
public:
    Tombstone& take() {
        if (free_.empty()) {
            free_.reserve(all_.capacity() + 1);  // so that giving back does not allocate
            return *all_.emplace_back(std::make_unique<Tombstone>());
        }
        Tombstone& tombstone = *free_.back();
        free_.pop_back();
        return tombstone;
    }
    void give_back(Operation& tombstone) {
        tombstone.unlink();
        free_.push_back(static_cast<Tombstone*>(&tombstone));
    }

private:
    std::vector<std::unique_ptr<Tombstone>> all_;
    std::vector<Tombstone*> free_;
};

}  // namespace holdfast::redis
