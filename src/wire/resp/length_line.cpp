#include "length_line.h"

namespace holdfast {
namespace {

LengthLine line_end(LengthLine::Kind kind, std::uint64_t value, const char* at, const char* end) {
    switch (crlf_at(at, end)) {
    case -1:
        return {LengthLine::Kind::broken};
    case 0:
        return {LengthLine::Kind::more};
    default:
        return {kind, value, at + 2};
    }
}

}  // namespace

LengthLine read_length(const char* at, const char* end, std::uint64_t max) {
    if (at == end) {
        return {LengthLine::Kind::more};
    }
    if (*at == '?') {
        return line_end(LengthLine::Kind::streamed, 0, at + 1, end);
    }
    if (*at == '-') {
        if (at + 1 == end) {
            return {LengthLine::Kind::more};
        }
        if (at[1] != '1') {
            return {LengthLine::Kind::broken};
        }
        return line_end(LengthLine::Kind::null, 0, at + 2, end);
    }
    std::uint64_t value = 0;
    const char* const first = at;
    for (; at != end && *at >= '0' && *at <= '9'; ++at) {
        const auto digit = static_cast<std::uint64_t>(*at - '0');
        if ((at != first && value == 0) || value > (max - digit) / 10 || digit > max) {
            return {LengthLine::Kind::broken};
        }
        value = value * 10 + digit;
    }
    if (at == first) {
        return {LengthLine::Kind::broken};
    }
    return line_end(LengthLine::Kind::number, value, at, end);
}

}  // namespace holdfast
