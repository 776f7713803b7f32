#pragma once
// What a FaultProxy was told to do, and what it has counted.

#include "outlet.h"

#include <faults/fault_proxy.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::testing {

enum class Fate : std::uint8_t { pass, pass_and_cut, part_and_cut, drop_and_cut, drop };

// A fault that happens once, to the request or reply with that number.
struct OneFault {
    Toward direction;
    Fate fate;
    std::size_t left;   // until it happens
    std::size_t bytes;  // of part_and_cut
    Cut how;
};

struct FaultState {
    bool protocol = true;
    Duration latency = Duration::zero();
    std::array<Slices, 2> slices = {};  // by Toward
    std::array<bool, 2> hole = {};
    std::array<bool, 2> stalled = {};
    bool holds_pushes = false;
    std::vector<OneFault> once;
    std::pair<std::string, std::string> replaced;  // toward clients; empty: nothing

    std::size_t connections = 0;
    std::size_t requests = 0;
    std::size_t replies = 0;
    std::size_t pushes = 0;

    void heal() {
        latency = Duration::zero();
        slices = {};
        hole = {};
        stalled = {};
        holds_pushes = false;
    }
    // The next request or reply came: the fault that hits it.
    std::optional<OneFault> count(Toward direction) {
        ++(direction == Toward::server ? requests : replies);
        std::optional<OneFault> hit;
        for (auto fault = once.begin(); fault != once.end();) {
            if (fault->direction == direction && --fault->left == 0) {
                hit = *fault;
                fault = once.erase(fault);
            } else {
                ++fault;
            }
        }
        return hit;
    }
};

}  // namespace holdfast::testing
