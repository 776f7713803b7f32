#pragma once
// Asks the nodes that may answer reads how far they are, on the connections that calls share, as
// long as somebody reads. Loop thread only.

#include "node_side.h"

#include <functional>
#include <memory>
#include <vector>

namespace holdfast::redis {

class ReadProbe final : private Work {
public:
    using Nodes = std::function<std::vector<std::shared_ptr<NodeSide>>()>;

    // `nodes`: those of the moment.
    ReadProbe(Loop& loop, Nodes nodes) : loop_(&loop), nodes_(std::move(nodes)) {}

    // Somebody reads. The first call asks at once.
    void used() {
        used_ = true;
        if (!armed_) {
            armed_ = true;
            loop_->post(*this);
        }
    }
    // There are other nodes than before.
    void changed() {
        if (armed_) {
            loop_->post(*this);
        }
    }
    void stop() { unlink(); }

private:
    void run() override;

    Loop* loop_;
    Nodes nodes_;
    bool used_ = false;
    bool armed_ = false;
};

}  // namespace holdfast::redis
