#include "node_link.h"

#include "resp_kinds.h"

#include <holdfast/base/fault_switch.h>

namespace holdfast::redis {
NodeLink::NodeLink(
    Loop& loop,
    Random& random,
    std::shared_ptr<const RedisOptions> options,
    const NodeLinkOptions& link_options
)
    : loop_(&loop), options_(std::move(options)), target_(link_options.target),
      watcher_(link_options.watcher), redial_(link_options.redial),
      fail_fast_(link_options.fail_fast), probe_(link_options.probe), backoff_(random),
      mux_(*this, link_options.mux), flush_work_(*this), ring_work_(*this) {}

NodeLink::~NodeLink() = default;

void NodeLink::wake_at(SteadyTime time) {
    if (time < ring_at_) {
        ring_at_ = time;
        loop_->arm(ring_work_, time);
    }
}

void NodeLink::ring() {
    const auto self = shared_from_this();  // a caller that ends may let go of us
    ring_at_ = SteadyTime::max();
    const bool suspicious = mux_.suspicious(loop_->now());
    if (!mux_.ring(loop_->now())) {
        drop();
    }
    if (suspicious && !closed_) {
        if (retired_.has_value()) {
            close(*retired_);
        } else {
            troubled();
        }
    }
}

void NodeLink::retire(const Error& reason) {
    const auto self = shared_from_this();
    retired_.emplace(reason.code(), Effect::none, reason.what());
    mux_.send_away(*retired_);
    if (mux_.empty() || connection_ == nullptr || mux_.suspicious(loop_->now())) {
        close(*retired_);
    }
}

void NodeLink::drop() {
    if (connection_ != nullptr) {
        connection_->stream->abort();  // the read ends, and with it the connection
    }
}

void NodeLink::close(const Error& reason) {
    const auto self = shared_from_this();
    closed_ = true;
    stop_.request();
    drop();
    mux_.close(reason);
    ring_work_.unlink();  // an io_context would run on for it
    ring_at_ = SteadyTime::max();
}

void NodeLink::come_alive() {
    if (closed_) {
        return;
    }
    alive_ = true;
    spawn(
        *loop_,
        live(shared_from_this()),
        [self = shared_from_this()](Result<Done> ended) {
            self->alive_ = false;
            if (!ended.ok()) {
                self->closed_ = true;
                self->lost_ = ended.error().code() == Code::unreachable;
                self->mux_.close(ended.error());
            }
        },
        &stop_
    );
}

Task<> NodeLink::live(std::shared_ptr<NodeLink> self) {
    NodeLink& link = *self;
    const Scope& scope = co_await this_scope();
    for (;;) {
        auto dialled = co_await dial(link.options_, link.target_);
        if (scope.cancelled() || link.closed_) {
            co_return closed_error();
        }
        if (!dialled.ok()) {
            if (link.probe_ != nullptr) {
                link.probe_->dial_failed(link.target_.node.text(), dialled.error());
            }
            if (fault("redis.19")) {
                co_return std::move(dialled).error();
            }
            if (link.watcher_ != nullptr) {
                link.watcher_->not_opened(dialled.error());
            }
            link.dial_failed(dialled.error());
            link.troubled();
            if (link.redial_ != Redial::always && link.mux_.empty()) {
                co_return Done();
            }
            auto paused = co_await sleep(
                link.loop_->now() + (fault("redis.16")   ? Duration(3'600'000)
                                     : fault("redis.31") ? Duration(1)
                                                         : link.backoff_.next())
            );
            if (!paused.ok()) {
                co_return closed_error();
            }
            continue;
        }
        link.backoff_.succeeded();
        link.connection_ = std::move(dialled).value();
        ++link.connections_;
        if (link.probe_ != nullptr) {
            link.probe_->connected(link.target_.node.text(), link.connection_->protocol);
        }
        if (link.watcher_ != nullptr) {
            link.watcher_->opened();
        }
        link.mux_.opened();
        if (!fault("redis.13")) {
            link.flush();
        }
        const auto connection = link.connection_;
        auto ended = co_await link.reading(connection);
        connection->stream->abort();
        link.connection_ = nullptr;
        if (scope.cancelled() || link.closed_) {
            co_return closed_error();
        }
        if (link.probe_ != nullptr) {
            link.probe_->connection_lost(link.target_.node.text(), ended.error());
        }
        if (link.watcher_ != nullptr) {
            link.watcher_->lost();
        }
        if (link.retired_.has_value()) {
            link.close(*link.retired_);
            co_return closed_error();
        }
        if (link.redial_ == Redial::never) {
            co_return Error(Code::unreachable, Effect::none, "the connection was lost");
        }
        // Whoever dropped it, and why: another node can answer.
        const Error gone(Code::unreachable, Effect::none, "the connection was lost");
        link.mux_.lost(link.loop_->now(), link.fail_fast_ ? &gone : nullptr);
        link.troubled();
        if (link.redial_ == Redial::on_demand && link.mux_.empty()) {
            co_return Done();
        }
    }
}

// Whoever waits is told at once what waiting cannot cure.
void NodeLink::dial_failed(const Error& error) {
    if ((fail_fast_ || beyond_waiting(error.code())) && !fault("redis.22")) {
        mux_.lost(loop_->now(), &error);
    }
}

Task<> NodeLink::reading(std::shared_ptr<Connection> connection) {
    for (;;) {
        while (fault("redis.23") && connection->writing) {
            auto slept = co_await sleep(loop_->now() + Duration(1));
            if (!slept.ok()) {
                break;
            }
        }
        const std::span<std::byte> space = connection->in.space();
        if (space.empty()) {
            co_return Error(Code::overloaded, Effect::none, "no memory for replies");
        }
        auto got = co_await connection->stream->read_some(space);
        if (!got.ok()) {
            co_return std::move(got).error();
        }
        if (got.value() == 0 && fault("redis.20")) {
            (void)co_await sleep(loop_->now() + Duration(1));
            continue;
        }
        if (got.value() == 0) {
            co_return Error(Code::unreachable, Effect::none, "the server closed the connection");
        }
        connection->in.received(got.value());
        reading_ = true;
        mux_.read_begins(got.value(), loop_->now());
        const bool good = parse(*connection);
        mux_.read_ends();
        reading_ = false;
        if (retired_.has_value() && mux_.empty()) {
            close(*retired_);
            co_return closed_error();
        }
        if (!good) {
            co_return Error(Code::corrupt, Effect::none, "the replies are out of order");
        }
        if (mux_.wants_to_write()) {
            flush();
        }
    }
}

// False: what came is no answer to what was asked.
bool NodeLink::parse(Connection& connection) {
    for (;;) {
        const RespStatus status = connection.parser.parse(connection.in.unread());
        if (status != RespStatus::complete) {
            return status == RespStatus::incomplete;
        }
        connection.in.parsed(connection.parser.consumed());
        const RespView reply = connection.parser.reply();
        if (connection.protocol == 2 && only_in_resp3(reply.type())) {
            return false;
        }
        if (fault("redis.F1") && reply.is_error()) {
            return false;
        }
        if (reply.type() == RespType::push) {
            if (watcher_ != nullptr && !closed_) {
                watcher_->pushed(reply);
            }
        } else if (!mux_.answered(reply)) {
            return false;
        }
    }
}

void NodeLink::flush() {
    const auto connection = connection_;
    if (connection == nullptr || connection->writing) {
        return;
    }
    do {
        mux_.fill(connection->out, loop_->now());
        if (connection->out.empty()) {
            return;
        }
        auto wrote = connection->stream->write_now(bytes_of(connection->out.view()));
        if (!wrote.ok()) {
            connection->stream->abort();
            return;
        }
        if (wrote.value() < connection->out.size()) {
            // Counted from now: gigabytes take us seconds to copy.
            mux_.sent_at_last(wrote.value(), loop_->now());
            connection->out_sent = wrote.value();
            connection->writing = true;
            spawn(*loop_, write_rest(shared_from_this(), connection), [](Result<Done>) {});
            return;
        }
        mux_.sent(wrote.value());
        connection->out.clear();
    } while (mux_.wants_to_write());
}

Task<>
NodeLink::write_rest(std::shared_ptr<NodeLink> self, std::shared_ptr<Connection> connection) {
    while (connection->out_sent < connection->out.size()) {
        const std::string_view rest = connection->out.view().substr(connection->out_sent);
        auto wrote = co_await connection->stream->write_some(bytes_of(rest));
        if (!wrote.ok()) {
            connection->stream->abort();
            co_return Done();
        }
        connection->out_sent += wrote.value();
        if (self->connection_ == connection) {
            self->mux_.sent_at_last(wrote.value(), self->loop_->now());
        }
    }
    connection->out.clear();
    connection->out_sent = 0;
    connection->writing = false;
    if (self->connection_ == connection) {
        self->flush();
    }
    co_return Done();
}

}  // namespace holdfast::redis
