#pragma once
// One connection through the proxy: a client's socket, the server's, and the bytes between them.

#include "fault_state.h"

#include <holdfast/resp/parser.h>

#include <poll.h>

#include <optional>
#include <string>
#include <vector>

namespace holdfast::testing {

class ProxyLink {
public:
    ProxyLink(int client, int server);
    ProxyLink(const ProxyLink&) = delete;
    ProxyLink& operator=(const ProxyLink&) = delete;
    ~ProxyLink();

    void wanted(
        const FaultState& faults, std::vector<pollfd>& sockets, std::optional<SteadyTime>& until
    );
    // Moves what can be moved; false: both sides have ended.
    bool step(FaultState& faults, SteadyTime now);

    void reset_now();
    void half_close(Toward direction);
    void release_pushes(SteadyTime now);

private:
    struct Side {
        int fd = -1;
        Outlet out;
        bool ended = false;     // it sends no more
        bool shuts = false;     // an end of stream follows what is queued
        bool shut = false;      // it has been told
        bool discards = false;  // nobody wants what it still says
        std::string unread;
        RespParser parser;
        bool protocol = true;  // false once its bytes were not the protocol
    };

    Side& side(Toward direction) { return direction == Toward::server ? server_ : client_; }
    bool reads(const FaultState& faults, Toward direction) const;
    void move(FaultState& faults, Toward direction, SteadyTime now);
    void take_messages(FaultState& faults, Toward direction, SteadyTime now);
    void pass(const FaultState& faults, Toward direction, std::string bytes, SteadyTime now);
    void cut(Cut how);
    void write(const FaultState& faults, Toward direction, SteadyTime now);
    void lose(Side& of);
    void finish(Side& of);

    Side client_;
    Side server_;
    std::optional<Cut> cut_;
    std::string held_pushes_;
};

}  // namespace holdfast::testing
