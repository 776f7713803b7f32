#include "chunk_reader.h"

#include "grammar.h"
#include "head_parser.h"

#include <holdfast/http/limits.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace holdfast {
namespace {

std::size_t token_end(std::string_view text, std::size_t at) {
    while (at < text.size() && is(text[at], token_char)) {
        ++at;
    }
    return at;
}

// The end of `"quoted text"`, or `at` if there is none.
std::size_t quoted_end(std::string_view text, std::size_t at) {
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            return i + 1;
        }
        i += text[i] == '\\' ? 1 : 0;
    }
    return at;
}

// Any number of ";name", ";name=token" and ";name="quoted"", without space between.
bool are_extensions(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t name = at + 1;
        const std::size_t name_end = token_end(text, name);
        if (text[at] != ';' || name_end == name) {
            return false;
        }
        at = name_end;
        if (at < text.size() && text[at] == '=') {
            const std::size_t value = at + 1;
            at = value < text.size() && text[value] == '"' ? quoted_end(text, value)
                                                           : token_end(text, value);
            if (at == value) {
                return false;
            }
        }
    }
    return !has_control(text);
}

// Read from a trailer by somebody, they would change what was read before (RFC 9110, 6.5.1).
bool belongs_to_header(std::string_view name) {
    constexpr std::array<std::string_view, 9> names{
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "upgrade",
        "expect",
        "authorization",
        "content-type",
        "proxy-connection",
    };
    return std::any_of(names.begin(), names.end(), [&](std::string_view known) {
        return same_token(name, known);
    });
}

}  // namespace

void ChunkReader::begin(std::size_t header_bytes, std::size_t header_fields) {
    state_ = State::size_line;
    left_ = 0;
    header_bytes_ = header_bytes;
    header_fields_ = header_fields;
    scanned_ = 0;
}

ChunkReader::Step ChunkReader::refuse(int status, std::string_view what) {
    refusal_ = HttpRefusal{status, what};
    return Step::refused;
}

ChunkReader::Step
ChunkReader::decode(char* base, std::size_t& body, std::size_t& raw, std::size_t end) {
    while (raw != end) {
        if (state_ == State::data) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, end - raw));
            std::memmove(base + body, base + raw, count);
            body += count;
            raw += count;
            left_ -= count;
            if (left_ == 0) {
                state_ = State::data_end;
                left_ = 2;
            }
            continue;
        }
        if (state_ == State::data_end) {
            if (base[raw++] != (left_ == 2 ? '\r' : '\n')) {
                return refuse(400, "a chunk is longer than its size");
            }
            if (--left_ == 0) {
                state_ = State::size_line;
            }
            continue;
        }
        const char* const line = base + raw;
        const void* const feed = std::memchr(line + scanned_, '\n', end - raw - scanned_);
        const bool whole = feed != nullptr;
        const std::size_t size =
            whole ? static_cast<std::size_t>(static_cast<const char*>(feed) - line) : end - raw;
        const std::string_view seen(line, size);
        const Step step =
            state_ == State::size_line ? take_size(seen, whole, body) : take_trailer(seen, whole);
        if (!whole && step == Step::more) {
            scanned_ = size;
            return Step::more;
        }
        scanned_ = 0;
        raw += whole ? size + 1 : 0;
        if (step != Step::more) {
            return step;
        }
    }
    return Step::more;
}

// `seen` is the line so far, without its LF. Verdicts on a line that is not whole hold for all its
// ends.
ChunkReader::Step ChunkReader::take_size(std::string_view seen, bool whole, std::size_t body) {
    std::uint64_t size = 0;
    std::size_t digits = 0;
    while (digits < seen.size() && hex_digit(seen[digits]) >= 0) {
        if (++digits > chunk_size_digits_max) {
            return refuse(400, "a chunk size has too many digits");
        }
        size = size * 16 + static_cast<unsigned>(hex_digit(seen[digits - 1]));
    }
    const std::size_t extension = seen.size() - digits;  // with its CR
    if (header_bytes_ + extension > limits_->header_bytes_max + 1) {
        return refuse(431, "chunk extensions are too long");
    }
    if (!whole) {
        return Step::more;
    }
    if (digits == 0 || extension == 0 || seen.back() != '\r') {
        return refuse(400, "a chunk size is malformed");
    }
    const std::string_view words = seen.substr(digits, extension - 1);
    if (!are_extensions(words)) {
        return refuse(400, "a chunk extension is malformed");
    }
    if (size > limits_->body_bytes_max - body) {
        return refuse(413, "the body is too large");
    }
    header_bytes_ += words.size();
    left_ = size;
    state_ = size == 0 ? State::trailer : State::data;
    return Step::more;
}

ChunkReader::Step ChunkReader::take_trailer(std::string_view seen, bool whole) {
    if (header_bytes_ + seen.size() > limits_->header_bytes_max + 1) {
        return refuse(431, "the trailers are too long");
    }
    if (!whole) {
        return Step::more;
    }
    if (seen.empty() || seen.back() != '\r') {
        return refuse(400, "a line does not end with CR LF");
    }
    const std::string_view line = seen.substr(0, seen.size() - 1);
    if (line.empty()) {
        return Step::complete;
    }
    if (header_fields_ == limits_->header_fields_max) {
        return refuse(431, "there are too many trailers");
    }
    HttpField dropped;  // no trailer means anything to us
    if (!split_field(line, dropped) || belongs_to_header(dropped.name)) {
        return refuse(400, "a trailer is malformed");
    }
    ++header_fields_;
    header_bytes_ += seen.size() + 1;
    return Step::more;
}

}  // namespace holdfast
