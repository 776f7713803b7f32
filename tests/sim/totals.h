#pragma once
// What happened, counted; sums over seeds.

#include <cstdint>

namespace holdfast::sim {

struct Totals {
    std::uint64_t events = 0;
    std::uint64_t virtual_ms = 0;
    std::uint64_t time_ids = 0;
    std::uint64_t range_ids = 0;
    std::uint64_t refused = 0;  // calls of a generator that gave no id
    std::uint64_t sessions = 0;
    std::uint64_t not_opened = 0;
    std::uint64_t releases = 0;
    std::uint64_t leases_lost = 0;
    std::uint64_t crashes = 0;
    std::uint64_t pauses = 0;
    std::uint64_t clock_jumps = 0;
    std::uint64_t store_restarts = 0;
    std::uint64_t messages = 0;
    std::uint64_t messages_lost = 0;
    std::uint64_t messages_late = 0;  // by more than a second
    std::uint64_t executed_twice = 0;

    Totals& operator+=(const Totals& other) {
        events += other.events;
        virtual_ms += other.virtual_ms;
        time_ids += other.time_ids;
        range_ids += other.range_ids;
        refused += other.refused;
        sessions += other.sessions;
        not_opened += other.not_opened;
        releases += other.releases;
        leases_lost += other.leases_lost;
        crashes += other.crashes;
        pauses += other.pauses;
        clock_jumps += other.clock_jumps;
        store_restarts += other.store_restarts;
        messages += other.messages;
        messages_lost += other.messages_lost;
        messages_late += other.messages_late;
        executed_twice += other.executed_twice;
        return *this;
    }
};

}  // namespace holdfast::sim
