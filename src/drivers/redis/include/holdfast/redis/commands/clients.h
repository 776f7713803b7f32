#pragma once
// CLIENT: the connections of a server.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/named_values.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

enum class ClientType : std::uint8_t { normal, primary, replica, pubsub };

// All that fit all conditions.
class ClientFilter {
public:
    ClientFilter& id(std::int64_t id);
    ClientFilter& type(ClientType type);
    ClientFilter& user(std::string name);
    ClientFilter& address(std::string address);        // "127.0.0.1:4711"
    ClientFilter& local_address(std::string address);  // of the server's side
    ClientFilter& with_me();                           // otherwise never this connection

    const std::vector<std::string>& arguments() const { return arguments_; }

private:
    std::vector<std::string> arguments_;
};

// Which keys the server tells this connection about when they change.
class TrackingOptions {
public:
    TrackingOptions& redirect(std::int64_t client_id);
    // All keys that begin so, whether read or not.
    TrackingOptions& broadcast();
    TrackingOptions& prefix(std::string prefix);
    // Only what is read after CLIENT CACHING YES, or all but what is read after NO.
    TrackingOptions& opt_in();
    TrackingOptions& opt_out();
    TrackingOptions& no_loop();  // not what this connection changes itself

    const std::vector<std::string>& arguments() const { return arguments_; }

private:
    std::vector<std::string> arguments_;
};

struct TrackingInfo {
    std::vector<std::string> flags;
    std::int64_t redirect = -1;  // -1: off, 0: to itself
    std::vector<std::string> prefixes;

    friend bool operator==(const TrackingInfo&, const TrackingInfo&) = default;
};

Command<Done> client_caching(bool yes);
Command<std::optional<std::string>> client_getname();
Command<std::int64_t> client_getredir();
Command<std::int64_t> client_id();
Command<NamedValues> client_info();
Command<std::int64_t> client_kill(const ClientFilter& filter);  // how many
Command<std::vector<NamedValues>> client_list();
Command<std::vector<NamedValues>> client_list(ClientType type);
Command<std::vector<NamedValues>> client_list(std::span<const std::int64_t> ids);
Command<Done> client_no_evict(bool on);
Command<Done> client_no_touch(bool on);  // from 7.2
Command<Done> client_pause(Duration time, bool writes_only = false);
// An empty name takes it away. No blanks or line ends.
Command<Done> client_setname(std::string_view name);
// From 7.2: "LIB-NAME" or "LIB-VER".
Command<Done> client_setinfo(std::string_view attribute, std::string_view value);
Command<Done> client_tracking(const TrackingOptions& options);
Command<Done> client_tracking_off();
Command<TrackingInfo> client_trackinginfo();
// Ends another's wait as if its time were over, or with the error UNBLOCKED.
Command<bool> client_unblock(std::int64_t client_id, bool with_error = false);
Command<Done> client_unpause();

}  // namespace holdfast::redis
