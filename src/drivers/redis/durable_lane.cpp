#include "durable_lane.h"

#include "loop_side.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client.h>

#include <algorithm>
#include <charconv>

namespace holdfast::redis {
namespace {

constexpr std::string_view late_before = "the deadline came before the write was sent";

void append_command(std::string& out, std::initializer_list<std::string_view> words) {
    append_resp_count(out, words.size());
    for (const std::string_view word : words) {
        append_resp_bulk(out, word);
    }
}

// ROLE: ["master", offset, [[ip, port, offset], ..]], or another shape for others.
std::int64_t replicas_of(RespView role) {
    if (role.type() != RespType::array || role.size() < 3) {
        return -1;
    }
    auto at = role.begin();
    if ((*at).text() != "master") {
        return -1;
    }
    ++at;
    ++at;
    return static_cast<std::int64_t>((*at).size());
}

}  // namespace

Effect DurableCall::leave() {
    timer_.unlink();
    if (group_ != nullptr) {
        group_->recall();
    }
    if (group_ != nullptr) {
        std::exchange(group_, nullptr)->leave(place_);
        std::exchange(lane_, nullptr)->left();
        return Effect::unknown;  // its bytes go with those of the group
    }
    if (lane_ != nullptr) {
        unlink();
        std::exchange(lane_, nullptr)->left();
    }
    return Effect::none;
}

void DurableCall::Timer::run() {
    DurableCall& call = *call_;
    const Effect effect = call.leave();
    call.failed(Error(
        Code::timed_out,
        effect,
        effect == Effect::none ? late_before : "the deadline came before the replicas' answer"
    ));
}

void DurableGroup::send(List<DurableCall>& waiting, SteadyTime now) {
    bytes_.clear();
    calls_.clear();
    seen_ = 0;
    wait_failed_.reset();
    std::int64_t replicas = 0;
    Duration wait_max(0);
    SteadyTime deadline = now;
    List<DurableCall> late;
    while (!waiting.empty() && bytes_.size() < fill_bytes) {
        DurableCall& call = waiting.pop_front();
        if (call.deadline_.passed(now) && !fault("redis.late")) {
            late.push_back(call);  // its timer has not had its turn yet
            continue;
        }
        append_resp_count(bytes_, call.command().words());
        bytes_.append(call.command().bytes());
        call.group_ = this;
        call.place_ = calls_.size();
        calls_.push_back(&call);
        replicas = std::max(replicas, call.copies_.replicas());
        wait_max = std::max(wait_max, call.copies_.wait_max());
        deadline = std::max(deadline, call.deadline_.time());
    }
    waiting.take(late);
    if (calls_.empty()) {
        return;
    }
    // Zero would wait for ever.
    const auto wait = std::max(std::min(wait_max, deadline - now), Duration(1));
    append_command(bytes_, {"WAIT", std::to_string(replicas), std::to_string(wait.count())});
    append_command(bytes_, {"ROLE"});
    travelling_ = true;
    const auto replies = static_cast<std::uint32_t>(calls_.size() + 2);
    carry("WAIT", bytes_, replies, Repeat::once, deadline);
    if (auto refused = link_->submit(*this); refused.has_value()) {
        failed(std::move(*refused));
    }
}

// A connection that is not there yet, or busy: those whose time is over need not go.
void DurableGroup::recall() {
    if (!Mux::unsent(*this) || fault("redis.recall")) {
        return;
    }
    (void)link_->abandon(*this);
    List<DurableCall> back;
    for (DurableCall* call : calls_) {
        if (call != nullptr) {
            call->group_ = nullptr;
            back.push_back(*call);
        }
    }
    calls_.clear();
    travelling_ = false;
    lane_->take_back(back);
}

void DurableGroup::replied(RespView reply, bool last) {
    const std::size_t index = seen_++;
    if (index < calls_.size()) {
        if (calls_[index] != nullptr) {
            calls_[index]->replied(reply);
        }
        return;
    }
    if (!last) {
        if (reply.is_error()) {
            Error error = error_of(reply, AnyCommand("WAIT"));
            wait_failed_.emplace(error.code(), Effect::unknown, "the server refused to wait");
        }
        acknowledged_ = reply.number();
        return;
    }
    const std::int64_t connected = replicas_of(reply);
    end_all([&](DurableCall& call) {
        if (wait_failed_.has_value()) {
            const Error& why = *wait_failed_;
            call.failed(Error(why.code(), why.effect(), why.what()));
        } else {
            call.kept(acknowledged_, connected);
        }
    });
}

void DurableGroup::failed(Error error) {
    end_all([&](DurableCall& call) {
        call.failed(Error(error.code(), error.effect(), error.what()));
    });
}

// Those that end may make others leave, and may send more.
template <class F>
void DurableGroup::end_all(F&& end) {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        if (DurableCall* call = std::exchange(calls_[i], nullptr); call != nullptr) {
            call->group_ = nullptr;
            call->timer_.unlink();
            std::exchange(call->lane_, nullptr)->left();
            end(*call);
        }
    }
    travelling_ = false;
    lane_->group_ended();
}

DurableLane::DurableLane(
    Loop& loop,
    std::size_t in_flight_max,
    std::shared_ptr<NodeLink> first,
    std::shared_ptr<NodeLink> second
)
    : loop_(&loop), in_flight_max_(in_flight_max),
      groups_{DurableGroup(*this, std::move(first)), DurableGroup(*this, std::move(second))} {}

DurableLane::~DurableLane() = default;

std::optional<Error> DurableLane::submit(DurableCall& call) {
    if (closed_) {
        return closed_error();
    }
    if (call.deadline_.passed(loop_->now()) && !fault("redis.late")) {
        return Error(Code::timed_out, Effect::none, late_before);
    }
    if (in_flight_ >= in_flight_max_) {
        return Error(Code::overloaded, Effect::none, "too many writes wait for replicas");
    }
    ++in_flight_;
    call.lane_ = this;
    waiting_.push_back(call);
    loop_->arm(call.timer_, call.deadline_.time());
    if (!flush_work_.linked()) {
        loop_->post(flush_work_);
    }
    return std::nullopt;
}

// Before those that came later, and in a turn of its own.
void DurableLane::take_back(List<DurableCall>& calls) {
    calls.take(waiting_);
    waiting_.take(calls);
    group_ended();
}

void DurableLane::flush() {
    for (DurableGroup& group : groups_) {
        if (group.free() && !waiting_.empty()) {
            group.send(waiting_, loop_->now());
        }
    }
}

void DurableLane::group_ended() {
    if (!waiting_.empty() && !flush_work_.linked()) {
        loop_->post(flush_work_);
    }
}

void DurableLane::close(const Error& reason) {
    closed_ = true;
    for (DurableGroup& group : groups_) {
        group.link().close(reason);
    }
    while (!waiting_.empty()) {
        DurableCall& call = waiting_.front();
        (void)call.leave();
        call.failed(Error(reason.code(), Effect::none, reason.what()));
    }
}

std::optional<Error> send_durable(Client& client, Loop& loop, DurableCall& call) {
    LoopSide* side = client.side_of(loop);
    if (side == nullptr) {
        return Error(Code::invalid_argument, Effect::none, "a loop of another runtime");
    }
    return side->submit(call);
}

}  // namespace holdfast::redis
