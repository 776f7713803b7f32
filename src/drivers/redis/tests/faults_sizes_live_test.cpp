// Faults of other clients that depend on how large or how many things are. The numbers are those of
// the list in tests/faults/README.md.

#include "faults_scene.h"

#include <filesystem>
#include <iostream>

namespace holdfast::redis {
namespace {

// Boost.Redis: replies nested deeper than five levels end the connection, so that these two cannot
// be used.
TEST(RedisFaults, F6_deep_replies_of_the_server_itself_are_read) {
    RedisServer server(RedisServerOptions().memory_only());
    RawRedis other = server.raw();
    other.call({"XADD", "s", "1-1", "field", "value"});
    other.call({"XGROUP", "CREATE", "s", "group", "0"});
    other.call({"XREADGROUP", "GROUP", "group", "one", "STREAMS", "s", ">"});
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port());
    auto docs = scene.run(command_docs());
    EXPECT_TRUE(docs.ok() && docs.value().view().size() > 200);
    auto stream = scene.run(xinfo_stream_full("s"));
    ASSERT_TRUE(stream.ok());
    EXPECT_EQ(stream.value().groups.size(), 1U);
    const std::size_t before = proxy.connections();
    EXPECT_TRUE(scene.run(command_docs()).ok());
    EXPECT_EQ(proxy.connections(), before);
}

Task<> getting(Client* client, int rounds, std::atomic<int>* right, Deadline deadline) {
    for (int round = 0; round < rounds; ++round) {
        auto value = co_await client->run(get("key"), deadline);
        *right += value.ok() && value.value() == std::string(32, 'v') ? 1 : 0;
    }
    co_return Done();
}

// Boost.Redis: with 4 KiB a read, a batch ends at about a hundred small replies.
TEST(RedisFaults, F8_two_hundred_and_more_callers_share_one_read_of_the_server) {
    constexpr int callers = 256;
    constexpr int rounds = 40;
    RedisServer server(RedisServerOptions().memory_only());
    server.raw().call({"SET", "key", std::string(32, 'v')});
    FaultScene scene(server.port());
    ASSERT_TRUE(scene.run(ping()).ok());
    RawRedis other = server.raw();
    const auto reads = [&] {
        return std::stoll(other.info("total_reads_processed"));
    };
    std::atomic<int> right = 0;
    std::vector<Task<>> tasks;
    for (int i = 0; i < callers; ++i) {
        tasks.push_back(getting(scene.client.get(), rounds, &right, scene.in(patience * 2)));
    }
    const auto before = reads();
    EXPECT_TRUE(scene.wait(when_all(std::move(tasks))).ok());
    const auto used = reads() - before;
    EXPECT_EQ(right, callers * rounds);
    // In the best case one a round; our own two INFOs are among them.
    EXPECT_LE(used, 2 * rounds) << callers * rounds / used << " commands a read";
}

// bun: lines above 512 KB are refused, and the client stays connected but dead.
TEST(RedisFaults, fault_43_lines_of_a_megabyte_from_scripts_are_read) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port());
    constexpr std::size_t megabyte = std::size_t{1} << 20;
    auto status =
        scene.run(eval("return redis.status_reply(string.rep('x', 1048576))").as(read_text));
    ASSERT_TRUE(status.ok());
    EXPECT_EQ(status.value().size(), megabyte);
    auto error = scene.run(eval("return redis.error_reply('ERR ' .. string.rep('x', 1048576))"));
    ASSERT_FALSE(error.ok());
    EXPECT_EQ(error.error().effect(), Effect::unknown);
    EXPECT_TRUE(scene.run(ping()).ok());
    EXPECT_EQ(proxy.connections(), 1U);
}

// valkey-glide: hangs with replies above 16 KiB.
TEST(RedisFaults, fault_47_replies_around_each_border_of_the_read_buffer_are_read) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultScene scene(server.port());
    for (const std::size_t border : {4'096, 16'384, 65'536, 131'072, 1'048'576}) {
        for (std::size_t size = border - 12; size <= border + 2; ++size) {
            const std::string value(size, 'v');
            ASSERT_TRUE(scene.run(set("key", value)).ok());
            auto got = scene.run(get("key"));
            ASSERT_TRUE(got.ok()) << value.size();
            ASSERT_TRUE(got.value() == value) << value.size();
        }
    }
}

