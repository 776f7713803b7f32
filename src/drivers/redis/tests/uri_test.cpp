// Promises of the URI: what one line says, and what it may not say.
#include <holdfast/redis/uri.h>

#include <gtest/gtest.h>

#include <string>

namespace holdfast::redis {
namespace {

RedisUri read(std::string_view text) {
    auto uri = RedisUri::parse(text);
    EXPECT_TRUE(uri.ok()) << text << ": " << (uri.ok() ? "" : uri.error().what());
    return uri.ok() ? uri.value() : RedisUri();
}

// What is refused says why, in words of its own and never with the password.
std::string refusal(std::string_view text) {
    auto uri = RedisUri::parse(text);
    if (uri.ok()) {
        ADD_FAILURE() << text << " was taken";
        return {};
    }
    EXPECT_EQ(uri.error().code(), Code::invalid_argument);
    EXPECT_EQ(uri.error().effect(), Effect::none);
    const std::string said =
        std::string(uri.error().what()) + " | " +
        (uri.error().context() != nullptr ? uri.error().context()->server_text : "");
    EXPECT_EQ(said.find("hunter2"), std::string::npos) << said;
    return said;
}

TEST(RedisUri, host_alone_is_port_6379_database_0_plain_and_the_default_user) {
    const RedisUri uri = read("redis://db");
    EXPECT_EQ(uri.endpoints, (std::vector<Endpoint>{{"db", 6'379}}));
    EXPECT_EQ(uri.shape, Shape::single);
    EXPECT_FALSE(uri.tls);
    EXPECT_EQ(uri.database, 0U);
    EXPECT_TRUE(uri.user.empty() && uri.password.empty());
    EXPECT_FALSE(uri.timeout || uri.in_flight || uri.protocol);
}

TEST(RedisUri, credentials_are_a_password_or_a_user_and_a_password_percent_decoded) {
    EXPECT_EQ(read("redis://hunter2@db").password.reveal(), "hunter2");
    EXPECT_EQ(read("redis://:hunter2@db").password.reveal(), "hunter2");
    const RedisUri uri = read("redis://app%40x:p%3A%2F%25@db:7000/3");
    EXPECT_EQ(uri.user, "app@x");
    EXPECT_EQ(uri.password.reveal(), "p:/%");
    EXPECT_EQ(uri.endpoints.front(), (Endpoint{"db", 7'000}));
    EXPECT_EQ(uri.database, 3U);
}

TEST(RedisUri, tls_sockets_sentinels_and_clusters_have_forms_of_their_own) {
    EXPECT_TRUE(read("rediss://db").tls);
    const RedisUri local = read("redis-socket://hunter2@/run/a%20b/redis.sock?database=2");
    EXPECT_TRUE(local.endpoints.front().is_unix_socket());
    EXPECT_EQ(local.endpoints.front().host, "/run/a b/redis.sock");
    EXPECT_EQ(local.database, 2U);
    const RedisUri watched = read("redis-sentinel://hunter2@s1,s2:1,[::1]:2/4#mymaster");
    EXPECT_EQ(watched.shape, Shape::sentinel);
    EXPECT_EQ(watched.endpoints, (std::vector<Endpoint>{{"s1", 26'379}, {"s2", 1}, {"::1", 2}}));
    EXPECT_EQ(watched.sentinel_master, "mymaster");
    EXPECT_EQ(read("rediss-sentinel://s?sentinelMasterId=m").sentinel_master, "m");
    EXPECT_EQ(read("redis://a,b:2?cluster=true").shape, Shape::cluster);
    EXPECT_EQ(read("redis://a?cluster=false").shape, Shape::single);
}

TEST(RedisUri, every_option_reaches_its_field) {
    const RedisUri uri =
        read("redis-sentinel://s?sentinelMasterId=m&timeout=1500ms&database=1&clientName=app&"
             "libraryName=hf&libraryVersion=1.0&verifyPeer=CA&wait=2&sentinelUsername=u&"
             "sentinelPassword=hunter2&inFlight=50&protocol=2&startTls=true");
    EXPECT_EQ(uri.timeout, Duration{1'500});
    EXPECT_EQ(uri.database, 1U);
    EXPECT_EQ(uri.client_name, "app");
    EXPECT_EQ(uri.library_name, "hf");
    EXPECT_EQ(uri.library_version, "1.0");
    EXPECT_EQ(uri.verify_peer, VerifyPeer::ca);
    EXPECT_EQ(uri.wait, "2");
    EXPECT_EQ(uri.sentinel_user, "u");
    EXPECT_EQ(uri.sentinel_password.reveal(), "hunter2");
    EXPECT_EQ(uri.in_flight, 50U);
    EXPECT_EQ(uri.protocol, 2U);
    EXPECT_EQ(uri.ignored, (std::vector<std::string>{"startTls"}));
}

TEST(RedisUri, a_timeout_has_lettuces_units_and_is_never_zero_by_rounding) {
    const std::vector<std::pair<std::string, Duration>> cases = {
        {"60", Duration{60}},
        {"2s", Duration{2'000}},
        {"1m", Duration{60'000}},
        {"1h", Duration{3'600'000}},
        {"1d", Duration{86'400'000}},
        {"1500us", Duration{1}},
        {"1000000ns", Duration{1}},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(read("redis://db?timeout=" + text).timeout, expected) << text;
    }
    for (const char* text : {"0", "999us", "999999ns", "2d", "-1", "1.5s", "s", "", "1w", "1S"}) {
        EXPECT_NE(
            refusal("redis://db?timeout=" + std::string(text)).find("timeout"), std::string::npos
        );
    }
}

TEST(RedisUri, who_answers_reads_has_our_names_and_those_of_lettuce) {
    const auto from = [](const std::string& name) {
        return read("redis://a?cluster=true&readFrom=" + name).read_from;
    };
    for (const char* name : {"primary", "upstream", "master", "MASTER"}) {
        EXPECT_EQ(from(name), ReadFrom::primary) << name;
    }
    for (const char* name : {"preferReplica", "replicaPreferred", "slavePreferred"}) {
        EXPECT_EQ(from(name), ReadFrom::prefer_replica) << name;
    }
    EXPECT_EQ(from("nearest"), ReadFrom::nearest);
    EXPECT_EQ(from("lowestLatency"), ReadFrom::nearest);
    const RedisUri zoned = read("redis-sentinel://s?readFrom=zone&zone=eu-1a#m");
    EXPECT_EQ(zoned.read_from, ReadFrom::zone);
    EXPECT_EQ(zoned.zone, "eu-1a");
    EXPECT_EQ(read("redis://db?readFrom=primary").read_from, ReadFrom::primary);
    // Those that keep reads away from primaries, and those that read anywhere, are none of ours.
    for (const char* name : {"replica", "any", "masterPreferred", "subnet:10.0.0.0/8", ""}) {
        refusal("redis://a?cluster=true&readFrom=" + std::string(name));
    }
}

TEST(RedisUri, an_unknown_option_is_refused_with_the_nearest_known_name) {
    EXPECT_NE(refusal("redis://db?timeot=1s").find("timeout"), std::string::npos);
    EXPECT_NE(refusal("redis://db?clientname=a").find("clientName"), std::string::npos);
    EXPECT_NE(refusal("redis://db?" + std::string(9'000, 'x')).find("unknown"), std::string::npos);
}

TEST(RedisUri, both_sides_of_each_number_are_kept) {
    EXPECT_EQ(read("redis://db:1").endpoints.front().port, 1);
    EXPECT_EQ(read("redis://db:65535").endpoints.front().port, 65'535);
    EXPECT_EQ(read("redis://db/1000000").database, 1'000'000U);
    EXPECT_EQ(read("redis://db?inFlight=1000000").in_flight, 1'000'000U);
    EXPECT_EQ(read("redis://db?wait=1000").wait, "1000");
    for (const char* text : {
             "redis://db:0",
             "redis://db:65536",
             "redis://db/1000001",
             "redis://db?inFlight=0",
             "redis://db?inFlight=1000001",
             "redis://db?wait=1001",
             "redis://db?protocol=1",
             "redis://db?protocol=4",
         }) {
        refusal(text);
    }
}

TEST(RedisUri, what_contradicts_itself_is_refused) {
    EXPECT_NE(refusal("redis://a,b").find("cluster"), std::string::npos);
    EXPECT_NE(refusal("redis://a/1?cluster=true").find("database"), std::string::npos);
    EXPECT_NE(refusal("redis-sentinel://s").find("sentinelMasterId"), std::string::npos);
    EXPECT_NE(refusal("redis://a?sentinelMasterId=m").find("sentinel"), std::string::npos);
    EXPECT_NE(refusal("redis-sentinel://s?cluster=true#m").find("cluster"), std::string::npos);
    EXPECT_NE(refusal("redis://db?readFrom=nearest").find("readFrom"), std::string::npos);
    EXPECT_NE(refusal("redis://a?cluster=true&readFrom=zone").find("zone"), std::string::npos);
    EXPECT_NE(refusal("redis://a?cluster=true&zone=z1").find("zone"), std::string::npos);
    EXPECT_NE(refusal("redis://app@:hunter2@").find("host"), std::string::npos);
    EXPECT_NE(refusal("redis://app:@db").find("password"), std::string::npos);
    EXPECT_NE(refusal("redis://db?protocol=2&protocol=3").find("twice"), std::string::npos);
}

TEST(RedisUri, bad_texts_are_refused) {
    for (const std::string& text : std::vector<std::string>{
             "",
             "db:6379",
             "http://db",
             "redis:/db",
             "redis://",
             "redis:///1",
             "redis://a b",
             "redis://[::1",
             "redis://[::1]x",
             "redis://[db]",
             "redis://::1",
             "redis://db:",
             "redis://db:x",
             "redis://db/x",
             "redis://%zz@db",
             "redis://a%0@db",
             "redis://hunter2%00@db",
             "redis://a,,b?cluster=true",
             "redis-socket://run/redis.sock",
             "redis-socket://",
             "redis://db?clientName=a%20b",
             "redis://db?timeout",
             "redis://db?=1",
             std::string(16'385, 'r'),
         }) {
        refusal(text);
    }
}

TEST(RedisUri, what_is_shown_has_no_secret_and_reads_back_to_the_same_place) {
    for (const char* text :
         {"redis://u:hunter2@db:7000/3?timeout=1s",
          "rediss://hunter2@[::1]",
          "redis-socket://hunter2@/run/redis.sock",
          "redis-sentinel://:hunter2@s1,s2:5#m"}) {
        const RedisUri uri = read(text);
        EXPECT_EQ(uri.shown().find("hunter2"), std::string::npos);
        const RedisUri again = read(uri.shown());
        EXPECT_EQ(again.endpoints, uri.endpoints) << uri.shown();
        EXPECT_EQ(again.tls, uri.tls);
        EXPECT_EQ(again.shape, uri.shape);
    }
}

}  // namespace
}  // namespace holdfast::redis
