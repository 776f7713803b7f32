#include "plain_value.h"

#include <holdfast/resp/parser.h>

namespace holdfast {
namespace {

// A node holds an offset while its bytes may move: what the pointer would be if they began at 0. It
// is never followed before it is a pointer again.
const char* offset_of(const char* data, const char* begin) {
    return reinterpret_cast<const char*>(data - begin);
}
const char* pointer_of(const char* offset, const char* begin) {
    return begin + reinterpret_cast<std::uintptr_t>(offset);
}

}  // namespace

RespStatus RespParser::parse(std::string_view unread) {
    if (phase_ == Phase::fresh) [[likely]] {
        const char* const begin = unread.data();
        const char* const next = read_plain_bulk(begin, begin + unread.size(), single_);
        if (next != nullptr) [[likely]] {
            consumed_ = static_cast<std::size_t>(next - begin);
            return RespStatus::complete;
        }
    }
    return parse_other(unread);
}

// Apart, so that parse() keeps no registers for it.
[[gnu::noinline]] RespStatus RespParser::parse_other(std::string_view unread) {
    if (phase_ == Phase::fresh) {
        const char* const begin = unread.data();
        const char* const next = read_plain_value(begin, begin + unread.size(), single_);
        if (next != nullptr) {
            consumed_ = static_cast<std::size_t>(next - begin);
            return RespStatus::complete;
        }
    }
    return go_on(unread);
}

RespStatus RespParser::go_on(std::string_view unread) {
    if (phase_ == Phase::broken) {
        return RespStatus::broken;
    }
    if (phase_ == Phase::done) {
        forget_reply();
        return parse(unread);
    }
    if (unread.size() < wanted_) {
        return RespStatus::incomplete;
    }
    phase_ = Phase::begun;
    Cursor cursor{unread.data(), unread.data() + at_, unread.data() + unread.size()};
    for (;;) {
        if (depth_ > 0) {
            read_bulk_run(cursor);
        }
        RespNode node;
        const Step step = read_any(cursor, node);
        switch (step) {
        case Step::more:
            suspended(cursor);
            return RespStatus::incomplete;
        case Step::broken:
            phase_ = Phase::broken;
            return RespStatus::broken;
        case Step::opened:
            continue;
        case Step::value:
            if (muted_ == 0) {
                nodes_.push_back(node);
            }
            break;
        case Step::ended:
            break;
        }
        if (nodes_.size() > resp_nodes_max) {
            phase_ = Phase::broken;
            breaks("a reply of too many values");
            return RespStatus::broken;
        }
        if (value_ended()) {
            return completed(cursor);
        }
    }
}

// Plain texts in a row, but for the last child of an aggregate: what ends it is done elsewhere.
void RespParser::read_bulk_run(Cursor& cursor) {
    Frame& frame = frames_[depth_ - 1];
    if (frame.kind != Kind::counted || muted_ > 0 || in_chunks_ || nodes_.size() > resp_nodes_max) {
        return;
    }
    const char* at = cursor.at;
    std::uint32_t left = frame.count;
    for (std::size_t room = resp_nodes_max - nodes_.size(); left > 1 && room > 0; --left, --room) {
        RespNode node;
        const char* const next = read_plain_bulk(at, cursor.end, node);
        if (next == nullptr) {
            break;
        }
        nodes_.push_back(node);
        at = next;
    }
    frame.count = left;
    cursor.at = at;
}

RespParser::Step RespParser::read_any(Cursor& cursor, RespNode& node) {
    const char* next = nullptr;
    if (!in_chunks_) [[likely]] {
        next = read_plain_bulk(cursor.at, cursor.end, node);
        if (next == nullptr) {
            next = read_plain_value(cursor.at, cursor.end, node);
        }
    }
    if (next == nullptr) {
        return read_next(cursor, node);
    }
    cursor.at = next;
    return Step::value;
}

// True: it was the reply.
bool RespParser::value_ended() {
    value_due_ = false;
    while (depth_ > 0) {
        Frame& frame = frames_[depth_ - 1];
        if (frame.kind == Kind::streamed) {
            ++frame.count;
            return false;
        }
        if (--frame.count > 0) {
            return false;
        }
        --depth_;
        if (frame.kind == Kind::attribute) {
            --muted_;
            value_due_ = true;
            return false;
        }
        if (muted_ == 0) {
            nodes_[frame.node].nodes = static_cast<std::uint32_t>(nodes_.size() - frame.node);
        }
    }
    return true;
}

void RespParser::suspended(const Cursor& cursor) {
    at_ = static_cast<std::size_t>(cursor.at - cursor.begin);
    for (; settled_ < nodes_.size(); ++settled_) {
        RespNode& node = nodes_[settled_];
        if (node.data != nullptr) {
            node.data = offset_of(node.data, cursor.begin);
        }
    }
}

RespStatus RespParser::completed(const Cursor& cursor) {
    for (std::size_t i = 0; i < settled_; ++i) {
        if (nodes_[i].data != nullptr) {
            nodes_[i].data = pointer_of(nodes_[i].data, cursor.begin);
        }
    }
    for (const Joined& joined : joined_nodes_) {
        nodes_[joined.node].data = joined_.data() + joined.from;
    }
    consumed_ = static_cast<std::size_t>(cursor.at - cursor.begin);
    root_ = nodes_.data();
    phase_ = Phase::done;
    return RespStatus::complete;
}

void RespParser::forget_reply() {
    nodes_.clear();
    if (nodes_.capacity() > resp_nodes_kept_max) {
        nodes_.shrink_to_fit();
    }
    joined_.clear();
    if (joined_.capacity() > resp_joined_bytes_kept_max) {
        joined_.shrink_to_fit();
        joined_nodes_ = {};
    }
    joined_nodes_.clear();
    root_ = &single_;
    wanted_ = 1;
    at_ = searched_ = settled_ = depth_ = muted_ = 0;
    in_chunks_ = value_due_ = false;
    phase_ = Phase::fresh;
}

void RespParser::reset() {
    forget_reply();
    problem_ = {};
}

}  // namespace holdfast
