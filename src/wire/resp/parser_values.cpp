// The careful reader: one value, or the beginning of one, at a time.
#include "length_line.h"

#include <holdfast/resp/parser.h>

#include <algorithm>
#include <cstring>

namespace holdfast {
namespace {

constexpr std::uint64_t integer_max = 0x7fff'ffff'ffff'ffff;
constexpr std::size_t verbatim_prefix_bytes = 4;  // "txt:"

}  // namespace

RespParser::Step RespParser::want(std::size_t bytes) {
    wanted_ = bytes;
    return Step::more;
}

RespParser::Step RespParser::breaks(std::string_view problem) {
    problem_ = problem;
    return Step::broken;
}

RespParser::Step RespParser::read_next(Cursor& cursor, RespNode& node) {
    if (cursor.at == cursor.end) {
        return want(static_cast<std::size_t>(cursor.end - cursor.begin) + 1);
    }
    if (in_chunks_) {
        return read_chunk(cursor);
    }
    switch (*cursor.at) {
    case '+':
        return read_line(cursor, node, RespType::simple);
    case '-':
        return read_line(cursor, node, RespType::error);
    case ',':
        return read_line(cursor, node, RespType::real);
    case '(':
        return read_line(cursor, node, RespType::big_number);
    case ':':
        return read_number(cursor, node);
    case '_':
    case '#':
        return read_letter(cursor, node);
    case '$':
        return read_bulk(cursor, node, RespType::bulk);
    case '!':
        return read_bulk(cursor, node, RespType::error);
    case '=':
        return read_bulk(cursor, node, RespType::verbatim);
    case '*':
        return read_aggregate(cursor, node, RespType::array, Kind::counted);
    case '~':
        return read_aggregate(cursor, node, RespType::set, Kind::counted);
    case '%':
        return read_aggregate(cursor, node, RespType::map, Kind::counted);
    case '>':
        return read_aggregate(cursor, node, RespType::push, Kind::counted);
    case '|':
        return read_aggregate(cursor, node, RespType::map, Kind::attribute);
    case '.':
        return close_aggregate(cursor);
    default:
        return breaks("no type begins with this byte");
    }
}

RespParser::Step RespParser::read_line(Cursor& cursor, RespNode& node, RespType type) {
    const char* const text = cursor.at + 1;
    const char* const from = std::max(text, cursor.begin + searched_);
    const auto* const cr = static_cast<const char*>(
        from == cursor.end ? nullptr
                           : std::memchr(from, '\r', static_cast<std::size_t>(cursor.end - from))
    );
    const char* const stop = cr == nullptr ? cursor.end : cr;
    if (static_cast<std::size_t>(stop - text) > resp_line_bytes_read_max) {
        return breaks("a line is too long");
    }
    const int ended = crlf_at(stop, cursor.end);
    if (ended == 0) {
        searched_ = static_cast<std::size_t>(stop - cursor.begin);
        return want(static_cast<std::size_t>(cursor.end - cursor.begin) + 1);
    }
    if (ended < 0) {
        return breaks("CR without LF in a line");
    }
    node.type = type;
    node.data = text;
    node.size = static_cast<std::size_t>(stop - text);
    cursor.at = stop + 2;
    return Step::value;
}

RespParser::Step RespParser::read_number(Cursor& cursor, RespNode& node) {
    const char* digits = cursor.at + 1;
    const bool minus = digits != cursor.end && *digits == '-';
    if (digits != cursor.end && (minus || *digits == '+')) {
        ++digits;
    }
    const LengthLine line =
        digits != cursor.end && *digits != '-' && *digits != '?'
            ? read_length(digits, cursor.end, integer_max + (minus ? 1 : 0))
            : LengthLine{digits == cursor.end ? LengthLine::Kind::more : LengthLine::Kind::broken};
    if (line.kind == LengthLine::Kind::more) {
        return want(static_cast<std::size_t>(cursor.end - cursor.begin) + 1);
    }
    if (line.kind == LengthLine::Kind::broken || (minus && line.value == 0)) {
        return breaks("not an integer of 64 bits");
    }
    node.type = RespType::integer;
    node.data = cursor.at + 1;
    node.size = static_cast<std::size_t>(line.next - 2 - node.data);
    node.number = static_cast<std::int64_t>(minus ? 0 - line.value : line.value);
    cursor.at = line.next;
    return Step::value;
}

// "_\r\n", "#t\r\n", "#f\r\n"
RespParser::Step RespParser::read_letter(Cursor& cursor, RespNode& node) {
    const bool boolean = *cursor.at == '#';
    const char* const letter = cursor.at + 1;
    const char* const line_end = letter + (boolean ? 1 : 0);
    if (boolean && letter != cursor.end && *letter != 't' && *letter != 'f') {
        return breaks("neither true nor false");
    }
    const int ended = line_end > cursor.end ? 0 : crlf_at(line_end, cursor.end);
    if (ended == 0) {
        return want(static_cast<std::size_t>(cursor.end - cursor.begin) + 1);
    }
    if (ended < 0) {
        return breaks("a value that goes on after its end");
    }
    if (boolean) {
        node.type = RespType::boolean;
        node.data = letter;
        node.size = 1;
        node.number = *letter == 't' ? 1 : 0;
    }
    cursor.at = line_end + 2;
    return Step::value;
}

// value: `size` bytes and CR LF stand at `from`, and the cursor is after them.
RespParser::Step RespParser::body(Cursor& cursor, const char* from, std::uint64_t size) {
    const auto have = static_cast<std::uint64_t>(cursor.end - from);
    if (have < size + 2) {
        return want(static_cast<std::size_t>(from - cursor.begin) + size + 2);
    }
    if (crlf_at(from + size, cursor.end) != 1) {
        return breaks("a text that goes on after its announced length");
    }
    cursor.at = from + size + 2;
    return Step::value;
}

RespParser::Step RespParser::read_bulk(Cursor& cursor, RespNode& node, RespType type) {
    const LengthLine line = read_length(cursor.at + 1, cursor.end, resp_bulk_bytes_max);
    switch (line.kind) {
    case LengthLine::Kind::more:
        return want(static_cast<std::size_t>(cursor.end - cursor.begin) + 1);
    case LengthLine::Kind::broken:
        return breaks("not the length of a text");
    case LengthLine::Kind::null:
        if (type != RespType::bulk) {
            return breaks("a null of a type that has none");
        }
        cursor.at = line.next;
        return Step::value;
    case LengthLine::Kind::streamed:
        if (type != RespType::bulk) {
            return breaks("a streamed text of a type that has none");
        }
        cursor.at = line.next;
        return begin_streamed_bulk();
    case LengthLine::Kind::number:
        break;
    }
    const bool verbatim = type == RespType::verbatim;
    if (verbatim && line.value < verbatim_prefix_bytes) {
        return breaks("a verbatim text without its kind");
    }
    const Step step = body(cursor, line.next, line.value);
    if (step != Step::value) {
        return step;
    }
    if (verbatim && line.next[verbatim_prefix_bytes - 1] != ':') {
        return breaks("a verbatim text without its kind");
    }
    const std::size_t skipped = verbatim ? verbatim_prefix_bytes : 0;
    node.type = type;
    node.data = line.next + skipped;
    node.size = line.value - skipped;
    return Step::value;
}

RespParser::Step RespParser::begin_streamed_bulk() {
    in_chunks_ = true;
    value_due_ = false;
    if (muted_ == 0) {
        RespNode node;
        node.type = RespType::bulk;
        joined_nodes_.push_back({static_cast<std::uint32_t>(nodes_.size()), joined_.size()});
        nodes_.push_back(node);
    }
    return Step::opened;
}

RespParser::Step RespParser::read_chunk(Cursor& cursor) {
    if (*cursor.at != ';') {
        return breaks("a streamed text that stops without its last chunk");
    }
    const LengthLine line = read_length(cursor.at + 1, cursor.end, resp_bulk_bytes_max);
    if (line.kind == LengthLine::Kind::more) {
        return want(static_cast<std::size_t>(cursor.end - cursor.begin) + 1);
    }
    if (line.kind != LengthLine::Kind::number) {
        return breaks("not the length of a chunk");
    }
    if (line.value == 0) {
        in_chunks_ = false;
        cursor.at = line.next;
        return Step::ended;
    }
    if (muted_ == 0 && line.value > resp_bulk_bytes_max - nodes_.back().size) {
        return breaks("a streamed text is too long");
    }
    const Step step = body(cursor, line.next, line.value);
    if (step != Step::value) {
        return step;
    }
    if (muted_ == 0) {
        joined_.append(line.next, line.value);
        nodes_.back().size += line.value;
    }
    return Step::opened;
}

}  // namespace holdfast
