#pragma once
// One connection: reads requests, has them answered in order and one at a time, keeps its time
// limits. Loop thread only.

#include "counts.h"
#include "read_ahead.h"
#include "request_reader.h"

#include <holdfast/http/server.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast {

class HttpSession final : private Work {
public:
    // What is passed by reference outlives the session.
    HttpSession(
        std::unique_ptr<Stream> stream,
        std::string_view peer,
        HttpHandler& handler,
        const HttpLimits& limits,
        LoopCounts& counts
    );

    // Until the connection has ended. Asked to stop, it drops the connection. Run once.
    Task<> live();

    // Ends an idle connection soon, a busy one after the answer that it is working on.
    void drain();

private:
    enum class Phase : std::uint8_t { idle, header, body, serving, writing, lingering };

    // Does the clock's work without asking it: the next look sees that something has changed.
    void enter(Phase phase) {
        ++changes_;
        phase_ = phase;
    }
    void run() override;
    Duration time_limit() const;
    void interrupt();

    Phase reading_phase() const;
    bool prepare_read();
    Task<> send_rest(std::size_t sent, std::string_view head, std::string_view body);
    Task<> linger();
    bool refuse(HttpRefusal refusal);

    std::unique_ptr<Stream> stream_;
    HttpHandler* handler_;
    const HttpLimits* limits_;
    LoopCounts* counts_;
    Scope* scope_ = nullptr;
    CancelHook* pending_ = nullptr;  // the read or write that is waited for, but for the read ahead
    std::uint32_t changes_ = 0;
    std::uint32_t changes_seen_ = 0;
    SteadyTime seen_at_{};
    Duration look_period_;
    Phase phase_ = Phase::idle;
    bool interrupted_ = false;
    bool draining_ = false;
    bool continue_sent_ = false;
    RequestReader reader_;
    ReadAhead ahead_;
    HttpResponse response_;
    std::string head_;
};

}  // namespace holdfast
