#pragma once
// Sentinels that answer what a test wrote down: stale ones, those that contradict each other, that
// are mute. What they say about a driver holds for the script, not for a Sentinel.
//
//   ScriptedSentinels sentinels(3);
//   SentinelView view(server.port());                    // a primary at 127.0.0.1, config-epoch 1
//   view.replicas.push_back({.port = replica.port()});
//   sentinels.show(view);
//   sentinels.switch_master(SentinelView(other.port(), 2));   // all know it, and push it
//   sentinels.show(view, 1);                             // this one goes back: a stale answer
//
// They know SENTINEL MASTER, MASTERS, REPLICAS, SLAVES, SENTINELS, GET-MASTER-ADDR-BY-NAME,
// CKQUORUM, SUBSCRIBE, PSUBSCRIBE (of "*") and the words of a handshake.

#include <faults/scripted_redis.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::testing {

struct SentinelServer {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;
    std::string flags = "slave";  // "slave,s_down,disconnected"
    std::string link = "ok";      // master-link-status of a replica
};

// What a sentinel knows of one primary.
struct SentinelView {
    explicit SentinelView(std::uint16_t port, std::uint64_t config_epoch = 1)
        : primary{.port = port, .flags = "master"}, epoch(config_epoch) {}

    std::string name = "mymaster";
    SentinelServer primary;
    std::uint64_t epoch;
    std::size_t quorum = 2;
    std::vector<SentinelServer> replicas;
};

// Any thread. Sentinels go by their numbers, and name each other in SENTINEL SENTINELS.
class ScriptedSentinels {
public:
    explicit ScriptedSentinels(std::size_t count = 3);
    ScriptedSentinels(const ScriptedSentinels&) = delete;
    ScriptedSentinels& operator=(const ScriptedSentinels&) = delete;
    ~ScriptedSentinels();

    std::size_t size() const;
    std::uint16_t port(std::size_t sentinel) const;
    std::vector<std::uint16_t> ports() const;

    void show(const SentinelView& view);  // to all, in the place of the last of this name
    void show(const SentinelView& view, std::size_t sentinel);
    void forget(const std::string& name, std::size_t sentinel);
    // Shows it to all, and tells subscribers of +switch-master: "name host port host port".
    void switch_master(const SentinelView& to);
    // To those of this sentinel that have subscribed to the channel.
    void publish(std::size_t sentinel, const std::string& channel, const std::string& text);

    void on(std::size_t sentinel, Words words, Answer answer);
    void mute(std::size_t sentinel);    // accepts and hears, answers nothing
    void closes(std::size_t sentinel);  // accepts and closes, and ends what is open
    void down(std::size_t sentinel);    // nobody listens, what is open is reset
    void heal(std::size_t sentinel);
    void end_all(std::size_t sentinel, Answer::Then how = Answer::Then::reset);

    std::map<std::string, std::size_t> commands(std::size_t sentinel) const;  // "SENTINEL MASTER"
    std::size_t heard(std::size_t sentinel, const Words& words) const;
    std::size_t subscribers(std::size_t sentinel, const std::string& channel) const;
    std::size_t connections(std::size_t sentinel) const;  // ever accepted
    std::size_t open_connections(std::size_t sentinel) const;

private:
    class Thread;
    std::unique_ptr<Thread> thread_;
};

}  // namespace holdfast::testing
