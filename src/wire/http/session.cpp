#include "session.h"

#include "response_head.h"
#include "serving.h"

#include <holdfast/http/limits.h>

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";

Duration look_period_of(const HttpLimits& limits) {
    const Duration shortest = std::min(
        {limits.header_time,
         limits.body_time_base,
         limits.body_time_max,
         limits.write_stall_time,
         limits.idle_time}
    );
    return std::clamp<Duration>(shortest / watch_fraction, watch_period_min, watch_period_max);
}

std::string_view from(std::string_view text, std::size_t offset) {
    return text.substr(std::min(offset, text.size()));
}

}  // namespace

HttpSession::HttpSession(
    std::unique_ptr<Stream> stream,
    std::string_view peer,
    HttpHandler& handler,
    const HttpLimits& limits,
    LoopCounts& counts
)
    : stream_(std::move(stream)), handler_(&handler), limits_(&limits), counts_(&counts),
      look_period_(look_period_of(limits)), reader_(limits, peer), ahead_(*stream_) {}

Task<> HttpSession::live() {
    scope_ = &co_await this_scope();
    seen_at_ = scope_->loop().now();
    scope_->loop().arm(*this, seen_at_ + look_period_);
    std::size_t answers_in_a_row = 0;
    for (bool keep = true; keep;) {
        RequestReader::Event event = reader_.next();
        HttpRefusal refusal{0, {}};
        if (event == RequestReader::Event::more) {
            if (!prepare_read()) {
                break;
            }
            if (!continue_sent_ && reader_.waits_to_continue()) {
                continue_sent_ = true;
                auto sent = co_await send_rest(0, go_on, {});
                if (!sent.ok()) {
                    break;
                }
                enter(Phase::body);
            }
            std::size_t count = 0;
            if (ahead_.begun()) {
                co_await ahead_.ended();
                const auto bytes = ahead_.take();
                reader_.append(bytes);
                count = bytes.size();
            } else {
                auto read = stream_->read_some(std::as_writable_bytes(reader_.space()));
                pending_ = &read;
                auto got = co_await read;
                pending_ = nullptr;
                count = got.ok() ? got.value() : 0;
                reader_.received(count);
            }
            const bool late = std::exchange(interrupted_, false) && phase_ != Phase::idle;
            if (count != 0) {
                continue;
            }
            if (!late || scope_->cancelled()) {
                break;
            }
            refusal = HttpRefusal{408, "the request did not come in time"};
            event = RequestReader::Event::refused;
        } else if (event == RequestReader::Event::refused) {
            refusal = reader_.refusal();
        }

        if (event == RequestReader::Event::head) {
            response_.reset();
            continue_sent_ = false;
            if (handler_->admit(reader_.request(), response_)) {
                enter(Phase::body);
                continue;
            }
            counts_->requests.add();
            keep = reader_.next() == RequestReader::Event::complete;
        } else if (event == RequestReader::Event::complete) {
            enter(Phase::serving);
            counts_->requests.add();
            Serving serving(handler_->serve(reader_.request(), response_), ahead_);
            auto served = co_await serving;
            if (serving.stopped()) {
                break;
            }
            if (!served.ok()) {
                refusal = HttpRefusal{500, "the handler failed"};
                keep = refuse(refusal);
            }
        } else {
            counts_->refusals.add();
            keep = refuse(refusal);
        }
        keep = keep && !response_.close && !draining_ && reader_.keep_alive();

        format_head(head_, response_, !keep);
        const bool bodiless =
            is_bodiless(response_.status) || (event != RequestReader::Event::refused &&
                                              reader_.request().method == HttpMethod::head);
        const std::string_view body = bodiless ? std::string_view() : response_.content();
        auto sent = stream_->write_now(bytes_of(head_), bytes_of(body));
        if (!sent.ok()) {
            break;
        }
        if (sent.value() != head_.size() + body.size()) {
            auto rest = co_await send_rest(sent.value(), head_, body);
            if (!rest.ok()) {
                stream_->abort();
                break;
            }
        }
        if (!keep) {
            (void)co_await linger();
            break;
        }
        reader_.finish();
        if (++answers_in_a_row == answers_in_a_row_max) {
            answers_in_a_row = 0;
            enter(Phase::serving);  // no time limit: what the others do is not the client's delay
            co_await yield();
        }
    }
    unlink();
    co_return Done();
}

