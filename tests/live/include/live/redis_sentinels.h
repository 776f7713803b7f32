#pragma once
// A primary, its replicas and the sentinels that watch them, for one test.
//
//   RedisSentinels set;                                   // 3 sentinels, 2 replicas; all know all
//   RedisSentinels set(RedisSentinelsOptions().quick().sentinel_password("other"));
//   const std::size_t old = set.kill_primary();           // a number of node()
//   set.wait_for_another_primary(old);                    // about 2.2 s, of them 1 s down-after
//   set.restart(old);                                     // is a primary until sentinels demote it
//   set.failover();                                       // SENTINEL FAILOVER, has happened
//
// Sentinels wait about 10 s before they demote a primary that came back (quick(): about 2 s): for
// so long it takes writes, which are lost.

#include <live/redis_replicas.h>

#include <optional>

namespace holdfast::testing {

// Without more: three sentinels, quorum 2, down-after 1000 ms, failover-timeout 5000 ms.
class RedisSentinelsOptions {
public:
    RedisSentinelsOptions& servers(RedisServerOptions each);  // of the primary and replicas
    RedisSentinelsOptions& replicas(std::size_t count);
    RedisSentinelsOptions& sentinels(std::size_t count, std::size_t quorum);
    RedisSentinelsOptions& down_after(Duration time);
    // What sentinels ask of clients and of each other; servers ask what `servers` says.
    RedisSentinelsOptions& sentinel_password(std::string text);
    RedisSentinelsOptions& sentinel_user(std::string name, std::string password);
    // They ask servers, and tell each other, more often than in life (SENTINEL DEBUG): what
    // follows a failover is soon over. It does not begin sooner.
    RedisSentinelsOptions& quick();
    RedisSentinelsOptions& line(std::string words);  // of all sentinels' configuration

private:
    friend class RedisSentinels;
    RedisServerOptions each_;
    std::size_t replicas_ = 2;
    std::size_t sentinels_ = 3;
    std::size_t quorum_ = 2;
    Duration down_after_ = std::chrono::seconds(1);
    RedisLogin login_;
    bool quick_ = false;
    std::vector<std::string> lines_;
};

// Ready on return: each sentinel has heard of all replicas, as linked, and of the others. What
// takes too long throws RawFailure. One thread at a time.
class RedisSentinels {
public:
    explicit RedisSentinels(const RedisSentinelsOptions& options = RedisSentinelsOptions());
    RedisSentinels(const RedisSentinels&) = delete;
    RedisSentinels& operator=(const RedisSentinels&) = delete;
    ~RedisSentinels();

    static std::string name() { return "mymaster"; }
    std::size_t size() const { return servers_.size(); }
    RedisServer& node(std::size_t number) const { return servers_.node(number); }

    // As more than half of all sentinels say, once they do.
    std::size_t primary() const;
    // Until they name one that is not `old` and that says itself that it is a primary.
    std::size_t wait_for_another_primary(std::size_t old) const;
    // Until `number` is linked to the present primary as its replica.
    void wait_until_replica(std::size_t number) const;
    // All are replicas of the primary of the moment.
    void wait_until_whole() const;

    std::size_t kill_primary();   // kill -9; its number
    std::size_t pause_primary();  // SIGSTOP
    void kill(std::size_t number) { node(number).kill(); }
    void pause(std::size_t number) { node(number).stop(); }
    void resume(std::size_t number) { node(number).resume(); }
    void restart(std::size_t number) { node(number).restart(); }
    std::size_t failover();  // the new primary

    std::size_t sentinels() const { return watchers_.size(); }
    std::uint16_t sentinel_port(std::size_t number) const { return watchers_.at(number)->port; }
    std::vector<std::uint16_t> sentinel_ports() const;
    std::vector<std::uint16_t> server_ports() const;
    RawRedis raw_sentinel(std::size_t number) const;  // logged in
    std::string sentinel_log(std::size_t number) const;
    void kill_sentinel(std::size_t number);
    void pause_sentinel(std::size_t number);
    void resume_sentinel(std::size_t number);
    void restart_sentinel(std::size_t number);  // with what it knew

private:
    bool is_replica(std::size_t number) const;
    struct Watcher {
        std::uint16_t port = 0;
        std::string id;
        std::unique_ptr<Child> child;
        bool stopped = false;
        bool answers() const { return child != nullptr && !stopped; }
    };

    bool all_started();
    bool started(std::size_t number);
    void write_configuration(std::size_t number) const;
    bool knows_all(std::size_t number) const;
    std::optional<std::size_t> agreed() const;
    std::size_t number_of(std::uint16_t port) const;
    std::filesystem::path folder_of(std::size_t number) const;

    RedisSentinelsOptions options_;
    RedisReplicas servers_;
    TemporaryFolder folder_;
    std::vector<std::unique_ptr<Watcher>> watchers_;
};

}  // namespace holdfast::testing
