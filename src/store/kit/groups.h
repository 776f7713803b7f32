#pragma once
// The promises by group; each group is a file of its name.

#include <holdfast/store_kit/store_kit.h>

namespace holdfast {

std::span<const Promise> name_promises();
std::span<const Promise> range_promises();
std::span<const Promise> range_argument_promises();
std::span<const Promise> choice_promises();
std::span<const Promise> repeat_promises();
std::span<const Promise> exhaustion_promises();
std::span<const Promise> renew_promises();
std::span<const Promise> release_promises();
std::span<const Promise> window_promises();
std::span<const Promise> clock_promises();
std::span<const Promise> slot_argument_promises();
std::span<const Promise> deadline_promises();
std::span<const Promise> concurrency_promises();

}  // namespace holdfast
