#include "loop_side.h"
#include "tracked_side.h"

#include <holdfast/redis/tracked_reads.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

// Ends what one loop keeps, on that loop. Owns itself.
class Closing final : public Work {
public:
    explicit Closing(std::shared_ptr<TrackedSide> side) : side_(std::move(side)) {}
    void run() override {
        side_->close();
        delete this;
    }

private:
    std::shared_ptr<TrackedSide> side_;
};

Error cannot_be(std::string_view why) {
    return Error(Code::invalid_argument, Effect::none, why);
}

bool overlap(const std::vector<std::string>& prefixes) {
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
        for (std::size_t j = 0; j < prefixes.size(); ++j) {
            if (i != j && prefixes[i].starts_with(prefixes[j])) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

Result<std::optional<std::string_view>> read_text_view(RespView reply) {
    if (reply.is_null()) {
        return std::optional<std::string_view>();
    }
    if (reply.is_aggregate()) {
        return Error(Code::corrupt, Effect::unknown, "a text was expected");
    }
    return std::optional(reply.text());
}

std::string_view TrackedWait::command() const {
    if (!command_.has_value() || (command_->words() == 2 && command_->name() == "GET")) {
        return {};
    }
    return command_->bytes();
}

bool TrackedWait::start() {
    TrackedSide* side = reads_->side_of(scope().loop());
    if (side == nullptr) {
        fail(cannot_be("a loop of another runtime"));
        return false;
    }
    return side->begin(*this);
}

void TrackedWait::on_cancel() noexcept {
    unlink();
    fail(cancelled_error());
    answered_ = true;
    scope().loop().post(alarm_);
}

void TrackedWait::ring() {
    unlink();
    if (!answered_) {
        fail(Error(Code::timed_out, Effect::none, "no answer in time"));
    }
    resume();
}

TrackedReads::TrackedReads(Client& client, const TrackedOptions& options) {
    for (const auto& side : client.sides_) {
        sides_.push_back(std::make_shared<TrackedSide>(client, *side, *client.random_, options));
    }
}

TrackedReads::~TrackedReads() {
    for (auto& side : sides_) {
        Loop& loop = side->loop();
        loop.send(*new Closing(std::move(side)));
    }
}

TrackedSide* TrackedReads::side_of(const Loop& loop) const {
    for (const auto& side : sides_) {
        if (&side->loop() == &loop) {
            return side.get();
        }
    }
    return nullptr;
}

TrackedCounts TrackedReads::counts() const {
    TrackedCounts sum;
    for (const auto& side : sides_) {
        const TrackedCells& cells = side->cells();
        sum.hits += cells.hits->value();
        sum.misses += cells.misses->value();
        sum.joined += cells.joined->value();
        sum.untracked += cells.untracked->value();
        sum.invalidations += cells.invalidations->value();
        sum.flushes += cells.flushes->value();
        sum.evictions += cells.evictions->value();
        sum.bytes += static_cast<std::uint64_t>(cells.bytes->value());
    }
    return sum;
}

Result<std::unique_ptr<TrackedReads>>
open_tracked_reads(Client& client, const TrackedOptions& options) {
    if (client.options().protocol() == 2) {
        return Error(
            Code::unsupported,
            Effect::none,
            "client-side caching needs RESP3: this client speaks RESP2"
        );
    }
    if (options.bytes_max() < tracked_bytes_max_least) {
        return cannot_be("too few bytes to keep anything");
    }
    if (options.age_max() != Duration::zero() && options.age_max() < tracked_age_max_least) {
        return cannot_be("ages are looked at less often than that");
    }
    if (overlap(options.prefixes())) {
        return cannot_be("a prefix begins another");
    }
    return std::make_unique<TrackedReads>(client, options);
}

}  // namespace holdfast::redis
