#pragma once
// What a node of a ScriptedCluster answers, without sockets.

#include "script.h"

#include <faults/scripted_cluster.h>

#include <deque>
#include <memory>

namespace holdfast::testing {

class ClusterNodeScript final : public Responder {
public:
    ClusterNodeScript(std::size_t number, std::shared_ptr<const ClusterMap> map)
        : number_(number), map_(std::move(map)) {}

    void show(std::shared_ptr<const ClusterMap> map) { map_ = std::move(map); }
    void on(Words words, Answer answer) {
        handlers_.emplace_back(std::move(words), std::move(answer));
    }
    void refuse(Refusal refusal, std::size_t times) {
        refusals_.emplace_back(std::move(refusal), times);
    }
    void zone(std::string name) { zone_ = std::move(name); }
    void mute(bool is) { mute_ = is; }
    void heal() {
        mute_ = false;
        refusals_.clear();
    }

    Answer answer(Caller& caller, const Words& words) override;

    const std::vector<Heard>& heard() const { return heard_; }
    const std::map<std::string, std::size_t>& commands() const { return commands_; }
    const std::vector<SteadyTime>& questions() const { return questions_; }
    std::size_t asked() const { return asked_; }
    std::size_t asked_in_vain() const { return asked_in_vain_; }

private:
    void count(const Words& words);
    std::string reply(Caller& caller, const Words& words);
    std::optional<std::string> of_connection(Caller& caller, const Words& words) const;
    std::optional<std::string> of_transaction(Caller& caller, const Words& words) const;
    std::optional<std::string> refused(const Caller& caller, const Words& words, bool asking);
    std::optional<std::string> next_refusal(std::uint16_t slot);
    std::string role() const;

    std::size_t number_;
    std::shared_ptr<const ClusterMap> map_;
    std::vector<std::pair<Words, Answer>> handlers_;
    std::deque<std::pair<Refusal, std::size_t>> refusals_;
    std::string zone_;
    bool mute_ = false;
    std::vector<Heard> heard_;
    std::map<std::string, std::size_t> commands_;
    std::vector<SteadyTime> questions_;
    std::size_t asked_ = 0;
    std::size_t asked_in_vain_ = 0;
};

}  // namespace holdfast::testing
