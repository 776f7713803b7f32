#pragma once
// What the service was told, typed. Filled from files, environment and command line; the program
// turns it into the options of the rooms it wires.

#include <holdfast/base/secret.h>
#include <holdfast/base/time.h>
#include <holdfast/config/config.h>
#include <holdfast/ids/options.h>
#include <holdfast/store/limits.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// How long a client may take over its part of a connection.
struct HttpTimeSettings {
    Duration header{10'000};
    Duration body{5'000};    // and a second more for each KiB received, 30 s at most
    Duration write{10'000};  // without progress
    Duration idle{60'000};
};

// Paths of PEM files. Certificate and key: both or none; none: plain text.
struct TlsSettings {
    std::string certificate;
    std::string key;
    std::string client_ca;  // empty: no certificate is asked for
};

struct ListenSettings {
    std::string address = "127.0.0.1";  // an IP address
    std::uint16_t port = 8688;
    std::size_t connections_max = 4'096;
    std::size_t loops = 0;  // 0: one for each core
    Duration stop_grace{10'000};
    HttpTimeSettings http;
    TlsSettings tls;
    bool insecure = false;  // plain HTTP on an address others can reach is meant so
};

struct ClientSettings {
    std::string name;
    Secret token;
    std::vector<std::string> namespaces;  // "*": all
    std::vector<std::string> key_prefixes;
};

struct AuthSettings {
    std::vector<Secret> tokens;
    std::vector<ClientSettings> clients;
    bool allow_anonymous = false;
    std::vector<std::string> admin_paths;   // "/a/**": a and everything below
    std::vector<std::string> public_paths;  // decided first
};

struct LimitSettings {
    Duration ttl_min = limits::ttl_min;
    Duration ttl_max = limits::ttl_max;
    Duration tolerance_max = limits::tolerance_max;
    std::uint32_t slot_limit_max = limits::slot_limit_max;
    std::int64_t reserve_max = limits::reserve_size_max;
    std::size_t keys_per_namespace_max = 10'000;        // 0: not counted
    std::size_t namespaces_per_client_max = 1'000;      // 0: not counted
    Duration key_idle_timeout = std::chrono::hours(1);  // 0: never forgotten
};

struct BlockingSettings {
    std::size_t threads = 64;
    std::size_t queue_capacity = 1'024;
};

struct LogSettings {
    std::string format = "text";  // text, json
    std::string level = "info";   // debug, info, warn, error
};

// One of a store's own settings; what it means is the backend's. The value may carry a password.
struct StoreOption {
    std::string name;
    Secret value;
    std::string where;
};

struct StoreSettings {
    std::string name;
    std::string type;  // one of the program's types
    Duration timeout{1'000};
    std::vector<StoreOption> options;
    std::string where;  // of its type

    std::string option_prefix() const { return "cosid.stores." + name + ".options"; }
};

// The ids that the service, or `holdfast ids`, issues itself.
struct IdsSettings {
    bool enabled = false;  // at /ids
    std::size_t count_max = 1'000;
    // None: no generator is configured. Its stores are named as in `stores`; no name: the served
    // one.
    std::optional<IdRuntimeOptions> runtime;
};

class ServiceSettings {
public:
    ServiceSettings() {}  // NOLINT(modernize-use-equals-default): no aggregate (g++ 12)

    // The store to serve; null: none is configured, the program has a default of its own.
    const StoreSettings* served() const;

    std::string namespace_name = "default";
    ListenSettings listen;
    AuthSettings auth;
    LimitSettings limits;
    BlockingSettings blocking;
    LogSettings log;
    std::vector<StoreSettings> stores;
    std::string served_name;  // one of `stores`; empty: none is configured
    IdsSettings ids;
};

struct ServiceOutcome {
    ServiceSettings settings;             // only without problems
    Config config;                        // for `config show`, with problems too
    std::vector<ConfigProblem> problems;  // one line each
    std::vector<ConfigProblem> notes;     // names that had no effect
};

// The known settings with defaults and descriptions; `store_types` are the backends that the
// program has.
ConfigSchema service_schema(std::vector<std::string> store_types);

// `nothing_configured`: see starts_with_nothing; then the rule about tokens does not hold and the
// default address is 127.0.0.1 instead of all. `host_name`: who a leased machine is where the
// settings do not say; empty: unknown.
ServiceOutcome read_service_settings(
    ConfigSources sources,
    std::vector<std::string> store_types,
    bool nothing_configured,
    const std::string& host_name = {}
);

// No file was found and no variable of the environment is meant for us.
bool starts_with_nothing(const ConfigSources& sources);

// A store's options by the table of its backend, whose names stand below option_prefix() (`uri`,
// not the whole name). The values are then at option_prefix() + ".uri" of the outcome's config. An
// unknown option is a problem.
ConfigOutcome read_store_options(const StoreSettings& store, const std::vector<Setting>& known);

}  // namespace holdfast
