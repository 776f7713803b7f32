#pragma once

#include <holdfast/ids/layout.h>

#include <string_view>

namespace holdfast {

inline bool parts_fit(const IdLayout& layout, const IdParts& parts) {
    const auto fits = [](std::int64_t part, std::int64_t max) {
        return static_cast<std::uint64_t>(part) <= static_cast<std::uint64_t>(max);
    };
    return fits(parts.time, layout.time_max()) && fits(parts.machine, layout.machine_max()) &&
           fits(parts.sequence, layout.sequence_max());
}

// The literal that says which part does not fit its bits; empty: all do.
std::string_view fault_of_parts(const IdLayout& layout, const IdParts& parts);

}  // namespace holdfast
