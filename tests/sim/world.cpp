#include "world.h"

#include "process.h"

#include <holdfast/base/fault_switch.h>

#include <deque>

namespace holdfast::sim {
namespace {

class World {
public:
    World(std::uint64_t seed, bool traces)
        : scene_(seed, traces), store_(scene_), network_(scene_, store_) {
        scene_.trace(
            "seed %llu: %zu processes, %u slots, faults %.2f%s, %zu groups",
            static_cast<unsigned long long>(seed),
            scene_.plan().processes,
            scene_.plan().slots,
            scene_.plan().faults,
            scene_.plan().shared_owner ? ", a shared owner key" : "",
            scene_.plan().groups.size()
        );
        for (std::size_t i = 0; i < scene_.plan().processes; ++i) {
            processes_.emplace_back(scene_, network_, i).start();
            restarts_at_.push_back(SteadyTime::max());
        }
    }

    Verdict run() {
        const SteadyTime begin = scene_.runtime().now();
        while (scene_.runtime().now() < begin + faults_last) {
            run_until(scene_.runtime().now() + scene_.chance().ms(100, 1'500));
            if (scene_.chance().hits(scene_.faults())) {
                run_some_steps();
                do_harm();
            }
        }
        make_quiet();
        run_until(begin + faults_last + quiet_lasts);
        Verdict verdict;
        for (const Process& process : processes_) {
            for (const std::string& name : process.silent()) {
                scene_.ledger.alarm(
                    "process " + std::to_string(process.number()) + " has not issued from " + name +
                    " in the quiet time"
                );
            }
        }
        for (Process& process : processes_) {
            if (process.alive()) {
                process.crash();
            }
        }
        verdict.wrongs = scene_.ledger.check();
        verdict.alarms = scene_.ledger.alarms();
        scene_.totals.events = scene_.runtime().steps();
        scene_.totals.virtual_ms = static_cast<std::uint64_t>(scene_.now_ms());
        verdict.totals = scene_.totals;
        verdict.trace_hash = scene_.runtime().trace() ^ scene_.ledger.hash();
        return verdict;
    }

private:
    void run_until(SteadyTime until) {
        while (scene_.runtime().now() < until) {
            SteadyTime next = until;
            for (const SteadyTime at : restarts_at_) {
                next = std::min(next, at);
            }
            while (scene_.runtime().step(next)) {
                bury();
            }
            scene_.runtime().run(next);
            restart_those_due();
        }
    }
    void bury() {
        for (Process& process : processes_) {
            process.bury();
        }
    }
    void restart_those_due() {
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (restarts_at_[i] <= scene_.runtime().now()) {
                restarts_at_[i] = SteadyTime::max();
                processes_[i].start();
            }
        }
    }
    // So that what happens next meets tasks half way through a millisecond.
    void run_some_steps() {
        const SteadyTime soon = scene_.runtime().now() + Duration(20);
        for (std::int64_t left = scene_.chance().number(0, 12); left > 0; --left) {
            if (!scene_.runtime().step(soon)) {
                break;
            }
        }
        bury();
    }

    void do_harm() {
        Chance& chance = scene_.chance();
        const auto victim = static_cast<std::size_t>(
            chance.number(0, static_cast<std::int64_t>(processes_.size()) - 1)
        );
        switch (chance.number(0, 9)) {
        case 0:
        case 1:
            crash(victim);
            break;
        case 2:
        case 3:
            pause(victim, chance.ms(0, 3 * lease_ttl.count()));
            break;
        case 4:
            jump(victim, chance.ms(-3'600'000, 3'600'000));
            break;
        case 5:
            jump(victim, chance.ms(-2'000, 2'000));
            break;
        case 6:
            jump_store(chance.ms(-10'000, 10'000));
            break;
        case 7:
            jump_store(chance.ms(-1'000, 1'000));
            break;
        case 8:
            settle_store();
            break;
        default:
            restart_store(chance.ms(0, 2'000));
            break;
        }
    }
    void crash(std::size_t victim) {
        if (processes_[victim].alive()) {
            ++scene_.totals.crashes;
            processes_[victim].crash();
            restarts_at_[victim] = scene_.runtime().now() + scene_.chance().ms(0, 2'000);
        }
    }
    void pause(std::size_t victim, Duration time) {
        if (processes_[victim].alive()) {
            ++scene_.totals.pauses;
            scene_.trace(
                "process %zu stands still for %lld ms", victim, static_cast<long long>(time.count())
            );
            scene_.runtime().pause(1 + victim, scene_.runtime().now() + time);
        }
    }
    void jump(std::size_t victim, Duration by) {
        ++scene_.totals.clock_jumps;
        processes_[victim].own_clock().skew += by;
        scene_.trace(
            "process %zu: its wall clock jumps %lld ms", victim, static_cast<long long>(by.count())
        );
    }
    void jump_store(Duration by) {
        ++scene_.totals.clock_jumps;
        store_.jump(by);
        scene_.trace("the store's clock jumps %lld ms", static_cast<long long>(by.count()));
    }
    void settle_store() {
        ++scene_.totals.clock_jumps;
        store_.settle();
        scene_.trace("the store's clock is put right");
    }
    void restart_store(Duration time) {
        ++scene_.totals.store_restarts;
        store_.go_down(time);
        network_.break_all();
        scene_.trace("the store restarts, down for %lld ms", static_cast<long long>(time.count()));
    }

    void make_quiet() {
        scene_.make_quiet();
        if (!fault("store-stays-down")) {
            store_.go_up();
        } else {
            store_.go_down(2 * quiet_lasts);
        }
        store_.settle();
        scene_.trace("the faults end");
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            scene_.runtime().pause(1 + i, SteadyTime());
            if (!processes_[i].alive()) {
                restarts_at_[i] = scene_.runtime().now();
            }
        }
        restart_those_due();
    }

    Scene scene_;
    CentralStore store_;
    Network network_;
    std::deque<Process> processes_;
    std::vector<SteadyTime> restarts_at_;
};

}  // namespace

Verdict run_world(std::uint64_t seed, bool traces) {
    return World(seed, traces).run();
}

}  // namespace holdfast::sim
