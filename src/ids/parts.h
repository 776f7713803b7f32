#pragma once

#include <holdfast/ids/layout.h>

#include <string_view>

namespace holdfast {

// The literal that says which part does not fit its bits; empty: all do.
std::string_view fault_of_parts(const IdLayout& layout, const IdParts& parts);

}  // namespace holdfast
