#pragma once
// Gathers durable writes of a loop into groups: two connections, so that one group gathers and
// travels while the other waits for replicas.

#include "node_link.h"

#include <holdfast/redis/durable.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

// The writes that went together, then WAIT and ROLE: one operation of a connection.
class DurableGroup final : public Operation {
public:
    explicit DurableGroup(DurableLane& lane, std::shared_ptr<NodeLink> link)
        : lane_(&lane), link_(std::move(link)) {}

    NodeLink& link() const { return *link_; }
    bool free() const { return !travelling_; }
    // Takes from `waiting` what one write carries.
    void send(List<DurableCall>& waiting, SteadyTime now);
    void leave(std::size_t place) { calls_[place] = nullptr; }
    // If not one byte has left, its calls wait in the lane again.
    void recall();

private:
    void replied(RespView reply, bool last) override;
    void failed(Error error) override;
    void run() override {}
    template <class F>
    void end_all(F&& end);

    DurableLane* lane_;
    std::shared_ptr<NodeLink> link_;
    std::string bytes_;
    std::vector<DurableCall*> calls_;  // null: has left
    std::size_t seen_ = 0;             // replies
    std::int64_t acknowledged_ = 0;
    std::optional<Error> wait_failed_;
    bool travelling_ = false;
};

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
    bool empty() const { return in_flight_ == 0; }
    NodeLink& link(std::size_t index) const { return groups_[index].link(); }

    // From groups and calls.
    void group_ended();
    void take_back(List<DurableCall>& calls);
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

    Loop* loop_;
    std::size_t in_flight_max_;
    std::size_t in_flight_ = 0;
    List<DurableCall> waiting_;
    std::array<DurableGroup, 2> groups_;
    FlushWork flush_work_{*this};
    bool closed_ = false;
};

}  // namespace holdfast::redis
