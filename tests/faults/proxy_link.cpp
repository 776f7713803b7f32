#include "proxy_link.h"

#include "poll_thread.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace holdfast::testing {
namespace {

constexpr std::size_t read_bytes = 65536;
constexpr int reads_in_a_row_max = 16;
constexpr std::size_t queued_bytes_max = std::size_t{4}
                                         << 20;  // then the other side's window fills up
constexpr Duration look_again = std::chrono::milliseconds(1);

std::size_t index_of(Toward direction) {
    return static_cast<std::size_t>(direction);
}

void sooner(std::optional<SteadyTime>& until, std::optional<SteadyTime> time) {
    if (time.has_value() && (!until.has_value() || *time < *until)) {
        until = time;
    }
}

// What was written has not reached the other side's kernel yet.
bool in_flight(int fd) {
    int bytes = 0;
    return ioctl(fd, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

void replace_all(std::string& in, const std::string& text, const std::string& by) {
    std::size_t at = text.empty() ? std::string::npos : in.find(text);
    for (; at != std::string::npos; at = in.find(text, at + by.size())) {
        in.replace(at, text.size(), by);
    }
}

}  // namespace

ProxyLink::ProxyLink(int client, int server) {
    client_.fd = client;
    server_.fd = server;
    set_up(client);
    set_up(server);
}

ProxyLink::~ProxyLink() {
    for (const int fd : {client_.fd, server_.fd}) {
        if (fd >= 0) {
            close(fd);
        }
    }
}

bool ProxyLink::reads(const FaultState& faults, Toward direction) const {
    const Side& from = direction == Toward::server ? client_ : server_;
    const Side& to = direction == Toward::server ? server_ : client_;
    if (from.fd < 0 || from.ended) {
        return false;
    }
    return from.discards ||
           (!faults.stalled[index_of(direction)] && to.out.size() < queued_bytes_max);
}

void ProxyLink::wanted(
    const FaultState& faults, std::vector<pollfd>& sockets, std::optional<SteadyTime>& until
) {
    const SteadyTime now = system_clock().steady_now();
    for (const Toward direction : {Toward::server, Toward::client}) {
        Side& to = side(direction);
        Side& from = side(direction == Toward::server ? Toward::client : Toward::server);
        if (reads(faults, direction)) {
            sockets.push_back({from.fd, POLLIN, 0});
        }
        const std::optional<SteadyTime> due = to.out.due(faults.slices[index_of(direction)]);
        if (to.fd >= 0 && due.has_value() && *due <= now) {
            sockets.push_back({to.fd, POLLOUT, 0});
        } else if (to.fd >= 0) {
            sooner(until, due);
        }
    }
    if (cut_.has_value() && client_.fd >= 0 && client_.out.empty() && in_flight(client_.fd)) {
        sooner(until, now + look_again);
    }
}

bool ProxyLink::step(FaultState& faults, SteadyTime now) {
    move(faults, Toward::server, now);
    move(faults, Toward::client, now);
    write(faults, Toward::server, now);
    write(faults, Toward::client, now);
    finish(server_);
    finish(client_);
    return client_.fd >= 0 || server_.fd >= 0;
}

void ProxyLink::move(FaultState& faults, Toward direction, SteadyTime now) {
    Side& to = side(direction);
    Side& from = side(direction == Toward::server ? Toward::client : Toward::server);
    std::string bytes(read_bytes, '\0');
    for (int i = 0; i < reads_in_a_row_max && reads(faults, direction); ++i) {
        const ssize_t got = recv(from.fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            break;
        }
        if (got <= 0) {
            from.ended = true;
            if (got < 0) {
                lose(from);
            }
            to.shuts = true;
            break;
        }
        if (from.discards || faults.hole[index_of(direction)]) {
            continue;
        }
        from.unread.append(bytes, 0, static_cast<std::size_t>(got));
        take_messages(faults, direction, now);
    }
}

void ProxyLink::take_messages(FaultState& faults, Toward direction, SteadyTime now) {
    Side& from = side(direction == Toward::server ? Toward::client : Toward::server);
    std::size_t at = 0;
    while (faults.protocol && from.protocol && !from.discards) {
        const std::string_view rest = std::string_view(from.unread).substr(at);
        const RespStatus status = from.parser.parse(rest);
        if (status != RespStatus::complete) {
            from.protocol = status != RespStatus::broken;
            break;
        }
        std::string message(rest.substr(0, from.parser.consumed()));
        at += message.size();
        if (direction == Toward::client) {
            replace_all(message, faults.replaced.first, faults.replaced.second);
        }
        if (direction == Toward::client && from.parser.reply().type() == RespType::push) {
            ++faults.pushes;
            if (faults.holds_pushes) {
                held_pushes_ += message;
            } else {
                pass(faults, direction, std::move(message), now);
            }
            continue;
        }
        const std::optional<OneFault> hit = faults.count(direction);
        const Fate fate = hit.has_value() ? hit->fate : Fate::pass;
        if (fate == Fate::part_and_cut) {
            message.resize(std::min(message.size(), hit->bytes));
        }
        if (fate != Fate::drop && fate != Fate::drop_and_cut) {
            pass(faults, direction, std::move(message), now);
        }
        if (fate != Fate::pass && fate != Fate::drop) {
            cut(hit->how);
        }
    }
    from.unread.erase(0, at);
    if (from.discards) {
        from.unread.clear();
    } else if (!faults.protocol || !from.protocol) {
        pass(faults, direction, std::move(from.unread), now);
        from.unread.clear();
    }
}

void ProxyLink::pass(
    const FaultState& faults, Toward direction, std::string bytes, SteadyTime now
) {
    side(direction).out.add(std::move(bytes), now + faults.latency);
}

// What is queued goes on to both sides; what they say from now on is lost.
void ProxyLink::cut(Cut how) {
    cut_ = how;
    client_.discards = true;
    server_.discards = true;
    client_.shuts = true;
    server_.shuts = true;
}

void ProxyLink::write(const FaultState& faults, Toward direction, SteadyTime now) {
    Side& to = side(direction);
    if (to.fd < 0) {
        return;
    }
    if (to.shut) {
        to.out.clear();
    } else if (!to.out.write(to.fd, now, faults.slices[index_of(direction)])) {
        lose(to);
    }
}

// It was reset by its peer. What it has not been acknowledged never will be: nothing to wait for.
void ProxyLink::lose(Side& of) {
    of.out.clear();
    of.ended = true;
    close(of.fd);
    of.fd = -1;
    if (!cut_.has_value()) {
        cut(Cut::reset);
    }
}

void ProxyLink::finish(Side& of) {
    if (of.fd < 0 || !of.shuts || !of.out.empty()) {
        return;
    }
    const bool cuts = &of == &client_ && cut_ == Cut::reset;
    if (cuts && !in_flight(of.fd)) {
        close_with_reset(of.fd);
        of.fd = -1;
        return;
    }
    if (!cuts && !of.shut) {
        shutdown(of.fd, SHUT_WR);
        of.shut = true;
    }
    if (of.ended && !cuts) {
        close(of.fd);
        of.fd = -1;
    }
}

void ProxyLink::reset_now() {
    for (Side* const of : {&client_, &server_}) {
        if (of->fd >= 0) {
            close_with_reset(of->fd);
            of->fd = -1;
        }
    }
}

void ProxyLink::half_close(Toward direction) {
    Side& to = side(direction);
    if (to.fd >= 0) {
        shutdown(to.fd, SHUT_WR);
        to.shut = true;
    }
}

void ProxyLink::release_pushes(SteadyTime now) {
    client_.out.add(std::move(held_pushes_), now);
    held_pushes_.clear();
}

}  // namespace holdfast::testing
