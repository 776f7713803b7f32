#pragma once
// Many scripted servers on one thread, each on a port of its own.

#include "conversation.h"
#include "poll_thread.h"

#include <live/ports.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <list>
#include <memory>
#include <vector>

namespace holdfast::testing {

enum class Door : std::uint8_t { open, closes, refuses };

template <class Script>
class ScriptedHost final : public PollThread {
public:
    // As many servers as scripts; the host answers by them, and tests change them through tell().
    explicit ScriptedHost(std::vector<std::unique_ptr<Script>> scripts) {
        for (std::unique_ptr<Script>& script : scripts) {
            servers_.emplace_back(std::move(script));
        }
        begin();
    }
    ~ScriptedHost() { end(); }

    std::size_t size() const { return servers_.size(); }
    std::uint16_t port(std::size_t server) const { return servers_.at(server).port; }

    template <class Change>
    void tell(std::size_t server, Change change) {
        with([&] { change(*servers_.at(server).script); });
    }
    template <class Change>
    void tell_all(Change change) {
        with([&] {
            for (Server& server : servers_) {
                change(*server.script);
            }
        });
    }
    template <class Look>
    auto see(std::size_t server, Look at) const {
        return look([&] { return at(static_cast<const Script&>(*servers_.at(server).script)); });
    }
    // Each connection that is open at this server.
    template <class Change>
    void tell_conversations(std::size_t server, Change change) {
        with([&] {
            for (Conversation& one : servers_.at(server).conversations) {
                change(one);
            }
        });
    }
    void door(std::size_t server, Door how) {
        with([&] { servers_.at(server).set(how); });
    }

    std::size_t accepted(std::size_t server) const {
        return look([&] { return servers_.at(server).accepted; });
    }
    std::size_t open(std::size_t server) const {
        return look([&] { return servers_.at(server).conversations.size(); });
    }
    std::size_t open_most(std::size_t server) const {
        return look([&] { return servers_.at(server).open_most; });
    }

private:
    struct Server {
        explicit Server(std::unique_ptr<Script> answers) : script(std::move(answers)) {
            do {
                port = free_port();
                listener = listen_on(port);
            } while (listener < 0);
        }
        Server(const Server&) = delete;
        Server& operator=(const Server&) = delete;
        ~Server() { shut(); }

        void shut() {
            if (listener >= 0) {
                close(listener);
                listener = -1;
            }
        }
        void set(Door how) {
            door = how;
            if (how == Door::refuses) {
                shut();
            }
            while (how != Door::refuses && listener < 0) {  // nobody takes the port for long
                listener = listen_on(port);
            }
        }
        void accept_all() {
            int client = 0;
            while (listener >= 0 &&
                   (client = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)) >= 0) {
                ++accepted;
                if (door == Door::closes) {
                    close(client);
                } else {
                    conversations.emplace_back(client, accepted);
                }
            }
            open_most = std::max(open_most, conversations.size());
        }

        std::unique_ptr<Script> script;
        std::uint16_t port = 0;
        int listener = -1;
        Door door = Door::open;
        std::size_t accepted = 0;
        std::size_t open_most = 0;
        std::size_t place = 0;  // in the sockets of wanted()
        std::list<Conversation> conversations;
    };

    void wanted(std::vector<pollfd>& sockets, std::optional<SteadyTime>& until) override {
        for (Server& server : servers_) {
            server.place = sockets.size();
            sockets.push_back({server.listener, POLLIN, 0});  // -1: poll() passes it over
            for (Conversation& one : server.conversations) {
                one.wanted(sockets, until);
            }
        }
    }
    void ready(const std::vector<pollfd>& sockets) override {
        const SteadyTime now = system_clock().steady_now();
        for (Server& server : servers_) {
            server.conversations.remove_if([&](Conversation& one) {
                return !one.step(*server.script, sockets, now);
            });
            if (sockets[server.place].revents != 0) {
                server.accept_all();
            }
        }
    }

    std::deque<Server> servers_;  // they stay where they are
};

}  // namespace holdfast::testing
