// What nodes say of others is read whole, or not at all.

#include "redirect.h"
#include "reply_of.h"

namespace holdfast::redis {
namespace {

Endpoint at(std::string_view host, std::uint16_t port) {
    Endpoint node;
    node.host = host;
    node.port = port;
    return node;
}

const Endpoint asked = at("asked.example", 7000);

TEST(Redirect, moved_and_ask_name_a_slot_and_a_node) {
    const auto moved = parse_redirect("MOVED 3999 127.0.0.1:6381", asked);
    ASSERT_TRUE(moved.has_value());
    EXPECT_FALSE(moved->ask);
    EXPECT_EQ(moved->slot, 3999);
    EXPECT_EQ(moved->node, at("127.0.0.1", 6381));
    const auto ask = parse_redirect("ASK 16383 node-3.example:1", asked);
    ASSERT_TRUE(ask.has_value());
    EXPECT_TRUE(ask->ask);
    EXPECT_EQ(ask->slot, 16383);
    EXPECT_EQ(ask->node, at("node-3.example", 1));
}

TEST(Redirect, an_address_of_version_6_stands_bare_or_in_brackets) {
    EXPECT_EQ(parse_redirect("MOVED 1 ::1:6381", asked)->node, at("::1", 6381));
    EXPECT_EQ(parse_redirect("MOVED 1 [2001:db8::2]:6381", asked)->node, at("2001:db8::2", 6381));
    EXPECT_EQ(parse_redirect("MOVED 1 fe80::1%eth0:65535", asked)->node, at("fe80::1%eth0", 65535));
}

TEST(Redirect, fault_35_an_empty_host_means_the_one_that_was_asked) {
    EXPECT_EQ(parse_redirect("MOVED 1 :6381", asked)->node, at("asked.example", 6381));
    EXPECT_EQ(parse_redirect("ASK 1 ?:6381", asked)->node, at("asked.example", 6381));
    EXPECT_FALSE(parse_redirect("MOVED 1 :6381", Endpoint()).has_value());
    EXPECT_FALSE(parse_redirect("MOVED 1 :6381", at("/run/redis.sock", 0)).has_value());
}

TEST(Redirect, fault_38_any_other_text_is_none) {
    for (const std::string_view text :
         {"",
          "MOVED",
          "MOVED ",
          "MOVED 1",
          "MOVED 1 ",
          "MOVED 1 host",
          "MOVED 1 host:",
          "MOVED 1 host:0",
          "MOVED 1 host:65536",
          "MOVED 1 host:99999999999999999999",
          "MOVED 1 host:-1",
          "MOVED 1 host:80 more",
          "MOVED 1 a b:80",
          "MOVED 1  host:80",
          "MOVED 16384 host:80",
          "MOVED -1 host:80",
          "MOVED x host:80",
          "MOVED 1 [::1:80",
          "MOVED 1 []:80",
          "MOVED 1 [host]:80",
          "MOVED 1 ho\nst:80",
          "MOVED 1 /run/redis:80",
          "moved 1 host:80",
          "MOVEDX 1 host:80",
          "ERR 1 host:80"}) {
        EXPECT_FALSE(parse_redirect(text, asked).has_value()) << text;
    }
    EXPECT_FALSE(parse_redirect("MOVED 1 " + std::string(256, 'h') + ":80", asked).has_value());
    EXPECT_TRUE(parse_redirect("MOVED 1 " + std::string(255, 'h') + ":80", asked).has_value());
}

TEST(NodeAnswer, is_the_first_word_and_no_longer_one) {
    const auto answer = [](const std::string& text) {
        return node_answer(ReplyOf("-" + text + "\r\n").view());
    };
    EXPECT_EQ(answer("MOVED 1 a:1"), NodeAnswer::moved);
    EXPECT_EQ(answer("ASK 1 a:1"), NodeAnswer::ask);
    EXPECT_EQ(answer("TRYAGAIN Multiple keys"), NodeAnswer::try_again);
    EXPECT_EQ(answer("CLUSTERDOWN Hash slot not served"), NodeAnswer::cluster_down);
    EXPECT_EQ(answer("LOADING Redis is loading"), NodeAnswer::loading);
    EXPECT_EQ(answer("READONLY You can't write"), NodeAnswer::read_only);
    EXPECT_EQ(answer("MASTERDOWN Link with MASTER is down"), NodeAnswer::master_down);
    EXPECT_EQ(answer("LOADING"), NodeAnswer::loading);
    for (const char* other :
         {"", "ERR x", "MOVEDX", "MISCONF x", "CROSSSLOT x", "ASKING", "TRY", "R", "WRONGTYPE x"}) {
        EXPECT_EQ(answer(other), NodeAnswer::none) << other;
    }
}

}  // namespace
}  // namespace holdfast::redis
