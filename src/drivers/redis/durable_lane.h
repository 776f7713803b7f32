#pragma once
// Gathers durable writes of a loop into groups: two connections, so that one group gathers and
// travels while the other waits for replicas.

#include "durable_group.h"

#include <array>
#include <memory>
#include <vector>

namespace holdfast::redis {

class DurableLane final {
public:
    DurableLane(
        Loop& loop,
        std::size_t in_flight_max,
        std::shared_ptr<NodeLink> first,
        std::shared_ptr<NodeLink> second
    );
    ~DurableLane();

    std::optional<Error> submit(DurableCall& call);
    void close(const Error& reason);
    // Takes no more; what was written may end on its connections, the others end for this reason.
    void retire(const Error& reason);
    bool empty() const { return in_flight_ == 0 && groups_[0].free() && groups_[1].free(); }
    bool has(const NodeLink* link) const;
    NodeLink& link(std::size_t index) const { return groups_[index].link(); }
    // Those that are connected. What is submitted there travels behind a group that waits.
    void add_open_links(std::vector<std::shared_ptr<NodeLink>>& open) const;

    // From groups and calls.
    void group_ended();
    void take_back(List<DurableCall>& calls);
    void end_waiting(DurableCall& call, Error error);
    // A call that is in no lane any more: it ends, or goes on elsewhere.
    static void lost(DurableCall& call, Error error);
    // Whether a connection has WAITAOF could not be found out until then.
    void fsync_untold(const Error& error, SteadyTime until);
    void left() { --in_flight_; }
    Loop& loop() const { return *loop_; }

private:
    class FlushWork final : public Work {
    public:
        explicit FlushWork(DurableLane& lane) : lane_(&lane) {}
        void run() override { lane_->flush(); }

    private:
        DurableLane* lane_;
    };
    void flush();
    void end_all_waiting(const Error& reason);

    Loop* loop_;
    std::size_t in_flight_max_;
    std::size_t in_flight_ = 0;
    List<DurableCall> waiting_;
    std::array<DurableGroup, 2> groups_;
    FlushWork flush_work_{*this};
    bool closed_ = false;
};

}  // namespace holdfast::redis
