#include "server_read.h"

#include "fields.h"

namespace holdfast::redis {

namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

// A calendar beyond this is no time of a server, and would not fit into microseconds.
constexpr std::int64_t seconds_max = std::int64_t{1} << 40;

Result<std::uint16_t> read_port(RespView reply) {
    const Result<std::int64_t> port = read_integer(reply);
    if (!port.ok() || port.value() < 0 || port.value() > 65535) {
        return wrong_shape();
    }
    return static_cast<std::uint16_t>(port.value());
}

Result<ReplicaRole> read_replica(RespView reply) {
    ReplicaRole replica;
    return Places(reply, 3)
        .take(replica.host, read_text)
        .take(replica.port, read_port)
        .take(replica.offset, read_integer)
        .give(replica);
}

}  // namespace

Result<ServerTime> read_time_in_seconds(RespView reply) {
    const Result<std::int64_t> time = read_integer(reply);
    if (!time.ok() || time.value() < 0 || time.value() > seconds_max) {
        return wrong_shape();
    }
    return ServerTime(seconds(time.value()));
}

Result<ServerTime> read_time_in_two(RespView reply) {
    ServerTime time;
    std::int64_t micros = 0;
    Places places(reply, 2);
    places.take(time, read_time_in_seconds).take(micros, read_integer);
    if (!places.ok() || micros < 0 || micros >= 1'000'000) {
        return wrong_shape();
    }
    return time + microseconds(micros);
}

Result<ServerRole> read_role(RespView reply) {
    ServerRole role;
    std::string kind;
    Places places(reply, 2);
    places.take(kind, read_text);
    if (kind == "master") {
        places.take(role.offset, read_integer).take(role.replicas, read_list<read_replica>);
    } else if (kind == "slave") {
        role.kind = ServerKind::replica;
        places.take(role.primary_host, read_text)
            .take(role.primary_port, read_port)
            .take(role.link, read_text)
            .take(role.offset, read_integer);
    } else if (kind == "sentinel") {
        role.kind = ServerKind::sentinel;
        places.take(role.monitored, read_texts);
    } else {
        return wrong_shape();
    }
    return places.give(role);
}

}  // namespace holdfast::redis
