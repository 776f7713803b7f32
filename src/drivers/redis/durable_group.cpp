#include "durable_group.h"

#include "loop_side.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/read.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

void append_command(std::string& out, std::initializer_list<std::string_view> words) {
    append_resp_count(out, words.size());
    for (const std::string_view word : words) {
        append_resp_bulk(out, word);
    }
}

Error same(const Error& error, Effect effect) {
    return Error(error.code(), effect, error.what());
}

}  // namespace

void DurableGroup::send(List<DurableCall>& waiting, SteadyTime now, bool may_ask) {
    bytes_.clear();
    calls_.clear();
    wait_failed_.reset();
    sync_failed_.reset();
    reached_ = CopiesReached();
    phase_ = Phase::writes;
    deadline_ = now;
    List<DurableCall> late;
    List<DurableCall> refused;
    bool asks = false;
    while (!waiting.empty() && bytes_.size() < fill_bytes) {
        DurableCall& call = waiting.front();
        if (call.deadline_.passed(now) && !fault("redis.late")) {
            late.push_back(call);  // its timer has not had its turn yet
            continue;
        }
        if (call.copies_.asks_fsync() && !fsync_known() && !fault("redis.waitaof")) {
            asks = calls_.empty() && may_ask;
            break;  // it goes once the connection has said that it can
        }
        if (refusal(call, now).has_value()) {
            refused.push_back(call);
            continue;
        }
        call.unlink();
        collect(call);
    }
    if (asks) {
        travelling_ = true;
        fsync_test_.begin(waiting.front().deadline_.time());
    } else if (!calls_.empty()) {
        travelling_ = true;
        const auto writes = static_cast<std::uint32_t>(calls_.size());
        writes_ = writes;
        append_waits(now);
        travel(writes + (syncs_ ? 3 : 2));
    }
    waiting.take(late);
    while (!refused.empty()) {
        DurableCall& call = refused.front();
        auto why = refusal(call, now);
        if (!why.has_value()) {
            waiting.push_back(call);  // what was known has changed meanwhile
            lane_->group_ended();
            continue;
        }
        lane_->end_waiting(call, std::move(*why));
    }
}

// Effect none.
std::optional<Error> DurableGroup::refusal(const DurableCall& call, SteadyTime now) const {
    if (call.copies_.asks_fsync() && fsync_known()) {
        if (fsync_.refused.has_value()) {
            return same(*fsync_.refused, Effect::none);
        }
        if (call.copies_.fsync_here() && !fsync_.here) {
            return Error(
                Code::unsupported, Effect::none, "the server has no file that it could wait for"
            );
        }
    }
    const RequiredCopies* required = call.copies_.required();
    return required == nullptr ? std::nullopt : required->refusal(now);
}

void DurableGroup::collect(DurableCall& call) {
    if (call.asking_) {
        append_command(bytes_, {"ASKING"});
        calls_.push_back(nullptr);  // its reply is nobody's
    }
    append_resp_count(bytes_, call.command().words());
    bytes_.append(call.command().bytes());
    call.group_ = this;
    call.place_ = calls_.size();
    calls_.push_back(&call);
}

// For those calls that are still there.
void DurableGroup::append_waits(SteadyTime now) {
    waited_for_ = 0;
    syncs_ = false;
    bool here = false;
    std::int64_t synced = 0;
    Duration wait_max(0);
    for (const DurableCall* call : calls_) {
        if (call == nullptr) {
            continue;
        }
        const Copies& copies = call->copies_;
        waited_for_ = std::max(waited_for_, copies.replicas());
        wait_max = std::max(wait_max, copies.wait_max());
        deadline_ = std::max(deadline_, call->deadline_.time());
        syncs_ = syncs_ || copies.asks_fsync();
        here = here || copies.fsync_here();
        synced = std::max(synced, copies.fsync_replicas());
    }
    // Zero would wait for ever.
    const auto wait = std::max(std::min(wait_max, deadline_ - now), Duration(1));
    const std::string most = std::to_string(wait.count());
    append_command(bytes_, {"WAIT", std::to_string(waited_for_), most});
    syncs_ = syncs_ && phase_ == Phase::writes;
    if (syncs_) {
        append_command(bytes_, {"WAITAOF", here ? "1" : "0", std::to_string(synced), most});
    }
    append_command(bytes_, {"ROLE"});
}

void DurableGroup::travel(std::uint32_t replies) {
    seen_ = 0;
    carry("WAIT", bytes_, replies, Repeat::once, deadline_);
    if (auto refused = link_->submit(*this); refused.has_value()) {
        failed(std::move(*refused));
    }
}

