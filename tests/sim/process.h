#pragma once
// A simulated process: a loop and a clock of its own, and for each group of its generators a life
// of sessions: open, issue, close, and again.

#include "remote_store.h"

#include <holdfast/ids/id_runtime.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::sim {

class Process;

// One IdRuntime from its opening to its end.
class Session final : public LeaseListener {
public:
    Session(Process& process, std::size_t group, SessionId id);
    void lease_changed(LeaseState before, const LeaseInfo& now) override;
    const std::string& group_name() const;

    Process& process;
    const std::size_t group;
    const SessionId id;
    LogLines lines;
    Metrics metrics;
    Log log;
    RemoteStore store;
    bool ended = false;
    std::int64_t highest_number = -1;  // of the segment, by calls that do not wait
    std::unique_ptr<IdRuntime> ids;
};

class Process final : public Runtime {
public:
    Process(Scene& scene, Network& network, std::size_t number);
    ~Process() override;

    // Between steps of the world.
    void start();
    void crash();
    void bury();  // sessions that have ended
    bool alive() const { return alive_; }
    SkewedClock& own_clock() { return clock_; }
    std::size_t number() const { return number_; }
    // What has not issued since the world became quiet; empty: all has.
    std::vector<std::string> silent() const;

    // Runtime, for the code under test: one loop.
    std::size_t loop_count() const override { return 1; }
    Loop& loop(std::size_t) override { return loop_; }
    Loop& pick() override { return loop_; }
    bool on_loop_thread() const override { return loop_.on_this_thread(); }
    void block(Signal& signal) override { scene_.runtime().block(signal); }
    BlockingPool& pool() override { return scene_.runtime().pool(); }
    const Clock& clock() const override { return clock_; }
    Random& random() override { return scene_.runtime().random(); }
    std::size_t close(Deadline) override { return 0; }

private:
    friend class Session;
    struct Group {
        std::vector<std::unique_ptr<Session>> sessions;  // the last one is open
        std::vector<bool> issued_quietly;                // by generator
        bool all_issued() const {
            return std::find(issued_quietly.begin(), issued_quietly.end(), false) ==
                   issued_quietly.end();
        }
    };

    IdRuntimeOptions options(std::size_t group) const;
    bool ended(std::size_t group) const { return scene_.quiet() && groups_[group].all_issued(); }
    Task<Done> live(std::size_t group);
    Task<Done> issuing(Session& session, SteadyTime until);
    Task<Done> waiting(Session& session, SteadyTime until);
    Task<Done> closing(Session& session, SteadyTime at);
    void issue(Session& session, std::size_t generator);
    std::size_t choose(std::size_t group) const;
    void note(std::size_t group, std::size_t generator, bool got);

    Scene& scene_;
    Network& network_;
    const std::size_t number_;
    Loop& loop_;
    SkewedClock clock_;
    std::vector<Group> groups_;
    bool alive_ = false;
};

}  // namespace holdfast::sim
