// Walks over keys and members, in virtual time against a scripted server.
#include "scripted_server.h"

#include <holdfast/redis/client.h>
#include <holdfast/redis/scan.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

class ScanServer {
public:
    ScanServer()
        : runtime(open_virtual_runtime(VirtualOptions().seed(1))), server(*runtime),
          client(
              std::move(open_redis(*runtime, std::move(RedisOptions().port(server.port())))).value()
          ) {
        server.script = [this](const ServerWords& words) -> ServerAnswer {
            if (!words[0].ends_with("SCAN")) {
                return server.usual(words);
            }
            return {pages.at(words[words[0] == "SCAN" ? 1 : 2])};
        };
    }
    ~ScanServer() {
        client.reset();
        server.down();
        runtime->run(runtime->now() + Duration(20'000));
    }
    template <class Item>
    Result<std::vector<Item>> next(Scan<Item>& scan) {
        return wait(
            *runtime, next_page(*client, scan, Deadline::in(Duration(1'000), runtime->clock()))
        );
    }

    std::map<std::string, std::string> pages;  // by cursor
    std::unique_ptr<VirtualRuntime> runtime;
    ScriptedServer server;
    std::unique_ptr<Client> client;
};

TEST(RedisScan, goes_on_from_cursor_to_cursor_until_it_is_zero) {
    ScanServer server;
    server.pages["0"] = "*2\r\n$20\r\n18446744073709551615\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n";
    server.pages["18446744073709551615"] = "*2\r\n$1\r\n5\r\n*0\r\n";
    server.pages["5"] = "*2\r\n$1\r\n0\r\n*1\r\n$1\r\na\r\n";
    Scan<std::string> scan = scan_keys(ScanOptions().match("*").count(7));
    std::vector<std::vector<std::string>> seen;
    while (!scan.done()) {
        seen.push_back(server.next(scan).value());
    }
    EXPECT_EQ(seen, (std::vector<std::vector<std::string>>{{"a", "b"}, {}, {"a"}}));
    EXPECT_EQ(server.server.heard.back(), (ServerWords{"SCAN", "5", "MATCH", "*", "COUNT", "7"}));
}

TEST(RedisScan, asks_for_the_same_page_again_after_an_error) {
    ScanServer server;
    server.pages["0"] = "*2\r\n$1\r\n5\r\n*1\r\n$1\r\na\r\n";
    server.pages["5"] = "-LOADING Redis is loading the dataset in memory\r\n";
    Scan<std::string> scan = scan_set("k");
    EXPECT_TRUE(server.next(scan).ok());
    EXPECT_EQ(server.next(scan).error().code(), Code::unreachable);
    EXPECT_FALSE(scan.done());
    server.pages["5"] = "*2\r\n$1\r\n0\r\n*1\r\n$1\r\nb\r\n";
    EXPECT_EQ(server.next(scan).value(), std::vector<std::string>{"b"});
    EXPECT_TRUE(scan.done());
}

TEST(RedisScan, reads_members_of_hashes_and_sorted_sets_as_what_they_are) {
    ScanServer server;
    server.pages["0"] = "*2\r\n$1\r\n0\r\n*2\r\n$1\r\nf\r\n$3\r\n1.5\r\n";
    Scan<FieldValue> fields = scan_hash("k");
    EXPECT_EQ(server.next(fields).value(), (std::vector<FieldValue>{{"f", "1.5"}}));
    Scan<ScoredMember> members = scan_sorted_set("k");
    EXPECT_EQ(server.next(members).value(), (std::vector<ScoredMember>{ScoredMember("f", 1.5)}));
    EXPECT_EQ(server.server.heard.back(), (ServerWords{"ZSCAN", "k", "0"}));
}

}  // namespace
}  // namespace holdfast::redis
