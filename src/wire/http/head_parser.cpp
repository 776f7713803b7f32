#include "head_parser.h"

#include "grammar.h"
#include "target.h"

#include <holdfast/http/limits.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace holdfast {
namespace {

struct MethodName {
    std::string_view text;
    HttpMethod method;
};
constexpr std::array<MethodName, 9> method_names{{
    {"GET", HttpMethod::get},
    {"POST", HttpMethod::post},
    {"HEAD", HttpMethod::head},
    {"PUT", HttpMethod::put},
    {"PATCH", HttpMethod::patch},
    {"DELETE", HttpMethod::delete_},
    {"OPTIONS", HttpMethod::options},
    {"TRACE", HttpMethod::trace},
    {"CONNECT", HttpMethod::connect},
}};

HttpMethod method_of(std::string_view text) {
    for (const MethodName& known : method_names) {
        if (known.text == text) {
            return known.method;
        }
    }
    return HttpMethod::other;
}

std::size_t run_of(std::string_view text, CharClass kind) {
    std::size_t count = 0;
    while (count < text.size() && is(text[count], kind)) {
        ++count;
    }
    return count;
}

}  // namespace

std::string_view name_of(HttpMethod method) {
    for (const MethodName& known : method_names) {
        if (known.method == method) {
            return known.text;
        }
    }
    return "other";
}

bool split_field(std::string_view line, HttpField& field) {
    const std::size_t name = run_of(line, token_char);
    if (name == 0 || name == line.size() || line[name] != ':') {
        return false;
    }
    field.name = line.substr(0, name);
    field.value = trimmed(line.substr(name + 1));
    return !has_control(field.value);
}

HeadParser::HeadParser(const HttpLimits& limits) : limits_(&limits) {
    fields_.reserve(fields_reserved);
}

void HeadParser::reset() {
    line_begin_ = scanned_ = fields_begin_ = 0;
    method_ = HttpMethod::other;
    seen_ = 0;
    old_version_ = close_ = expects_continue_ = false;
    length_ = 0;
    path_ = query_ = {};
    fields_.clear();
}

void HeadParser::rebase(const char* from, const char* to) {
    const auto moved = [&](std::string_view& view) {
        if (view.data() != nullptr) {
            view = std::string_view(to + (view.data() - from), view.size());
        }
    };
    moved(path_);
    moved(query_);
    for (HttpField& field : fields_) {
        moved(field.name);
        moved(field.value);
    }
}

bool HeadParser::refuse(int status, std::string_view what) {
    refusal_ = HttpRefusal{status, what};
    return false;
}

// Limits come before grammar, also for a line that is whole: else its fate would hang on how it was
// cut.
HeadParser::Step HeadParser::parse(char* bytes, std::size_t size) {
    for (;;) {
        const void* const feed =
            size > scanned_ ? std::memchr(bytes + scanned_, '\n', size - scanned_) : nullptr;
        const std::size_t end =
            feed != nullptr ? static_cast<std::size_t>(static_cast<const char*>(feed) - bytes)
                            : size;
        if (fields_begin_ == 0) {
            if (size > 0 && !is(bytes[0], token_char)) {
                refuse(400, "the request does not begin with a method");
                return Step::refused;
            }
            if (end > limits_->request_line_bytes_max + 1) {
                refuse(414, "the request line is too long");
                return Step::refused;
            }
        } else if (end + (feed != nullptr ? 1 : 0) > fields_begin_ + limits_->header_bytes_max) {
            refuse(431, "the header is too long");
            return Step::refused;
        }
        if (feed == nullptr) {
            scanned_ = size;
            return Step::more;
        }
        if (end == line_begin_ || bytes[end - 1] != '\r') {
            refuse(400, "a line does not end with CR LF");
            return Step::refused;
        }
        char* const line = bytes + line_begin_;
        const std::size_t length = end - 1 - line_begin_;
        line_begin_ = scanned_ = end + 1;
        if (fields_begin_ == 0) {
            fields_begin_ = line_begin_;
            if (!take_request_line(line, length)) {
                return Step::refused;
            }
        } else if (length == 0) {
            return take_end() ? Step::complete : Step::refused;
        } else if (!take_field({line, length})) {
            return Step::refused;
        }
    }
}

bool HeadParser::take_request_line(char* line, std::size_t size) {
    const std::string_view text(line, size);
    const std::size_t method = run_of(text, token_char);
    if (method == size || text[method] != ' ') {
        return refuse(400, "the request line is malformed");
    }
    method_ = method_of(text.substr(0, method));
    const std::size_t target = run_of(text.substr(method + 1), target_char);
    const std::size_t after = method + 1 + target;
    if (target == 0 || after == size || text[after] != ' ') {
        return refuse(400, "the request line is malformed");
    }
    return take_target({line + method + 1, target}) && take_version(text.substr(after + 1));
}

