#include "response_head.h"

#include <array>
#include <charconv>

namespace holdfast {
namespace {

std::string_view reason_of(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 204:
        return "No Content";
    case 301:
        return "Moved Permanently";
    case 302:
        return "Found";
    case 303:
        return "See Other";
    case 304:
        return "Not Modified";
    case 307:
        return "Temporary Redirect";
    case 308:
        return "Permanent Redirect";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 410:
        return "Gone";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 417:
        return "Expectation Failed";
    case 422:
        return "Unprocessable Content";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 503:
        return "Service Unavailable";
    case 504:
        return "Gateway Timeout";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Status";
    }
}

void append_number(std::string& out, std::uint64_t number) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

}  // namespace

void format_head(std::string& out, const HttpResponse& response, bool close) {
    constexpr std::string_view always =
        "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
    if (response.status == 200) {
        out.assign("HTTP/1.1 200 OK");
    } else {
        out.assign("HTTP/1.1 ");
        append_number(out, static_cast<std::uint64_t>(response.status));
        out.append(" ").append(reason_of(response.status));
    }
    out.append(always);
    if (!is_bodiless(response.status)) {
        if (!response.content_type.empty()) {
            out.append("Content-Type: ").append(response.content_type).append("\r\n");
        }
        out.append("Content-Length: ");
        append_number(out, response.content().size());
        out.append("\r\n");
    }
    out.append(response.headers);
    out.append(close ? "Connection: close\r\n\r\n" : "\r\n");
}

}  // namespace holdfast
