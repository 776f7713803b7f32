#pragma once
// A program as a child of the test: it never outlives it.

#include <live/wait.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::testing {

// The kernel kills the child when the thread that made it ends, even if the test crashes: make it
// on a thread that lives as long as it is needed. It inherits no descriptor. One thread at a time.
class Child {
public:
    // `words`: the program (looked for in PATH) and its arguments. What it prints goes to the end
    // of the file `log`.
    Child(const std::vector<std::string>& words, const std::filesystem::path& log);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();  // kills it and waits for its end

    pid_t pid() const { return pid_; }
    // Waits for its end, at most that long.
    bool ended_within(Duration limit);

    void kill();          // SIGKILL; has ended on return
    void terminate();     // SIGTERM; has ended on return
    void stop();          // SIGSTOP; stands still on return
    void resume() const;  // SIGCONT

private:
    void reap();

    pid_t pid_;
    int handle_;  // readable when the child has ended
    bool reaped_ = false;
};

}  // namespace holdfast::testing
