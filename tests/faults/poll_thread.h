#pragma once
// One thread that waits for sockets and for calls of the test.

#include <holdfast/base/time.h>

#include <poll.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace holdfast::testing {

class PollThread {
public:
    PollThread(const PollThread&) = delete;
    PollThread& operator=(const PollThread&) = delete;

protected:
    PollThread();
    ~PollThread();

    // The derived class starts it when it is whole, and ends it before it is taken apart.
    void begin();
    void end();

    // Calls of the test. A change is made by the thread while it waits for no socket, so that what
    // is closed is closed; its consequences have happened on return.
    void with(const std::function<void()>& change);
    template <class Look>
    auto look(Look at) const {
        const std::unique_lock lock(mutex_);
        return at();
    }

    // On the thread, under the lock: what to wait for and until when, and what to do then.
    virtual void wanted(std::vector<pollfd>& sockets, std::optional<SteadyTime>& until) = 0;
    virtual void ready(const std::vector<pollfd>& sockets) = 0;

private:
    void run();
    void wake() const;

    mutable std::mutex mutex_;
    std::condition_variable made_;
    std::vector<const std::function<void()>*> changes_;
    std::uint64_t changes_asked_ = 0;
    std::uint64_t changes_made_ = 0;
    int wake_;
    bool ends_ = false;
    std::thread thread_;
};

// A socket that listens there; -1: the port is taken.
int listen_on(std::uint16_t port, const std::string& address = "127.0.0.1");
// With its peer told by a reset (RST) instead of an end of stream.
void close_with_reset(int fd);
bool set_up(int fd);  // does not block, sends at once

}  // namespace holdfast::testing
