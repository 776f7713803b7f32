#include "parts.h"

#include "loop_side.h"

#include <holdfast/redis/client.h>

#include <algorithm>
#include <map>

namespace holdfast::redis {

// What goes to one node in one write.
class BatchParts::Part final : public RoutedOperation {
public:
    Part(BatchParts& parts, std::vector<std::uint32_t> entries)
        : RoutedOperation(Route(*parts.client_)), parts_(&parts), entries_(std::move(entries)) {
        const Batch& batch = *parts.batch_;
        for (const std::uint32_t entry : entries_) {
            bytes_ += batch.bytes_at(entry);
            repeat_ = std::max(repeat_, batch.entries_[entry].repeat);
        }
        const auto replies = static_cast<std::uint32_t>(entries_.size());
        carry("batch", bytes_, replies, repeat_, parts.deadline_);
    }
    ~Part() override { (void)give_up(); }

    void send() {
        auto refused = RoutedOperation::send(*parts_->loop_, whereto());
        if (refused.has_value()) {
            fail_rest(*refused);
        }
    }
    // True: it goes on after `error`, the answer that `other` got for our only command.
    bool follow(const Part& other, RespView error) {
        stand_in_for(other);
        return again(error);
    }
    Effect give_up() { return pending() ? abandon() : Effect::none; }
    std::int32_t slot() const { return parts_->batch_->slot_at(entries_.front()); }

private:
    Whereto whereto() const override {
        const Batch& batch = *parts_->batch_;
        return {*this, repeat_, batch.lane_, batch.bulky_};
    }
    // Either may be the last touch of all parts, and of us.
    void replied(RespView reply, bool) override {
        const std::uint32_t index = entries_[next_];
        if (reply.is_error()) {
            if (entries_.size() == 1 && again(reply)) {
                return;
            }
            if (entries_.size() > 1 && parts_->redirected(*this, index, reply)) {
                ++next_;
                return;
            }
        }
        ++next_;
        parts_->answered(index, reply, effect_before());
    }
    void failed(Error error) override {
        if (next_ == 0 && again(error)) {
            return;
        }
        fail_rest(error);
    }
    void run() override {}
    void fail_rest(const Error& error) {
        BatchParts& parts = *parts_;
        const std::vector<std::uint32_t> rest(
            entries_.begin() + static_cast<std::ptrdiff_t>(next_), entries_.end()
        );
        next_ = entries_.size();
        for (std::size_t i = 0; i < rest.size(); ++i) {  // the last may be the end of us
            parts.failed(rest[i], error);
        }
    }

    BatchParts* parts_;
    std::vector<std::uint32_t> entries_;
    std::string bytes_;
    Repeat repeat_ = Repeat::read;
    std::size_t next_ = 0;  // whose answer comes next
};

BatchParts::BatchParts(
    Client& client, Loop& loop, Batch& batch, SteadyTime deadline, PartsOwner& owner
)
    : client_(&client), loop_(&loop), batch_(&batch), deadline_(deadline), owner_(&owner),
      left_(batch.size()) {}

BatchParts::~BatchParts() = default;

BatchParts::Part& BatchParts::part_of(std::vector<std::uint32_t> entries) {
    return *parts_.emplace_back(std::make_unique<Part>(*this, std::move(entries)));
}

std::optional<Error> BatchParts::start() {
    LoopSide* side = client_->side_of(*loop_);
    if (side == nullptr) {
        return Error(Code::invalid_argument, Effect::none, "a loop of another runtime");
    }
    batch_->replies_.expect(batch_->size());
    // Nodes in the order in which the batch first speaks of them; calls without a key to the first.
    std::vector<std::vector<std::uint32_t>> groups;
    std::map<std::size_t, std::size_t> group_of;
    for (std::size_t i = 0; i < batch_->size(); ++i) {
        const std::int32_t slot = batch_->slot_at(i);
        if (slot == slot_of_many && client_->options().shape() == Shape::cluster) {
            return Error(
                Code::invalid_argument,
                Effect::none,
                "the keys of a command of the batch have different slots"
            );
        }
        const auto [at, fresh] = group_of.try_emplace(side->shard_number(slot), groups.size());
        if (fresh) {
            groups.emplace_back();
        }
        groups[at->second].push_back(static_cast<std::uint32_t>(i));
    }
    for (auto& entries : groups) {
        (void)part_of(std::move(entries));
    }
    starting_ = true;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        parts_[i]->send();
    }
    starting_ = false;
    return left_ == 0 ? std::move(first_) : std::nullopt;
}

Effect BatchParts::give_up() {
    Effect effect = Effect::none;
    for (const auto& part : parts_) {
        effect = std::max(effect, part->give_up());
    }
    return effect;
}

// The command goes on by itself; those after it in its part may be answered before.
bool BatchParts::redirected(const Part& part, std::uint32_t index, RespView error) {
    auto alone = std::make_unique<Part>(*this, std::vector<std::uint32_t>{index});
    if (!alone->follow(part, error)) {
        return false;
    }
    parts_.push_back(std::move(alone));
    return true;
}

void BatchParts::answered(std::uint32_t index, RespView reply, Effect before) {
    batch_->answered(index, before);
    batch_->replies_.add_at(index, reply);
    ended();
}

void BatchParts::failed(std::uint32_t index, const Error& error) {
    if (!first_.has_value()) {
        first_.emplace(copy_of(error));
    } else if (error.effect() == Effect::unknown && first_->effect() == Effect::none) {
        first_.emplace(copy_of(error));
    }
    batch_->errors_.emplace_back(index, copy_of(error));
    ended();
}

void BatchParts::ended() {
    if (--left_ == 0 && !starting_) {
        owner_->parts_ended(std::move(first_));
    }
}

}  // namespace holdfast::redis
