#include "sentinel_answer.h"

#include "node_address.h"
#include "uri_parts.h"

#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/errors.h>
#include <holdfast/redis/read.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace holdfast::redis {
namespace {

constexpr std::size_t fields_max = 128;  // of one instance: about 40 today

bool is_text(RespView reply) {
    return reply.type() == RespType::bulk || reply.type() == RespType::simple;
}

// Names and values of one instance: a map, or a flat array.
class Instance {
public:
    static std::optional<Instance> read(RespView reply) {
        const bool map = reply.type() == RespType::map;
        if ((!map && !is_list(reply)) || reply.size() > 2 * fields_max || reply.size() % 2 != 0) {
            return std::nullopt;
        }
        for (const RespView word : reply) {
            if (!is_text(word)) {
                return std::nullopt;
            }
        }
        return Instance(reply);
    }

    // Empty: there is none.
    std::string_view find(std::string_view name) const {
        for (auto at = reply_.begin(); at != reply_.end(); ++at) {
            const bool found = (*at).text() == name;
            const RespView value = *++at;
            if (found) {
                return value.text();
            }
        }
        return {};
    }
    std::optional<Endpoint> address() const {
        const auto port = small_number(find("port"), 65'535);
        return said_endpoint(find("ip"), port.value_or(0), Endpoint());
    }
    // A replica that sends no port of its own cannot be reached.
    bool is_without_port() const { return find("port") == "0"; }
    bool has_flag(std::string_view name) const {
        std::string_view flags = find("flags");
        while (!flags.empty()) {
            if (cut(flags, ',') == name) {
                return true;
            }
        }
        return false;
    }
    bool can_be_read() const {
        constexpr std::array down{"s_down", "o_down", "disconnected"};
        return find("master-link-status") == "ok" &&
               std::ranges::none_of(down, [this](const char* flag) { return has_flag(flag); });
    }

private:
    explicit Instance(RespView reply) : reply_(reply) {}
    RespView reply_;
};

bool read_master(RespView reply, SentinelAnswer& answer) {
    const auto master = Instance::read(reply);
    if (!master.has_value()) {
        return false;
    }
    auto address = master->address();
    const std::string_view epoch = master->find("config-epoch");
    const auto [end, problem] =
        std::from_chars(epoch.data(), epoch.data() + epoch.size(), answer.epoch);
    if (!address.has_value() || epoch.empty() || problem != std::errc() ||
        end != epoch.data() + epoch.size()) {
        return false;
    }
    answer.primary = std::move(*address);
    return true;
}

bool read_replicas(RespView reply, SentinelAnswer& answer) {
    if (reply.is_error()) {
        return true;
    }
    if (!is_list(reply) || reply.size() > sentinel_replicas_max) {
        return false;
    }
    answer.replicas.emplace();
    for (const RespView row : reply) {
        const auto replica = Instance::read(row);
        if (!replica.has_value()) {
            return false;
        }
        if (replica->is_without_port()) {
            continue;
        }
        auto address = replica->address();
        if (!address.has_value()) {
            return false;
        }
        if (*address == answer.primary) {
            continue;
        }
        ++answer.replicas_listed;
        if (replica->can_be_read()) {
            answer.replicas->push_back(std::move(*address));
        }
    }
    return true;
}

bool read_sentinels(RespView reply, SentinelAnswer& answer) {
    if (reply.is_error()) {
        return true;
    }
    if (!is_list(reply) || reply.size() > sentinel_replicas_max) {
        return false;
    }
    for (const RespView row : reply) {
        const auto sentinel = Instance::read(row);
        auto address = sentinel.has_value() ? sentinel->address() : std::nullopt;
        if (!address.has_value()) {
            return false;
        }
        if (answer.sentinels.size() < sentinels_max) {
            answer.sentinels.push_back(std::move(*address));
        }
    }
    return true;
}

ErrorContext context_of(const Endpoint& sentinel, std::string_view text) {
    ErrorContext context;
    context.node = sentinel.text();
    context.server_text = text;
    return context;
}

Error refused(const Endpoint& sentinel, RespView reply) {
    if (reply.is_null() || reply.text().starts_with("ERR No such master")) {
        return Error(
                   Code::invalid_argument,
                   Effect::none,
                   "the sentinels know no master of the name in sentinelMasterId"
        )
            .with(context_of(sentinel, "sentinelMasterId"));
    }
    const Error error = error_of(reply, AnyCommand("SENTINEL|MASTER", Repeat::read));
    return Error(error.code(), Effect::none, error.what())
        .with(context_of(sentinel, error.context()->server_text));
}

}  // namespace

Error not_of_a_sentinel(const Endpoint& sentinel) {
    return Error(Code::corrupt, Effect::none, "the answer is none of a sentinel")
        .with(context_of(sentinel, {}));
}

Result<SentinelAnswer> read_sentinel_answer(
    const Endpoint& sentinel, RespView id, RespView master, RespView replicas, RespView sentinels
) {
    if (master.is_error() || master.is_null()) {
        return refused(sentinel, master);
    }
    SentinelAnswer answer;
    if (is_text(id) && id.text().size() <= node_id_bytes_max) {
        answer.id = id.text();
    }
    if (!read_master(master, answer) || !read_replicas(replicas, answer) ||
        !read_sentinels(sentinels, answer)) {
        return not_of_a_sentinel(sentinel);
    }
    return answer;
}

}  // namespace holdfast::redis
