#pragma once
// Calls between two attempts: until the node that refused them has had a moment, or until it is
// known who serves them.

#include <holdfast/redis/route.h>

namespace holdfast::redis {

// Loop thread only.
class Parking final : private Work {
public:
    explicit Parking(LoopSide& side) : side_(&side) {}

    // An operation that is in no connection. It goes on at this time, or earlier by resume_all().
    // `why`: a literal.
    void park(RoutedOperation& operation, SteadyTime until, std::string_view why);
    // What is known of its effect.
    Effect abandon(RoutedOperation& operation);
    // What they end with if it does not change.
    void explain(std::string_view why);
    // Another topology: all may go on.
    void resume_all();
    // One that is in no connection and nowhere parked. Effect as it is.
    static void fail(RoutedOperation& operation, Code code, std::string_view what);
    // Effect of each as it is.
    void fail_all(const Error& reason);
    std::size_t size() const { return size_; }

private:
    void run() override;
    void send(List<RoutedOperation>& due);
    void arm();
    void leave(RoutedOperation& operation);

    LoopSide* side_;
    List<RoutedOperation> parked_;
    std::size_t size_ = 0;
    SteadyTime armed_ = SteadyTime::max();
};

}  // namespace holdfast::redis
