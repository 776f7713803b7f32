#include <holdfast/resp/writer.h>

#include <arpa/inet.h>
#include <live/raw_redis.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace holdfast::testing {
namespace {

constexpr std::size_t read_bytes = 65536;

[[noreturn]] void fail(const std::string& what) {
    throw RawFailure(what);
}

int connected(int fd, const sockaddr* address, socklen_t size, const std::string& where) {
    if (fd < 0 || connect(fd, address, size) != 0) {
        const int problem = errno;
        close(fd);
        fail("cannot connect to " + where + ": " + std::strerror(problem));
    }
    return fd;
}

}  // namespace

int dial(std::uint16_t port, const std::string& host) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
        fail("no address: " + host);
    }
    const int fd = connected(
        socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
        reinterpret_cast<const sockaddr*>(&address),
        sizeof address,
        host + ":" + std::to_string(port)
    );
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

int dial(const std::string& socket_path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket_path.size() >= sizeof address.sun_path) {
        fail("a path too long for a socket: " + socket_path);
    }
    std::memcpy(address.sun_path, socket_path.c_str(), socket_path.size() + 1);
    return connected(
        socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
        reinterpret_cast<const sockaddr*>(&address),
        sizeof address,
        socket_path
    );
}

RawReply::RawReply(RespView reply)
    : type(reply.type()), text(reply.is_aggregate() ? std::string_view() : reply.text()),
      number(reply.number()) {
    for (const RespView child : reply) {
        children.emplace_back(child);
    }
}

const RawReply& RawReply::at(std::string_view key) const {
    for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
        if (children[i].text == key) {
            return children[i + 1];
        }
    }
    fail("no such key in " + in_words(*this));
}

std::string in_words(const RawReply& reply) {
    if (reply.is_null()) {
        return "(nil)";
    }
    if (reply.type < RespType::array) {
        return reply.text;
    }
    std::string out = "[";
    for (const RawReply& child : reply.children) {
        out += (out.size() > 1 ? " " : "") + in_words(child);
    }
    return out + "]";
}

RawRedis::RawRedis(std::uint16_t port) : fd_(dial(port)) {}
RawRedis::RawRedis(const std::string& address, std::uint16_t port) : fd_(dial(port, address)) {}
RawRedis::RawRedis(const std::string& socket_path) : fd_(dial(socket_path)) {}
RawRedis::RawRedis(RawRedis&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), unread_(std::move(other.unread_)) {}
RawRedis::~RawRedis() {
    if (fd_ >= 0) {
        close(fd_);
    }
}

RawReply RawRedis::call(std::initializer_list<std::string_view> words) {
    send(words);
    return read();
}

RawReply RawRedis::call(const std::vector<std::string>& words) {
    std::string bytes;
    append_resp_count(bytes, words.size());
    for (const std::string& word : words) {
        append_resp_bulk(bytes, word);
    }
    send_bytes(bytes);
    return read();
}

void RawRedis::send(std::initializer_list<std::string_view> words) const {
    std::string bytes;
    append_resp_count(bytes, words.size());
    for (const std::string_view word : words) {
        append_resp_bulk(bytes, word);
    }
    send_bytes(bytes);
}

void RawRedis::send_bytes(std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            fail(std::string("cannot send: ") + std::strerror(errno));
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

// False: the connection has ended.
bool RawRedis::receive(Deadline deadline) {
    pollfd readable{fd_, POLLIN, 0};
    const Duration left = deadline.left(system_clock().steady_now());
    if (poll(&readable, 1, static_cast<int>(left.count())) <= 0) {
        fail("nothing came in time");
    }
    const std::size_t before = unread_.size();
    unread_.resize(before + read_bytes);
    const ssize_t got = recv(fd_, unread_.data() + before, read_bytes, 0);
    unread_.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
    return got > 0;
}

RawReply RawRedis::read(Duration limit) {
    const Deadline deadline = Deadline::in(limit, system_clock());
    for (;;) {
        switch (parser_.parse(unread_)) {
        case RespStatus::complete: {
            RawReply reply(parser_.reply());
            unread_.erase(0, parser_.consumed());
            return reply;
        }
        case RespStatus::broken:
            fail("not the protocol: " + std::string(parser_.problem()));
        case RespStatus::incomplete:
            if (!receive(deadline)) {
                fail("the connection ended");
            }
        }
    }
}

bool RawRedis::ends_within(Duration limit) {
    const Deadline deadline = Deadline::in(limit, system_clock());
    try {
        while (receive(deadline)) {
            unread_.clear();
        }
    } catch (const RawFailure&) {
        return false;
    }
    return true;
}

std::string RawRedis::info(std::string_view field) {
    const std::string text = "\n" + call({"INFO", "everything"}).text;
    const std::string name = "\n" + std::string(field) + ":";
    const std::size_t found = text.find(name);
    if (found == std::string::npos) {
        fail("INFO has no " + std::string(field));
    }
    const std::size_t from = found + name.size();
    return text.substr(from, text.find('\r', from) - from);
}

}  // namespace holdfast::testing
