#pragma once

#include "tests/commands_catalogue.h"

#include <holdfast/redis/commands/keys.h>

namespace holdfast::redis::testing {

// What DUMP of Redis 7.0 answers for the string "v".
inline constexpr std::string_view dumped_v("\x00\x01v\x0A\x00\x91\x08\xCE\xB2\x19\x38\x8A\xCE", 13);

inline void add_key_samples(Samples& samples) {
    using std::chrono::seconds;
    SAMPLE(copy("{k}1", "{k}2")).given({"SET {k}1 v"});
    SAMPLE(copy("k", "k", CopyOptions().database(1).replace())).given({"SET k v"});
    SAMPLE(del("k")).given({"SET k v"});
    SAMPLE(del(words("a", "b", "c"))).given({"MSET a 1 b 2"});
    SAMPLE(unlink(words("{k}1", "{k}2"))).given({"SET {k}1 v"});
    SAMPLE(exists(words("k", "k", "none"))).given({"SET k v"});
    SAMPLE(touch(words("k", "none"))).given({"SET k v"});
    SAMPLE(dump("k")).given({"SET k v"});
    SAMPLE(dump("none"));
    SAMPLE(restore("k", Duration(0), dumped_v));
    SAMPLE(restore(
        "k",
        in_2100.time_since_epoch(),
        dumped_v,
        RestoreOptions().replace().absolute().idle(seconds(3))
    ));
    SAMPLE(restore("k", Duration(5000), dumped_v, RestoreOptions().frequency(7)));
    SAMPLE(expire("k", seconds(9))).given({"SET k v"});
    SAMPLE(expire("k", seconds(9), ExpireIf::never_yet)).given({"SET k v EX 5"});
    SAMPLE(pexpire("k", Duration(9000), ExpireIf::later)).given({"SET k v EX 5"});
    SAMPLE(expireat("k", in_2100, ExpireIf::set)).given({"SET k v"});
    SAMPLE(pexpireat("k", in_2100, ExpireIf::sooner)).given({"SET k v"});
    SAMPLE(persist("k")).given({"SET k v EX 5"});
    SAMPLE(ttl("k")).given({"SET k v EX 100"});
    SAMPLE(ttl("none"));
    SAMPLE(pttl("k")).given({"SET k v"});
    SAMPLE(expiretime("k")).given({"SET k v EXAT 4102444800"});
    SAMPLE(expiretime("none"));
    SAMPLE(pexpiretime("k")).given({"SET k v PXAT 4102444800123"});
    SAMPLE(keys("k*")).given({"SET k1 v"});
    SAMPLE(move("k", 1)).given({"SET k v"});
    SAMPLE(object_encoding("k")).given({"SET k v"});
    SAMPLE(object_encoding("none"));
    SAMPLE(object_freq("k")).given({"CONFIG SET maxmemory-policy allkeys-lfu", "SET k v"});
    SAMPLE(object_idletime("k")).given({"SET k v"}).varying();
    SAMPLE(object_refcount("k")).given({"SET k v"});
    SAMPLE(randomkey()).given({"SET k v"});
    SAMPLE(randomkey());
    SAMPLE(rename("{k}1", "{k}2")).given({"SET {k}1 v"});
    SAMPLE(renamenx("{k}1", "{k}2")).given({"MSET {k}1 v {k}2 v"});
    SAMPLE(scan(0)).given({"SET k v"});
    SAMPLE(scan(0, ScanOptions().match("h*").count(100).type("hash"))).given({"HSET h f v"});
    SAMPLE(sort("k")).given({"RPUSH k 3 1 2"});
    SAMPLE(
        sort("k", SortOptions().by("w_*").limit(0, 2).get("#").get("v_*").descending().alphabetic())
    )
        .given({"RPUSH k a b c", "MSET w_a 1 w_b 2 w_c 3 v_a x"});
    SAMPLE(sort_ro("k", SortOptions().limit(1, 1))).given({"RPUSH k 3 1 2"});
    SAMPLE(sort_store("{k}1", "{k}2", SortOptions().descending())).given({"RPUSH {k}1 3 1 2"});
    SAMPLE(type("k")).given({"SET k v"});
    SAMPLE(type("none"));
}

}  // namespace holdfast::redis::testing
