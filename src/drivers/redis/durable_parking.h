#pragma once
// Durable writes between two attempts: of none of them anything was done.

#include <holdfast/redis/durable.h>

namespace holdfast::redis {

// Loop thread only.
class DurableParking final : private Work {
public:
    explicit DurableParking(LoopSide& side) : side_(&side) {}

    // One that is in no lane. It goes on at this time, or earlier by resume_all(). `why`: a
    // literal, what it ends with at its deadline.
    void park(DurableCall& call, SteadyTime until, std::string_view why);
    void resume_all();
    void fail_all(const Error& reason);
    // Why those wait that wait for a topology: a literal.
    void explain(std::string_view why);
    std::size_t size() const { return size_; }
    // From a call that goes.
    void left() { --size_; }

private:
    void run() override;
    void send(List<DurableCall>& due);
    void arm();

    LoopSide* side_;
    List<DurableCall> parked_;
    std::size_t size_ = 0;
};

}  // namespace holdfast::redis
