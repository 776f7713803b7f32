#include "uri_parts.h"

#include <holdfast/redis/from_uri.h>
#include <holdfast/redis/limits.h>

#include <cstdlib>
#include <fstream>

namespace holdfast::redis {
namespace {

TlsVerify verify_of(VerifyPeer peer) {
    switch (peer) {
    case VerifyPeer::ca:
        return TlsVerify::chain;
    case VerifyPeer::none:
        return TlsVerify::none;
    default:
        return TlsVerify::full;
    }
}

Error no_password(std::string_view what, const std::string& where) {
    ErrorContext context;
    context.server_text = where;
    return Error(Code::denied, Effect::none, what).with(std::move(context));
}

// Nothing: there is no such file, or no line in it, or one that is longer than any password.
std::optional<Secret> first_line(const std::string& path) {
    std::ifstream in(path);
    std::string line(password_bytes_max + 2, '\0');
    in.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(in.gcount()));
    Secret all(std::move(line));
    std::string_view text = all.reveal();
    text = text.substr(0, text.find('\n'));
    if (text.ends_with('\r')) {
        text.remove_suffix(1);
    }
    if (text.empty() || text.size() > password_bytes_max) {
        return std::nullopt;
    }
    return Secret(std::string(text));
}

void set_place(const RedisUri& uri, RedisOptions& options) {
    const Endpoint& first = uri.endpoints.front();
    switch (uri.shape) {
    case Shape::cluster:
        options.cluster(uri.endpoints);
        break;
    case Shape::sentinel:
        options.sentinels(uri.endpoints, uri.sentinel_master);
        break;
    case Shape::single:
        if (first.is_unix_socket()) {
            options.unix_socket(first.host);
        } else {
            options.host(first.host).port(first.port);
        }
    }
}

}  // namespace

Result<std::shared_ptr<TlsFiles>> TlsFiles::open(TlsClientOptions options) {
    std::shared_ptr<TlsFiles> files(new TlsFiles(std::move(options)));
    auto read = files->reload();
    if (!read.ok()) {
        return std::move(read).error();
    }
    return files;
}

Result<Done> TlsFiles::reload() {
    auto opened = open_tls_client(options_);
    if (!opened.ok()) {
        return std::move(opened).error();
    }
    const std::lock_guard lock(mutex_);
    context_ = std::move(opened).value();
    return Done();
}

std::shared_ptr<const TlsContext> TlsFiles::current() const {
    const std::lock_guard lock(mutex_);
    return context_;
}

RedisOptions::TlsSource tls_from(std::shared_ptr<TlsFiles> files) {
    return [files = std::move(files)] {
        return files->current();
    };
}

RedisOptions::CredentialsSource credentials_from_file(std::string user, std::string path) {
    return [user = std::move(user), path = std::move(path)]() -> Result<Credentials> {
        auto password = first_line(path);
        if (!password.has_value()) {
            return no_password("the file of the password has none", path);
        }
        return Credentials(user, std::move(*password));
    };
}

RedisOptions::CredentialsSource credentials_from_environment(std::string user, std::string name) {
    return [user = std::move(user), name = std::move(name)]() -> Result<Credentials> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr || *value == '\0') {
            return no_password("the environment variable of the password is not set", name);
        }
        return Credentials(user, Secret(value));
    };
}

Result<RedisOptions> options_from(const RedisUri& uri, const TlsClientOptions& tls) {
    if (uri.shape == Shape::cluster && uri.database != 0) {
        return uri_error("a cluster has database 0 alone", "database");
    }
    RedisOptions options;
    set_place(uri, options);
    if (uri.tls) {
        auto files = TlsFiles::open(TlsClientOptions(tls).verify(verify_of(uri.verify_peer)));
        if (!files.ok()) {
            return std::move(files).error();
        }
        options.tls(tls_from(std::move(files).value()));
    }
    if (!uri.password.empty()) {
        options.credentials(uri.user, uri.password);
    }
    if (!uri.sentinel_password.empty()) {
        options.sentinel_credentials(
            [held = Credentials(uri.sentinel_user, uri.sentinel_password)](
            ) -> Result<Credentials> { return held; }
        );
    }
    options.read_from(uri.read_from).zone(uri.zone);
    options.database(static_cast<int>(uri.database)).client_name(uri.client_name);
    options.library(uri.library_name, uri.library_version).timeout(uri.timeout).wait(uri.wait);
    if (uri.in_flight.has_value()) {
        options.in_flight_max(*uri.in_flight);
    }
    if (uri.protocol.has_value()) {
        options.protocol(static_cast<int>(*uri.protocol));
    }
    return options;
}

}  // namespace holdfast::redis
