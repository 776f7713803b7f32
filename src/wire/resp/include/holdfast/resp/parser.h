#pragma once
// Finds replies in a growing buffer.

#include <holdfast/resp/reply.h>

#include <cstddef>
#include <string_view>

namespace holdfast {

enum class RespStatus : std::uint8_t {
    incomplete,  // a reply has begun, or nothing has
    complete,
    broken,  // these bytes are not the protocol: what follows cannot be told apart
};

// Incremental: bytes are looked at once, whatever pieces they arrive in. Attributes are skipped
// (the reply is what follows them). Memory is bounded by what was received, never by what a length
// announces: at most one node for three bytes. One thread.
class RespParser {
public:
    RespParser();
    ~RespParser();
    RespParser(const RespParser&) = delete;
    RespParser& operator=(const RespParser&) = delete;

    // `unread` starts with the first byte of the reply that is looked for and holds all that came
    // since; the next call may bring the same bytes at another address, and more after them. After
    // `complete` the next call starts at the byte after consumed().
    RespStatus parse(std::string_view unread);

    // After `complete`: the bytes of the reply (with attributes before it), and the reply itself.
    std::size_t consumed() const;
    RespView reply() const;
    // After `broken`: a literal that says what was wrong.
    std::string_view problem() const;

    // Forgets a reply that has begun: for another connection.
    void reset();

private:
    struct State;
    State* state_;
};

}  // namespace holdfast
