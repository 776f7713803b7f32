#include "ids_settings.h"
#include "value_rules.h"

#include <holdfast/settings/limits.h>
#include <holdfast/settings/service_settings.h>
#include <holdfast/store/limits.h>

namespace holdfast {
namespace {

using namespace std::chrono_literals;

ConfigSchema with_listen(ConfigSchema schema) {
    return std::move(schema)
        .add(Setting::integer("server.port", 0, 65'535)
                 .or_else("8688")
                 .about("The port that the service listens on; 0 takes a free one."))
        .add(Setting::text("server.address")
                 .checked(is_ip_address, "an IP address such as 0.0.0.0, 127.0.0.1 or ::1")
                 .about("The address that the service listens on. Default: 0.0.0.0, or 127.0.0.1 "
                        "when nothing at all is "
                        "configured."))
        .add(Setting::boolean("cosid.server.insecure")
                 .or_else("false")
                 .about("Plain HTTP on an address that others can reach is meant so: no warning at "
                        "start."))
        .add(Setting::integer("cosid.server.connections-max", 1, connections_setting_max)
                 .or_else("4096")
                 .about("Connections open at once; more are closed at once."))
        .add(Setting::integer("cosid.server.loops", 0, loops_max)
                 .or_else("0")
                 .about("Threads that serve connections; 0: one for each core."))
        .add(Setting::duration("cosid.server.stop-grace", 0ms, stop_grace_max)
                 .or_else("10s")
                 .about("How long a stop waits for requests in flight."))
        .add(Setting::choice("cosid.server.log.format", {"text", "json"})
                 .or_else("text")
                 .about("Log lines for people, or one JSON object a line."))
        .add(Setting::choice("cosid.server.log.level", {"debug", "info", "warn", "error"})
                 .or_else("info")
                 .about("The least level that is written."))
        .add(Setting::integer("cosid.server.blocking.threads", 1, blocking_threads_max)
                 .or_else("64")
                 .about("Store calls of a blocking store that run at once."))
        .add(Setting::integer("cosid.server.blocking.queue-capacity", 0, blocking_queue_max)
                 .or_else("1024")
                 .about("Store calls that wait for a thread; more are answered 503 busy."));
}

ConfigSchema with_http(ConfigSchema schema) {
    return std::move(schema)
        .add(
            Setting::duration("cosid.server.http.header-time", http_time_min, http_time_setting_max)
                .or_else("10s")
                .about("How long a client may take to send the head of a request.")
        )
        .add(Setting::duration("cosid.server.http.body-time", http_time_min, body_time_setting_max)
                 .or_else("5s")
                 .about("How long a client may take to send a body: so long, a second more for "
                        "each KiB received, and 30 s at most."))
        .add(Setting::duration("cosid.server.http.write-time", http_time_min, http_time_setting_max)
                 .or_else("10s")
                 .about("How long an answer may wait for a client that reads nothing of it."))
        .add(Setting::duration("cosid.server.http.idle-time", http_time_min, http_time_setting_max)
                 .or_else("60s")
                 .about("How long a connection is kept open without a request."));
}

ConfigSchema with_tls(ConfigSchema schema) {
    return std::move(schema)
        .add(Setting::text("cosid.server.tls.certificate")
                 .about("PEM file of the server's certificate chain, its own first: https instead "
                        "of http. Read again on SIGHUP."))
        .add(Setting::text("cosid.server.tls.key")
                 .about("PEM file of the certificate's private key, without a password."))
        .add(Setting::text("cosid.server.tls.client-ca")
                 .about("PEM file of authorities: clients must show a certificate of one of them.")
        );
}

ConfigSchema with_auth(ConfigSchema schema) {
    return std::move(schema)
        .add(Setting::secret("cosid.server.auth.tokens[]", token_characters_min)
                 .about("Bearer tokens that reach everything. Several at once allow to change them."
                 ))
        .add(Setting::text("cosid.server.auth.clients[].name")
                 .checked(is_client_name, "1 to 64 of A-Z a-z 0-9 . _ -")
                 .about("The client's name in logs and metrics."))
        .add(Setting::secret("cosid.server.auth.clients[].token", token_characters_min)
                 .about("The client's bearer token."))
        .add(Setting::text("cosid.server.auth.clients[].namespaces[]")
                 .checked(is_namespace_or_star, "1 to 100 of A-Z a-z 0-9 . _ - : @, or * for all")
                 .about("Namespaces that the client reaches: of slots, and as first segment of "
                        "range keys."))
        .add(Setting::text("cosid.server.auth.clients[].key-prefixes[]")
                 .checked(
                     is_key_prefix,
                     "1 to 200 of A-Z a-z 0-9 . _ - : / @, the beginning of a range key"
                 )
                 .about("Beginnings of range keys that the client reaches too."))
        .add(Setting::boolean("cosid.server.auth.allow-anonymous")
                 .or_else("false")
                 .about("Whether the service may run without any token: then everybody reaches "
                        "everything."))
        .add(
            Setting::text("cosid.server.auth.admin-paths[]")
                .checked(
                    is_path_pattern, "a path such as /actuator/info, or /actuator/** with all below"
                )
                .or_else("/actuator/**,/v3/api-docs,/v3/api-docs/**,/swagger-ui.html,/swagger-ui/**"
                )
                .about("Paths for unrestricted tokens only.")
        )
        .add(Setting::text("cosid.server.auth.public-paths[]")
                 .checked(
                     is_path_pattern,
                     "a path such as /actuator/health, or /actuator/health/** with all below"
                 )
                 .or_else("/actuator/health,/actuator/health/**")
                 .about("Paths without a token; decided before the admin paths."));
}

ConfigSchema with_limits(ConfigSchema schema) {
    return std::move(schema)
        .add(Setting::duration("cosid.server.limits.min-ttl", limits::ttl_min, limits::ttl_max)
                 .or_else("100ms")
                 .about("The shortest lease that may be asked for."))
        .add(Setting::duration("cosid.server.limits.max-ttl", limits::ttl_min, limits::ttl_max)
                 .or_else("1h")
                 .about("The longest lease that may be asked for."))
        .add(Setting::duration("cosid.server.limits.max-tolerance", 0ms, limits::tolerance_max)
                 .or_else("1m")
                 .about("The largest clock tolerance that may be asked for."))
        .add(Setting::integer("cosid.server.limits.max-slot-limit", 1, limits::slot_limit_max)
                 .or_else("65536")
                 .about("The most slots that a namespace may have."))
        .add(Setting::integer("cosid.server.limits.max-reserve", 1, limits::reserve_size_max)
                 .or_else("1000000000000")
                 .about("The most numbers of one reservation."))
        .add(Setting::integer("cosid.server.limits.max-keys-per-namespace", 0, counted_names_max)
                 .or_else("10000")
                 .about("Range keys that one client may use in one namespace; more are answered "
                        "429. 0: any number."))
        .add(Setting::integer("cosid.server.limits.max-namespaces-per-client", 0, counted_names_max)
                 .or_else("1000")
                 .about("Namespaces in which one client may use range keys; more are answered "
                        "429. 0: any number."))
        .add(Setting::duration("cosid.server.limits.key-idle-timeout", 0ms, key_idle_timeout_max)
                 .or_else("1h")
                 .about("After this time without use a key counts no longer. 0: never."));
}

ConfigSchema with_stores(ConfigSchema schema, std::vector<std::string> types) {
    return std::move(schema)
        .add(Setting::text("cosid.namespace")
                 .checked(is_namespace, "1 to 100 of A-Z a-z 0-9 . _ - : @, not . or ..")
                 .or_else("default")
                 .about("The namespace of the service's own ids."))
        .add(Setting::text("cosid.server.store")
                 .about("The name of the store to serve, where several are configured."))
        .add(Setting::choice("cosid.stores.*.type", std::move(types))
                 .about("What kind of store it is."))
        .add(Setting::duration("cosid.stores.*.timeout", 1ms, store_timeout_max)
                 .or_else("1s")
                 .about("The time that one call of the store may take."))
        .add(Setting::option("cosid.stores.*.options.*")
                 .about("The store's own options; each kind of store has others."));
}

}  // namespace

ConfigSchema service_schema(std::vector<std::string> store_types) {
    ConfigSchema schema = with_listen(ConfigSchema().strict("cosid"));
    schema = with_limits(with_auth(with_tls(with_http(std::move(schema)))));
    return with_ids(with_stores(std::move(schema), std::move(store_types)));
}

}  // namespace holdfast
