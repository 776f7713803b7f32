#pragma once
// A bug ends the program: going on would mean to state an effect that nobody knows.

#include <string_view>

namespace holdfast {

// Prints `what` and aborts unless `holds`. For conditions that only a mistake in this code can
// break.
void check(bool holds, std::string_view what);

}  // namespace holdfast
