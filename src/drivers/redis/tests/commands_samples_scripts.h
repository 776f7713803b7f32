#pragma once

#include "tests/commands_catalogue.h"

#include <holdfast/redis/commands/functions.h>
#include <holdfast/redis/commands/pubsub.h>
#include <holdfast/redis/commands/raw.h>
#include <holdfast/redis/commands/scripts.h>
#include <holdfast/redis/commands/transactions.h>

namespace holdfast::redis::testing {

inline constexpr std::string_view library =
    "FUNCTION LOAD #!lua\tname=lib\nredis.register_function('f',function(keys,args)return\t"
    "args[1]end)redis.register_function{function_name='g',callback=function(keys)return\t"
    "redis.call('get',keys[1])end,flags={'no-writes'},description='reads'}";
// What FUNCTION DUMP of Redis 7.0 answers for a library without more than a name and one function.
inline constexpr std::string_view dumped_library(
    "\xF5\x40\x50#!lua\tname=lib\nredis.register_function('f',function(keys,args)return\targs[1]"
    "end)"
    "\x0A\x00\x9A\x8E\x02\x1B\x65\x29\xC0\xC1",
    93
);
// SHA-1 of "return(1)".
inline constexpr std::string_view return_1 = "930269f31393d0be681588b6ab08dccee7d6bb67";

inline void add_script_samples(Samples& samples) {
    SAMPLE(eval("return 1"));
    SAMPLE(eval("return {KEYS[1],ARGV[1],1.9,false}", "k", words("a", "b")));
    SAMPLE(eval("return {1,{2,'x'}}", words("{k}1", "{k}2")).as(read_reply));
    SAMPLE(eval("return redis.call('incr',KEYS[1])", "k")).given({"SET k v"}).refused("ERR value");
    SAMPLE(eval_ro("return redis.call('get',KEYS[1])", "k").as(read_optional_text))
        .given({"SET k v"});
    SAMPLE(evalsha(return_1, words("{k}1", "{k}2"), "a").as(read_integer))
        .given({"SCRIPT LOAD return(1)"});
    SAMPLE(evalsha(return_1)).refused("NOSCRIPT ");
    SAMPLE(evalsha_ro(return_1, "k")).refused("NOSCRIPT ");
    SAMPLE(script_exists(words(return_1, return_1)));
    SAMPLE(script_flush());
    SAMPLE(script_flush(FlushMode::async));
    SAMPLE(script_kill()).refused("NOTBUSY ");
    SAMPLE(script_load("return 1"));

    SAMPLE(fcall("f", words("{k}1", "{k}2"), "a").as(read_text)).given({library});
    SAMPLE(fcall("none", "k")).refused("ERR Function not found");
    SAMPLE(fcall_ro("g", "k").as(read_optional_text)).given({library});
    SAMPLE(function_delete("lib")).given({library});
    SAMPLE(function_dump()).given({library});
    SAMPLE(function_flush(FlushMode::sync)).given({library});
    SAMPLE(function_kill()).refused("NOTBUSY ");
    SAMPLE(function_list()).given({library});
    SAMPLE(function_list(FunctionListOptions().library("l*").with_code())).given({library});
    SAMPLE(function_load("#!lua name=lib\nredis.register_function('f',function()return 1 end)"));
    SAMPLE(
        function_load("#!lua name=lib\nredis.register_function('f',function()return 1 end)", true)
    )
        .given({library});
    SAMPLE(function_restore(dumped_library));
    SAMPLE(function_restore(dumped_library, RestorePolicy::replace)).given({library});
    SAMPLE(function_restore(dumped_library, RestorePolicy::flush)).given({library});
    SAMPLE(function_stats()).given({library});
}

inline void add_message_samples(Samples& samples) {
    SAMPLE(publish("news", "hello"));
    SAMPLE(spublish("news", "hello"));
    SAMPLE(pubsub_channels());
    SAMPLE(pubsub_channels("n*"));
    SAMPLE(pubsub_numpat());
    SAMPLE(pubsub_numsub(words("news", "none")));
    SAMPLE(pubsub_shardchannels());
    SAMPLE(pubsub_shardnumsub("news"));
    SAMPLE(subscribe("news"));
    SAMPLE(psubscribe("n*"));
    SAMPLE(ssubscribe("{n}ews"));
    SAMPLE(unsubscribe());
    SAMPLE(punsubscribe("n*")).given({"PSUBSCRIBE n*"});
    SAMPLE(sunsubscribe("{n}ews")).given({"SSUBSCRIBE {n}ews"});
}

inline void add_transaction_samples(Samples& samples) {
    SAMPLE(multi());
    SAMPLE(discard()).given({"MULTI", "SET k v"});
    SAMPLE(discard()).refused("ERR DISCARD without MULTI");
    SAMPLE(exec()).given({"MULTI", "SET k v", "INCR k", "GET none"}).untyped();
    SAMPLE(exec()).given({"WATCH k", "SET k changed", "MULTI", "PING"});
    SAMPLE(exec()).given({"MULTI", "SET k"}).refused("EXECABORT ");
    SAMPLE(watch(words("{k}1", "{k}2")));
    SAMPLE(unwatch()).given({"WATCH k"});

    SAMPLE(raw("SET", words("k", "v"), keys_at(0)).as(read_ok));
    SAMPLE(raw("MSET", words("{k}1", "v", "{k}2", "v"), keys_at(0, 2, 2)).as(read_ok));
    SAMPLE(raw("CONFIG|GET", "maxmemory", no_keys()).repeat(Repeat::read).as(read_pairs));
}

}  // namespace holdfast::redis::testing
