#pragma once

#include "tests/commands_catalogue.h"

#include <holdfast/redis/commands/hashes.h>
#include <holdfast/redis/commands/lists.h>
#include <holdfast/redis/commands/sets.h>

namespace holdfast::redis::testing {

inline void add_hash_samples(Samples& samples) {
    SAMPLE(hdel("k", words("f", "none"))).given({"HSET k f v"});
    SAMPLE(hexists("k", "f")).given({"HSET k f v"});
    SAMPLE(hget("k", "f")).given({"HSET k f v"});
    SAMPLE(hget("k", "none"));
    SAMPLE(hgetall("k")).given({"HSET k f v g w"});
    SAMPLE(hgetall("none"));
    SAMPLE(hincrby("k", "f", 5));
    SAMPLE(hincrbyfloat("k", "f", 2.5));
    SAMPLE(hkeys("k")).given({"HSET k f v g w"});
    SAMPLE(hlen("k")).given({"HSET k f v g w"});
    SAMPLE(hmget("k", words("f", "none"))).given({"HSET k f v g w"});
    SAMPLE(hrandfield("k")).given({"HSET k f v"});
    SAMPLE(hrandfield("none"));
    SAMPLE(hrandfield("k", 2)).given({"HSET k f v"});
    SAMPLE(hrandfield_with_values("k", -2)).given({"HSET k f v"});
    SAMPLE(hscan("k", 0)).given({"HSET k f v g w"});
    SAMPLE(hscan("k", 0, ScanOptions().match("g*").count(50))).given({"HSET k f v g w"});
    SAMPLE(hset("k", "f", "v"));
    SAMPLE(hset("k", pairs("f", "v", "g", "w"))).given({"HSET k f v"});
    SAMPLE(hsetnx("k", "f", "v")).given({"HSET k f v"});
    SAMPLE(hstrlen("k", "f")).given({"HSET k f value"});
    SAMPLE(hvals("k")).given({"HSET k f v g w"});
}

inline void add_list_samples(Samples& samples) {
    constexpr ListEnd left = ListEnd::left;
    constexpr ListEnd right = ListEnd::right;
    const Duration soon(10);
    SAMPLE(blmove("{k}1", "{k}2", left, right, soon)).given({"RPUSH {k}1 a b"});
    SAMPLE(blmove("{k}1", "{k}2", right, left, soon));
    SAMPLE(blmpop(words("{k}1", "{k}2"), left, soon, 2)).given({"RPUSH {k}2 a b c"});
    SAMPLE(blmpop("k", right, soon));
    SAMPLE(blpop(words("{k}1", "{k}2"), soon)).given({"RPUSH {k}2 a"});
    SAMPLE(blpop("k", soon));
    SAMPLE(brpop("k", Duration(1500))).given({"RPUSH k a b"});
    SAMPLE(lindex("k", -1)).given({"RPUSH k a b"});
    SAMPLE(lindex("k", 5)).given({"RPUSH k a b"});
    SAMPLE(linsert_before("k", "b", "x")).given({"RPUSH k a b"});
    SAMPLE(linsert_after("k", "none", "x")).given({"RPUSH k a b"});
    SAMPLE(llen("k")).given({"RPUSH k a b"});
    SAMPLE(lmove("{k}1", "{k}2", right, right)).given({"RPUSH {k}1 a b"});
    SAMPLE(lmove("{k}1", "{k}2", left, left));
    SAMPLE(lmpop(words("{k}1", "{k}2"), right, 2)).given({"RPUSH {k}2 a b c"});
    SAMPLE(lmpop("k", left));
    SAMPLE(lpop("k")).given({"RPUSH k a b"});
    SAMPLE(lpop("none"));
    SAMPLE(lpop("k", 2)).given({"RPUSH k a b"});
    SAMPLE(lpop("none", 2));
    SAMPLE(lpos("k", "b")).given({"RPUSH k a b c b"});
    SAMPLE(lpos("k", "b", LposOptions().rank(-1).length_max(100))).given({"RPUSH k a b c b"});
    SAMPLE(lpos("k", "none")).given({"RPUSH k a b c b"});
    SAMPLE(lpos_all("k", "b", 0)).given({"RPUSH k a b c b"});
    SAMPLE(lpush("k", words("a", "b")));
    SAMPLE(lpushx("k", "a"));
    SAMPLE(lrange("k", 0, -1)).given({"RPUSH k a b c"});
    SAMPLE(lrange("none", 0, -1));
    SAMPLE(lrem("k", -1, "b")).given({"RPUSH k a b c b"});
    SAMPLE(lset("k", 0, "x")).given({"RPUSH k a b"});
    SAMPLE(lset("k", 0, "x")).refused("ERR no such key");
    SAMPLE(ltrim("k", 1, -1)).given({"RPUSH k a b"});
    SAMPLE(rpop("k")).given({"RPUSH k a b"});
    SAMPLE(rpop("k", 2)).given({"RPUSH k a b"});
    SAMPLE(rpush("k", "a"));
    SAMPLE(rpushx("k", words("a", "b"))).given({"RPUSH k a b"});
}

inline void add_set_samples(Samples& samples) {
    SAMPLE(sadd("k", words("a", "b"))).given({"SADD k a"});
    SAMPLE(scard("k")).given({"SADD k a b"});
    SAMPLE(sdiff(words("{k}1", "{k}2"))).given({"SADD {k}1 a b", "SADD {k}2 b"});
    SAMPLE(sdiffstore("{k}3", words("{k}1", "{k}2"))).given({"SADD {k}1 a b", "SADD {k}2 b"});
    SAMPLE(sinter(words("{k}1", "{k}2"))).given({"SADD {k}1 a b", "SADD {k}2 b"});
    SAMPLE(sintercard(words("{k}1", "{k}2"))).given({"SADD {k}1 a b", "SADD {k}2 b"});
    SAMPLE(sintercard("k", 1)).given({"SADD k a b"});
    SAMPLE(sinterstore("{k}3", words("{k}1", "{k}2"))).given({"SADD {k}1 a b", "SADD {k}2 b"});
    SAMPLE(sismember("k", "a")).given({"SADD k a b"});
    SAMPLE(smembers("k")).given({"SADD k 1 2 3"});
    SAMPLE(smembers("none"));
    SAMPLE(smismember("k", words("a", "none"))).given({"SADD k a b"});
    SAMPLE(smove("{k}1", "{k}2", "a")).given({"SADD {k}1 a b"});
    SAMPLE(spop("k")).given({"SADD k a"});
    SAMPLE(spop("none"));
    SAMPLE(spop("k", 5)).given({"SADD k a"});
    SAMPLE(srandmember("k")).given({"SADD k a"});
    SAMPLE(srandmember("k", -2)).given({"SADD k a"});
    SAMPLE(srem("k", words("a", "none"))).given({"SADD k a b"});
    SAMPLE(sscan("k", 0)).given({"SADD k 1 2 3"});
    SAMPLE(sunion(words("{k}1", "{k}2"))).given({"SADD {k}1 1 2", "SADD {k}2 2 3"});
    SAMPLE(sunionstore("{k}3", words("{k}1", "{k}2"))).given({"SADD {k}1 a b", "SADD {k}2 b"});
}

}  // namespace holdfast::redis::testing
