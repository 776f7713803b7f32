#pragma once

#include "tests/commands_catalogue.h"

#include <holdfast/redis/commands/acl.h>
#include <holdfast/redis/commands/clients.h>
#include <holdfast/redis/commands/command_table.h>
#include <holdfast/redis/commands/connection.h>
#include <holdfast/redis/commands/diagnostics.h>
#include <holdfast/redis/commands/server.h>

namespace holdfast::redis::testing {

inline constexpr std::string_view app_user = "ACL SETUSER app on >secret ~app:* &* +@read";

// Makes the server note an event that took longer than a millisecond.
inline constexpr std::string_view slow[] = {
    "CONFIG SET latency-monitor-threshold 1", "DEBUG SLEEP 0.003"
};

inline void add_connection_samples(Samples& samples) {
    SAMPLE(auth(Secret("wrong"))).refused("ERR AUTH ");
    SAMPLE(auth("app", Secret("wrong"))).given({app_user}).refused("WRONGPASS ");
    SAMPLE(auth("app", Secret("secret"))).given({app_user});
    SAMPLE(hello(3)).varying();
    SAMPLE(hello(2, HelloOptions().user("app", Secret("secret")).client_name("me")))
        .given({"ACL SETUSER app on >secret +@connection"})
        .varying();
    SAMPLE(hello(4)).refused("NOPROTO ");
    SAMPLE(echo("hello"));
    SAMPLE(ping());
    SAMPLE(ping("hello"));
    SAMPLE(reset());
    SAMPLE(select(3));
    SAMPLE(select(1000)).refused("ERR DB index");
    SAMPLE(asking()).in_cluster();
    SAMPLE(readonly()).in_cluster();
    SAMPLE(readwrite()).in_cluster();
}

inline void add_client_samples(Samples& samples) {
    const std::vector<std::int64_t> ids{1, 2};
    SAMPLE(client_caching(true)).given({"CLIENT TRACKING ON OPTIN BCAST"}).refused("ERR");
    SAMPLE(client_getname());
    SAMPLE(client_getname()).given({"CLIENT SETNAME me"});
    SAMPLE(client_getredir());
    SAMPLE(client_id()).varying();
    SAMPLE(client_info()).varying();
    SAMPLE(client_kill(ClientFilter().id(1000000).type(ClientType::normal).user("default")));
    SAMPLE(client_kill(ClientFilter().address("127.0.0.1:1").local_address("127.0.0.1:2").with_me())
    );
    SAMPLE(client_list()).varying();
    SAMPLE(client_list(ClientType::pubsub));
    SAMPLE(client_list(ids)).varying();
    SAMPLE(client_no_evict(true));
    SAMPLE(client_no_touch(true)).documented("+OK\r\n");
    SAMPLE(client_pause(Duration(1)));
    SAMPLE(client_pause(Duration(1), true));
    SAMPLE(client_setname("me"));
    SAMPLE(client_setinfo("LIB-NAME", "holdfast")).documented("+OK\r\n");
    SAMPLE(client_tracking(TrackingOptions().broadcast().prefix("a:").prefix("b:").no_loop()));
    SAMPLE(client_tracking(TrackingOptions().redirect(1).opt_in())).refused("ERR");
    SAMPLE(client_tracking(TrackingOptions().opt_out()));
    SAMPLE(client_tracking_off());
    SAMPLE(client_trackinginfo());
    SAMPLE(client_unblock(1000000, true));
    SAMPLE(client_unblock(1000000));
    SAMPLE(client_unpause());
}

inline void add_server_samples(Samples& samples) {
    SAMPLE(bgrewriteaof()).varying();
    SAMPLE(bgsave()).varying();
    SAMPLE(config_get("maxmemory*"));
    SAMPLE(config_get(words("port", "none"))).varying();
    SAMPLE(config_resetstat());
    SAMPLE(config_rewrite());
    SAMPLE(config_set(pairs("maxmemory-samples", "5", "hz", "10")));
    SAMPLE(config_set(pairs("none", "5"))).refused("ERR Unknown option");
    SAMPLE(dbsize()).given({"SET k v"});
    SAMPLE(flushall());
    SAMPLE(flushdb(FlushMode::async)).given({"SET k v"});
    SAMPLE(info()).varying().unrecorded();
    SAMPLE(info(words("replication", "cpu"))).varying();
    SAMPLE(lastsave()).varying();
    SAMPLE(module_list());
    SAMPLE(replicaof("127.0.0.1", 1)).varying();
    SAMPLE(replicaof_no_one());
    SAMPLE(role());
    SAMPLE(role()).given({"REPLICAOF 127.0.0.1 1"}).varying();
    SAMPLE(save()).varying();
    SAMPLE(swapdb(1, 2));
    SAMPLE(time()).varying();
    SAMPLE(wait(1, Duration(10)));
    SAMPLE(waitaof(true, 1, Duration(10))).documented("*2\r\n:1\r\n:0\r\n");
}

inline void add_diagnostics_samples(Samples& samples) {
    SAMPLE(latency_doctor()).varying();
    SAMPLE(latency_graph("command")).refused("ERR No samples");
    SAMPLE(latency_histogram("set")).given({"SET k v"}).varying();
    SAMPLE(latency_histogram()).varying();
    SAMPLE(latency_history("command")).given({slow[0], slow[1]}).varying();
    SAMPLE(latency_latest()).given({slow[0], slow[1]}).varying();
    SAMPLE(latency_reset(words("none")));
    SAMPLE(latency_reset()).varying();
    SAMPLE(memory_doctor()).varying();
    SAMPLE(memory_malloc_stats()).varying().unrecorded();
    SAMPLE(memory_purge());
    SAMPLE(memory_stats()).varying();
    SAMPLE(memory_usage("k", 0)).given({"SET k v"});
    SAMPLE(memory_usage("none"));
    SAMPLE(slowlog_get()).given({"CONFIG SET slowlog-log-slower-than 0", "SET k v"}).varying();
    SAMPLE(slowlog_get(-1)).given({"CONFIG SET slowlog-log-slower-than 0", "SET k v"}).varying();
    SAMPLE(slowlog_len()).given({"CONFIG SET slowlog-log-slower-than -1", "SLOWLOG RESET"});
    SAMPLE(slowlog_reset());
}

inline void add_table_samples(Samples& samples) {
    SAMPLE(command_count());
    SAMPLE(command_docs(words("get"))).untyped();
    SAMPLE(command_docs()).varying().unrecorded();
    SAMPLE(command_getkeys(words("MSET", "a", "1", "b", "2")));
    SAMPLE(command_getkeysandflags(words("SET", "k", "v")));
    SAMPLE(command_info(words("get", "none", "object")));
    SAMPLE(command_info()).unrecorded();
    SAMPLE(command_list()).varying();
    SAMPLE(command_list_of_category("transaction")).varying();
    SAMPLE(command_list_of_module("none"));
    SAMPLE(command_list_matching("xpend*"));
}

inline void add_acl_samples(Samples& samples) {
    SAMPLE(acl_cat());
    SAMPLE(acl_cat("transaction"));
    SAMPLE(acl_deluser(words("app", "none"))).given({app_user});
    SAMPLE(acl_dryrun("app", words("GET", "app:k"))).given({app_user});
    SAMPLE(acl_dryrun("app", words("SET", "app:k", "v"))).given({app_user});
    SAMPLE(acl_genpass()).varying();
    SAMPLE(acl_genpass(8)).varying();
    SAMPLE(acl_getuser("app")).given({app_user, "ACL SETUSER app (+get\t~x:*)"});
    SAMPLE(acl_getuser("none"));
    SAMPLE(acl_list()).given({app_user});
    SAMPLE(acl_load());
    SAMPLE(acl_log()).given({"AUTH app wrong"}).varying();
    SAMPLE(acl_log(1)).given({"AUTH app wrong"}).varying();
    SAMPLE(acl_log_reset());
    SAMPLE(acl_save());
    SAMPLE(acl_setuser("app", words("on", ">secret", "~app:*", "+@read")));
    SAMPLE(acl_setuser("app", words("nonsense"))).refused("ERR Error in ACL SETUSER");
    SAMPLE(acl_users()).given({app_user});
    SAMPLE(acl_whoami());
}

}  // namespace holdfast::redis::testing
