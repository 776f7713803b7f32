#pragma once
// What a service may be told. The room settings fills these from files and environment; tests fill
// them by hand.

#include <holdfast/base/secret.h>
#include <holdfast/base/time.h>
#include <holdfast/store_http/requests.h>

#include <cstddef>
#include <string>
#include <vector>

namespace holdfast {

struct ClientOptions {
    std::string name;  // in logs and metrics, never secret
    Secret token;
    std::vector<std::string> namespaces;    // "*": all
    std::vector<std::string> key_prefixes;  // range keys that start so are allowed too
};

struct AuthOptions {
    std::vector<Secret> tokens;          // reach everything
    std::vector<ClientOptions> clients;  // reach their namespaces, no admin path
    bool allow_anonymous = false;        // no token asked for: everybody reaches everything
    // Exact paths, or "/a/**" for /a and all below. Public ones are decided first.
    std::vector<std::string> public_paths = {"/actuator/health", "/actuator/health/**"};
    std::vector<std::string> admin_paths = {
        "/actuator/**", "/v3/api-docs", "/v3/api-docs/**", "/swagger-ui.html", "/swagger-ui/**"
    };
};

// How much one caller may use, counted for each caller by itself over the whole process. 0: no
// limit.
struct CountLimits {
    std::size_t keys_per_namespace_max = 10'000;
    std::size_t namespaces_per_client_max = 1'000;      // those of its range keys
    Duration key_idle_timeout = std::chrono::hours(1);  // 0: a key counts for ever
};

// What /actuator/info tells.
struct BuildInfo {
    std::string version = "unknown";
    std::string commit = "unknown";
    std::string compiler = "unknown";
};

struct ServiceOptions {
    AuthOptions auth;
    RequestLimits limits;
    CountLimits counts;
    BuildInfo build;
    bool tls = false;                        // the listener's: what the pages call its address
    std::string store_name = "default";      // in the settings
    std::string namespace_name = "default";  // of the service's own ids
    std::size_t ids_count_max = 1'000;       // of one request
    Duration store_timeout{1'000};
    std::size_t store_calls_max =
        64 + 1'024;  // admitted at once by the whole process; more are answered 503 busy
    Duration readiness_cache{1'000};  // how long an answer of the store's probe is good for
};

}  // namespace holdfast
