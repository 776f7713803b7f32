#pragma once
// An HTTP request as a handler sees it, and its answer.

#include <holdfast/base/time.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

enum class HttpMethod : std::uint8_t {
    get,
    head,
    post,
    put,
    patch,
    delete_,
    options,
    trace,
    connect,
    other
};
std::string_view name_of(HttpMethod method);

struct HttpField {
    std::string_view name;  // as sent; compare without regard to case
    std::string_view value;
};

// Views into the connection's buffer: valid while the handler's task runs.
struct HttpRequest {
    HttpMethod method = HttpMethod::other;
    // Percent-decoded once and normalised; anything ambiguous was refused before. "*" for OPTIONS
    // *, empty for CONNECT.
    std::string_view path;
    std::string_view query;  // after the first "?", as sent
    std::span<const HttpField> fields;
    std::string_view body;             // empty in HttpHandler::admit
    std::uint64_t content_length = 0;  // as announced; 0 for none or chunked
    bool has_body = false;             // a body was announced, by length or chunks
    std::string_view peer;             // the address of the other side, without its port

    // The value of the one field of that name (lower case); nothing if there is none, or more than
    // one: which of them counts, a proxy may see otherwise. So a request with two Authorization
    // fields looks like one without; look into `fields` to tell them apart. Host, Content-Type,
    // Content-Length and Transfer-Encoding never stand twice.
    std::string_view field(std::string_view lower_case_name) const;
};

// Filled by a handler. Header values come from constants or from checked text only.
class HttpResponse {
public:
    int status = 200;
    std::string_view content_type = "application/json";  // a literal; empty: no body
    std::string body;  // kept between requests of a connection: append to it, allocate nothing
    std::string_view lasting_body;  // not empty: sent in the place of body; outlives the handlers
    std::string headers;            // more header lines, each "Name: value\r\n"
    bool close = false;             // close the connection after this answer
    std::uint64_t note = 0;         // the handler's own: what admit() found out, kept for serve()

    void reset() {
        status = 200;
        content_type = "application/json";
        body.clear();
        lasting_body = {};
        headers.clear();
        close = false;
        note = 0;
    }
    std::string_view content() const {
        return lasting_body.empty() ? std::string_view(body) : lasting_body;
    }
    void add_header(std::string_view name, std::string_view value) {
        headers.append(name).append(": ").append(value).append("\r\n");
    }
};

// Why the listener answers by itself.
struct HttpRefusal {
    int status;             // 400, 408, 413, 414, 417, 431, 500, 501, 503, 505
    std::string_view what;  // a literal for people
};

// Limits on received bytes and on time (http-api, section 4). Tests shorten the times. A time limit
// is kept up to two looks late: a look is an eighth of the shortest limit, at most 1 s. Nothing is
// read while an answer is being written.
struct HttpLimits {
    std::size_t request_line_bytes_max = 8 * 1024;
    std::size_t header_bytes_max = 32 * 1024;
    std::size_t header_fields_max = 100;
    std::size_t body_bytes_max = 64 * 1024;
    Duration header_time{10'000};
    Duration body_time_base{5'000};     // plus 1 s for each KiB received ..
    Duration body_time_max{30'000};     // .. and never more than this
    Duration write_stall_time{10'000};  // without progress
    Duration idle_time{60'000};
};

}  // namespace holdfast
