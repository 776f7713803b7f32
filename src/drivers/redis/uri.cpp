#include "uri_options.h"
#include "uri_parts.h"

#include <holdfast/redis/uri.h>

#include <algorithm>
#include <array>

namespace holdfast::redis {
namespace {

constexpr std::size_t endpoints_max = 100;     // seeds: a client asks one of them
constexpr std::size_t uri_bytes_max = 16'384;  // 100 hosts of 63 characters, and options

struct Scheme {
    std::string_view name;
    Shape shape;
    bool tls;
    bool unix_socket;
};
constexpr std::array<Scheme, 5> schemes{{
    {"redis", Shape::single, false, false},
    {"rediss", Shape::single, true, false},
    {"redis-socket", Shape::single, false, true},
    {"redis-sentinel", Shape::sentinel, false, false},
    {"rediss-sentinel", Shape::sentinel, true, false},
}};

bool is_host(std::string_view text) {
    return !text.empty() && text.size() <= 255 && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '.' || c == '-' || c == '_';
    });
}
bool is_address6(std::string_view text) {
    return text.find(':') != std::string_view::npos && text.size() <= 64 &&
           std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') ||
                      c == ':' || c == '.' || c == '%';
           });
}

std::optional<Endpoint> endpoint_of(std::string_view text, std::uint16_t port) {
    Endpoint endpoint;
    endpoint.port = port;
    std::string_view host;
    if (text.starts_with('[')) {
        text.remove_prefix(1);
        if (text.find(']') == std::string_view::npos) {
            return std::nullopt;
        }
        host = cut(text, ']');
        if (!is_address6(host) || (!text.empty() && !text.starts_with(':'))) {
            return std::nullopt;
        }
    } else {
        host = text.substr(0, text.find(':'));
        text.remove_prefix(host.size());
        if (!is_host(host)) {
            return std::nullopt;
        }
    }
    if (!text.empty()) {
        const auto number = small_number(text.substr(1), 65'535);
        if (number.value_or(0) == 0) {
            return std::nullopt;
        }
        endpoint.port = static_cast<std::uint16_t>(*number);
    }
    endpoint.host = host;
    return endpoint;
}

// user:password@, password@
Result<Done> set_credentials(RedisUri& uri, std::string_view text) {
    const bool has_user = text.find(':') != std::string_view::npos;
    const auto user = percent_decoded(has_user ? cut(text, ':') : std::string_view());
    auto password = percent_decoded(text);
    if (!user || !password) {
        return uri_error("user or password is not percent-encoded as it should be");
    }
    uri.user = *user;
    uri.password = Secret(std::move(*password));
    if (uri.password.empty() && !uri.user.empty()) {
        return uri_error("a user without a password");
    }
    return Done();
}

Result<Done> set_endpoints(RedisUri& uri, std::string_view text, std::uint16_t port) {
    do {
        const std::string_view one = cut(text, ',');
        auto endpoint = endpoint_of(one, port);
        if (!endpoint) {
            return uri_error(
                "a host or port that is none", std::to_string(uri.endpoints.size() + 1) + ". host"
            );
        }
        if (uri.endpoints.size() == endpoints_max) {
            return uri_error("more than 100 hosts");
        }
        uri.endpoints.push_back(std::move(*endpoint));
    } while (!text.empty());
    return Done();
}

Result<Done> set_place(RedisUri& uri, const Scheme& scheme, std::string_view text) {
    if (scheme.unix_socket) {
        auto path = percent_decoded(text);
        if (!path || !path->starts_with('/')) {
            return uri_error("the path of a unix socket starts with /");
        }
        uri.endpoints.push_back(Endpoint{std::move(*path), 0});
        return Done();
    }
    const bool has_path = text.find('/') != std::string_view::npos;
    const std::string_view hosts = cut(text, '/');
    const bool sentinel = scheme.shape == Shape::sentinel;
    if (auto set = set_endpoints(uri, hosts, sentinel ? sentinel_port_default : port_default);
        !set.ok()) {
        return set;
    }
    if (has_path && !text.empty()) {
        const auto database = small_number(text, database_max);
        if (!database) {
            return uri_error("the database is a whole number");
        }
        uri.database = *database;
    }
    return Done();
}

Result<Done> check_whole(const RedisUri& uri, const Scheme& scheme) {
    if (scheme.shape == Shape::sentinel && uri.shape == Shape::cluster) {
        return uri_error("a deployment is a cluster or has sentinels, not both", "cluster");
    }
    if (uri.shape == Shape::single && uri.endpoints.size() > 1) {
        return uri_error("several hosts are seeds of a cluster: say cluster=true", "cluster");
    }
    if (uri.shape == Shape::cluster && uri.database != 0) {
        return uri_error("a cluster has database 0 alone", "database");
    }
    if (uri.shape == Shape::sentinel && uri.sentinel_master.empty()) {
        return uri_error("sentinels need the name of the master", "sentinelMasterId");
    }
    if (uri.shape != Shape::sentinel &&
        !(uri.sentinel_master.empty() && uri.sentinel_user.empty() && uri.sentinel_password.empty()
        )) {
        return uri_error("an option of sentinels without redis-sentinel://", "sentinelMasterId");
    }
    if (uri.shape == Shape::single && uri.read_from != ReadFrom::primary) {
        return uri_error("one server has no replicas that could be read from", "readFrom");
    }
    if ((uri.read_from == ReadFrom::zone) == uri.zone.empty()) {
        return uri_error("readFrom=zone and zone go together", "zone");
    }
    if (!uri.sentinel_user.empty() && uri.sentinel_password.empty()) {
        return uri_error("a user without a password", "sentinelUsername");
    }
    return Done();
}

}  // namespace

