#include "connection.h"

#include "handshake.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/io/compose.h>
#include <holdfast/io/tcp.h>

namespace holdfast::redis {
namespace {

Error corrupt(std::string_view what) {
    return Error(Code::corrupt, Effect::none, what);
}

Task<std::unique_ptr<Stream>>
open_stream(const RedisOptions& options, const Endpoint& node, Deadline deadline) {
    if (node.is_unix_socket()) {
        co_return co_await connect_unix(node.host, deadline);
    }
    auto connected = co_await connect_tcp(node.host, node.port, deadline);
    if (!connected.ok()) {
        co_return std::move(connected).error();
    }
    std::unique_ptr<Stream> stream = std::move(connected).value();
    stream->set_unacknowledged_max(options.unacknowledged_max());
    if (!options.tls()) {
        co_return std::move(stream);
    }
    std::shared_ptr<const TlsContext> context = options.tls()();
    co_return co_await connect_tls(
        std::move(stream), std::move(context), options.tls_name(node.host), deadline
    );
}

// Feeds what is there. An error: not the protocol, or refused.
Result<Done> feed(Connection& connection, Handshake& handshake) {
    while (!handshake.done()) {
        const RespStatus status = connection.parser.parse(connection.in.unread());
        if (status == RespStatus::broken) {
            return corrupt("the server does not speak this protocol");
        }
        if (status == RespStatus::incomplete) {
            return Done();
        }
        connection.in.parsed(connection.parser.consumed());
        const RespView reply = connection.parser.reply();
        if (reply.type() != RespType::push) {
            handshake.answered(reply);
        }
        if (handshake.failure()) {
            const Error& failure = *handshake.failure();
            return Error(failure.code(), Effect::none, failure.what());
        }
    }
    return Done();
}

Task<> greet(Connection& connection, Handshake& handshake, Deadline deadline) {
    while (!handshake.done()) {
        const std::string output = handshake.take_output();
        if (!output.empty()) {
            auto wrote = co_await write_all(*connection.stream, output, deadline);
            if (!wrote.ok()) {
                co_return std::move(wrote).error();
            }
        }
        auto got = co_await connection.stream->read_some(connection.in.space());
        if (!got.ok()) {
            co_return std::move(got).error();
        }
        if (got.value() == 0) {
            co_return Error(Code::unreachable, Effect::none, "the server closed the connection");
        }
        connection.in.received(got.value());
        auto fed = feed(connection, handshake);
        if (!fed.ok()) {
            co_return std::move(fed).error();
        }
    }
    co_return Done();
}

Task<std::shared_ptr<Connection>>
dialing(std::shared_ptr<const RedisOptions> options, DialTarget target, Deadline deadline) {
    Credentials credentials;
    if (options->credentials()) {
        auto given = options->credentials()();
        if (!given.ok()) {
            co_return std::move(given).error();
        }
        credentials = std::move(given).value();
    }
    auto opened = co_await open_stream(*options, target.node, deadline);
    if (!opened.ok()) {
        co_return std::move(opened).error();
    }
    auto connection = std::make_shared<Connection>();
    connection->stream = std::move(opened).value();
    Handshake handshake(*options, credentials, target.role, target.first_commands);
    auto greeted = co_await greet(*connection, handshake, deadline);
    if (!greeted.ok()) {
        Error error = std::move(greeted).error();
        co_return Error(error.code(), Effect::none, error.what());
    }
    connection->protocol = handshake.protocol();
    connection->server_version = handshake.server_version();
    connection->zone = handshake.zone();
    co_return std::move(connection);
}

}  // namespace

Task<std::shared_ptr<Connection>>
dial(std::shared_ptr<const RedisOptions> options, DialTarget target) {
    const Deadline deadline = Deadline::in(
        fault("redis.27") ? Duration(3'600'000) : options->dial_time(),
        (co_await this_scope()).loop().now()
    );
    co_return co_await with_deadline(
        dialing(std::move(options), std::move(target), deadline), deadline
    );
}

}  // namespace holdfast::redis
