#pragma once
// Known wrong variants of the code, for test builds only: a test proves that it can fail by turning
// one on. Without HOLDFAST_FAULTS every switch is the constant false and nothing is left in the
// program.

#ifdef HOLDFAST_FAULTS

#include <string_view>

namespace holdfast {

// The one that is on; empty: none. Set before anything runs.
inline std::string_view fault_on;

inline bool fault(std::string_view name) {
    return fault_on == name;
}

}  // namespace holdfast

#else

namespace holdfast {

constexpr bool fault(const char*) {
    return false;
}

}  // namespace holdfast

#endif
