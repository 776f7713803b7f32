#include <fcntl.h>
#include <live/child.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace holdfast::testing {
namespace {

// After fork(): nothing but calls that are safe in a child of a program with threads.
[[noreturn]] void become(const std::vector<char*>& words, int log, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(127);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    syscall(SYS_close_range, 3U, ~0U, 0U);
    execvp(words[0], words.data());
    constexpr char problem[] = "the program cannot be started\n";
    static_cast<void>(!write(STDERR_FILENO, problem, sizeof problem - 1));
    _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& words, const std::filesystem::path& log) {
    std::vector<char*> pointers;
    for (const std::string& word : words) {
        pointers.push_back(const_cast<char*>(word.c_str()));
    }
    pointers.push_back(nullptr);
    const int to = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {
        become(pointers, to, parent);
    }
    close(to);
    handle_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
    if (pid_ < 0 || handle_ < 0) {
        std::perror("a child of this test");
        std::abort();
    }
}

Child::~Child() {
    kill();
    close(handle_);
}

bool Child::ended_within(Duration limit) {
    if (reaped_) {
        return true;
    }
    pollfd end{handle_, POLLIN, 0};
    if (poll(&end, 1, static_cast<int>(limit.count())) <= 0) {
        return false;
    }
    reap();
    return true;
}

void Child::reap() {
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
}

void Child::kill() {
    if (!reaped_) {
        ::kill(pid_, SIGKILL);
        reap();
    }
}

void Child::terminate() {
    if (!reaped_) {
        ::kill(pid_, SIGTERM);
        reap();
    }
}

void Child::stop() {
    if (reaped_) {
        return;
    }
    ::kill(pid_, SIGSTOP);
    int status = 0;
    while (waitpid(pid_, &status, WUNTRACED) < 0 && errno == EINTR) {
    }
    reaped_ = !WIFSTOPPED(status);
}

void Child::resume() const {
    if (!reaped_) {
        ::kill(pid_, SIGCONT);
    }
}

}  // namespace holdfast::testing
