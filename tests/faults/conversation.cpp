#include "conversation.h"

#include "poll_thread.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace holdfast::testing {
namespace {

constexpr std::size_t read_bytes = 65536;

}  // namespace

Conversation::Conversation(int fd, std::size_t number) : fd_(fd), caller_{.number = number} {
    set_up(fd);
}
Conversation::~Conversation() {
    if (fd_ >= 0) {
        close(fd_);
    }
}

void Conversation::wanted(std::vector<pollfd>& sockets, std::optional<SteadyTime>& until) {
    const SteadyTime now = system_clock().steady_now();
    const std::optional<SteadyTime> due = out_.due({});
    const bool writes = due.has_value() && *due <= now;
    const bool reads = then_ != Answer::Then::reset;  // after close: until the client ends too
    place_.reset();
    if (reads || writes) {
        place_ = sockets.size();
        sockets.push_back(
            {fd_, static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), 0}
        );
    }
    if (due.has_value() && *due > now && (!until.has_value() || *due < *until)) {
        until = due;
    }
}

bool Conversation::step(Responder& responder, const std::vector<pollfd>& sockets, SteadyTime now) {
    const bool readable = place_.has_value() && (sockets[*place_].revents & ~POLLOUT) != 0;
    if ((readable && !read(responder, now)) || !out_.write(fd_, now, {})) {
        return false;
    }
    if (then_ == Answer::Then::go_on || !out_.empty()) {
        return true;
    }
    if (then_ == Answer::Then::reset) {
        close_with_reset(fd_);
        fd_ = -1;
        return false;
    }
    shutdown(fd_, SHUT_WR);
    return true;
}

bool Conversation::read(Responder& responder, SteadyTime now) {
    std::array<char, read_bytes> bytes;
    const ssize_t got = recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got <= 0) {
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    }
    unread_.append(bytes.data(), static_cast<std::size_t>(got));
    std::size_t at = 0;
    while (then_ == Answer::Then::go_on) {
        const RespStatus status = parser_.parse(std::string_view(unread_).substr(at));
        if (status == RespStatus::broken) {
            return false;
        }
        if (status == RespStatus::incomplete) {
            break;
        }
        at += parser_.consumed();
        Words words;
        for (const RespView word : parser_.reply()) {
            words.emplace_back(word.text());
        }
        const Answer answer = responder.answer(caller_, words);
        out_.add(answer.bytes(), now + answer.delay());
        then_ = answer.then();
    }
    unread_.erase(0, at);
    return true;
}

}  // namespace holdfast::testing
