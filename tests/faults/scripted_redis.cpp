#include "outlet.h"
#include "poll_thread.h"
#include "script.h"

#include <holdfast/resp/parser.h>

#include <live/ports.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <list>

namespace holdfast::testing {
namespace {

constexpr std::size_t read_bytes = 65536;

// One client of it.
class Conversation {
public:
    Conversation(int fd, std::size_t number) : fd_(fd), number_(number) { set_up(fd); }
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    ~Conversation() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }

    void wanted(std::vector<pollfd>& sockets, std::optional<SteadyTime>& until) const {
        const SteadyTime now = system_clock().steady_now();
        const std::optional<SteadyTime> due = out_.due({});
        const bool writes = due.has_value() && *due <= now;
        const bool reads = then_ != Answer::Then::reset;  // after close: until the client ends too
        if (reads || writes) {
            sockets.push_back(
                {fd_, static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), 0}
            );
        }
        if (due.has_value() && *due > now && (!until.has_value() || *due < *until)) {
            until = due;
        }
    }

    // False: it has ended.
    bool step(Script& script, SteadyTime now) {
        if (!read(script, now) || !out_.write(fd_, now, {})) {
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

    void say(std::string bytes, SteadyTime now) { out_.add(std::move(bytes), now); }
    void end(Answer::Then how) { then_ = how; }

private:
    bool read(Script& script, SteadyTime now) {
        std::string bytes(read_bytes, '\0');
        const ssize_t got = recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got <= 0) {
            return got < 0 && (errno == EAGAIN || errno == EINTR);
        }
        unread_.append(bytes, 0, static_cast<std::size_t>(got));
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
            const Answer answer = script.answer(number_, words);
            out_.add(answer.bytes(), now + answer.delay());
            then_ = answer.then();
        }
        unread_.erase(0, at);
        return true;
    }

    int fd_;
    std::size_t number_;
    RespParser parser_;
    std::string unread_;
    Outlet out_;
    Answer::Then then_ = Answer::Then::go_on;
};

}  // namespace

class ScriptedRedis::Thread final : public PollThread {
public:
    Thread() {
        do {
            port_ = free_port();
            listener_ = listen_on(port_);
        } while (listener_ < 0);
        begin();
    }
    ~Thread() {
        end();
        close(listener_);
    }

    std::uint16_t port() const { return port_; }
    template <class Change>
    void tell(Change change) {
        with([&] { change(script_); });
    }
    template <class Look>
    auto see(Look at) const {
        return look([&] { return at(script_); });
    }
    template <class Change>
    void tell_all(Change change) {
        with([&] {
            for (Conversation& conversation : conversations_) {
                change(conversation);
            }
        });
    }
    std::size_t accepted() const {
        return look([&] { return accepted_; });
    }
    std::size_t open() const {
        return look([&] { return conversations_.size(); });
    }

private:
    void wanted(std::vector<pollfd>& sockets, std::optional<SteadyTime>& until) override {
        sockets.push_back({listener_, POLLIN, 0});
        for (const Conversation& conversation : conversations_) {
            conversation.wanted(sockets, until);
        }
    }
    void ready(const std::vector<pollfd>&) override {
        int client = 0;
        while ((client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0) {
            conversations_.emplace_back(client, ++accepted_);
        }
        const SteadyTime now = system_clock().steady_now();
        conversations_.remove_if([&](Conversation& one) { return !one.step(script_, now); });
    }

    std::uint16_t port_ = 0;
    int listener_ = -1;
    std::size_t accepted_ = 0;
    Script script_;
    std::list<Conversation> conversations_;
};

ScriptedRedis::ScriptedRedis() : thread_(std::make_unique<Thread>()) {}
ScriptedRedis::~ScriptedRedis() = default;

std::uint16_t ScriptedRedis::port() const {
    return thread_->port();
}

void ScriptedRedis::on(Words words, Answer answer) {
    on(std::move(words), [answer](const Words&) { return answer; });
}
void ScriptedRedis::on(Words words, std::function<Answer(const Words&)> answer) {
    thread_->tell([&](Script& script) { script.on(std::move(words), std::move(answer)); });
}
void ScriptedRedis::expect(Words words, Answer answer) {
    thread_->tell([&](Script& script) { script.expect(std::move(words), std::move(answer)); });
}
void ScriptedRedis::old_protocol() {
    thread_->tell([](Script& script) { script.old_protocol(); });
}
void ScriptedRedis::availability_zone(std::string_view zone) {
    thread_->tell([&](Script& script) { script.availability_zone(zone); });
}
void ScriptedRedis::push(std::string bytes) {
    const SteadyTime now = system_clock().steady_now();
    thread_->tell_all([&](auto& conversation) { conversation.say(bytes, now); });
}
void ScriptedRedis::end_all(Answer::Then how) {
    thread_->tell_all([&](auto& conversation) { conversation.end(how); });
}

std::vector<Heard> ScriptedRedis::heard() const {
    return thread_->see([](const Script& script) { return script.heard(); });
}
std::size_t ScriptedRedis::heard(const Words& words) const {
    return thread_->see([&](const Script& script) {
        return static_cast<std::size_t>(std::count_if(
            script.heard().begin(),
            script.heard().end(),
            [&](const Heard& one) { return matches(words, one.words); }
        ));
    });
}
std::size_t ScriptedRedis::expected_left() const {
    return thread_->see([](const Script& script) { return script.expected_left(); });
}
std::size_t ScriptedRedis::connections() const {
    return thread_->accepted();
}
std::size_t ScriptedRedis::open_connections() const {
    return thread_->open();
}
std::string ScriptedRedis::problem() const {
    return thread_->see([](const Script& script) { return script.problem(); });
}

}  // namespace holdfast::testing
