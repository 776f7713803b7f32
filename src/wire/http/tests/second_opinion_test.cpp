// What is accepted here, another reader of HTTP reads in the same way: smuggling lives on two
// readings of one text. The other reader is Boost.Beast's parser; the texts are honest requests,
// mutated.
#include "request_reader.h"

#include <boost/asio/impl/src.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/src.hpp>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace holdfast {
namespace {

namespace beast = boost::beast;

// A request as text: method, fields, body.
std::string told(std::string_view method, const std::string& fields, std::string_view body) {
    return std::string(method) + "|" + fields + "|" + std::string(body);
}

class BeastReader final : public beast::http::basic_parser<true> {
public:
    BeastReader() { eager(true); }
    std::string text() const { return told(method_, fields_, body_); }

private:
    void
    on_request_impl(beast::http::verb, beast::string_view method, beast::string_view, int, beast::error_code&)
        override {
        method_.assign(method.data(), method.size());
    }
    void on_response_impl(int, beast::string_view, int, beast::error_code&) override {}
    void
    on_field_impl(beast::http::field, beast::string_view name, beast::string_view value, beast::error_code&)
        override {
        if (in_chunks_) {
            return;  // a trailer, which we drop
        }
        fields_.append(name.data(), name.size()).append("=");
        fields_.append(value.data(), value.size()).append(";");
    }
    void on_header_impl(beast::error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, beast::error_code&) override {}
    std::size_t on_body_impl(beast::string_view bytes, beast::error_code&) override {
        body_.append(bytes.data(), bytes.size());
        return bytes.size();
    }
    void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code&) override {
        in_chunks_ = true;
    }
    std::size_t
    on_chunk_body_impl(std::uint64_t, beast::string_view bytes, beast::error_code& error) override {
        return on_body_impl(bytes, error);
    }
    void on_finish_impl(beast::error_code&) override {}

    std::string method_;
    std::string fields_;
    std::string body_;
    bool in_chunks_ = false;
};

// Nothing: not accepted, or not whole.
std::string ours(std::string_view bytes) {
    const HttpLimits limits;
    RequestReader reader(limits, "");
    reader.append({bytes.data(), bytes.size()});
    std::string method(bytes.substr(0, bytes.find(' ')));
    if (reader.next() != RequestReader::Event::head ||
        reader.next() != RequestReader::Event::complete) {
        return {};
    }
    std::string fields;
    for (const HttpField& field : reader.request().fields) {
        fields.append(field.name).append("=").append(field.value).append(";");
    }
    return told(method, fields, reader.request().body);
}

std::string theirs(std::string_view bytes) {
    BeastReader reader;
    beast::error_code error;
    while (!bytes.empty() && !reader.is_done()) {
        const std::size_t used =
            reader.put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
        bytes.remove_prefix(used);
        if (error) {
            return "error: " + error.message();
        }
    }
    return reader.is_done() ? reader.text() : "not whole";
}

std::string mutated(std::string text, std::mt19937_64& random) {
    static const std::vector<std::string> parts{
        "\r\n",
        "\r",
        "\n",
        " ",
        "\t",
        ":",
        ",",
        ";",
        "0",
        "1",
        "5",
        "a",
        "/",
        "%41",
        "\x7f",
        "\x01",
        "chunked",
        "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n",
        "X: y\r\n",
        "0\r\n\r\n",
        "\xff",
    };
    const std::size_t times = 1 + random() % 3;
    for (std::size_t i = 0; i < times; ++i) {
        const std::size_t at = random() % (text.size() + 1);
        const std::size_t cut = std::min<std::size_t>(random() % 3, text.size() - at);
        text.replace(at, cut, random() % 4 == 0 ? "" : parts[random() % parts.size()]);
    }
    return text;
}

TEST(SecondOpinion, what_is_accepted_has_the_same_fields_and_body_for_another_reader) {
    const std::string host = " HTTP/1.1\r\nHost: a\r\n";
    const std::vector<std::string> honest{
        "GET /ids?count=5" + host + "Accept: x, y\r\n\r\n",
        "POST /a" + host + "Content-Length: 5\r\nX: y z\r\n\r\nhello",
        "POST /a" + host +
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n",
        "PUT /a" + host + "Connection: close\r\nContent-Length: 11\r\n\r\n0\r\n\r\nGET / H",
    };
    std::mt19937_64 random(7);
    std::size_t accepted = 0;
    for (int i = 0; i < 200'000; ++i) {
        const std::string text = mutated(honest[random() % honest.size()], random);
        const std::string read = ours(text);
        if (read.empty() || text.starts_with("\r")) {  // Beast knows no empty line before a request
            continue;
        }
        ++accepted;
        ASSERT_EQ(read, theirs(text)) << text;
    }
    EXPECT_GT(accepted, 20'000U);
}

}  // namespace
}  // namespace holdfast
