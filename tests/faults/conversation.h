#pragma once
// One client of a scripted server, and who answers it.

#include "outlet.h"

#include <holdfast/resp/parser.h>

#include <faults/scripted_redis.h>
#include <poll.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace holdfast::testing {

// What a server remembers of a connection.
struct Caller {
    std::size_t number;   // 1 is the first of this server
    bool third = false;   // protocol, since HELLO 3
    bool asking = false;  // the command before was ASKING
    bool reads_replicas = false;
    bool in_multi = false;
    bool aborted = false;  // a queued command was refused
    std::size_t queued = 0;
    std::set<std::string> channels = {};
};

class Responder {
public:
    Responder() = default;
    Responder(const Responder&) = delete;
    Responder& operator=(const Responder&) = delete;
    virtual ~Responder() = default;
    virtual Answer answer(Caller& caller, const Words& words) = 0;
};

class Conversation {
public:
    Conversation(int fd, std::size_t number);
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    ~Conversation();

    void wanted(std::vector<pollfd>& sockets, std::optional<SteadyTime>& until);
    // False: it has ended. `sockets` are those of wanted(), with what poll() saw.
    bool step(Responder& responder, const std::vector<pollfd>& sockets, SteadyTime now);

    void say(std::string bytes, SteadyTime now) { out_.add(std::move(bytes), now); }
    void end(Answer::Then how) { then_ = how; }
    const Caller& caller() const { return caller_; }

private:
    bool read(Responder& responder, SteadyTime now);

    int fd_;
    Caller caller_;
    RespParser parser_;
    std::string unread_;
    Outlet out_;
    Answer::Then then_ = Answer::Then::go_on;
    std::optional<std::size_t> place_;  // in the sockets of wanted()
};

}  // namespace holdfast::testing
