#pragma once
// MGET, MSET, DEL, UNLINK, EXISTS and TOUCH of keys with different slots: one command for each
// slot, one answer put together from theirs.

#include "parts.h"

#include <holdfast/redis/batch.h>
#include <holdfast/resp/parser.h>

#include <string>
#include <vector>

namespace holdfast::redis {

// Loop thread only.
class SplitCall final : private PartsOwner {
public:
    static bool possible(const AnyCommand& command);

    // `whole` hears the one answer, or the one error: effect none only if no part has done anything
    // or may have.
    SplitCall(
        Client& client, Loop& loop, const AnyCommand& command, SteadyTime deadline, Operation& whole
    );
    std::optional<Error> start() { return parts_.start(); }
    Effect give_up();

private:
    Batch divide(const AnyCommand& command);
    void parts_ended(std::optional<Error> error) override;
    std::optional<Error> first_error(std::optional<Error> error) const;
    std::string joined() const;
    std::string outcomes() const;

    std::string_view name_;
    std::vector<std::size_t> part_of_;  // of each key its part, in the order of the keys
    std::vector<std::int32_t> slots_;   // of the parts
    Batch batch_;
    Operation* whole_;
    BatchParts parts_;
};

}  // namespace holdfast::redis
