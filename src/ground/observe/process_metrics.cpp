#include <holdfast/observe/process_metrics.h>

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <sstream>

namespace holdfast {
namespace {

std::string file_text(const char* path) {
    std::string text;
    if (std::FILE* file = std::fopen(path, "re")) {
        char buffer[4096];
        std::size_t bytes = 0;
        while ((bytes = std::fread(buffer, 1, sizeof buffer, file)) > 0) {
            text.append(buffer, bytes);
        }
        std::fclose(file);
    }
    return text;
}

// The field of /proc/self/stat with its number in proc(5), from 3 on. The second field is the
// program's name, which may hold blanks and parentheses: counting starts after the last one.
double stat_field(int number) {
    const std::string text = file_text("/proc/self/stat");
    std::istringstream in(text.substr(std::min(text.rfind(')'), text.size() - 1) + 1));
    in.imbue(std::locale::classic());
    std::string word;
    for (int at = 3; at <= number && in >> word; ++at) {
    }
    long long value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return in ? static_cast<double>(value) : 0;
}

double ticks_per_second() {
    return static_cast<double>(sysconf(_SC_CLK_TCK));
}

double cpu_seconds() {
    return (stat_field(14) + stat_field(15)) / ticks_per_second();
}
double threads() {
    return stat_field(20);
}
double resident_bytes() {
    return stat_field(24) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double start_time_seconds() {
    std::istringstream in(file_text("/proc/stat"));
    std::string word;
    while (in >> word && word != "btime") {
    }
    double boot = 0;
    in >> boot;
    return boot + stat_field(22) / ticks_per_second();
}

double open_fds() {
    std::error_code error;
    double count = 0;
    for (std::filesystem::directory_iterator at("/proc/self/fd", error), end; !error && at != end;
         at.increment(error)) {
        ++count;
    }
    return count > 0 ? count - 1 : 0;  // one of them is the listing's own
}

double max_fds() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    return limit.rlim_cur == RLIM_INFINITY ? std::numeric_limits<double>::infinity()
                                           : static_cast<double>(limit.rlim_cur);
}

}  // namespace

void register_process_metrics(Metrics& metrics) {
    metrics.counter_from(
        {"process_cpu_seconds_total", "User and system time spent, in seconds."}, {}, cpu_seconds
    );
    metrics.gauge_from({"process_max_fds", "Descriptors this process may have open."}, {}, max_fds);
    metrics.gauge_from({"process_open_fds", "Descriptors that are open."}, {}, open_fds);
    metrics.gauge_from(
        {"process_resident_memory_bytes", "Memory resident, in bytes."}, {}, resident_bytes
    );
    metrics.gauge_from(
        {"process_start_time_seconds", "Start of the process, in seconds since 1970."},
        {},
        [start = start_time_seconds()] { return start; }
    );
    metrics.gauge_from({"process_threads", "Threads of this process."}, {}, threads);
}

}  // namespace holdfast
