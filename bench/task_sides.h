#pragma once
// The same work as tasks of ours and as coroutines of asio::awaitable: what a round trip costs.
//
//   ready     awaits a child that ends at once
//   yield     awaits a child that lets the loop turn once
//   deadline  the same under a deadline, which is armed and taken back
//   timer     arms a timer and takes it back
//   hop       asks a thread pool and comes back
//   wait      a thread asks the loop and blocks for the answer

#include "report.h"

#include <memory>
#include <string_view>

namespace holdfast::bench {

class TaskSide {
public:
    virtual ~TaskSide() = default;
    // The work must be one of the names above.
    virtual Run run(std::string_view work, std::uint64_t operations) = 0;
};

std::unique_ptr<TaskSide> open_ours();
std::unique_ptr<TaskSide> open_awaitable();

}  // namespace holdfast::bench
