#include "await.h"

#include <live/ports.h>
#include <live/redis_sentinels.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

namespace holdfast::testing {
namespace {

constexpr int starts_max = 10;  // another process may take a port before a sentinel does
constexpr Duration look = std::chrono::milliseconds(2);
constexpr Duration failover_timeout = std::chrono::seconds(5);
constexpr Duration quick_failover_timeout = std::chrono::seconds(2);
// Two that vote for themselves try again after twice the failover-timeout.
constexpr Duration failover_patience = std::chrono::seconds(60);
constexpr std::size_t id_digits = 40;

std::string random_id() {
    std::random_device random;
    std::string id(id_digits, '0');
    for (char& digit : id) {
        digit = "0123456789abcdef"[random() % 16];
    }
    return id;
}

}  // namespace

RedisSentinelsOptions& RedisSentinelsOptions::servers(RedisServerOptions each) {
    each_ = std::move(each);
    return *this;
}
RedisSentinelsOptions& RedisSentinelsOptions::replicas(std::size_t count) {
    replicas_ = count;
    return *this;
}
RedisSentinelsOptions& RedisSentinelsOptions::sentinels(std::size_t count, std::size_t quorum) {
    sentinels_ = count;
    quorum_ = quorum;
    return *this;
}
RedisSentinelsOptions& RedisSentinelsOptions::down_after(Duration time) {
    down_after_ = time;
    return *this;
}
RedisSentinelsOptions& RedisSentinelsOptions::sentinel_password(std::string text) {
    login_ = {"", std::move(text)};
    return *this;
}
RedisSentinelsOptions&
RedisSentinelsOptions::sentinel_user(std::string name, std::string password) {
    login_ = {std::move(name), std::move(password)};
    return *this;
}
RedisSentinelsOptions& RedisSentinelsOptions::quick() {
    quick_ = true;
    return *this;
}
RedisSentinelsOptions& RedisSentinelsOptions::line(std::string words) {
    lines_.push_back(std::move(words));
    return *this;
}

// Sentinels that start before the replicas are online learn of them 10 s later: hence after them.
RedisSentinels::RedisSentinels(const RedisSentinelsOptions& options)
    : options_(options), servers_(options.replicas_, options.each_) {
    int starts = 0;
    while (!all_started()) {
        if (++starts == starts_max) {
            throw RawFailure("sentinels do not start: " + sentinel_log(0));
        }
    }
    for (std::size_t i = 0; i < watchers_.size(); ++i) {
        await([&] { return knows_all(i); }, "a sentinel does not know all others");
    }
}

RedisSentinels::~RedisSentinels() = default;

std::filesystem::path RedisSentinels::folder_of(std::size_t number) const {
    return folder_ / std::to_string(number);
}

bool RedisSentinels::all_started() {
    watchers_.clear();
    for (std::size_t i = 0; i < options_.sentinels_; ++i) {
        watchers_.push_back(std::make_unique<Watcher>());
        watchers_.back()->port = free_port();
        watchers_.back()->id = random_id();
    }
    for (std::size_t i = 0; i < options_.sentinels_; ++i) {
        std::filesystem::create_directories(folder_of(i));
        write_configuration(i);
        if (!started(i)) {
            return false;
        }
    }
    return true;
}

// They are told of each other, as if they had met before: finding each other takes 2 s.
void RedisSentinels::write_configuration(std::size_t number) const {
    const Watcher& own = *watchers_[number];
    const RedisLogin servers = node(0).login();
    std::ofstream out(folder_of(number) / "sentinel.conf");
    out << "port " << own.port << "\nbind 127.0.0.1\ndir " << folder_of(number).string()
        << "\nsentinel myid " << own.id << "\nsentinel monitor " << name() << " 127.0.0.1 "
        << node(0).port() << " " << options_.quorum_ << "\n";
    const auto of_set = [&](const std::string& what, const std::string& value) {
        out << "sentinel " << what << " " << name() << " " << value << "\n";
    };
    of_set("down-after-milliseconds", std::to_string(options_.down_after_.count()));
    of_set(
        "failover-timeout",
        std::to_string((options_.quick_ ? quick_failover_timeout : failover_timeout).count())
    );
    of_set("parallel-syncs", std::to_string(size()));
    if (!servers.user.empty()) {
        of_set("auth-user", servers.user);
    }
    if (!servers.password.empty()) {
        of_set("auth-pass", servers.password);
    }
    for (std::size_t i = 1; i < size(); ++i) {
        of_set("known-replica", "127.0.0.1 " + std::to_string(node(i).port()));
    }
    for (const std::unique_ptr<Watcher>& other : watchers_) {
        if (other.get() != &own) {
            of_set("known-sentinel", "127.0.0.1 " + std::to_string(other->port) + " " + other->id);
        }
    }
    const RedisLogin& login = options_.login_;
    if (!login.user.empty()) {
        out << "user default off\nuser " << login.user << " on >" << login.password
            << " allkeys allchannels +@all\nsentinel sentinel-user " << login.user << "\n";
    } else if (!login.password.empty()) {
        out << "requirepass " << login.password << "\n";
    }
    if (!login.password.empty()) {
        out << "sentinel sentinel-pass " << login.password << "\n";
    }
    for (const std::string& line : options_.lines_) {
        out << line << "\n";
    }
}

// False: it ended before it answered.
bool RedisSentinels::started(std::size_t number) {
    Watcher& own = *watchers_[number];
    const std::filesystem::path folder = folder_of(number);
    own.stopped = false;
    own.child = std::make_unique<Child>(
        std::vector<std::string>{"redis-server", (folder / "sentinel.conf").string(), "--sentinel"},
        folder / "log"
    );
    const std::string process = std::to_string(own.child->pid());
    const Deadline deadline = Deadline::in(patience, system_clock());
    while (!deadline.passed(system_clock().steady_now()) && !own.child->ended_within(look)) {
        try {
            RawRedis redis = raw_sentinel(number);
            if (redis.info("process_id") == process) {
                // A sentinel demotes a server whose role it does not know after four
                // publish-periods, also one that another has just promoted: hence not much
                // shorter. With shorter pings all would see and vote at once, for themselves.
                if (options_.quick_) {
                    redis.call({"SENTINEL", "DEBUG", "info-period", "100"});
                    redis.call({"SENTINEL", "DEBUG", "publish-period", "500"});
                }
                return true;
            }
        } catch (const RawFailure&) {  // not yet, or this port is another's
        }
    }
    own.child.reset();
    return false;
}

bool RedisSentinels::knows_all(std::size_t number) const {
    RawRedis redis = raw_sentinel(number);
    const RawReply primary = redis.call({"SENTINEL", "MASTER", name()});
    const RawReply replicas = redis.call({"SENTINEL", "REPLICAS", name()});
    const RawReply others = redis.call({"SENTINEL", "SENTINELS", name()});
    // A link is "ok" once INFO of the replica has been read.
    return primary.at("flags").text == "master" && replicas.children.size() == size() - 1 &&
           others.children.size() == sentinels() - 1 &&
           std::ranges::all_of(
               replicas.children,
               [](const RawReply& one) {
                   return one.at("flags").text == "slave" &&
                          one.at("master-link-status").text == "ok";
               }
           ) &&
           std::ranges::all_of(others.children, [](const RawReply& one) {
               return one.at("flags").text == "sentinel";
           });
}

std::size_t RedisSentinels::number_of(std::uint16_t port) const {
    for (std::size_t i = 0; i < size(); ++i) {
        if (node(i).port() == port) {
            return i;
        }
    }
    throw RawFailure("sentinels name a server that is not of this test");
}

std::optional<std::size_t> RedisSentinels::agreed() const {
    std::map<std::string, std::size_t> votes;
    for (std::size_t i = 0; i < sentinels(); ++i) {
        if (watchers_[i]->answers()) {
            const RawReply address =
                raw_sentinel(i).call({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name()});
            if (address.children.size() == 2 && ++votes[address[1].text] > sentinels() / 2) {
                return number_of(static_cast<std::uint16_t>(std::stoul(address[1].text)));
            }
        }
    }
    return std::nullopt;
}

std::size_t RedisSentinels::primary() const {
    std::optional<std::size_t> found;
    await([&] { return (found = agreed()).has_value(); }, "sentinels do not agree");
    return *found;
}

std::size_t RedisSentinels::wait_for_another_primary(std::size_t old) const {
    std::optional<std::size_t> found;
    const auto named = [&] {
        found = agreed();
        return found.has_value() && *found != old && node(*found).answers() &&
               node(*found).raw().info("role") == "master";
    };
    await(named, "sentinels name no other primary", failover_patience);
    return *found;
}

bool RedisSentinels::is_replica(std::size_t number) const {
    RawRedis redis = node(number).raw();
    return redis.info("role") == "slave" && redis.info("master_link_status") == "up" &&
           redis.info("master_port") == std::to_string(node(primary()).port());
}

void RedisSentinels::wait_until_replica(std::size_t number) const {
    await(
        [&] { return is_replica(number); }, "a server does not become a replica", failover_patience
    );
}

void RedisSentinels::wait_until_whole() const {
    const auto whole = [&] {
        const std::size_t leader = primary();  // another failover may come meanwhile
        for (std::size_t i = 0; i < size(); ++i) {
            if (i != leader && !is_replica(i)) {
                return false;
            }
        }
        return true;
    };
    await(whole, "the servers do not all become replicas of one", failover_patience);
}

std::size_t RedisSentinels::kill_primary() {
    const std::size_t number = primary();
    kill(number);
    return number;
}
std::size_t RedisSentinels::pause_primary() {
    const std::size_t number = primary();
    pause(number);
    return number;
}

std::size_t RedisSentinels::failover() {
    const std::size_t old = primary();
    const auto asked = [&] {  // refused while the last failover is not over, or without replica
        for (std::size_t i = 0; i < sentinels(); ++i) {
            if (watchers_[i]->answers()) {
                return !raw_sentinel(i).call({"SENTINEL", "FAILOVER", name()}).is_error();
            }
        }
        return false;
    };
    await(asked, "no sentinel begins a failover");
    return wait_for_another_primary(old);
}

std::vector<std::uint16_t> RedisSentinels::sentinel_ports() const {
    std::vector<std::uint16_t> ports;
    for (const std::unique_ptr<Watcher>& one : watchers_) {
        ports.push_back(one->port);
    }
    return ports;
}

std::vector<std::uint16_t> RedisSentinels::server_ports() const {
    std::vector<std::uint16_t> ports;
    for (std::size_t i = 0; i < size(); ++i) {
        ports.push_back(node(i).port());
    }
    return ports;
}

RawRedis RedisSentinels::raw_sentinel(std::size_t number) const {
    return logged_in(sentinel_port(number), options_.login_);
}

std::string RedisSentinels::sentinel_log(std::size_t number) const {
    std::ifstream in(folder_of(number) / "log");
    return {std::istreambuf_iterator<char>(in), {}};
}

void RedisSentinels::kill_sentinel(std::size_t number) {
    watchers_.at(number)->child.reset();
}
void RedisSentinels::pause_sentinel(std::size_t number) {
    watchers_.at(number)->child->stop();
    watchers_[number]->stopped = true;
}
void RedisSentinels::resume_sentinel(std::size_t number) {
    watchers_.at(number)->child->resume();
    watchers_[number]->stopped = false;
}
void RedisSentinels::restart_sentinel(std::size_t number) {
    kill_sentinel(number);
    if (!started(number)) {
        throw RawFailure("a sentinel does not start again: " + sentinel_log(number));
    }
}

}  // namespace holdfast::testing