// False: the answer is the last of this connection.
bool HttpSession::refuse(HttpRefusal refusal) {
    response_.reset();
    handler_->refuse(refusal, response_);
    response_.status = refusal.status;
    return false;
}

HttpSession::Phase HttpSession::reading_phase() const {
    if (reader_.idle()) {
        return Phase::idle;
    }
    return reader_.in_body() ? Phase::body : Phase::header;
}

// False: there is nothing to wait for.
bool HttpSession::prepare_read() {
    if (const Phase phase = reading_phase(); phase != phase_) {
        enter(phase);
    }
    if (phase_ == Phase::idle) {
        if (draining_) {
            return false;
        }
        reader_.shrink();
        if (response_.body.capacity() > answer_bytes_kept) {
            std::string().swap(response_.body);
        }
    }
    return true;
}

Task<> HttpSession::send_rest(std::size_t sent, std::string_view head, std::string_view body) {
    while (sent < head.size() + body.size()) {
        enter(Phase::writing);
        const std::size_t body_sent = sent < head.size() ? 0 : sent - head.size();
        auto write =
            stream_->write_some(bytes_of(from(head, sent)), bytes_of(from(body, body_sent)));
        pending_ = &write;
        auto moved = co_await write;
        pending_ = nullptr;
        if (!moved.ok()) {
            co_return std::move(moved).error();
        }
        sent += moved.value();
        if (std::exchange(interrupted_, false)) {
            co_return Error(Code::timed_out, Effect::unknown, "the client does not read");
        }
    }
    co_return Done();
}

// The client may not have sent all yet; closing now could make its system drop our answer unread.
Task<> HttpSession::linger() {
    enter(Phase::lingering);
    interrupted_ = false;
    stream_->shutdown_write();
    if (ahead_.begun()) {
        co_await ahead_.ended();
        if (ahead_.take().empty()) {
            co_return Done();
        }
    }
    std::size_t dropped = 0;
    while (!interrupted_ && dropped < linger_bytes_max) {
        auto read = stream_->read_some(std::as_writable_bytes(reader_.scratch()));
        pending_ = &read;
        auto got = co_await read;
        pending_ = nullptr;
        if (!got.ok() || got.value() == 0) {
            break;
        }
        dropped += got.value();
    }
    co_return Done();
}

void HttpSession::drain() {
    draining_ = true;
    if (phase_ == Phase::idle) {
        interrupt();
    }
}

// Ends the wait that is going on, and not the session as a request to stop would.
void HttpSession::interrupt() {
    interrupted_ = true;
    if (pending_ != nullptr) {
        scope_->leave();
        std::exchange(pending_, nullptr)->on_cancel();
    } else if (ahead_.begun()) {
        ahead_.interrupt();
    }
}

Duration HttpSession::time_limit() const {
    switch (phase_) {
    case Phase::idle:
        return limits_->idle_time;
    case Phase::header:
        return limits_->header_time;
    case Phase::body: {
        constexpr Duration kib_time{1'000};
        const auto kib = static_cast<std::int64_t>(reader_.body_received() / 1024);
        return std::min(limits_->body_time_base + kib_time * kib, limits_->body_time_max);
    }
    case Phase::serving:
        return Duration::max();  // the handler has its own deadlines
    case Phase::writing:
        return limits_->write_stall_time;
    case Phase::lingering:
        return linger_time;
    }
    return Duration::max();
}

void HttpSession::run() {
    Loop& loop = scope_->loop();
    const SteadyTime now = loop.now();
    if (changes_ != changes_seen_) {
        changes_seen_ = changes_;
        seen_at_ = now;
    } else if (now - seen_at_ >= time_limit()) {
        interrupt();
    }
    loop.arm(*this, now + look_period_);
}

}  // namespace holdfast