// A connection that is not there yet, or busy: those whose time is over need not go.
void DurableGroup::recall() {
    if (phase_ != Phase::writes || !Mux::unsent(*this) || fault("redis.recall")) {
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
    if (index < writes_) {
        if (DurableCall* call = calls_[index]; call != nullptr) {
            answered(*call, reply);
        }
        return;
    }
    if (last) {
        judge(reply);
        return;
    }
    if (index == writes_) {
        if (reply.is_error()) {
            const Error error = error_of(reply, AnyCommand("WAIT"));
            wait_failed_.emplace(error.code(), Effect::unknown, "the server refused to wait");
        }
        reached_.acknowledged = reply.number();
        return;
    }
    const bool told = reply.type() == RespType::array && reply.size() == 2;
    if (!told) {
        const Code code =
            reply.is_error() ? error_of(reply, AnyCommand("WAITAOF")).code() : Code::corrupt;
        sync_failed_.emplace(code, Effect::unknown, "the server refused to wait for its files");
        return;
    }
    auto at = reply.begin();
    reached_.synced_here = (*at).number();
    ++at;
    reached_.synced_replicas = (*at).number();
}

// A refusal by the node of which nothing was done: the call need not wait for replicas of it.
void DurableGroup::answered(DurableCall& call, RespView reply) {
    LoopSide* side = call.side_;
    if (side == nullptr || !reply.is_error() || !side->goes_on(call, reply)) {
        call.replied(reply);
        return;
    }
    side->go_on(*take(call.place_), reply, *link_);
}

void DurableGroup::judge(RespView role) {
    if (phase_ == Phase::again && connection_ != link_->connections() &&
        !fault("redis.wait_elsewhere")) {
        // This WAIT was for what another connection has written: nothing.
        failed(Error(Code::unreachable, Effect::unknown, "the connection was lost in the wait"));
        return;
    }
    connection_ = link_->connections();
    const bool refused = role.is_error();
    Result<ReplicasSeen> seen =
        refused ? error_of(role, AnyCommand("ROLE")) : read_replicas_seen(role);
    reached_.connected = seen.ok() && seen.value().primary ? seen.value().connected : -1;
    bool again = false;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        if (calls_[i] == nullptr) {
            continue;
        }
        DurableCall& call = *calls_[i];
        const Error* why = wait_failed_.has_value() ? &*wait_failed_ : nullptr;
        if (why == nullptr && sync_failed_.has_value() && call.copies_.asks_fsync()) {
            why = &*sync_failed_;
        }
        if (why == nullptr && !seen.ok() && call.copies_.required() != nullptr) {
            why = &seen.error();
        }
        if (why != nullptr) {
            take(i)->failed(same(*why, Effect::unknown));
            continue;
        }
        RequiredCopies* required = call.copies_.required();
        if (required == nullptr) {
            take(i)->ended(reached_);
            continue;
        }
        const CopiesVerdict verdict =
            required->judge(waited_for_, reached_.acknowledged, seen.value(), lane_->loop().now());
        if (verdict == CopiesVerdict::grown) {
            again = true;
        } else if (verdict == CopiesVerdict::kept) {
            take(i)->ended(reached_);
        } else {
            take(i)->failed(error_of(verdict));
        }
    }
    if (again) {
        phase_ = Phase::again;
        lane_->loop().post(*this);
    } else {
        arrived();
    }
}

// On the connection of the writes: WAIT is for what the same connection has written.
void DurableGroup::wait_again() {
    bytes_.clear();
    writes_ = 0;
    if (std::ranges::all_of(calls_, [](const DurableCall* call) { return call == nullptr; })) {
        arrived();
        return;
    }
    if (connection_ != link_->connections() || link_->protocol() == 0) {
        failed(Error(Code::unreachable, Effect::unknown, "the connection was lost in the wait"));
        return;
    }
    append_waits(lane_->loop().now());
    travel(2);
}

void DurableGroup::failed(Error error) {
    const Effect effect = phase_ == Phase::again ? Effect::unknown : error.effect();
    end_all([&](DurableCall& call) { DurableLane::lost(call, same(error, effect)); });
}

// Its caller may go, and may make others go.
DurableCall* DurableGroup::take(std::size_t place) {
    DurableCall* call = std::exchange(calls_[place], nullptr);
    call->group_ = nullptr;
    call->timer_.unlink();
    std::exchange(call->lane_, nullptr)->left();
    return call;
}

template <class F>
void DurableGroup::end_all(F&& end) {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        if (calls_[i] != nullptr) {
            end(*take(i));
        }
    }
    arrived();
}

void DurableGroup::arrived() {
    travelling_ = false;
    lane_->group_ended();
}

void DurableGroup::FsyncTest::begin(SteadyTime deadline) {
    command_ = AnyCommand("WAITAOF", Repeat::read);
    command_.add("1").add("0").add("1");
    carry(command_, deadline);
    if (auto refused = group_->link().submit(*this); refused.has_value()) {
        failed(std::move(*refused));
    }
}

bool DurableGroup::fsync_known() const {
    return fsync_.connection != 0 && link_->protocol() != 0 &&
           fsync_.connection == link_->connections();
}

void DurableGroup::fsync_told(RespView reply) {
    fsync_ = Fsync();
    fsync_.connection = link_->connections();
    fsync_.here = !reply.is_error();
    if (reply.is_error()) {
        const Error error = error_of(reply, AnyCommand("WAITAOF"));
        if (error.code() == Code::unsupported || error.code() == Code::denied) {
            fsync_.refused.emplace(same(error, Effect::none));
        }
    }
    arrived();
}

// Those that waited no longer than the test end with it, so that no test follows at once.
void DurableGroup::fsync_untold(const Error& error) {
    lane_->fsync_untold(error, fsync_test_.deadline());
    arrived();
}

}  // namespace holdfast::redis
