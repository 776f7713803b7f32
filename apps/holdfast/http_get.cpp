#include "http_get.h"

#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>
#include <holdfast/io/tcp.h>

#include <array>
#include <charconv>

namespace holdfast::app {
namespace {

constexpr Duration patience{10'000};
constexpr std::size_t answer_bytes_max = 16 * 1024 * 1024;  // a service has few leases

struct Address {
    std::string host;
    std::uint16_t port = 80;
};

// http://HOST[:PORT][/]
std::optional<Address> address_of(std::string_view url) {
    constexpr std::string_view scheme = "http://";
    if (!url.starts_with(scheme)) {
        return std::nullopt;
    }
    url.remove_prefix(scheme.size());
    while (url.ends_with('/')) {
        url.remove_suffix(1);
    }
    const std::size_t colon = url.rfind(':');
    const bool has_port =
        colon != std::string_view::npos && url.find(']', colon) == std::string_view::npos;
    Address address;
    std::string_view host = has_port ? url.substr(0, colon) : url;
    if (has_port) {
        const char* last = url.data() + url.size();
        const auto [end, error] = std::from_chars(url.data() + colon + 1, last, address.port);
        if (error != std::errc() || end != last || address.port == 0) {
            return std::nullopt;
        }
    }
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
    }
    if (host.empty() || host.find_first_of("/?#@ \r\n") != std::string_view::npos) {
        return std::nullopt;
    }
    address.host = host;
    return address;
}

// Everything until the service closes its side, as asked.
Task<std::string> exchange(Address to, std::string request, Deadline deadline) {
    auto connected = co_await connect_tcp(to.host, to.port, deadline);
    if (!connected.ok()) {
        co_return std::move(connected).error();
    }
    Stream& stream = *connected.value();
    if (auto sent = co_await write_all(stream, request, deadline); !sent.ok()) {
        co_return std::move(sent).error();
    }
    std::string answer;
    std::array<std::byte, 16 * 1024> some{};
    while (true) {
        auto read = co_await stream.read_some(some);
        if (!read.ok()) {
            co_return std::move(read).error();
        }
        if (read.value() == 0) {
            co_return answer;
        }
        answer.append(reinterpret_cast<const char*>(some.data()), read.value());
        if (answer.size() > answer_bytes_max) {
            co_return Error(Code::overloaded, Effect::none, "the answer is too long");
        }
    }
}

// An answer of a known length, as the service gives it.
std::optional<GetAnswer> answer_of(const std::string& bytes) {
    constexpr std::string_view version = "HTTP/1.1 ";
    const std::size_t head = bytes.find("\r\n\r\n");
    GetAnswer answer;
    if (!bytes.starts_with(version) || head == std::string::npos) {
        return std::nullopt;
    }
    const char* digits = bytes.data() + version.size();
    if (std::from_chars(digits, digits + 3, answer.status).ptr != digits + 3) {
        return std::nullopt;
    }
    answer.body = bytes.substr(head + 4);
    return answer;
}

}  // namespace

std::variant<GetAnswer, std::string>
http_get(const std::string& base_url, const std::string& path, const Secret& token) {
    const auto address = address_of(base_url);
    if (!address.has_value()) {
        return "'" + base_url + "' is not an address; allowed: http://HOST:PORT";
    }
    auto runtime = open_runtime(RuntimeOptions().loops(1));
    if (!runtime.ok()) {
        return std::string(runtime.error().what());
    }
    std::string request = "GET " + path +
                          " HTTP/1.1\r\nHost: " + base_url.substr(base_url.find("//") + 2) +
                          "\r\nConnection: close\r\n";
    request.append("Authorization: Bearer ").append(token.reveal()).append("\r\n\r\n");
    const Deadline deadline = Deadline::in(patience, runtime.value()->clock());
    auto exchanged = wait(
        *runtime.value(), with_deadline(exchange(*address, std::move(request), deadline), deadline)
    );
    if (!exchanged.ok()) {
        return base_url + ": " + std::string(exchanged.error().what());
    }
    auto answer = answer_of(exchanged.value());
    if (!answer.has_value()) {
        return base_url + ": the answer is no HTTP";
    }
    return std::move(*answer);
}

}  // namespace holdfast::app
