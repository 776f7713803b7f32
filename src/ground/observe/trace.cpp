#include <holdfast/observe/trace.h>

#include <algorithm>
#include <cstddef>
#include <span>

namespace holdfast {
namespace {

// "vv-tttttttttttttttttttttttttttttttt-pppppppppppppppp-ff"
constexpr std::size_t trace_at = 3;
constexpr std::size_t span_at = 36;
constexpr std::size_t flags_at = 53;
constexpr std::size_t header_bytes = 55;
constexpr std::uint8_t flag_sampled = 1;
constexpr std::uint8_t version_forbidden = 0xff;

int digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool read_hex(std::string_view text, std::span<std::uint8_t> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int high = digit(text[2 * i]);
        const int low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        out[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return true;
}

void append_hex(std::string& out, std::span<const std::uint8_t> bytes) {
    for (std::uint8_t byte : bytes) {
        out += "0123456789abcdef"[byte >> 4];
        out += "0123456789abcdef"[byte & 15];
    }
}

bool all_zero(std::span<const std::uint8_t> bytes) {
    return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

template <std::size_t size>
std::array<std::uint8_t, size> random_id(const TraceContext::Random& random) {
    std::array<std::uint8_t, size> id{};
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < size; ++i) {
        bits = i % 8 == 0 ? random() : bits >> 8;
        id[i] = static_cast<std::uint8_t>(bits);
    }
    if (all_zero(id)) {
        id.back() = 1;  // all zero means "no id"
    }
    return id;
}

}  // namespace

TraceContext TraceContext::start(const Random& random, bool sampled) {
    const TraceId trace_id = random_id<16>(random);
    return {trace_id, random_id<8>(random), sampled};
}

std::optional<TraceContext> TraceContext::parse(std::string_view traceparent) {
    if (traceparent.size() < header_bytes || traceparent[trace_at - 1] != '-' ||
        traceparent[span_at - 1] != '-' || traceparent[flags_at - 1] != '-') {
        return std::nullopt;
    }
    std::array<std::uint8_t, 1> version{};
    std::array<std::uint8_t, 1> flags{};
    TraceId trace_id{};
    SpanId span_id{};
    if (!read_hex(traceparent, version) || !read_hex(traceparent.substr(trace_at), trace_id) ||
        !read_hex(traceparent.substr(span_at), span_id) ||
        !read_hex(traceparent.substr(flags_at), flags)) {
        return std::nullopt;
    }
    const bool longer = traceparent.size() > header_bytes;
    if (version[0] == version_forbidden || (longer && version[0] == 0) ||
        (longer && traceparent[header_bytes] != '-') || all_zero(trace_id) || all_zero(span_id)) {
        return std::nullopt;
    }
    return TraceContext(trace_id, span_id, (flags[0] & flag_sampled) != 0);
}

TraceContext TraceContext::child(const Random& random) const {
    return {trace_id_, random_id<8>(random), sampled_};
}

std::string TraceContext::traceparent() const {
    std::string out;
    out.reserve(header_bytes);
    out += "00-";
    append_hex(out, trace_id_);
    out += '-';
    append_hex(out, span_id_);
    out += sampled_ ? "-01" : "-00";
    return out;
}

std::string TraceContext::trace_id_text() const {
    std::string out;
    append_hex(out, trace_id_);
    return out;
}

std::string TraceContext::span_id_text() const {
    std::string out;
    append_hex(out, span_id_);
    return out;
}

}  // namespace holdfast
