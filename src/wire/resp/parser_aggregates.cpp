#include "length_line.h"

#include <holdfast/resp/parser.h>

namespace holdfast {

RespParser::Step
RespParser::read_aggregate(Cursor& cursor, RespNode& node, RespType type, Kind kind) {
    const bool pairs = type == RespType::map;
    const LengthLine line =
        read_length(cursor.at + 1, cursor.end, pairs ? resp_nodes_max / 2 : resp_nodes_max);
    if (type == RespType::push && depth_ > 0) {
        return breaks("a push inside a reply");
    }
    switch (line.kind) {
    case LengthLine::Kind::more:
        return want(static_cast<std::size_t>(cursor.end - cursor.begin) + 1);
    case LengthLine::Kind::broken:
        return breaks("not a number of values");
    case LengthLine::Kind::null:
        if (type != RespType::array) {
            return breaks("a null of a type that has none");
        }
        cursor.at = line.next;
        return Step::value;
    case LengthLine::Kind::streamed:
        if (type == RespType::push || kind == Kind::attribute) {
            return breaks("a streamed aggregate of a type that has none");
        }
        cursor.at = line.next;
        return open(type, Kind::streamed, 0);
    case LengthLine::Kind::number:
        break;
    }
    if (depth_ == resp_depth_max) {
        return breaks("values are nested too deep");
    }
    cursor.at = line.next;
    if (line.value > 0) {
        return open(type, kind, pairs ? line.value * 2 : line.value);
    }
    if (kind == Kind::attribute) {
        value_due_ = true;
        return Step::opened;
    }
    node.type = type;
    return Step::value;
}

RespParser::Step RespParser::open(RespType type, Kind kind, std::uint64_t children) {
    if (depth_ == resp_depth_max) {
        return breaks("values are nested too deep");
    }
    const auto count = static_cast<std::uint32_t>(children);
    frames_[depth_++] = {static_cast<std::uint32_t>(nodes_.size()), count, type, kind};
    value_due_ = false;
    if (kind == Kind::attribute) {
        ++muted_;
    } else if (muted_ == 0) {
        RespNode node;
        node.type = type;
        node.children = count;
        nodes_.push_back(node);
    }
    return Step::opened;
}

// ".\r\n": the end of a streamed aggregate.
RespParser::Step RespParser::close_aggregate(Cursor& cursor) {
    if (depth_ == 0 || frames_[depth_ - 1].kind != Kind::streamed || value_due_) {
        return breaks("the end of an aggregate that is not open");
    }
    const Frame& frame = frames_[depth_ - 1];
    if (frame.type == RespType::map && frame.count % 2 != 0) {
        return breaks("a map that ends after a key");
    }
    const int ended = crlf_at(cursor.at + 1, cursor.end);
    if (ended < 0) {
        return breaks("a value that goes on after its end");
    }
    if (ended == 0) {
        return want(static_cast<std::size_t>(cursor.end - cursor.begin) + 1);
    }
    cursor.at += 3;
    --depth_;
    if (muted_ == 0) {
        nodes_[frame.node].children = frame.count;
        nodes_[frame.node].nodes = static_cast<std::uint32_t>(nodes_.size() - frame.node);
    }
    return Step::ended;
}

}  // namespace holdfast
