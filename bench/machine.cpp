#include "machine.h"

#include "stopwatch.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace holdfast::bench {
namespace {

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double used_by(int who) {
    rusage usage{};
    (void)getrusage(who, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

}  // namespace

CpuTimes cpu_times() {
    // user nice system idle iowait irq softirq steal
    std::array<double, 8> ticks{};
    std::ifstream stat("/proc/stat");
    std::string word;
    stat >> word;
    for (double& tick : ticks) {
        stat >> tick;
    }
    const double hertz = static_cast<double>(sysconf(_SC_CLK_TCK));
    CpuTimes times;
    for (const double tick : ticks) {
        times.all += tick / hertz;
    }
    times.steal = ticks[7] / hertz;
    times.busy = times.all - (ticks[3] + ticks[4]) / hertz - times.steal;
    times.own = used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN);
    return times;
}

MachineLoad load_between(const CpuTimes& begin, const CpuTimes& end) {
    const double all = end.all - begin.all;
    if (all <= 0) {
        return {};
    }
    const double foreign = (end.busy - begin.busy) - (end.own - begin.own);
    return {std::max(0.0, foreign) / all, (end.steal - begin.steal) / all};
}

double fdatasync_p50_us(const std::string& folder) {
    constexpr int samples = 21;
    const std::string path = folder + "/fdatasync";
    const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        fail("cannot make a file in " + folder);
    }
    const std::array<char, 4096> page{};
    std::vector<double> times;
    for (int i = 0; i < samples; ++i) {
        const Stopwatch watch;
        if (write(file, page.data(), page.size()) != static_cast<ssize_t>(page.size()) ||
            fdatasync(file) != 0) {
            fail("cannot write in " + folder);
        }
        times.push_back(watch.seconds() * 1e6);
    }
    close(file);
    unlink(path.c_str());
    std::nth_element(times.begin(), times.begin() + samples / 2, times.end());
    return times[samples / 2];
}

bool in_memory(const std::string& folder) {
    struct statfs about{};
    if (statfs(folder.c_str(), &about) != 0) {
        fail("no folder " + folder);
    }
    return about.f_type == TMPFS_MAGIC || about.f_type == RAMFS_MAGIC;
}

TemporaryFolder::TemporaryFolder(const std::string& parent)
    : path_(parent + "/holdfast-bench-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) {
        fail("cannot make a folder in " + parent);
    }
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void fail(const std::string& text) {
    std::fprintf(stderr, "bench: %s\n", text.c_str());
    std::exit(3);
}

}  // namespace holdfast::bench
