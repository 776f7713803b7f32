#pragma once
// What one loop keeps of tracked reads, and how it reads what it does not have. Loop thread only.

#include "tracked_cache.h"
#include "tracked_node.h"

#include <holdfast/redis/tracked_reads.h>

#include <atomic>
#include <map>

namespace holdfast::redis {

class LoopSide;
class Topology;

// Written by the loop, read by anyone. With a registry the cells are the registry's.
class TrackedCells {
public:
    explicit TrackedCells(Metrics* metrics);
    Counter* hits;
    Counter* misses;
    Counter* joined;
    Counter* untracked;
    Counter* invalidations;
    Counter* flushes;
    Counter* evictions;
    Gauge* bytes;

private:
    std::array<Counter, 7> own_;
    Gauge own_bytes_;
};

class TrackedSide final : public std::enable_shared_from_this<TrackedSide>,
                          private TrackedWatcher,
                          private Work {
public:
    TrackedSide(Client& client, LoopSide& of_client, Random& random, const TrackedOptions& options);
    ~TrackedSide() override = default;

    // False: it has its answer.
    bool begin(TrackedWait& wait) {
        const RespNode* hit = cache_.find(wait.key(), wait.command());
        if (hit == nullptr) {
            return miss(wait);
        }
        cells_.hits->add();
        wait.take(RespView(hit));
        return false;
    }
    void close();

    Loop& loop() const { return *loop_; }
    const TrackedCells& cells() const { return cells_; }

private:
    friend class TrackedFlight;

    bool miss(TrackedWait& wait);
    bool read(TrackedWait& wait);
    // Null: its reads are not tracked now; and an error if it cannot be read at all.
    TrackedNode* node_of(const AnyCommand& command, std::optional<Error>& refused);
    TrackedNode* open(const Endpoint& endpoint);
    bool broadcast(std::string_view key) const;
    void land(TrackedFlight& flight, RespView reply);
    void note_size();

    void changed(std::string_view key) override;
    void all_changed() override;
    void run() override;  // every tracked_ping_every, while there are connections
    void wind();

    Client* client_;
    LoopSide* of_client_;
    Loop* loop_;
    Random* random_;
    std::vector<std::string> prefixes_;
    TrackedCache cache_;
    TrackedCells cells_;
    std::map<std::string, std::unique_ptr<TrackedNode>, std::less<>> nodes_;
    std::shared_ptr<const Topology> topology_;  // when the nodes were looked at
    bool closed_ = false;
};

}  // namespace holdfast::redis