std::string Endpoint::text() const {
    if (is_unix_socket()) {
        return host;
    }
    const bool six = host.find(':') != std::string::npos;
    return (six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<RedisUri> RedisUri::parse(std::string_view text) {
    if (text.size() > uri_bytes_max) {
        return uri_error("longer than 16384 bytes");
    }
    const std::size_t colon = text.find("://");
    const auto* scheme = std::ranges::find(schemes, text.substr(0, colon), &Scheme::name);
    if (colon == std::string_view::npos || scheme == schemes.end()) {
        return uri_error(
            "not redis://, rediss://, redis-socket://, redis-sentinel:// or rediss-sentinel://"
        );
    }
    text.remove_prefix(colon + 3);

    RedisUri uri;
    uri.shape = scheme->shape;
    uri.tls = scheme->tls;
    std::string_view before = cut(text, '#');  // text: the fragment
    std::string_view query = before;
    before = cut(query, '?');
    if (!text.empty()) {
        auto master = percent_decoded(text);
        if (!master) {
            return uri_error("the name behind # is not percent-encoded as it should be");
        }
        uri.sentinel_master = std::move(*master);
    }
    const std::size_t at = before.rfind('@');
    if (at != std::string_view::npos) {
        if (auto set = set_credentials(uri, before.substr(0, at)); !set.ok()) {
            return std::move(set).error();
        }
        before.remove_prefix(at + 1);
    }
    if (auto set = set_place(uri, *scheme, before); !set.ok()) {
        return std::move(set).error();
    }
    if (auto set = set_uri_options(uri, query); !set.ok()) {
        return std::move(set).error();
    }
    if (auto whole = check_whole(uri, *scheme); !whole.ok()) {
        return std::move(whole).error();
    }
    return uri;
}

std::string RedisUri::shown() const {
    std::string out;
    for (const Scheme& scheme : schemes) {
        const bool is_unix = endpoints.front().is_unix_socket();
        const bool sentinel = scheme.shape == Shape::sentinel;
        if (sentinel == (shape == Shape::sentinel) && scheme.tls == tls &&
            scheme.unix_socket == is_unix) {
            out = std::string(scheme.name) + "://";
        }
    }
    for (const Endpoint& endpoint : endpoints) {
        out += (&endpoint == endpoints.data() ? "" : ",") + endpoint.text();
    }
    if (database != 0 && !endpoints.front().is_unix_socket()) {
        out += "/" + std::to_string(database);
    }
    if (shape == Shape::sentinel) {
        out += "#" + sentinel_master;
    }
    return out;
}

}  // namespace holdfast::redis
