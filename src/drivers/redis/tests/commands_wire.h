#pragma once
// A connection that answers in views, for readers.

#include "tests/commands_catalogue.h"

#include <holdfast/base/time.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/resp/parser.h>
#include <holdfast/resp/writer.h>

#include <live/raw_redis.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

namespace holdfast::redis::testing {

// A line of a sample: words between blanks; a tab within a word is one of its bytes.
inline AnyCommand command_of_line(std::string_view line) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = line.find(' ');
        parts.push_back(line.substr(0, end));
        if (end == std::string_view::npos) {
            break;
        }
        line.remove_prefix(end + 1);
    }
    AnyCommand command(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        command.add(parts[i]);
    }
    return command;
}

class Wire {
public:
    explicit Wire(std::uint16_t port) : fd_(holdfast::testing::dial(port)) {}
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;
    ~Wire() { close(fd_); }

    // `bytes`: as the server sent them.
    OwnedReply call(const AnyCommand& any, std::string* bytes = nullptr) {
        std::string out;
        append_resp_count(out, any.words());
        out += any.bytes();
        if (write(fd_, out.data(), out.size()) != static_cast<ssize_t>(out.size())) {
            throw holdfast::testing::RawFailure("cannot write");
        }
        return read(bytes);
    }
    OwnedReply call(std::string_view line) { return call(command_of_line(line)); }

private:
    OwnedReply read(std::string* bytes) {
        RespStatus status = parser_.parse(unread_);
        while (status == RespStatus::incomplete) {
            receive();
            status = parser_.parse(unread_);
        }
        if (status == RespStatus::broken) {
            throw holdfast::testing::RawFailure(std::string(parser_.problem()));
        }
        OwnedReply reply(parser_.reply());
        if (bytes != nullptr) {
            *bytes = unread_.substr(0, parser_.consumed());
        }
        unread_.erase(0, parser_.consumed());
        return reply;
    }
    void receive() {
        pollfd ready{fd_, POLLIN, 0};
        std::array<char, 65536> space;
        if (poll(&ready, 1, static_cast<int>(holdfast::testing::patience.count())) != 1) {
            throw holdfast::testing::RawFailure("no answer");
        }
        const ssize_t got = ::read(fd_, space.data(), space.size());
        if (got <= 0) {
            throw holdfast::testing::RawFailure("the server ended the connection");
        }
        unread_.append(space.data(), static_cast<std::size_t>(got));
    }

    int fd_;
    RespParser parser_;
    std::string unread_;
};

}  // namespace holdfast::redis::testing
