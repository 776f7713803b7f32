// What is read from requests, normal and hostile: security table rows 12 to 26. Each row is read
// whole, byte by byte, and cut in two at every byte.

#include "request_events.h"

#include <gtest/gtest.h>

#include <vector>

namespace holdfast {
namespace {

struct Row {
    std::string bytes;
    std::string events;
};

std::string repeated(std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) {
        text.append(part);
    }
    return text;
}

const std::string host = "Host: a\r\n";
std::string with(std::string_view line, std::string_view fields = {}, std::string_view body = {}) {
    return std::string(line)
        .append(" HTTP/1.1\r\n")
        .append(host)
        .append(fields)
        .append("\r\n")
        .append(body);
}
std::string get(std::string_view fields) {
    return with("GET /", fields);
}
std::string target(std::string_view text) {
    return with("GET " + std::string(text));
}
std::string chunked(std::string_view body) {
    return with("POST /", "Transfer-Encoding: chunked\r\n", body);
}
std::string length(std::string_view value, std::string_view body = {}) {
    return with("POST /", "Content-Length: " + std::string(value) + "\r\n", body);
}

std::vector<Row> normal_rows() {
    return {
        {"", ""},
        {"G", "..."},
        {"GET / HTTP/1.1\r\nHost: a\r\n\r", "..."},
        {get(""), "GET /"},
        {get("") + get(""), "GET / | GET /"},
        {get("") + "GET /a", "GET / | ..."},
        {target("/ids?count=5"), "GET /ids?count=5"},
        {target("/ids?"), "GET /ids"},
        {target("/ids?a=%2F%00;x?y//.."), "GET /ids?a=%2F%00;x?y//.."},
        {target("/ranges:reserve"), "GET /ranges:reserve"},
        {target("/a%3Ab"), "GET /a:b"},
        {target("/a%20b"), "GET /a b"},
        {target("/a/"), "GET /a/"},
        {target("/a...b/.c/d."), "GET /a...b/.c/d."},
        {target("/%C3%A4"), "GET /\xc3\xa4"},
        {target("/%e2%82%ac%F0%9F%98%80"), "GET /\xe2\x82\xac\xf0\x9f\x98\x80"},
        {target("/ACTUATOR/prometheus"), "GET /ACTUATOR/prometheus"},
        {with("HEAD /"), "HEAD /"},
        {with("PUT /"), "PUT /"},
        {with("PATCH /"), "PATCH /"},
        {with("DELETE /"), "DELETE /"},
        {with("OPTIONS *"), "OPTIONS *"},
        {with("TRACE /"), "TRACE /"},
        {with("get /"), "other /"},
        {with("M-SEARCH /"), "other /"},
        {with("CONNECT a:443"), "CONNECT  close"},
        {with("CONNECT [::1]:443"), "CONNECT  close"},
        {with("CONNECT /ids"), "CONNECT /ids close"},
        {length("0"), "POST /"},
        {length("5", "hello"), "POST / \"hello\""},
        {length("005", "hello"), "POST / \"hello\""},
        {length("5", "hell"), "..."},
        {length("5", "hello") + get(""), "POST / \"hello\" | GET /"},
        {length("5", "hello") + "\r\n" + get(""), "POST / \"hello\" | GET /"},
        {"\r\n" + get(""), "GET /"},
        {with("GET /", "Content-Length: 2\r\n", "{}"), "GET / \"{}\""},
        {with("POST /", "cONTENT-lENGTH:2\r\n", "{}"), "POST / \"{}\""},
        {with("POST /", "Content-Length: \t 2 \t\r\n", "{}"), "POST / \"{}\""},
        {chunked("5\r\nhello\r\n0\r\n\r\n"), "POST / \"hello\""},
        {chunked("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"), "POST / \"hello!\""},
        {chunked("5\r\nhello\r\n0\r\n\r\n") + get(""), "POST / \"hello\" | GET /"},
        {chunked("0\r\n\r\n"), "POST / \"\""},
        {chunked("000000000000000a\r\n0123456789\r\n0\r\n\r\n"), "POST / \"0123456789\""},
        {chunked("A\r\n0123456789\r\n0\r\n\r\n"), "POST / \"0123456789\""},
        {chunked("1;ext=\"x y\"\r\na\r\n0;last\r\n\r\n"), "POST / \"a\""},
        {chunked("1;a=b;c;d=\"\\\"\";e\r\na\r\n0\r\n\r\n"), "POST / \"a\""},
        {chunked("1\r\na\r\n0\r\nX: y\r\nZ:\r\n\r\n"), "POST / \"a\""},
        {chunked("1\r\na\r\n0\r\n"), "..."},
        {chunked("2\r\n\r\n\r\n0\r\n\r\n"), "POST / \"\r\n\""},
        {with("POST /", "transfer-encoding:CHUNKED\r\n", "0\r\n\r\n"), "POST / \"\""},
        {get("Connection: close\r\n"), "GET / close"},
        {get("Connection: keep-alive\r\n"), "GET /"},
        {get("Connection: Upgrade, CLOSE\r\n"), "GET / close"},
        {get("Connection: closed\r\n"), "GET /"},
        {get("Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"), "GET /"
        },
        {"GET / HTTP/1.0\r\n\r\n", "GET / close"},
        {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / close"},
        {"GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET / close"},
        {"POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\nx", "POST / \"x\" close"},
        {get("X:\r\n"), "GET /"},
        {get("X: a\tb\r\n"), "GET /"},
        {get("X: \xc3\xa4\r\n"), "GET /"},
        {get("!#$%&'*+-.^_`|~09azAZ: x\r\n"), "GET /"},
        {get("Authorization: a\r\nAuthorization: b\r\n"), "GET /"},
        {get("Accept: a\r\nAccept: b\r\n"), "GET /"},
        {length("1\r\nExpect: 100-continue", "x"), "POST / \"x\""},
        {length("1\r\nExpect: 100-CONTINUE", "x"), "POST / \"x\""},
        {get("Expect: 100-continue\r\n"), "GET /"},
        {"GET / HTTP/1.1\r\nHost: a.b-c_d~e:8688\r\n\r\n", "GET /"},
        {"GET / HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n\r\n", "GET /"},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1:\r\n\r\n", "GET /"},
        {target("/" + std::string(8192 - 14, 'a')), "GET /" + std::string(8192 - 14, 'a')},
        {get(repeated("X: y\r\n", 99)), "GET /"},
        {get("X: " + std::string(32 * 1024 - 16, 'a') + "\r\n"), "GET /"},
        {length("65536", std::string(65536, 'b')), "POST / \"" + std::string(65536, 'b') + "\""},
        {chunked("10000\r\n" + std::string(65536, 'b') + "\r\n0\r\n\r\n"),
         "POST / \"" + std::string(65536, 'b') + "\""},
    };
}

std::vector<Row> hostile_lines() {
    using namespace std::string_literals;
    return {
        // request lines
        {"\n", "400"},
        {" GET / HTTP/1.1\r\n", "400"},
        {"\r\n\r\nGET / HTTP/1.1\r\n", "400"},
        {"\r\r", "400"},
        {"\0"s, "400"},
        {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, "400"},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"},
        {"GE T / HTTP/1.1\r\n", "400"},
        {"GET  / HTTP/1.1\r\n", "400"},
        {"GET /  HTTP/1.1\r\n", "400"},
        {"GET / HTTP/1.1 \r\n", "400"},
        {"GET\t/ HTTP/1.1\r\n", "400"},
        {"G(T / HTTP/1.1\r\n", "400"},
        {"GET /\r\n", "400"},
        {"GET / \r\n", "400"},
        {"GET\r\n", "400"},
        {"GET HTTP/1.1\r\n", "400"},
        {"GET / HTTP/1.10\r\n", "400"},
        {"GET / HTTP/1.1x\r\n", "400"},
        {"GET / HTTP/1.2\r\n", "400"},
        {"GET / HTTP/0.9\r\n", "400"},
        {"GET / HTTP/3.0\r\n", "400"},
        {"GET / http/1.1\r\n", "400"},
        {"GET / HTTP/11\r\n", "400"},
        {"GET / HTTP/1,1\r\n", "400"},
        {"GET / HTTPS/1.1\r\n", "400"},
        {"GET / HTTP/2.0\r\n", "505"},
        {"GET / HTTP/2\r\n", "505"},
        {"GET / HTTP/2.x\r\n", "400"},
        {"GET / HTTP/20.0\r\n", "400"},
        {"GET / HTTP/1.1\n", "400"},
        {"GET / HTTP/1.1\r\r\n", "400"},
        {"GET /" + std::string(8192 - 13, 'a') + " HTTP/1.1\r\n", "414"},
        {"GET /" + std::string(10 * 1024, 'a'), "414"},
        {std::string(10 * 1024, 'A'), "414"},
        // targets
        {target("http://b/"), "400"},
        {target("http://a/"), "400"},
        {target("//b/"), "400"},
        {target("/a//b"), "400"},
        {target("/a//"), "400"},
        {target("*"), "400"},
        {target("ids"), "400"},
        {target("a:443"), "400"},
        {target("?a"), "400"},
        {target("/."), "400"},
        {target("/.."), "400"},
        {target("/./a"), "400"},
        {target("/a/../b"), "400"},
        {target("/a/.."), "400"},
        {target("/actuator/health/%2e%2e/prometheus"), "400"},
        {target("/actuator/health/.%2E/prometheus"), "400"},
        {target("/%2e"), "400"},
        {target("/a%2Fb"), "400"},
        {target("/a%2fb"), "400"},
        {target("/a%5Cb"), "400"},
        {target("/a\\b"), "400"},
        {target("/actuator;x/prometheus"), "400"},
        {target("/a%3Bb"), "400"},
        {target("/a%00b"), "400"},
        {target("/a%0d%0ab"), "400"},
        {target("/a%7F"), "400"},
        {target("/a%252Fb"), "400"},
        {target("/a%25"), "400"},
        {target("/a%"), "400"},
        {target("/a%2"), "400"},
        {target("/a%2?g"), "400"},
        {target("/a%zz"), "400"},
        {target("/a%+1"), "400"},
        {target("/a#b"), "400"},
        {target("/a?b#c"), "400"},
        {target("/a|b"), "400"},
        {target("/a{b}"), "400"},
        {target("/a\"b"), "400"},
        {target("/\xc3\xa4"), "400"},
        {target("/a?\xc3\xa4"), "400"},
        {target("/\x01"), "400"},
        {target("/%C3"), "400"},
        {target("/%C0%AF"), "400"},
        {target("/%E0%80%AF"), "400"},
        {target("/%ED%A0%80"), "400"},
        {target("/%F4%90%80%80"), "400"},
        {target("/%FF"), "400"},
        {with("OPTIONS *x"), "400"},
        {with("CONNECT a b"), "400"},
        {with("CONNECT http://a/"), "400"},
        {with("CONNECT a@b:1"), "400"},
    };
}

std::vector<Row> hostile_fields() {
    using namespace std::string_literals;
    const std::string line = "GET / HTTP/1.1\r\n";
    return {
        {get("X: y\n"), "400"},
        {line + host + "\n", "400"},
        {get("X: a\rb\r\n"), "400"},
        {get("X: a\r\r\n"), "400"},
        {get("X: a\0b\r\n"s), "400"},
        {get("X: a\x7f\r\n"), "400"},
        {get("X: 0123456\x1b\r\n"), "400"},
        {get("X : y\r\n"), "400"},
        {get("X\t: y\r\n"), "400"},
        {line + " Host: a\r\n", "400"},
        {get("X: y\r\n folded\r\n"), "400"},
        {get("X: y\r\n\tfolded\r\n"), "400"},
        {get(": y\r\n"), "400"},
        {get("X(: y\r\n"), "400"},
        {get("X\xc3\xa4: y\r\n"), "400"},
        {get("X\r\n"), "400"},
        {get("X y: z\r\n"), "400"},
        {get("\0: z\r\n"s), "400"},
        {line + "\r\n", "400"},
        {line + "X: y\r\n\r\n", "400"},
        {get("Host: a\r\n"), "400"},
        {get("hOST: b\r\n"), "400"},
        {line + "Host:\r\n\r\n", "400"},
        {line + "Host: a b\r\n\r\n", "400"},
        {line + "Host: a,b\r\n\r\n", "400"},
        {line + "Host: a/b\r\n\r\n", "400"},
        {line + "Host: u@a\r\n\r\n", "400"},
        {line + "Host: a:80x\r\n\r\n", "400"},
        {line + "Host: a:800000\r\n\r\n", "400"},
        {line + "Host: :80\r\n\r\n", "400"},
        {line + "Host: [::1\r\n\r\n", "400"},
        {line + "Host: []\r\n\r\n", "400"},
        {line + "Host: [::1]x\r\n\r\n", "400"},
        {"GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", "400"},
        {get("Content-Type: a\r\nContent-Type: a\r\n"), "400"},
        {get("Connection: close x\r\n"), "400"},
        {get("Connection: clo:e\r\n"), "400"},
        {get("Expect: x\r\n"), "417"},
        {get("Expect:\r\n"), "417"},
        {get("Expect: 100-continue\r\nExpect: x\r\n"), "417"},
        {get("Expect: 100-continue, x\r\n"), "417"},
        {get(repeated("X: y\r\n", 100)), "431"},
        {get(repeated("X: y\r\n", 200)), "431"},
        {get("X: " + std::string(40 * 1024, 'a') + "\r\n"), "431"},
        {get("X: " + std::string(32 * 1024 - 15, 'a') + "\r\n"), "431"},
        {get("X: " + std::string(40 * 1024, 'a')), "431"},
    };
}

std::vector<Row> hostile_bodies() {
    std::vector<Row> rows;
    for (const char* value :
         {"5, 5",
          "+5",
          "-1",
          "0x5",
          "5_0",
          "",
          " ",
          "5 5",
          "5;",
          "1e1",
          "5.0",
          "00000000000000000005",
          "18446744073709551616",
          "99999999999999999999",
          "five"}) {
        rows.push_back({length(value, "hello"), "400"});
    }
    for (const char* value :
         {"",
          "chunked, chunked",
          "chunked,",
          ",chunked",
          "chunked;q=1",
          "chunk ed",
          "\"chunked\"",
          "chunked, gzip;q=1",
          "(chunked)"}) {
        rows.push_back({with("POST /", "Transfer-Encoding: " + std::string(value) + "\r\n"), "400"}
        );
    }
    for (const char* value :
         {"gzip", "gzip, chunked", "chunked, gzip", "identity", "xchunked", "chunkedx"}) {
        rows.push_back({with("POST /", "Transfer-Encoding: " + std::string(value) + "\r\n"), "501"}
        );
    }
    const std::vector<Row> more = {
        {length("5\r\nContent-Length: 5", "hello"), "400"},
        {length("5\r\nContent-Length: 6", "hello"), "400"},
        {length("5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), "400"},
        {length("5\r\nTransfer-Encoding: gzip", "hello"), "400"},
        {with("POST /", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), "400"},
        {with("POST /", "Transfer-Encoding: chunked\r\n : x\r\n"), "400"},
        {with("POST /", "Transfer-Encoding : chunked\r\n"), "400"},
        {with(
             "POST /",
             "Transfer-Encoding:\x0b"
             "chunked\r\n"
         ),
         "400"},
        {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
        {length("65537"), "413"},
        {length("9223372036854775807"), "413"},
        {length("9999999999999999999"), "413"},
        {chunked("10001\r\n"), "413"},
        {chunked("ffffffffffffffff\r\n"), "413"},
        {chunked("8000\r\n" + std::string(0x8000, 'b') + "\r\n8001\r\n"), "413"},
        {chunked(repeated("1\r\nx\r\n", 65537)), "413"},
        {chunked("0x5\r\nhello\r\n"), "400"},
        {chunked("+5\r\nhello\r\n"), "400"},
        {chunked("-5\r\nhello\r\n"), "400"},
        {chunked(" 5\r\nhello\r\n"), "400"},
        {chunked("5 \r\nhello\r\n"), "400"},
        {chunked("5 ;x\r\nhello\r\n"), "400"},
        {chunked("5_\r\nhello\r\n"), "400"},
        {chunked("5;\r\nhello\r\n"), "400"},
        {chunked("5;a=\r\nhello\r\n"), "400"},
        {chunked("5;a=\"b\r\nhello\r\n"), "400"},
        {chunked("5;a=\"b\"c\r\nhello\r\n"), "400"},
        {chunked("5;a=\"b\\\"\r\nhello\r\n"), "400"},
        {chunked("5;a b\r\nhello\r\n"), "400"},
        {chunked("5;;a\r\nhello\r\n"), "400"},
        {chunked("g\r\n"), "400"},
        {chunked("\r\n"), "400"},
        {chunked(";x\r\n"), "400"},
        {chunked("\n"), "400"},
        {chunked("5\nhello\r\n"), "400"},
        {chunked("5;x\nhello\r\n"), "400"},
        {chunked("5\rhello\r\n"), "400"},
        {chunked("5;\rx\r\nhello\r\n"), "400"},
        {chunked("00000000000000005\r\nhello\r\n"), "400"},
        {chunked("10000000000000005\r\nhello\r\n"), "400"},
        {chunked("5\r\nhello!\r\n"), "400"},
        {chunked("5\r\nhello\n"), "400"},
        {chunked("5\r\nhello\rx"), "400"},
        {chunked("0\r\n\n"), "400"},
        {chunked("0\r\nX\r\n"), "400"},
        {chunked("0\r\nContent-Length: 5\r\n"), "400"},
        {chunked("0\r\nhost: b\r\n"), "400"},
        {chunked("0\r\n X: y\r\n"), "400"},
        {chunked("0\r\nX : y\r\n"), "400"},
        {chunked("0\r\nX: y\n"), "400"},
        {chunked("0\r\n" + repeated("X: y\r\n", 1000)), "431"},
        {chunked("0\r\nX: " + std::string(40 * 1024, 'y')), "431"},
        {chunked("5;" + std::string(1024 * 1024, 'x')), "431"},
        {chunked(repeated("1;" + std::string(1000, 'x') + "\r\na\r\n", 33)), "431"},
        {get("") + "BAD\r\n", "GET / | 400"},
        {length("5", "hello!"), "POST / \"hello\" | ..."},
        {length("0", "GET /hidden HTTP/1.1\r\n" + host + "\r\n"), "POST / | GET /hidden"},
    };
    rows.insert(rows.end(), more.begin(), more.end());
    return rows;
}

void expect_rows(const std::vector<Row>& rows) {
    constexpr std::size_t every_cut_max = 2000;
    for (const Row& row : rows) {
        SCOPED_TRACE(row.bytes.substr(0, 300));
        EXPECT_EQ(events_of(row.bytes, row.bytes.size() + 1), row.events);
        EXPECT_EQ(events_of(row.bytes, 1), row.events);
        for (std::size_t cut = 1; cut < row.bytes.size() && row.bytes.size() < every_cut_max;
             ++cut) {
            ASSERT_EQ(events_of_two(row.bytes, cut), row.events) << "cut at " << cut;
        }
    }
}

TEST(HostileTable, has_the_rows_that_were_promised) {
    EXPECT_GE(
        normal_rows().size() + hostile_lines().size() + hostile_fields().size() +
            hostile_bodies().size(),
        150U
    );
}
TEST(HostileTable, honest_requests_are_read_however_they_are_cut) {
    expect_rows(normal_rows());
}
TEST(HostileTable, request_lines_and_targets_with_two_readings_are_refused) {
    expect_rows(hostile_lines());
}
TEST(HostileTable, malformed_ambiguous_and_oversized_headers_are_refused) {
    expect_rows(hostile_fields());
}
TEST(HostileTable, bodies_whose_end_is_in_doubt_are_refused) {
    expect_rows(hostile_bodies());
}

}  // namespace
}  // namespace holdfast
