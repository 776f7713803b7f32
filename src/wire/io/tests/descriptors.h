#pragma once
// Takes all file descriptors from this process for a while.

#include <sys/resource.h>
#include <unistd.h>

// UBSan looks at virtual objects through a pipe and takes the lack of one for a broken object:
// tests without descriptors run in the other builds.
#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
#define HOLDFAST_UBSAN
#endif
#endif

namespace holdfast {

class NoDescriptors {
public:
    // `spare` more may still be opened.
    explicit NoDescriptors(rlim_t spare = 0) {
        getrlimit(RLIMIT_NOFILE, &before_);
        const int next = dup(0);
        close(next);
        rlimit few = before_;
        few.rlim_cur = static_cast<rlim_t>(next) + spare;
        setrlimit(RLIMIT_NOFILE, &few);
    }
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

private:
    rlimit before_{};
};

}  // namespace holdfast
