#pragma once

#include "tests/commands_catalogue.h"

#include <holdfast/redis/commands/bitmaps.h>
#include <holdfast/redis/commands/hyperloglog.h>
#include <holdfast/redis/commands/strings.h>

namespace holdfast::redis::testing {

inline void add_string_samples(Samples& samples) {
    SAMPLE(append("k", "more")).given({"SET k v"});
    SAMPLE(decr("k"));
    SAMPLE(decrby("k", 7));
    SAMPLE(get("k")).given({"SET k v"});
    SAMPLE(get("none"));
    SAMPLE(get("k")).given({"RPUSH k v"}).refused("WRONGTYPE ");
    SAMPLE(getdel("k")).given({"SET k v"});
    SAMPLE(getex("k", GetexOptions())).given({"SET k v"});
    SAMPLE(getex("k", GetexOptions().expire_in(Duration(1500)))).given({"SET k v"});
    SAMPLE(getex("k", GetexOptions().expire_at(in_2100))).given({"SET k v"});
    SAMPLE(getex("k", GetexOptions().persist())).given({"SET k v EX 5"});
    SAMPLE(getrange("k", 1, -2)).given({"SET k value"});
    SAMPLE(incr("k")).given({"SET k 41"});
    SAMPLE(incr("k")).given({"SET k v"}).refused("ERR value is not an integer");
    SAMPLE(incrby("k", -9223372036854775807));
    SAMPLE(incrbyfloat("k", 0.1)).given({"SET k 3.0e3"});
    SAMPLE(lcs("{k}1", "{k}2")).given({"MSET {k}1 ohmytext {k}2 mynewtext"});
    SAMPLE(lcs_length("{k}1", "{k}2")).given({"MSET {k}1 ohmytext {k}2 mynewtext"});
    SAMPLE(lcs_matches("{k}1", "{k}2", 2)).given({"MSET {k}1 ohmytext {k}2 mynewtext"});
    SAMPLE(mget(words("k", "none"))).given({"SET k v"});
    SAMPLE(mset(pairs("{k}1", "a", "{k}2", "b")));
    SAMPLE(msetnx(pairs("{k}1", "a", "{k}2", "b"))).given({"SET {k}2 v"});
    SAMPLE(psetex("k", Duration(1500), "v"));
    SAMPLE(set("k", "v"));
    SAMPLE(set("k", ""));
    SAMPLE(set("k", "v", SetOptions().if_absent().expire_in(Duration(1500))));
    SAMPLE(set("k", "v", SetOptions().if_absent())).given({"SET k v"});
    SAMPLE(set("k", "v", SetOptions().if_present().keep_ttl())).given({"SET k v EX 5"});
    SAMPLE(set("k", "v", SetOptions().expire_at(in_2100)));
    SAMPLE(set_get("k", "v")).given({"SET k old"});
    SAMPLE(set_get("k", "v", SetOptions().if_absent()));
    SAMPLE(setex("k", std::chrono::seconds(2), "v"));
    SAMPLE(setnx("k", "v"));
    SAMPLE(setrange("k", 6, "Redis")).given({"SET k Hello"});
    SAMPLE(strlen("k")).given({"SET k value"});
}

inline void add_bitmap_samples(Samples& samples) {
    const BitNumber u8 = BitNumber::without_sign(8);
    const BitNumber i5 = BitNumber::with_sign(5);
    SAMPLE(bitcount("k")).given({"SET k foobar"});
    SAMPLE(bitcount("k", BitRange(1, -1))).given({"SET k foobar"});
    SAMPLE(bitcount("k", BitRange(5, 30, RangeUnit::bits))).given({"SET k foobar"});
    SAMPLE(bitfield("k", Bitfield().get(u8, 0).get(i5, 8))).given({"SET k foobar"});
    SAMPLE(bitfield(
        "k", Bitfield().set(u8, 0, 255).saturate().increment(u8, 0, 9).fail().increment(u8, 0, 9)
    ));
    SAMPLE(bitfield("k", Bitfield().wrap().increment(i5, 3, -1)));
    SAMPLE(bitfield_ro("k", Bitfield().get(u8, 0))).given({"SET k foobar"});
    SAMPLE(bitop(BitOperation::all_of, "{k}1", words("{k}2", "{k}3"))).given({"SET {k}2 foobar"});
    SAMPLE(bitop(BitOperation::any_of, "{k}1", words("{k}2", "{k}3"))).given({"SET {k}2 foobar"});
    SAMPLE(bitop(BitOperation::one_of, "{k}1", words("{k}2", "{k}3"))).given({"SET {k}2 foobar"});
    SAMPLE(bitop(BitOperation::invert, "{k}1", "{k}2")).given({"SET {k}2 foobar"});
    SAMPLE(bitpos("k", true)).given({"SET k foobar"});
    SAMPLE(bitpos("k", false, BitRange(2, -1, RangeUnit::bits))).given({"SET k foobar"});
    SAMPLE(getbit("k", 1)).given({"SET k foobar"});
    SAMPLE(setbit("k", 1, false)).given({"SET k foobar"});
    SAMPLE(pfadd("k", words("a", "b")));
    SAMPLE(pfadd("k", Words()));
    SAMPLE(pfcount("k")).given({"PFADD k a b c"});
    SAMPLE(pfcount(words("{k}1", "{k}2"))).given({"PFADD {k}1 a b c"});
    SAMPLE(pfmerge("{k}1", words("{k}2", "{k}3"))).given({"PFADD {k}2 a b c"});
}

}  // namespace holdfast::redis::testing
