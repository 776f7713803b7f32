// What a URI says becomes options; secrets are read anew at each dial.

#include <holdfast/redis/from_uri.h>

#include <gtest/gtest.h>
#include <support/certificates.h>
#include <support/temporary_folder.h>

#include <cstdlib>
#include <fstream>

namespace holdfast::redis {
namespace {

Result<RedisOptions> options_of(std::string_view text) {
    auto uri = RedisUri::parse(text);
    EXPECT_TRUE(uri.ok()) << text;
    return options_from(uri.value());
}

TEST(RedisFromUri, each_part_has_its_option) {
    auto options =
        options_of("redis://app:secret@db.example:7000/3?clientName=shop&inFlight=64&protocol=2");
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options.value().node(), "db.example:7000");
    EXPECT_EQ(options.value().database(), 3);
    EXPECT_EQ(options.value().client_name(), "shop");
    EXPECT_EQ(options.value().in_flight_max(), 64U);
    EXPECT_EQ(options.value().protocol(), 2);
    EXPECT_FALSE(options.value().tls());
    auto credentials = options.value().credentials()();
    EXPECT_EQ(credentials.value().user, "app");
    EXPECT_EQ(credentials.value().password.reveal(), "secret");
}

TEST(RedisFromUri, a_socket_is_a_path_and_nothing_said_is_nothing_sent) {
    auto options = options_of("redis-socket:///run/redis.sock?database=2");
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options.value().unix_path(), "/run/redis.sock");
    EXPECT_EQ(options.value().database(), 2);
    EXPECT_FALSE(options.value().credentials());
}

TEST(RedisFromUri, what_is_for_others_is_carried_on) {
    auto options = options_of("redis://db?libraryName=shop&libraryVersion=2.1&wait=2&timeout=1500");
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options.value().library_name(), "shop");
    EXPECT_EQ(options.value().library_version(), "2.1");
    EXPECT_EQ(options.value().wait(), "2");
    EXPECT_EQ(options.value().timeout(), Duration(1'500));
    EXPECT_EQ(options_of("redis://db").value().wait(), "");
    EXPECT_FALSE(options_of("redis://db").value().timeout().has_value());
    EXPECT_FALSE(options_of("redis://db").value().check_order());
}

TEST(RedisFromUri, a_cluster_is_its_seeds_and_database_0_alone) {
    auto options = options_of("redis://app:secret@a,b:7000?cluster=true&readFrom=preferReplica");
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options.value().shape(), Shape::cluster);
    EXPECT_EQ(options.value().endpoints(), (std::vector<Endpoint>{{"a", 6'379}, {"b", 7'000}}));
    EXPECT_EQ(options.value().read_from(), ReadFrom::prefer_replica);
    EXPECT_EQ(options.value().credentials()().value().user, "app");
    RedisUri uri = std::move(RedisUri::parse("redis://a?cluster=true")).value();
    uri.database = 1;
    const auto other = options_from(uri);
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().code(), Code::invalid_argument);
    EXPECT_EQ(other.error().effect(), Effect::none);
    EXPECT_EQ(other.error().context()->server_text, "database");
}

TEST(RedisFromUri, sentinels_have_a_master_and_credentials_of_their_own) {
    auto options =
        options_of("redis-sentinel://app:secret@a,b/2?sentinelUsername=watch&sentinelPassword=word&"
                   "readFrom=zone&zone=z1#primary");
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options.value().shape(), Shape::sentinel);
    EXPECT_EQ(options.value().endpoints(), (std::vector<Endpoint>{{"a", 26'379}, {"b", 26'379}}));
    EXPECT_EQ(options.value().sentinel_master(), "primary");
    EXPECT_EQ(options.value().database(), 2);
    EXPECT_EQ(options.value().credentials()().value().password.reveal(), "secret");
    const auto own = options.value().sentinel_credentials()();
    EXPECT_EQ(own.value().user, "watch");
    EXPECT_EQ(own.value().password.reveal(), "word");
    EXPECT_EQ(options.value().read_from(), ReadFrom::zone);
    EXPECT_EQ(options.value().zone(), "z1");
    // What enters the servers is not told to the sentinels.
    EXPECT_FALSE(options_of("redis-sentinel://app:secret@a#primary").value().sentinel_credentials()
    );
}

TEST(RedisFromUri, clusters_and_sentinels_have_tls_too) {
    for (const std::string_view text :
         {"rediss://a,b?cluster=true&verifyPeer=none", "rediss-sentinel://a?verifyPeer=none#m"}) {
        auto options = options_of(text);
        ASSERT_TRUE(options.ok()) << text;
        EXPECT_TRUE(options.value().tls()) << text;
    }
}

TEST(RedisFromUri, rediss_has_tls_and_a_bad_file_is_named) {
    EXPECT_TRUE(options_of("rediss://db?verifyPeer=none").value().tls());
    auto uri = RedisUri::parse("rediss://db");
    auto options = options_from(uri.value(), TlsClientOptions().ca("/nowhere/ca.pem"));
    ASSERT_FALSE(options.ok());
    EXPECT_EQ(options.error().code(), Code::invalid_argument);
    EXPECT_NE(options.error().context()->server_text.find("/nowhere/ca.pem"), std::string::npos);
}

TEST(RedisFromUri, certificates_that_are_reloaded_are_those_of_the_next_dial) {
    const holdfast::testing::TemporaryFolder folder;
    const holdfast::testing::CertificateAuthority ca(folder.path(), "ca");
    auto files = TlsFiles::open(TlsClientOptions().ca(ca.file()));
    ASSERT_TRUE(files.ok());
    const RedisOptions::TlsSource source = tls_from(files.value());
    const auto first = source();
    EXPECT_TRUE(source() == first);
    EXPECT_TRUE(files.value()->reload().ok());
    const auto second = source();
    EXPECT_TRUE(second != first);
    std::filesystem::remove(ca.file());
    EXPECT_FALSE(files.value()->reload().ok());
    EXPECT_TRUE(source() == second);
}

TEST(RedisFromUri, a_password_in_a_file_is_read_again_at_each_dial) {
    const holdfast::testing::TemporaryFolder folder;
    const std::string path = (folder.path() / "password").string();
    const auto source = credentials_from_file("app", path);
    EXPECT_EQ(source().error().code(), Code::denied);
    std::ofstream(path) << "first\n";
    EXPECT_EQ(source().value().password.reveal(), "first");
    EXPECT_EQ(source().value().user, "app");
    std::ofstream(path) << "second\r\nnot this";
    EXPECT_EQ(source().value().password.reveal(), "second");
    std::ofstream(path) << std::string(100'000, 'x');
    EXPECT_EQ(source().error().code(), Code::denied);
}

TEST(RedisFromUri, a_password_in_the_environment_is_looked_up_at_each_dial) {
    const auto source = credentials_from_environment("", "HOLDFAST_TEST_REDIS_PASSWORD");
    unsetenv("HOLDFAST_TEST_REDIS_PASSWORD");
    EXPECT_EQ(source().error().code(), Code::denied);
    setenv("HOLDFAST_TEST_REDIS_PASSWORD", "one", 1);
    EXPECT_EQ(source().value().password.reveal(), "one");
    setenv("HOLDFAST_TEST_REDIS_PASSWORD", "two", 1);
    EXPECT_EQ(source().value().password.reveal(), "two");
    unsetenv("HOLDFAST_TEST_REDIS_PASSWORD");
}

}  // namespace
}  // namespace holdfast::redis
