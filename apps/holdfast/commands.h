#pragma once
// One function a command. Each prints for people, errors in one line to standard error, and returns
// the exit code.

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::app {

namespace exit_code {
inline constexpr int done = 0;
inline constexpr int no = 1;           // the question was answered with no
inline constexpr int wrong_usage = 2;  // command line or settings
inline constexpr int unreachable = 3;  // the store or the server
}  // namespace exit_code

struct ConfigurationArguments {
    std::string file;    // --config; empty: looked for
    std::string data;    // --data; empty: see data_folder.h
    std::string listen;  // --listen ADDRESS:PORT; empty: from the settings
};

struct TckArguments {
    std::string store;       // a store URI
    std::string only;        // promises whose name contains this
    std::uint64_t seed = 0;  // 0: drawn
    std::size_t sequences = 200;
    bool json = false;
};

inline constexpr std::size_t ids_next_max = 10'000'000;  // minutes of output; more is a mistake
struct IdsNextArguments {
    ConfigurationArguments configuration;
    std::string generator = "default";
    std::size_t count = 1;
    bool text = false;  // through the generator's codec
    bool json = false;
};

struct IdsParseArguments {
    ConfigurationArguments configuration;
    std::vector<std::string> ids;  // empty: from standard input, one a line
    std::string generator;         // by the settings; empty: `layout`
    std::string layout;            // one of the usual ones; empty: of the generator default
    bool text = false;             // digits are a text of the codec too, not a number
    bool json = false;
};

struct IdsLeasesArguments {
    ConfigurationArguments configuration;
    std::string url;  // of a running service; empty: $HOLDFAST_URL, else the usual address
    bool json = false;
};

inline constexpr std::size_t redis_pings_max = 1'000'000;
inline constexpr std::size_t redis_callers_max = 1'000;  // what a client has in flight
inline constexpr std::size_t redis_value_bytes_max = std::size_t{1} << 20;  // times the callers
inline constexpr std::size_t redis_seconds_max = 600;  // each call is remembered
struct RedisArguments {
    std::string uri;
    std::string password_file;
    std::string password_environment;  // the name of a variable
    std::string ca;                    // these three: for rediss://
    std::string certificate;
    std::string key;
    std::uint64_t timeout_ms = 0;  // of a call; 0: by the URI, else two seconds
    bool json = false;
    std::size_t count = 1;     // ping
    bool strict = false;       // info
    std::size_t callers = 64;  // bench, as the rest
    std::size_t value_bytes = 32;
    std::size_t seconds = 5;
};

int serve(const ConfigurationArguments& arguments);
int config_check(const ConfigurationArguments& arguments);
int config_show(const ConfigurationArguments& arguments, bool json);
// `name`: a setting in any spelling, or the beginning of several.
int config_explain(const ConfigurationArguments& arguments, const std::string& name);
int tck(const TckArguments& arguments);
int ids_next(const IdsNextArguments& arguments);
int ids_parse(const IdsParseArguments& arguments);
// `generator`: empty: all of the settings.
int ids_describe(
    const ConfigurationArguments& configuration, const std::string& generator, bool json
);
int ids_leases(const IdsLeasesArguments& arguments);
int redis_ping(const RedisArguments& arguments);
int redis_info(const RedisArguments& arguments);
int redis_bench(const RedisArguments& arguments);

// "holdfast: " and the text, as one line.
void complain(const std::string& text);

}  // namespace holdfast::app
