// Loaded before the system's library (LD_PRELOAD): the wall clock is off by the milliseconds that
// the file $CLOCKSKEW_FILE holds, a decimal number that may change at any time. Other clocks stay
// as they are.
//
// It takes no memory and opens no library, so that it works below any program. The file is mapped:
// it must be written in place and never made shorter.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {

constexpr long text_bytes = 32;
constexpr long ns_of_ms = 1'000'000;
constexpr long ns_of_s = 1'000'000'000;

const volatile char* text = nullptr;

long long skew_ms() {
    if (text == nullptr) {
        const char* name = std::getenv("CLOCKSKEW_FILE");
        const long file = name == nullptr ? -1 : ::syscall(SYS_openat, AT_FDCWD, name, O_RDONLY);
        if (file < 0) {
            return 0;
        }
        void* mapped =
            ::mmap(nullptr, text_bytes, PROT_READ, MAP_SHARED, static_cast<int>(file), 0);
        ::syscall(SYS_close, file);
        if (mapped == MAP_FAILED) {
            return 0;
        }
        text = static_cast<const volatile char*>(mapped);
    }
    long long value = 0;
    const bool negative = text[0] == '-';
    for (long i = negative ? 1 : 0; i < text_bytes && text[i] >= '0' && text[i] <= '9'; ++i) {
        value = value * 10 + (text[i] - '0');
    }
    return negative ? -value : value;
}

void shift(timespec* time) {
    const long long skew = skew_ms();
    time->tv_sec += skew / 1'000;
    time->tv_nsec += static_cast<long>(skew % 1'000) * ns_of_ms;
    if (time->tv_nsec < 0) {
        time->tv_nsec += ns_of_s;
        --time->tv_sec;
    } else if (time->tv_nsec >= ns_of_s) {
        time->tv_nsec -= ns_of_s;
        ++time->tv_sec;
    }
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
    const long failed = ::syscall(SYS_clock_gettime, clock, time);
    if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        shift(time);
    }
    return static_cast<int>(failed);
}

extern "C" int gettimeofday(timeval* __restrict time, void* __restrict) noexcept {
    timespec now{};
    if (::clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return -1;
    }
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1'000;
    return 0;
}

extern "C" time_t time(time_t* out) noexcept {
    timespec now{};
    (void)::clock_gettime(CLOCK_REALTIME, &now);
    if (out != nullptr) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}
