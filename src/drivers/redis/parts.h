#pragma once
// A batch whose commands go to several nodes: one write for each node, the answers put together.

#include <holdfast/redis/batch.h>
#include <holdfast/redis/route.h>

#include <memory>
#include <optional>
#include <vector>

namespace holdfast::redis {

// Loop thread only.
class BatchParts final {
public:
    // `owner` hears once that all have ended, never inside start().
    BatchParts(Client& client, Loop& loop, Batch& batch, SteadyTime deadline, PartsOwner& owner);
    ~BatchParts();

    // An error: nothing was taken, effect none. The batch has at least one command.
    std::optional<Error> start();
    // Ends it without a word to the owner. What is known of the effect of what has no answer.
    Effect give_up();

private:
    class Part;

    Part& part_of(std::vector<std::uint32_t> entries);
    void answered(std::uint32_t index, RespView reply, Effect before);
    void failed(std::uint32_t index, const Error& error);
    bool redirected(const Part& part, std::uint32_t index, RespView error);
    void ended();

    Client* client_;
    Loop* loop_;
    Batch* batch_;
    SteadyTime deadline_;
    PartsOwner* owner_;
    std::vector<std::unique_ptr<Part>> parts_;
    std::size_t left_;  // commands without an outcome
    std::optional<Error> first_;
    bool starting_ = false;
};

}  // namespace holdfast::redis
