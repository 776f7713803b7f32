#pragma once
// Ends all tasks of one loop.

#include <holdfast/io/runtime.h>

namespace holdfast {

// Sent to the loop: refuses new tasks, asks those that run to stop, destroys those left at the
// deadline.
class Closing final : public Work {
public:
    Closing(Loop& loop, Deadline deadline) : loop_(&loop), deadline_(deadline) {}
    void run() override;

    Signal done;
    std::size_t destroyed = 0;  // valid once done

private:
    Loop* loop_;
    Deadline deadline_;
};

}  // namespace holdfast
