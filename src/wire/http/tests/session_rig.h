#pragma once
// A session on virtual streams: a handler whose answers tell what it got, a client that is
// scripted.

#include "session.h"

#include <holdfast/io/virtual_runtime.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// /slow waits 100 ms, /stuck until it is asked to stop, /large answers 1 MiB, /lasting a body that
// is not its own, /empty 204, /fail with an error; others answer at once with what they got.
// /turn looks who has the loop. /denied is not admitted.
class TellingHandler final : public HttpHandler {
public:
    bool admit(const HttpRequest& request, HttpResponse& response) override {
        response.note = request.path.size();
        if (request.path != "/denied") {
            return true;
        }
        response.status = 401;
        response.body.append("denied");
        return false;
    }
    Task<Done> serve(const HttpRequest& request, HttpResponse& response) override {
        ++at_work;
        most_at_work = std::max(most_at_work, at_work);
        served.emplace_back(request.path);
        if (request.path == "/turn" && !turn_.posted) {
            turn_.posted = true;
            turn_.served_before = served.size();
            (co_await this_scope()).loop().post(turn_);
        }
        if (request.path == "/slow" || request.path == "/stuck") {
            Scope& scope = co_await this_scope();
            const Duration wait(request.path == "/slow" ? 100 : 1'000'000'000);
            auto slept = co_await sleep(scope.loop().now() + wait);
            stopped += slept.ok() ? 0 : 1;
        }
        --at_work;
        if (request.path == "/fail") {
            co_return Error(Code::internal, Effect::none, "the handler's own trouble");
        }
        response.status = request.path == "/empty" ? 204 : 200;
        response.close = request.path == "/close";
        if (request.path == "/lasting") {
            response.body.append("not this");
            response.lasting_body = lasting;
        } else if (request.path == "/large") {
            response.body.assign(std::size_t{1024} * 1024, 'x');
        } else {
            response.body.append(name_of(request.method)).append(" ").append(request.path);
            response.body.append(" ").append(request.body);
            response.body.append(response.note == request.path.size() ? "" : " note lost");
        }
        co_return Done();
    }
    void refuse(HttpRefusal refusal, HttpResponse& response) override {
        response.body.append(refusal.what);
    }

    const std::string lasting = std::string(std::size_t{30} * 1024, 'l');
    int at_work = 0;
    int most_at_work = 0;
    int stopped = 0;
    std::vector<std::string> served;
    std::size_t most_in_a_row = 0;  // of /turn: served without anybody else having had a turn

private:
    struct Turn final : Work {
        explicit Turn(TellingHandler& handler) : owner(&handler) {}
        void run() override {
            posted = false;
            owner->most_in_a_row =
                std::max(owner->most_in_a_row, owner->served.size() - served_before + 1);
        }
        TellingHandler* owner;
        bool posted = false;
        std::size_t served_before = 0;
    };
    Turn turn_{*this};
};

class SessionRig {
public:
    explicit SessionRig(std::uint64_t seed = 1, std::size_t window = 64 * 1024) {
        VirtualOptions options;
        options.seed(seed).window_bytes(window);
        runtime_ = open_virtual_runtime(options);
        StreamPair streams = open_virtual_streams(*runtime_);
        client_ = std::move(streams.far);
        session_ =
            std::make_unique<HttpSession>(std::move(streams.near), "peer", handler, limits, counts);
        spawn(runtime_->loop(0), session_->live(), [this](Result<Done>) {
            session_.reset();
            ended_at = now();
        });
    }

    // The client reads all the time, unless it never began to.
    void read() {
        spawn(runtime_->loop(0), collect(client_.get()), [](Result<Done>) {});
    }
    void send(std::string text) {
        spawn(runtime_->loop(0), write(client_.get(), std::move(text)), [](Result<Done>) {});
    }
    // One byte each `pause`.
    void trickle(std::string text, Duration pause) {
        spawn(
            runtime_->loop(0),
            write_slowly(client_.get(), std::move(text), pause),
            [](Result<Done>) {}
        );
    }
    void leave() { client_.reset(); }
    void run(Duration time) { runtime_->run(runtime_->now() + time); }
    SteadyTime now() const { return runtime_->now(); }
    HttpSession& session() { return *session_; }
    Stream& client() { return *client_; }
    // Sends all, reads all, gives it a second.
    std::string exchange(std::string text) {
        read();
        send(std::move(text));
        run(Duration(1'000));
        return received;
    }

    TellingHandler handler;
    HttpLimits limits;
    LoopCounts counts;
    std::string received;
    bool saw_end = false;     // the server has ended its side
    bool saw_broken = false;  // the connection broke
    SteadyTime ended_at{};    // of the session; not yet: the epoch

    bool ended() const { return ended_at != SteadyTime{}; }

private:
    Task<> collect(Stream* client) {
        std::vector<std::byte> bytes(4096);
        for (;;) {
            auto got = co_await client->read_some(bytes);
            if (!got.ok() || got.value() == 0) {
                saw_end = got.ok();
                saw_broken = !got.ok();
                co_return Done();
            }
            received.append(reinterpret_cast<const char*>(bytes.data()), got.value());
        }
    }
    static Task<> write(Stream* client, std::string text) {
        const Deadline never = Deadline::at(SteadyTime::max());
        co_return co_await write_all(*client, text, never);
    }
    static Task<> write_slowly(Stream* client, std::string text, Duration pause) {
        Scope& scope = co_await this_scope();
        for (const char c : text) {
            const std::string one(1, c);
            auto moved = co_await client->write_some(bytes_of(one));
            if (!moved.ok()) {
                co_return std::move(moved).error();
            }
            (void)co_await sleep(scope.loop().now() + pause);
        }
        co_return Done();
    }

    std::unique_ptr<HttpSession> session_;
    std::unique_ptr<Stream> client_;
    std::unique_ptr<VirtualRuntime> runtime_;
};

inline std::string
request_for(std::string_view line, std::string_view fields = {}, std::string_view body = {}) {
    return std::string(line)
        .append(" HTTP/1.1\r\nHost: a\r\n")
        .append(fields)
        .append("\r\n")
        .append(body);
}
inline std::string answer_of(std::string_view body, bool close = false) {
    return "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
           "Content-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + (close ? "\r\nConnection: close" : "") + "\r\n\r\n" +
           std::string(body);
}

}  // namespace holdfast
