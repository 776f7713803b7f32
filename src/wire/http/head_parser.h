#pragma once
// A request line and its fields, without sockets: gets the bytes from the request's start on, as
// they grow. Every verdict depends on the bytes alone, never on how they were cut.

#include <holdfast/http/message.h>

#include <cstddef>
#include <vector>

namespace holdfast {

// "name: value" without its line end: the name is a token, nothing stands between it and the
// colon, the value has no control characters. False: none of it holds.
bool split_field(std::string_view line, HttpField& field);

class HeadParser {
public:
    enum class Step { more, complete, refused };

    explicit HeadParser(const HttpLimits& limits);

    // `bytes` begins with the request; what was given before is still there, perhaps elsewhere.
    // The path is decoded in place, once its line is whole.
    Step parse(char* bytes, std::size_t size);
    void reset();
    // The bytes have moved.
    void rebase(const char* from, const char* to);

    // After `refused`.
    HttpRefusal refusal() const { return refusal_; }
    // After `complete`.
    std::size_t head_bytes() const { return line_begin_; }
    std::size_t field_bytes() const { return line_begin_ - fields_begin_; }
    HttpMethod method() const { return method_; }
    std::string_view path() const { return path_; }
    std::string_view query() const { return query_; }
    const std::vector<HttpField>& fields() const { return fields_; }
    bool chunked() const { return saw(transfer_encoding); }
    bool has_length() const { return saw(content_length); }
    std::uint64_t length() const { return length_; }
    bool keep_alive() const { return !close_; }
    bool expects_continue() const { return expects_continue_; }

private:
    enum Known : std::uint8_t {
        host = 1,
        content_length = 2,
        transfer_encoding = 4,
        content_type = 8,
        chunked_only = 16,
    };
    bool saw(Known known) const { return (seen_ & known) != 0; }
    bool first(Known known);
    bool refuse(int status, std::string_view what);
    bool take_request_line(char* line, std::size_t size);
    bool take_target(std::span<char> target);
    bool take_version(std::string_view version);
    bool take_field(std::string_view line);
    bool take_known(const HttpField& field);
    bool take_connection(std::string_view value);
    bool take_length(std::string_view value);
    bool take_coding(std::string_view value);
    bool take_end();

    const HttpLimits* limits_;
    std::size_t line_begin_ = 0;
    std::size_t scanned_ = 0;
    std::size_t fields_begin_ = 0;  // 0: the request line is not whole yet
    HttpMethod method_ = HttpMethod::other;
    std::uint8_t seen_ = 0;
    bool old_version_ = false;
    bool close_ = false;
    bool expects_continue_ = false;
    std::uint64_t length_ = 0;
    std::string_view path_;
    std::string_view query_;
    std::vector<HttpField> fields_;
    HttpRefusal refusal_{0, {}};
};

}  // namespace holdfast
