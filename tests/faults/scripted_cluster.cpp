#include "cluster_node_script.h"
#include "scripted_host.h"

#include <faults/scripted_cluster.h>
#include <live/redis_cluster.h>

#include <algorithm>

namespace holdfast::testing {
namespace {

constexpr std::size_t id_digits = 40;

std::string id_of(std::size_t node) {
    const std::string number = std::to_string(node);
    return std::string(id_digits - number.size(), 'a') + number;
}

ClusterMap first_map(std::size_t primaries, std::size_t replicas_of_each) {
    ClusterMap map;
    for (std::size_t i = 0; i < primaries * (1 + replicas_of_each); ++i) {
        map.members.push_back({.id = id_of(i), .epoch = i < primaries ? i + 1 : 0});
        if (i >= primaries) {
            map.members[i].primary = (i - primaries) / replicas_of_each;
        }
    }
    for (std::size_t i = 0; i < primaries; ++i) {
        map.ranges.push_back(
            {static_cast<std::uint16_t>(cluster_slots * i / primaries),
             static_cast<std::uint16_t>((cluster_slots * (i + 1) / primaries) - 1),
             i}
        );
    }
    return map;
}

}  // namespace

class ScriptedCluster::Thread {
public:
    explicit Thread(ClusterMap map) : host(scripts(map)), shown(std::move(map)) {
        for (std::size_t i = 0; i < host.size(); ++i) {
            shown.members[i].port = host.port(i);
        }
    }

    static std::vector<std::unique_ptr<ClusterNodeScript>> scripts(const ClusterMap& map) {
        std::vector<std::unique_ptr<ClusterNodeScript>> all;
        for (std::size_t i = 0; i < map.members.size(); ++i) {
            all.push_back(
                std::make_unique<ClusterNodeScript>(i, std::make_shared<const ClusterMap>(map))
            );
        }
        return all;
    }

    std::vector<SteadyTime> question_times() const {
        std::vector<SteadyTime> times;
        for (std::size_t i = 0; i < host.size(); ++i) {
            for (const Heard& one : host.see(i, [](const auto& node) { return node.heard(); })) {
                if (matches({"CLUSTER", "SLOTS"}, one.words) ||
                    matches({"CLUSTER", "NODES"}, one.words) ||
                    matches({"CLUSTER", "SHARDS"}, one.words)) {
                    times.push_back(one.when);
                }
            }
        }
        return times;
    }

    ScriptedHost<ClusterNodeScript> host;
    ClusterMap shown;  // under the host's lock, once others may call
};

ScriptedCluster::ScriptedCluster(std::size_t primaries, std::size_t replicas_of_each)
    : thread_(std::make_unique<Thread>(first_map(primaries, replicas_of_each))) {
    show(ClusterMap(thread_->shown));
}
ScriptedCluster::~ScriptedCluster() = default;

std::size_t ScriptedCluster::size() const {
    return thread_->host.size();
}
std::uint16_t ScriptedCluster::port(std::size_t node) const {
    return thread_->host.port(node);
}

ClusterMap ScriptedCluster::map() const {
    return thread_->host.see(0, [&](const ClusterNodeScript&) { return thread_->shown; });
}
void ScriptedCluster::show(const ClusterMap& map) {
    const auto shared = std::make_shared<const ClusterMap>(map);
    thread_->host.tell_all([&](ClusterNodeScript& script) {
        thread_->shown = map;
        script.show(shared);
    });
}
void ScriptedCluster::show(const ClusterMap& map, std::size_t node) {
    const auto shared = std::make_shared<const ClusterMap>(map);
    thread_->host.tell(node, [&](ClusterNodeScript& script) { script.show(shared); });
}

void ScriptedCluster::on(const Words& words, const Answer& answer) {
    thread_->host.tell_all([&](ClusterNodeScript& script) { script.on(words, answer); });
}
void ScriptedCluster::on(std::size_t node, Words words, Answer answer) {
    thread_->host.tell(node, [&](ClusterNodeScript& script) {
        script.on(std::move(words), std::move(answer));
    });
}
void ScriptedCluster::refuse(std::size_t node, Refusal refusal, std::size_t times) {
    thread_->host.tell(node, [&](ClusterNodeScript& script) {
        script.refuse(std::move(refusal), times);
    });
}
void ScriptedCluster::zone(std::size_t node, std::string name) {
    thread_->host.tell(node, [&](ClusterNodeScript& script) { script.zone(std::move(name)); });
}

void ScriptedCluster::mute(std::size_t node) {
    thread_->host.tell(node, [&](ClusterNodeScript& script) { script.mute(true); });
}
void ScriptedCluster::closes(std::size_t node) {
    thread_->host.door(node, Door::closes);
    end_all(node, Answer::Then::close);
}
void ScriptedCluster::down(std::size_t node) {
    thread_->host.door(node, Door::refuses);
    end_all(node, Answer::Then::reset);
}
void ScriptedCluster::heal(std::size_t node) {
    thread_->host.tell(node, [](ClusterNodeScript& script) { script.heal(); });
    thread_->host.door(node, Door::open);
}
void ScriptedCluster::push(std::size_t node, const std::string& bytes) {
    const SteadyTime now = system_clock().steady_now();
    thread_->host.tell_conversations(node, [&](Conversation& one) { one.say(bytes, now); });
}
void ScriptedCluster::end_all(std::size_t node, Answer::Then how) {
    thread_->host.tell_conversations(node, [&](Conversation& one) { one.end(how); });
}

std::map<std::string, std::size_t> ScriptedCluster::commands(std::size_t node) const {
    return thread_->host.see(node, [](const ClusterNodeScript& one) { return one.commands(); });
}
std::vector<Heard> ScriptedCluster::heard(std::size_t node) const {
    return thread_->host.see(node, [](const ClusterNodeScript& one) { return one.heard(); });
}
std::size_t ScriptedCluster::heard(std::size_t node, const Words& words) const {
    return thread_->host.see(node, [&](const ClusterNodeScript& one) { return one.heard(words); });
}
std::size_t ScriptedCluster::asked(std::size_t node) const {
    return thread_->host.see(node, [](const ClusterNodeScript& one) { return one.asked(); });
}
std::size_t ScriptedCluster::asked_in_vain(std::size_t node) const {
    return thread_->host.see(node, [](const ClusterNodeScript& one) {
        return one.asked_in_vain();
    });
}

std::size_t ScriptedCluster::questions() const {
    return thread_->question_times().size();
}
std::size_t ScriptedCluster::questions_in_any(Duration span) const {
    std::vector<SteadyTime> times = thread_->question_times();
    std::ranges::sort(times);
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; last < times.size(); ++last) {
        while (times[last] - times[first] >= span) {
            ++first;
        }
        most = std::max(most, last - first + 1);
    }
    return most;
}

std::size_t ScriptedCluster::connections(std::size_t node) const {
    return thread_->host.accepted(node);
}
std::size_t ScriptedCluster::open_connections(std::size_t node) const {
    return thread_->host.open(node);
}
std::size_t ScriptedCluster::open_connections_most(std::size_t node) const {
    return thread_->host.open_most(node);
}

}  // namespace holdfast::testing
