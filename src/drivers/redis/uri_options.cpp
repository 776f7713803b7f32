// What stands behind the question mark.

#include "uri_options.h"

#include "uri_parts.h"

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast::redis {
namespace {

constexpr std::uint32_t wait_max = 1'000;           // more replicas than any primary can feed
constexpr std::uint32_t in_flight_max = 1'000'000;  // some hundred bytes each

using Set = bool (*)(RedisUri& uri, std::string value);

bool set_boolean(std::string_view value, bool& to) {
    to = value == "true";
    return to || value == "false";
}

std::string in_small_letters(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    });
    return text;
}

bool set_verify_peer(RedisUri& uri, std::string value) {
    value = in_small_letters(std::move(value));
    if (value == "full" || value == "true") {
        uri.verify_peer = VerifyPeer::full;
    } else if (value == "ca") {
        uri.verify_peer = VerifyPeer::ca;
    } else if (value == "none" || value == "false") {
        uri.verify_peer = VerifyPeer::none;
    } else {
        return false;
    }
    return true;
}

bool set_read_from(RedisUri& uri, std::string value) {
    constexpr std::array<std::pair<std::string_view, ReadFrom>, 9> names{{
        {"primary", ReadFrom::primary},
        {"upstream", ReadFrom::primary},
        {"master", ReadFrom::primary},
        {"preferreplica", ReadFrom::prefer_replica},
        {"replicapreferred", ReadFrom::prefer_replica},
        {"slavepreferred", ReadFrom::prefer_replica},
        {"nearest", ReadFrom::nearest},
        {"lowestlatency", ReadFrom::nearest},
        {"zone", ReadFrom::zone},
    }};
    const auto* found = std::ranges::find(
        names, in_small_letters(std::move(value)), &std::pair<std::string_view, ReadFrom>::first
    );
    if (found == names.end()) {
        return false;
    }
    uri.read_from = found->second;
    return true;
}

bool set_wait(RedisUri& uri, std::string value) {
    const bool fits = value == "auto" || value == "off" || small_number(value, wait_max);
    uri.wait = std::move(value);
    return fits;
}

template <std::string RedisUri::* to>
bool set_text(RedisUri& uri, std::string value) {
    uri.*to = std::move(value);
    return !(uri.*to).empty();
}

// The server takes no blanks or control bytes there.
template <std::string RedisUri::* to>
bool set_name(RedisUri& uri, std::string value) {
    const bool fits = std::ranges::all_of(value, [](char c) { return c > ' ' && c < 0x7f; });
    return set_text<to>(uri, std::move(value)) && fits;
}

struct Option {
    std::string_view name;
    std::string_view allowed;
    Set set;  // null: of Lettuce, means nothing here
};

const std::array<Option, 16> options{{
    {"timeout",
     "1 ms to 1 d, such as 500ms or 2s",
     [](RedisUri& uri, std::string value) {
         uri.timeout = uri_duration(value);
         return uri.timeout.has_value();
     }},
    {"database",
     "a whole number",
     [](RedisUri& uri, std::string value) {
         const auto number = small_number(value, database_max);
         uri.database = number.value_or(0);
         return number.has_value();
     }},
    {"clientName", "printable characters without blanks", set_name<&RedisUri::client_name>},
    {"libraryName", "printable characters without blanks", set_name<&RedisUri::library_name>},
    {"libraryVersion", "printable characters without blanks", set_name<&RedisUri::library_version>},
    {"sentinelMasterId", "a name", set_text<&RedisUri::sentinel_master>},
    {"verifyPeer", "full, ca or none", set_verify_peer},
    {"cluster",
     "true or false",
     [](RedisUri& uri, std::string value) {
         bool cluster = false;
         const bool fits = set_boolean(value, cluster);
         if (cluster) {
             uri.shape = Shape::cluster;
         }
         return fits;
     }},
    {"wait", "auto, off, or a number of replicas", set_wait},
    {"sentinelUsername", "a name", set_text<&RedisUri::sentinel_user>},
    {"sentinelPassword",
     "a password",
     [](RedisUri& uri, std::string value) {
         uri.sentinel_password = Secret(std::move(value));
         return !uri.sentinel_password.empty();
     }},
    {"readFrom", "primary, preferReplica, nearest or zone", set_read_from},
    {"zone", "printable characters without blanks", set_name<&RedisUri::zone>},
    {"inFlight",
     "1 to 1000000",
     [](RedisUri& uri, std::string value) {
         uri.in_flight = small_number(value, in_flight_max);
         return uri.in_flight.value_or(0) != 0;
     }},
    {"protocol",
     "2 or 3",
     [](RedisUri& uri, std::string value) {
         uri.protocol = small_number(value, 3);
         return uri.protocol.value_or(0) >= 2;
     }},
    {"startTls", "", nullptr},
}};

// Letters to change, take or drop to make one the other.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + ((a[i - 1] | 0x20) == (b[j - 1] | 0x20) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

std::string nearest(std::string_view name) {
    constexpr std::size_t looked_at = 40;  // longer ones are no slip of the finger
    name = name.substr(0, looked_at);
    std::string_view best;
    std::size_t least = looked_at + 1;
    for (const Option& option : options) {
        const std::size_t far = distance(name, option.name);
        if (far < least) {
            least = far;
            best = option.name;
        }
    }
    return std::string(best);
}

}  // namespace

Result<Done> set_uri_options(RedisUri& uri, std::string_view text) {
    std::vector<std::string_view> seen;
    while (!text.empty()) {
        std::string_view value = cut(text, '&');
        const bool has_value = value.find('=') != std::string_view::npos;
        const std::string_view name = cut(value, '=');
        const auto* option = std::ranges::find(options, name, &Option::name);
        if (option == options.end()) {
            return uri_error(
                "an unknown option",
                std::string(name.substr(0, 40)) + ": the nearest known is " + nearest(name)
            );
        }
        if (std::ranges::find(seen, name) != seen.end()) {
            return uri_error("an option that is given twice", std::string(name));
        }
        seen.push_back(name);
        if (option->set == nullptr) {
            uri.ignored.emplace_back(name);
            continue;
        }
        auto decoded = percent_decoded(value);
        if (!has_value || !decoded || !option->set(uri, std::move(*decoded))) {
            return uri_error(
                "an option with a value that is not allowed",
                std::string(name) + ": " + std::string(option->allowed)
            );
        }
    }
    return Done();
}

}  // namespace holdfast::redis
