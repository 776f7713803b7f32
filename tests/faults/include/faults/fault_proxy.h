#pragma once
// A proxy before a server on 127.0.0.1 that loses, delays and cuts what a test tells it to.
//
//   FaultProxy proxy(server.port());
//   proxy.lose_reply(3);                       // the third from now on: executed, never answered
//   ... a client of proxy.port() ...
//   EXPECT_TRUE(eventually([&] { return proxy.done(); }));
//
// It reads requests and replies as the protocol (`FaultProxy::bytes`: not, for TLS) and passes each
// on when it is whole. Every call holds for all connections, those that are open and those to come,
// may come from any thread, and has happened on return. Numbers count from the call on, over all
// connections: 1 is the next.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace holdfast::testing {

enum class Toward : std::uint8_t { server, client };

// How the client's connection ends. The server's side ends in an orderly way after it has answered
// what reached it, so that what was passed on is executed for certain.
enum class Cut : std::uint8_t { reset, close };

struct OneFault;

class FaultProxy {
public:
    enum class Reads : std::uint8_t { protocol, bytes };
    explicit FaultProxy(std::uint16_t server_port, Reads reads = Reads::protocol);
    // Listens at another address of this machine, such as 127.0.0.2. Throws RawFailure if it
    // cannot.
    FaultProxy(const std::string& host, std::uint16_t port, std::uint16_t server_port);
    FaultProxy(const FaultProxy&) = delete;
    FaultProxy& operator=(const FaultProxy&) = delete;
    ~FaultProxy();

    std::uint16_t port() const;

    // Lasting, until healed.
    void latency(Duration each_way);
    // Pieces of at most so many bytes, each in a packet of its own, `pace` apart: with a pace a
    // reader that keeps up sees each of them.
    void slice(Toward direction, std::size_t bytes, Duration pace = Duration::zero());
    void black_hole(Toward direction);  // what goes that way is acknowledged and vanishes
    void stall(Toward direction);       // is not even read, and goes on when healed: a full window
    void hold_pushes();                 // they come behind when healed
    void refuse();                      // nobody listens; what is accepted stays
    void heal();                        // no lasting fault any more

    // In all replies and pushes from now on, for ever: another text of the same length, so that a
    // server tells of addresses as they are before proxies. Not for Reads::bytes.
    void replace(const std::string& text, const std::string& by);

    // Once each.
    void reset_all();                   // at once, both sides, with what is in flight
    void half_close(Toward direction);  // the end of stream that way; the other way goes on
    // Request `number` is passed on, what follows it is not, and the client's connection is cut.
    void cut_after_request(std::size_t number, Cut how = Cut::reset);
    // Of request `number` only the first bytes reach the server: it is not executed.
    void cut_inside_request(std::size_t number, std::size_t bytes, Cut how = Cut::reset);
    void cut_after_reply(std::size_t number, Cut how = Cut::reset);
    void cut_inside_reply(std::size_t number, std::size_t bytes, Cut how = Cut::reset);
    // The connection is cut in the place of the reply: the request was executed.
    void lose_reply(std::size_t number, Cut how = Cut::reset);
    // It alone vanishes, as if the server had forgotten it: those behind it come too early.
    void swallow_reply(std::size_t number);
    bool done() const;  // each of those with a number has happened

    std::size_t connections() const;  // ever accepted
    std::size_t open_connections() const;
    std::size_t requests() const;  // that came whole from clients
    std::size_t replies() const;   // that came whole from the server, pushes apart
    std::size_t pushes() const;

private:
    class Thread;
    void once(const OneFault& fault);
    std::unique_ptr<Thread> thread_;
};

}  // namespace holdfast::testing
