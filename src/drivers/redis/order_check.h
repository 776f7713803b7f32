#pragma once
// Finds replies that have left their place, wherever they were lost or doubled. Behind the commands
// of each write goes an ECHO of a number that nobody else knows: its answer must come in its own
// place and in no other.

#include "write_buffer.h"

#include <holdfast/resp/reply.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast::redis {

class OrderCheck {
public:
    // Two with the same seed expect the same numbers.
    explicit OrderCheck(std::uint64_t seed) : seed_(seed) { expect(); }

    // The bytes of the next ECHO. Throws std::bad_alloc and has changed nothing then.
    void append(WriteBuffer& out);
    // Whether this reply may come here. `ours`: where the answer to an ECHO is due.
    bool allows(RespView reply, bool ours);
    // The connection is gone, and the answers with it.
    void lost();

private:
    using Number = std::array<char, 16>;
    Number number(std::uint64_t index) const;
    void expect() { expected_ = number(answered_); }

    std::uint64_t seed_;
    std::uint64_t written_ = 0;
    std::uint64_t answered_ = 0;
    Number expected_{};  // of the oldest that is unanswered, or of the next
};

}  // namespace holdfast::redis