bool HeadParser::take_target(std::span<char> target) {
    const std::string_view text(target.data(), target.size());
    if (text[0] == '/') {
        const std::size_t path = std::min(text.find('?'), text.size());
        const auto normal = normalise_path(target.first(path));
        if (!normal) {
            return refuse(400, "the path can be read in more than one way");
        }
        path_ = *normal;
        query_ = path == text.size() ? std::string_view() : text.substr(path + 1);
        return true;
    }
    if (method_ == HttpMethod::options && text == "*") {
        path_ = text;
        return true;
    }
    if (method_ == HttpMethod::connect && is_host(text)) {
        return true;  // no path; the handler knows the method
    }
    return refuse(400, "the request target is not a path");
}

bool HeadParser::take_version(std::string_view version) {
    if (version == "HTTP/1.1") {
        close_ = method_ == HttpMethod::connect;  // what follows a CONNECT may not be HTTP
        return true;
    }
    if (version == "HTTP/1.0") {
        old_version_ = close_ = true;
        return true;
    }
    if (version == "HTTP/2" || (version.size() == 8 && version.starts_with("HTTP/2.") &&
                                version[7] >= '0' && version[7] <= '9')) {
        return refuse(505, "this is an HTTP/1.1 server");
    }
    return refuse(400, "the HTTP version is malformed");
}

bool HeadParser::take_field(std::string_view line) {
    if (fields_.size() == limits_->header_fields_max) {
        return refuse(431, "the header has too many fields");
    }
    HttpField field;
    if (!split_field(line, field)) {
        return refuse(400, "a header field is malformed");
    }
    fields_.push_back(field);
    return take_known(field);
}

bool HeadParser::first(Known known) {
    const bool is_first = !saw(known);
    seen_ |= known;
    return is_first;
}

// Only the fields that framing needs, and those of which a second one would be read by one party
// and not by another. Two Authorization fields are the handler's to refuse (see
// HttpRequest::field).
bool HeadParser::take_known(const HttpField& field) {
    const auto is_named = [&](std::string_view name) {
        return same_token(field.name, name);
    };
    switch (field.name.size()) {
    case 4:
        if (is_named("host")) {
            return (first(host) && is_host(field.value)) || refuse(400, "Host is malformed");
        }
        return true;
    case 6:
        if (is_named("expect")) {
            if (!same_token(field.value, "100-continue")) {
                return refuse(417, "only 100-continue can be expected");
            }
            expects_continue_ = !old_version_;
        }
        return true;
    case 10:
        return !is_named("connection") || take_connection(field.value);
    case 12:
        if (is_named("content-type")) {
            return first(content_type) || refuse(400, "Content-Type stands twice");
        }
        return true;
    case 14:
        return !is_named("content-length") || take_length(field.value);
    case 17:
        return !is_named("transfer-encoding") || take_coding(field.value);
    default:
        return true;
    }
}

bool HeadParser::take_connection(std::string_view value) {
    bool malformed = false;
    each_member(value, [&](std::string_view member) {
        close_ |= same_token(member, "close");
        malformed |= run_of(member, token_char) != member.size();
    });
    return !malformed || refuse(400, "Connection is malformed");
}

bool HeadParser::take_length(std::string_view value) {
    if (!first(content_length)) {
        return refuse(400, "Content-Length stands twice");
    }
    const bool digits = value.find_first_not_of("0123456789") == std::string_view::npos;
    if (value.empty() || value.size() > content_length_digits_max || !digits) {
        return refuse(400, "Content-Length is not a number");
    }
    std::from_chars(value.data(), value.data() + value.size(), length_);
    return true;
}

// Exactly `chunked`. Real codings beside it are not implemented; what is no list of codings is
// malformed.
bool HeadParser::take_coding(std::string_view value) {
    if (!first(transfer_encoding)) {
        return refuse(400, "Transfer-Encoding stands twice");
    }
    if (same_token(value, "chunked")) {
        seen_ |= chunked_only;
        return true;
    }
    bool others = false;
    bool malformed = false;
    each_member(value, [&](std::string_view member) {
        others |= !same_token(member, "chunked");
        malformed |= member.empty() || run_of(member, token_char) != member.size();
    });
    if (malformed || !others) {
        return refuse(400, "Transfer-Encoding is malformed");
    }
    return true;  // take_end refuses it, unless a worse fault follows
}

bool HeadParser::take_end() {
    if (saw(transfer_encoding) && (saw(content_length) || old_version_)) {
        return refuse(400, "Transfer-Encoding cannot stand here");
    }
    if (saw(transfer_encoding) && !saw(chunked_only)) {
        return refuse(501, "this transfer coding is not implemented");
    }
    if (!saw(host) && !old_version_) {
        return refuse(400, "Host is missing");
    }
    return true;
}

}  // namespace holdfast
