#pragma once
// What was built, of which sources, by what.

#include <holdfast/server/options.h>

namespace holdfast::app {

BuildInfo build_info();

}  // namespace holdfast::app
