#pragma once
// A cluster that answers what a test wrote down: maps that contradict each other, redirects for
// ever, nodes that are mute. A hundred nodes are one thread. What it says about a driver holds for
// the script, not for a server.
//
//   ScriptedCluster cluster(3, 1);                 // 3 primaries, a replica each; see ClusterMap
//   cluster.refuse(0, Refusal::moved(1), 5);       // the next 5 commands with a key at node 0
//   cluster.refuse(2, Refusal::text(try_again_error));   // for ever
//   cluster.mute(1);
//   EXPECT_LE(cluster.questions_in_any(std::chrono::seconds(1)), 3U);
//
// A node answers by the map that it was shown last: MOVED for slots of others (a replica: unless
// READONLY came before), and "CLUSTERDOWN" for slots of nobody. GET is answered with the node's
// number, INCR and DEL with 1, other commands with OK; on() is asked before.

#include <faults/cluster_map.h>
#include <faults/scripted_redis.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::testing {

inline constexpr const char* try_again_error =
    "TRYAGAIN Multiple keys request during rehashing of slot";
inline constexpr const char* cluster_down_error = "CLUSTERDOWN The cluster is down";
inline constexpr const char* loading_error = "LOADING Redis is loading the dataset in memory";
inline constexpr const char* read_only_error =
    "READONLY You can't write against a read only replica.";

// An error in the place of a reply. Its slot is that of the command.
class Refusal {
public:
    static Refusal moved(std::size_t to) { return {Kind::moved, to, ""}; }
    static Refusal ask(std::size_t to) { return {Kind::ask, to, ""}; }
    static Refusal text(std::string error) { return {Kind::text, 0, std::move(error)}; }

private:
    friend class ClusterNodeScript;
    enum class Kind : std::uint8_t { moved, ask, text };
    Refusal(Kind kind, std::size_t to, std::string text)
        : kind_(kind), to_(to), text_(std::move(text)) {}
    Kind kind_;
    std::size_t to_;
    std::string text_;
};

// Any thread. Nodes go by their numbers: primaries first, then the replicas of primary 0, of 1, ..
class ScriptedCluster {
public:
    static constexpr std::size_t always = 0;

    explicit ScriptedCluster(std::size_t primaries, std::size_t replicas_of_each = 0);
    ScriptedCluster(const ScriptedCluster&) = delete;
    ScriptedCluster& operator=(const ScriptedCluster&) = delete;
    ~ScriptedCluster();

    std::size_t size() const;
    std::uint16_t port(std::size_t node) const;

    ClusterMap map() const;  // that all were shown last
    void show(const ClusterMap& map);
    void show(const ClusterMap& map, std::size_t node);  // to it alone

    void
    on(const Words& words, const Answer& answer);  // of all nodes; the last that matches counts
    void on(std::size_t node, Words words, Answer answer);
    // Commands with a key at this node, `times` of them; one refusal after the other.
    void refuse(std::size_t node, Refusal refusal, std::size_t times = always);
    void zone(std::size_t node, std::string name);  // availability_zone in HELLO, as Valkey 8.1

    void mute(std::size_t node);    // accepts and hears, answers nothing
    void closes(std::size_t node);  // accepts and closes, and ends what is open
    void down(std::size_t node);    // nobody listens, what is open is reset
    void heal(std::size_t node);    // none of these three, and no refusal
    void push(std::size_t node, const std::string& bytes);  // to all its connections
    void end_all(std::size_t node, Answer::Then how = Answer::Then::reset);

    // By upper-case name, with the second word of CLUSTER, CLIENT, CONFIG, SCRIPT and FUNCTION.
    std::map<std::string, std::size_t> commands(std::size_t node) const;
    std::size_t heard(std::size_t node, const Words& words) const;
    std::vector<Heard> heard(std::size_t node) const;
    // Commands for a slot of another node that ran because ASKING came right before them.
    std::size_t asked(std::size_t node) const;
    // ASKING that another command than such a one came behind.
    std::size_t asked_in_vain(std::size_t node) const;
    // CLUSTER SLOTS, NODES and SHARDS over all nodes: ever, and most in any such span of time.
    std::size_t questions() const;
    std::size_t questions_in_any(Duration span) const;

    std::size_t connections(std::size_t node) const;  // ever accepted
    std::size_t open_connections(std::size_t node) const;
    std::size_t open_connections_most(std::size_t node) const;  // at one time

private:
    class Thread;
    std::unique_ptr<Thread> thread_;
};

}  // namespace holdfast::testing
