#include <holdfast/observe/stopwatch.h>

#include <ctime>

namespace holdfast {
namespace {

std::chrono::nanoseconds read() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

Stopwatch::Stopwatch() : began_(read()) {}

double Stopwatch::seconds() const {
    return std::chrono::duration<double>(read() - began_).count();
}

}  // namespace holdfast
