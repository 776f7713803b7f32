#pragma once
// Counts operator new of the whole program, all threads, where counting_new.cpp is linked in.

#include <cstdint>

namespace holdfast::bench {

std::uint64_t allocations();

}  // namespace holdfast::bench
