#pragma once
// In a build with HOLDFAST_FAULTS the environment says which known fault is on: see
// tests/negative/redis_faults_test.py.

#include <holdfast/base/fault_switch.h>

#ifdef HOLDFAST_FAULTS

#include <cstdlib>

namespace holdfast::redis {

inline const bool fault_was_read = [] {
    const char* name = std::getenv("HOLDFAST_FAULT");
    fault_on = name == nullptr ? "" : name;
    return true;
}();

}  // namespace holdfast::redis

#endif
