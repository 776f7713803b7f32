#pragma once
// Finds replies in a growing buffer.

#include <holdfast/resp/limits.h>
#include <holdfast/resp/reply.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

enum class RespStatus : std::uint8_t {
    incomplete,  // a reply has begun, or nothing has
    complete,
    broken,  // these bytes are not the protocol: what follows cannot be told apart
};

// Incremental: the work is linear in the bytes, whatever pieces they arrive in, and the verdict on
// a beginning is the same however it was cut. Attributes are skipped (the reply is what follows
// them). Memory is bounded by what was received, never by what a length announces: at most one node
// for three bytes. Nothing but std::bad_alloc is thrown. One thread.
class RespParser {
public:
    RespParser() = default;
    RespParser(const RespParser&) = delete;
    RespParser& operator=(const RespParser&) = delete;

    // `unread` starts with the first byte of the reply that is looked for and holds all that came
    // since; the next call may bring the same bytes at another address, and more after them. After
    // `complete` the next call starts at the byte after consumed(). After `broken` every call
    // answers `broken`.
    RespStatus parse(std::string_view unread);

    // After `complete`: the bytes of the reply (with attributes before it), and the reply itself,
    // valid until the next call or as long as the bytes stand where they are.
    std::size_t consumed() const { return consumed_; }
    RespView reply() const { return RespView(root_); }
    // After `broken`: a literal that says what was wrong.
    std::string_view problem() const { return problem_; }
    // After `incomplete`: with fewer bytes than these the next call cannot complete; at least one.
    std::size_t wanted() const { return wanted_; }

    // Forgets a reply that has begun, and what was broken: for another connection.
    void reset();

private:
    enum class Phase : std::uint8_t { fresh, begun, done, broken };
    enum class Step : std::uint8_t { more, broken, value, opened, ended };
    enum class Kind : std::uint8_t { counted, streamed, attribute };
    struct Frame {
        std::uint32_t node;   // its place in nodes_
        std::uint32_t count;  // children that are to come; of a streamed one: that came
        RespType type;
        Kind kind;
    };
    struct Joined {
        std::uint32_t node;
        std::size_t from;  // in joined_
    };
    // One call's bytes and the place in them.
    struct Cursor {
        const char* begin;
        const char* at;
        const char* end;
    };

    RespStatus parse_other(std::string_view unread);
    RespStatus go_on(std::string_view unread);
    void read_bulk_run(Cursor& cursor);
    Step read_any(Cursor& cursor, RespNode& node);
    RespStatus completed(const Cursor& cursor);
    void suspended(const Cursor& cursor);
    bool value_ended();
    Step close_aggregate(Cursor& cursor);

    Step read_next(Cursor& cursor, RespNode& node);
    Step read_line(Cursor& cursor, RespNode& node, RespType type);
    Step read_number(Cursor& cursor, RespNode& node);
    Step read_letter(Cursor& cursor, RespNode& node);
    Step read_bulk(Cursor& cursor, RespNode& node, RespType type);
    Step read_chunk(Cursor& cursor);
    Step read_aggregate(Cursor& cursor, RespNode& node, RespType type, Kind kind);
    Step begin_streamed_bulk();
    Step open(RespType type, Kind kind, std::uint64_t children);
    Step body(Cursor& cursor, const char* from, std::uint64_t size);
    Step want(std::size_t bytes);
    Step breaks(std::string_view problem);
    void forget_reply();

    Phase phase_ = Phase::fresh;
    bool in_chunks_ = false;  // of a streamed string
    bool value_due_ = false;  // an attribute ended: what it describes must come
    RespNode single_;         // a reply that is one plain value
    const RespNode* root_ = &single_;
    std::size_t consumed_ = 0;
    std::size_t wanted_ = 1;

    std::size_t at_ = 0;        // the first byte that is not understood yet
    std::size_t searched_ = 0;  // no line ends before it
    std::size_t settled_ = 0;   // nodes that hold offsets, because the bytes may have moved
    std::size_t depth_ = 0;
    std::size_t muted_ = 0;  // attributes around the place: their values get no nodes
    std::vector<RespNode> nodes_;
    std::string joined_;
    std::vector<Joined> joined_nodes_;
    std::string_view problem_;
    std::array<Frame, resp_depth_max> frames_;
};

}  // namespace holdfast
