#pragma once
// Strings: values of up to 512 MB, and counters.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

class SetOptions {
public:
    SetOptions& if_absent() {
        condition_ = "NX";
        return *this;
    }
    SetOptions& if_present() {
        condition_ = "XX";
        return *this;
    }
    SetOptions& expire_in(Duration ttl) {
        expiry_ = "PX";
        time_ms_ = ttl.count();
        return *this;
    }
    SetOptions& expire_at(WallTime at) {
        expiry_ = "PXAT";
        time_ms_ = at.time_since_epoch().count();
        return *this;
    }
    // Without this a SET without expiry makes the key live for ever.
    SetOptions& keep_ttl() {
        expiry_ = "KEEPTTL";
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::string_view condition_;
    std::string_view expiry_;
    std::int64_t time_ms_ = 0;
};

// Without a setting called: the expiry stays as it is.
class GetexOptions {
public:
    GetexOptions& expire_in(Duration ttl) {
        expiry_ = "PX";
        time_ms_ = ttl.count();
        return *this;
    }
    GetexOptions& expire_at(WallTime at) {
        expiry_ = "PXAT";
        time_ms_ = at.time_since_epoch().count();
        return *this;
    }
    GetexOptions& persist() {
        expiry_ = "PERSIST";
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::string_view expiry_;
    std::int64_t time_ms_ = 0;
};

// Where a text common to two values stands in each; both ends belong to it.
struct LcsMatch {
    std::pair<std::int64_t, std::int64_t> first;
    std::pair<std::int64_t, std::int64_t> second;
    std::int64_t length = 0;

    friend bool operator==(const LcsMatch&, const LcsMatch&) = default;
};

struct LcsMatches {
    std::vector<LcsMatch> matches;  // from the end of the values
    std::int64_t length = 0;        // of the whole

    friend bool operator==(const LcsMatches&, const LcsMatches&) = default;
};

Command<std::int64_t> append(std::string_view key, std::string_view value);  // the new length
Command<std::int64_t> decr(std::string_view key);
Command<std::int64_t> decrby(std::string_view key, std::int64_t by);
Command<std::optional<std::string>> get(std::string_view key);
Command<std::optional<std::string>> getdel(std::string_view key);
Command<std::optional<std::string>> getex(std::string_view key, const GetexOptions& options);
// Negative positions count from the end; `last` belongs to it.
Command<std::string> getrange(std::string_view key, std::int64_t first, std::int64_t last);
Command<std::int64_t> incr(std::string_view key);
Command<std::int64_t> incrby(std::string_view key, std::int64_t by);
Command<double> incrbyfloat(std::string_view key, double by);
// The longest common subsequence.
Command<std::string> lcs(std::string_view key, std::string_view other);
Command<std::int64_t> lcs_length(std::string_view key, std::string_view other);
Command<LcsMatches>
lcs_matches(std::string_view key, std::string_view other, std::int64_t length_min = 0);
Command<std::vector<std::optional<std::string>>> mget(Words keys);
Command<Done> mset(WordPairs pairs);
Command<bool> msetnx(WordPairs pairs);  // all or none
Command<Done> psetex(std::string_view key, Duration ttl, std::string_view value);
Command<Done> set(std::string_view key, std::string_view value);
// False: the condition did not hold.
Command<bool> set(std::string_view key, std::string_view value, const SetOptions& options);
// What was there before, also if the condition did not hold.
Command<std::optional<std::string>>
set_get(std::string_view key, std::string_view value, const SetOptions& options = {});
Command<Done> setex(std::string_view key, std::chrono::seconds ttl, std::string_view value);
Command<bool> setnx(std::string_view key, std::string_view value);
Command<std::int64_t>
setrange(std::string_view key, std::int64_t offset, std::string_view value);  // the new length
Command<std::int64_t> strlen(std::string_view key);

}  // namespace holdfast::redis