// redis-rs: large values over TLS take many times as long. The time is printed, beside that of a
// plain connection; the bytes must be the same.
TEST(RedisFaults, fault_46_ten_megabytes_over_tls_arrive_whole) {
    RedisServer server(RedisServerOptions().memory_only().tls());
    auto tls = open_tls_client(TlsClientOptions().ca(server.authority_file()));
    ASSERT_TRUE(tls.ok());
    FaultScene plain(server.port());
    FaultScene secret(server.tls_port(), RedisOptions().tls(tls.value()));
    std::string value(std::size_t{10} << 20, '\0');
    for (std::size_t i = 0; i < value.size(); ++i) {
        value[i] = static_cast<char>(i * 31 % 251);
    }
    ASSERT_TRUE(secret.run(set("large", value)).ok());
    const auto read = [&](FaultScene& scene) {
        Duration least = patience;
        for (int i = 0; i < 5; ++i) {
            const SteadyTime before = scene.runtime->clock().steady_now();
            const auto got = scene.run(get("large"));
            EXPECT_TRUE(got.ok() && got.value() == value);
            least = std::min(least, scene.runtime->clock().steady_now() - before);
        }
        return least;
    };
    const Duration without = read(plain);
    const Duration with = read(secret);
    std::cout << "10 MB: " << without.count() << " ms plain, " << with.count() << " ms over TLS\n";
}

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// redis-rs: a connection outlives its manager.
TEST(RedisFaults, fault_45_clients_that_are_gone_leave_no_connection) {
    RedisServer server(RedisServerOptions().memory_only());
    RawRedis other = server.raw();
    auto runtime = std::move(open_runtime(RuntimeOptions().loops(1))).value();
    const auto use_one = [&] {
        auto client = std::move(open_redis(*runtime, RedisOptions().port(server.port()))).value();
        return client->wait(ping(), Deadline::in(patience, runtime->clock())).ok();
    };
    const auto alone = [&] {
        return other.info("connected_clients") == "1";
    };
    ASSERT_TRUE(use_one());
    ASSERT_TRUE(eventually(alone));
    const std::size_t descriptors = open_descriptors();
    for (int i = 0; i < 1'000; ++i) {
        ASSERT_TRUE(use_one());
    }
    EXPECT_TRUE(eventually(alone)) << other.info("connected_clients");
    EXPECT_TRUE(eventually([&] { return open_descriptors() <= descriptors; }));
}

// hiredis, ioredis: sizes above 2 GB overflow. 128 MB here; HOLDFAST_PIPELINE_MB=3072 by hand needs
// three times as much memory.
TEST(RedisFaults, fault_41_and_42_a_pipeline_of_any_size_is_sent) {
    constexpr int value_mb = 16;
    const char* told = std::getenv("HOLDFAST_PIPELINE_MB");
    const int commands = (told == nullptr ? 128 : std::stoi(told)) / value_mb;
    RedisServer server(RedisServerOptions().memory_only());
    FaultScene scene(server.port());
    const std::string value(std::size_t{value_mb} << 20, 'v');
    Batch batch;
    std::optional<Slot<Done>> last;
    for (int i = 0; i < commands; ++i) {
        last.emplace(batch.add(set("key:" + std::to_string(i % 4), value)));
    }
    const auto run = [](Client* client, Batch* what, Deadline deadline) -> Task<> {
        co_return co_await client->run(*what, deadline);
    };
    auto done = scene.wait(run(scene.client.get(), &batch, scene.in(patience * 30)));
    ASSERT_TRUE(done.ok()) << done.error().what();
    EXPECT_TRUE(batch.get(*last).ok());
    EXPECT_TRUE(scene.run(ping()).ok());
}

}  // namespace
}  // namespace holdfast::redis
