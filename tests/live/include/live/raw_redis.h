#pragma once
// A small blocking client over a bare socket, for what a test must see without the driver.

#include <holdfast/resp/parser.h>

#include <live/wait.h>

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::testing {

// The connection ended, or nothing came in time: a test that does not expect it fails with it.
class RawFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A reply with all it holds.
struct RawReply {
    RespType type = RespType::null;
    std::string text;         // of everything but aggregates, an error's too
    std::int64_t number = 0;  // of integers and booleans
    std::vector<RawReply> children;

    explicit RawReply(RespView reply);
    bool is_null() const { return type == RespType::null; }
    bool is_error() const { return type == RespType::error; }
    const RawReply& operator[](std::size_t child) const { return children.at(child); }
    // The value that stands behind this key, of a map or of an array of pairs.
    const RawReply& at(std::string_view key) const;
};

// A request in one line and a reply in one line, for failures and for comparing: [a 1 (nil)].
std::string in_words(const RawReply& reply);

class RawRedis {
public:
    explicit RawRedis(std::uint16_t port);
    RawRedis(const std::string& address, std::uint16_t port);  // "127.0.0.2"
    explicit RawRedis(const std::string& socket_path);
    RawRedis(RawRedis&& other) noexcept;
    RawRedis(const RawRedis&) = delete;
    RawRedis& operator=(const RawRedis&) = delete;
    ~RawRedis();

    RawReply call(std::initializer_list<std::string_view> words);
    RawReply call(const std::vector<std::string>& words);

    // One after the other, for what is not a call: pipelines, pushes, bytes that are no command.
    void send(std::initializer_list<std::string_view> words) const;
    void send_bytes(std::string_view bytes) const;
    RawReply read(Duration limit = patience);
    // Whether the other side ends the connection within the limit; replies before the end are lost.
    bool ends_within(Duration limit = patience);
    // The same as one line of INFO: info("connected_clients").
    std::string info(std::string_view field);

    int descriptor() const { return fd_; }

private:
    bool receive(Deadline deadline);

    int fd_ = -1;
    RespParser parser_;
    std::string unread_;
};

// A socket that is connected, in the way of a test's peers: TCP_NODELAY, closed on exec. Throws
// RawFailure.
int dial(std::uint16_t port, const std::string& address = "127.0.0.1");
int dial(const std::string& socket_path);

}  // namespace holdfast::testing
