#pragma once
// Durable writes that travel together, then WAIT, WAITAOF where somebody asks, and ROLE: one
// operation of a connection. A second WAIT follows where more replicas are there than were waited
// for.

#include "node_link.h"

#include <holdfast/redis/durable.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::redis {

class DurableGroup final : public Operation {
public:
    explicit DurableGroup(DurableLane& lane, std::shared_ptr<NodeLink> link)
        : lane_(&lane), link_(std::move(link)), fsync_test_(*this) {}

    NodeLink& link() const { return *link_; }
    bool free() const { return !travelling_; }
    bool asks() const { return fsync_test_.pending(); }
    // Takes from `waiting` what one write carries. Those that need not go are ended. `may_ask`: the
    // connection for WAITAOF, where that is not known; else those that need it wait.
    void send(List<DurableCall>& waiting, SteadyTime now, bool may_ask);
    void leave(std::size_t place) { calls_[place] = nullptr; }
    // If not one byte has left, its calls wait in the lane again.
    void recall();

private:
    // Asks the connection for WAITAOF before the first write that needs it goes there. A command:
    // versions in greetings are those of forks, or missing in RESP2.
    class FsyncTest final : public Operation {
    public:
        explicit FsyncTest(DurableGroup& group) : group_(&group) {}
        void begin(SteadyTime deadline);

    private:
        void replied(RespView reply, bool) override { group_->fsync_told(reply); }
        void failed(Error error) override { group_->fsync_untold(error); }
        void run() override {}

        DurableGroup* group_;
        AnyCommand command_{"WAITAOF", Repeat::read};
    };
    struct Fsync {
        std::uint64_t connection = 0;  // of which this was said; 0: of none
        std::optional<Error> refused;  // no WAITAOF
        bool here = false;             // it keeps an append-only file
    };
    enum class Phase : std::uint8_t { writes, again };

    void replied(RespView reply, bool last) override;
    void failed(Error error) override;
    void run() override { wait_again(); }

    std::optional<Error> refusal(const DurableCall& call, SteadyTime now) const;
    bool fsync_known() const;
    void fsync_told(RespView reply);
    void fsync_untold(const Error& error);
    void collect(DurableCall& call);
    void append_waits(SteadyTime now);
    void travel(std::uint32_t replies);
    void answered(DurableCall& call, RespView reply);
    void judge(RespView role);
    void wait_again();
    DurableCall* take(std::size_t place);
    template <class F>
    void end_all(F&& end);
    void arrived();

    DurableLane* lane_;
    std::shared_ptr<NodeLink> link_;
    std::string bytes_;
    std::vector<DurableCall*> calls_;  // null: has left
    std::size_t writes_ = 0;           // of this operation: replies before WAIT's
    std::size_t seen_ = 0;             // replies
    CopiesReached reached_;
    std::int64_t waited_for_ = 0;
    bool syncs_ = false;  // WAITAOF was asked
    SteadyTime deadline_{};
    std::uint64_t connection_ = 0;  // that the writes were answered on
    std::optional<Error> wait_failed_;
    std::optional<Error> sync_failed_;
    FsyncTest fsync_test_;
    Fsync fsync_;
    Phase phase_ = Phase::writes;
    bool travelling_ = false;
};

}  // namespace holdfast::redis
