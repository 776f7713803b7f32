#pragma once
// What a node of a ScriptedCluster answers, without sockets.

#include "node_script.h"

#include <faults/scripted_cluster.h>

#include <deque>
#include <memory>

namespace holdfast::testing {

class ClusterNodeScript final : public NodeScript {
public:
    ClusterNodeScript(std::size_t number, std::shared_ptr<const ClusterMap> map)
        : number_(number), map_(std::move(map)) {}

    void show(std::shared_ptr<const ClusterMap> map) { map_ = std::move(map); }
    void refuse(Refusal refusal, std::size_t times) {
        refusals_.emplace_back(std::move(refusal), times);
    }
    void zone(std::string name) { zone_ = std::move(name); }
    void heal() {
        mute(false);
        refusals_.clear();
    }

    std::size_t asked() const { return asked_; }
    std::size_t asked_in_vain() const { return asked_in_vain_; }

private:
    using Reply = std::optional<std::string>;
    Reply before_handlers(Caller& caller, const std::string& name, const Words& words) override;
    std::string reply(Caller& caller, const std::string& name, const Words& words) override;
    Reply of_map(const Caller& caller, const std::string& name) const;
    Reply of_connection(Caller& caller, const std::string& name, const Words& words) const;
    Reply refused(const Caller& caller, const std::string& name, const Words& words, bool asking);
    Reply next_refusal(std::uint16_t slot);
    std::string role() const;

    std::size_t number_;
    std::shared_ptr<const ClusterMap> map_;
    std::deque<std::pair<Refusal, std::size_t>> refusals_;
    std::string zone_;
    std::size_t asked_ = 0;
    std::size_t asked_in_vain_ = 0;
};

}  // namespace holdfast::testing
