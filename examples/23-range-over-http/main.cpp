// A range from a running service. usage: example ADDRESS PORT, with the token in HOLDFAST_TOKEN.
// The library has no HTTP client yet; one call on a connection of its own needs none.

#include <holdfast/codec/json.h>
#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>
#include <holdfast/io/tcp.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace hf = holdfast;
using std::chrono_literals::operator""s;

// begin call
// Sends one request and reads to the end of the answer. Every error says what may have happened.
hf::Task<std::string> exchange(std::string address, std::uint16_t port, std::string request) {
    const hf::Deadline deadline = hf::Deadline::in(2s, (co_await hf::this_scope()).loop().now());
    auto connected = co_await hf::connect_tcp(std::move(address), port, deadline);
    if (!connected.ok()) {
        co_return std::move(connected).error();  // effect none: nothing was sent
    }
    hf::Stream& stream = *connected.value();
    auto written = co_await hf::write_all(stream, std::string_view(request), deadline);
    if (!written.ok()) {
        co_return std::move(written).error();  // knows whether a byte has left
    }
    std::string answer;
    std::array<std::byte, 1024> bytes;
    while (answer.size() < 64 * 1024) {
        auto got = co_await stream.read_some(bytes);
        if (!got.ok()) {
            break;
        }
        if (got.value() == 0) {
            co_return answer;  // "Connection: close": the service ended its side
        }
        answer.append(reinterpret_cast<const char*>(bytes.data()), got.value());
    }
    co_return hf::Error(hf::Code::unreachable, hf::Effect::unknown, "no whole answer came");
}

// 1,000 order numbers [start, end). After `unknown` a call may be sent again: the numbers of a lost
// answer are lost, never given out twice.
hf::Task<std::int64_t> first_of_1000(std::string address, std::uint16_t port, std::string token) {
    const std::string body = R"({"key":"orders/number","size":1000,"initialOffset":0})";
    std::string request = "POST /ranges:reserve HTTP/1.1\r\nHost: holdfast\r\nConnection: close\r\n"
                          "Content-Type: application/json\r\nAuthorization: Bearer ";
    request += token + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    const hf::Deadline deadline = hf::Deadline::in(2s, (co_await hf::this_scope()).loop().now());
    auto asked = exchange(std::move(address), port, std::move(request));
    auto answer = co_await hf::with_deadline(std::move(asked), deadline);
    if (!answer.ok()) {
        co_return std::move(answer).error();
    }
    const std::string& text = answer.value();
    const std::size_t head = text.find("\r\n\r\n");
    if (!text.starts_with("HTTP/1.1 200 ") || head == std::string::npos) {
        const bool none = text.find("\r\nHoldfast-Effect: none\r\n") < head ||
                          text.starts_with("HTTP/1.1 4");  // refused: nothing was done
        const hf::Effect effect = none ? hf::Effect::none : hf::Effect::unknown;
        co_return hf::Error(hf::Code::denied, effect, "the service did not give a range");
    }
    hf::JsonDocument document;
    const auto range = document.parse_object(std::string_view(text).substr(head + 4));
    if (!range.ok() || !range.value().integer("start").ok()) {
        co_return hf::Error(hf::Code::corrupt, hf::Effect::unknown, "that is no range");
    }
    co_return range.value().integer("start").value();
}
// end call

int main(int argc, char** argv) {
    const char* token = std::getenv("HOLDFAST_TOKEN");
    std::uint16_t port = 0;
    if (argc == 3) {
        const std::string_view text = argv[2];
        (void)std::from_chars(text.data(), text.data() + text.size(), port);
    }
    auto runtime = hf::open_runtime(hf::RuntimeOptions().loops(1));
    if (port == 0 || token == nullptr || !runtime.ok()) {
        std::fprintf(stderr, "usage: example ADDRESS PORT, with the token in HOLDFAST_TOKEN\n");
        return 2;
    }
    auto start = hf::wait(*runtime.value(), first_of_1000(argv[1], port, token));
    if (!start.ok()) {
        const std::string what(start.error().what());
        const bool none = start.error().effect() == hf::Effect::none;
        std::fprintf(stderr, "%s; effect %s\n", what.c_str(), none ? "none" : "unknown");
        return 1;
    }
    const auto first = static_cast<long long>(start.value());
    std::printf("order numbers %lld..%lld\n", first, first + 999);
    return 0;
}
