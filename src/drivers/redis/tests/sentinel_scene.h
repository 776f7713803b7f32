#pragma once
// A group of Sentinel as its sentinels tell it, right and wrong.

#include "reply_of.h"
#include "sentinel_view.h"

#include <string>
#include <vector>

namespace holdfast::redis {

using Fields = std::vector<std::pair<std::string, std::string>>;

inline std::string instance(const Fields& fields, char mark = '*') {
    std::vector<std::string> words;
    for (const auto& [name, value] : fields) {
        words.push_back(bulk(name));
        words.push_back(bulk(value));
    }
    return list(words, mark);
}

inline std::string master_said(
    const std::string& host,
    std::uint64_t epoch,
    const std::string& flags = "master",
    const std::string& port = "6379",
    char mark = '*'
) {
    return instance(
        {{"name", "shop"},
         {"ip", host},
         {"port", port},
         {"flags", flags},
         {"num-slaves", "1"},
         {"config-epoch", std::to_string(epoch)}},
        mark
    );
}
inline std::string replica_said(
    const std::string& host,
    const std::string& flags = "slave",
    const std::string& link = "ok",
    const std::string& port = "6379",
    char mark = '*'
) {
    return instance(
        {{"name", host + ":" + port},
         {"ip", host},
         {"port", port},
         {"flags", flags},
         {"master-link-status", link},
         {"slave-priority", "0"}},
        mark
    );
}
inline std::string sentinel_said(const std::string& host) {
    return instance({{"name", "id"}, {"ip", host}, {"port", "26379"}, {"flags", "sentinel"}});
}

// The replies of one sentinel.
class Sentinel {
public:
    explicit Sentinel(std::string master) : master_(std::move(master)) {}
    Sentinel& replicas(const std::vector<std::string>& all) {
        replicas_ = list(all);
        return *this;
    }
    Sentinel& sentinels(const std::vector<std::string>& all) {
        sentinels_ = list(all);
        return *this;
    }
    Sentinel& id(const std::string& id) {
        id_ = bulk(id);
        return *this;
    }
    Sentinel& refuses_the_rest() {
        replicas_ = sentinels_ = "-NOPERM this user has no permissions\r\n";
        return *this;
    }
    Result<bool> to(SentinelView& view, const Endpoint& by, SteadyTime now) const {
        const ReplyOf master(master_);
        const ReplyOf replicas(replicas_);
        const ReplyOf sentinels(sentinels_);
        const ReplyOf id(id_);
        return view.learn(by, id.view(), master.view(), replicas.view(), sentinels.view(), now);
    }

private:
    std::string id_ = "-ERR unknown subcommand\r\n";
    std::string master_;
    std::string replicas_ = "*0\r\n";
    std::string sentinels_ = "*0\r\n";
};

}  // namespace holdfast::redis
