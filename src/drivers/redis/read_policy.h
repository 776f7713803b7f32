#pragma once
// Which node of a shard answers a read. Has neither a socket nor a clock.

#include <holdfast/base/time.h>
#include <holdfast/redis/uri.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace holdfast::redis {

// What is known of one node, by those who call it.
class ReadHealth {
public:
    // Its connection stands; it is gone, or could not be opened.
    void connected() { down_ = false; }
    void lost() {
        down_ = true;
        round_trip_.reset();
    }
    // It answered that it cannot serve, or owes an answer.
    void leave_out(SteadyTime until) { out_until_ = until; }
    bool usable(SteadyTime now) const { return !down_ && out_until_ <= now; }

    void measured(double seconds);
    // Averaged; nothing: not measured since its connection stands.
    std::optional<double> round_trip() const { return round_trip_; }

    void set_zone(std::string zone) { zone_ = std::move(zone); }
    const std::string& zone() const { return zone_; }  // empty: none, or not known yet

private:
    std::optional<double> round_trip_;
    SteadyTime out_until_{};
    std::string zone_;
    bool down_ = false;
};

// Of one shard: whose turn it is.
class ReadTurn {
public:
    std::size_t last = 0;
    std::size_t nearest = 0;
};

class ReadPolicy {
public:
    ReadPolicy(ReadFrom from, std::string zone) : from_(from), zone_(std::move(zone)) {}

    // Nodes are to be asked how far they are, and where.
    bool measures() const { return from_ == ReadFrom::nearest || from_ == ReadFrom::zone; }
    // A place among these: the primary first (null: nobody is), then the replicas. Allocates
    // nothing.
    std::size_t
    choose(std::span<const ReadHealth* const> nodes, ReadTurn& turn, SteadyTime now) const;

private:
    static std::size_t
    nearest(std::span<const ReadHealth* const> nodes, ReadTurn& turn, SteadyTime now);

    ReadFrom from_;
    std::string zone_;
};

}  // namespace holdfast::redis
