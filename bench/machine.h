#pragma once
// What else the machine did meanwhile, and what its disk can do: stands beside every figure.

#include <cstdint>
#include <string>

namespace holdfast::bench {

// Processor time since the start, in seconds, summed over all cores.
struct CpuTimes {
    double all = 0;    // idle included
    double busy = 0;   // not idle, whoever it was
    double steal = 0;  // taken by the host of a virtual machine
    double own = 0;    // of this process and its ended children
};
CpuTimes cpu_times();

// Shares of the machine between two moments, 0 to 1.
struct MachineLoad {
    double foreign = 0;  // used by other processes
    double steal = 0;
};
MachineLoad load_between(const CpuTimes& begin, const CpuTimes& end);

// The median of 21 appends of 4 KiB, each followed by fdatasync, in microseconds.
double fdatasync_p50_us(const std::string& folder);
// True: files there live in memory, and an fsync costs nothing.
bool in_memory(const std::string& folder);

// A new folder inside `parent`, removed with all it holds at the end of its life.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::string& parent);
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

// Prints the text and ends the program with code 3: a benchmark that went wrong has no figure.
[[noreturn]] void fail(const std::string& text);

}  // namespace holdfast::bench
