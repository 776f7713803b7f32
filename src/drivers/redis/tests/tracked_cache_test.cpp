// Promises of the cache behind tracked reads, without a connection.
#include "fault_from_environment.h"
#include "key_hash.h"
#include "tracked_cache.h"

#include <holdfast/redis/tracked_limits.h>
#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <set>

namespace holdfast::redis {
namespace {

constexpr std::size_t small = 64 << 10;

std::string bulk(std::string_view text) {
    return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

// A reply, as it lies in a read buffer.
class Reply {
public:
    explicit Reply(std::string bytes) : bytes_(std::move(bytes)) {
        EXPECT_EQ(parser_.parse(bytes_), RespStatus::complete);
    }
    RespView view() const { return parser_.reply(); }

private:
    std::string bytes_;
    RespParser parser_;
};

void read_in(TrackedCache& cache, std::string_view key, std::string_view value) {
    CacheFlight flight(key, "");
    cache.begin(flight);
    EXPECT_TRUE(cache.land(flight, Reply(bulk(value)).view()));
}

std::optional<std::string> found(TrackedCache& cache, std::string_view key) {
    const RespNode* reply = cache.find(key);
    return reply == nullptr ? std::nullopt : std::optional(std::string(RespView(reply).text()));
}

TEST(TrackedCache, a_reply_is_found_by_its_key_and_its_command_alone) {
    TrackedCache cache(small, 1);
    read_in(cache, "k", "of GET");
    CacheFlight flight("k", "HGET k f");
    cache.begin(flight);
    EXPECT_TRUE(cache.land(flight, Reply(bulk("of HGET")).view()));
    EXPECT_EQ(found(cache, "k"), "of GET");
    EXPECT_EQ(RespView(cache.find("k", "HGET k f")).text(), "of HGET");
    EXPECT_EQ(cache.find("k", "HGET k g"), nullptr);
    EXPECT_EQ(cache.find("kk"), nullptr);
    EXPECT_EQ(cache.find(""), nullptr);
}

TEST(TrackedCache, a_reply_of_many_parts_is_kept_as_it_was) {
    TrackedCache cache(small, 1);
    CacheFlight flight("h", "HGETALL h");
    cache.begin(flight);
    {
        const Reply reply(
            "%2\r\n" + bulk("a") + ":7\r\n" + bulk("list") + "*2\r\n_\r\n" + bulk("x")
        );
        ASSERT_TRUE(cache.land(flight, reply.view()));
    }
    const RespView map(cache.find("h", "HGETALL h"));
    EXPECT_EQ(map.type(), RespType::map);
    std::string flat;
    for (const RespNode& node : map.nodes()) {
        const RespView part(&node);
        flat += part.is_aggregate() ? "[" + std::to_string(part.size()) + "]"
                                    : "<" + std::string(part.text()) + ">";
    }
    EXPECT_EQ(flat, "[4]<a><7><list>[2]<><x>");
    EXPECT_TRUE(RespView(&map.nodes()[5]).is_null());
    EXPECT_EQ((*++map.begin()).number(), 7);
}

TEST(TrackedCache, that_there_is_no_value_is_kept_too) {
    TrackedCache cache(small, 1);
    CacheFlight flight("k", "");
    cache.begin(flight);
    EXPECT_TRUE(cache.land(flight, Reply("_\r\n").view()));
    ASSERT_NE(cache.find("k"), nullptr);
    EXPECT_TRUE(RespView(cache.find("k")).is_null());
}

TEST(TrackedCache, an_error_is_not_kept) {
    TrackedCache cache(small, 1);
    CacheFlight flight("k", "");
    cache.begin(flight);
    EXPECT_FALSE(cache.land(flight, Reply("-WRONGTYPE of a list\r\n").view()));
    EXPECT_EQ(cache.find("k"), nullptr);
}

TEST(TrackedCache, an_invalidation_takes_all_that_was_read_of_its_key_and_nothing_else) {
    TrackedCache cache(small, 1);
    read_in(cache, "k", "v");
    read_in(cache, "other", "o");
    CacheFlight flight("k", "STRLEN k");
    cache.begin(flight);
    EXPECT_TRUE(cache.land(flight, Reply(":1\r\n").view()));
    cache.invalidate("k");
    EXPECT_EQ(cache.find("k"), nullptr);
    EXPECT_EQ(cache.find("k", "STRLEN k"), nullptr);
    EXPECT_EQ(found(cache, "other"), "o");
    EXPECT_EQ(cache.entries(), 1U);
    cache.invalidate("never read");
    EXPECT_EQ(cache.entries(), 1U);
}

TEST(TrackedCache, a_flush_takes_all) {
    TrackedCache cache(small, 1);
    const std::size_t empty = cache.bytes();
    for (int i = 0; i < 100; ++i) {
        read_in(cache, std::to_string(i), "v");
    }
    cache.flush();
    EXPECT_EQ(cache.entries(), 0U);
    EXPECT_EQ(cache.bytes(), empty);
    EXPECT_EQ(cache.find("7"), nullptr);
}

TEST(TrackedCache, a_second_miss_joins_the_read_of_the_first) {
    TrackedCache cache(small, 1);
    EXPECT_EQ(cache.flying("k"), nullptr);
    CacheFlight flight("k", "");
    cache.begin(flight);
    EXPECT_EQ(cache.flying("k"), &flight);
    EXPECT_EQ(cache.flying("k", "STRLEN k"), nullptr);
    EXPECT_EQ(cache.flying("j"), nullptr);
    EXPECT_TRUE(cache.land(flight, Reply(bulk("v")).view()));
    EXPECT_EQ(cache.flying("k"), nullptr);
    CacheFlight lost("k", "");
    cache.begin(lost);
    cache.give_up(lost);
    EXPECT_EQ(cache.flying("k"), nullptr);
    EXPECT_EQ(found(cache, "k"), "v");
}

// Every order of: the read begins, its reply comes, the key is changed, another read begins, its
// reply comes. What was read before the change is never found after it.
TEST(TrackedCache, a_read_that_was_sent_before_a_change_does_not_bring_the_old_value_back) {
    enum Step : std::uint8_t { begin_1, land_1, change, begin_2, land_2 };
    std::vector<Step> order = {begin_1, land_1, change, begin_2, land_2};
    int orders = 0;
    do {
        const auto at = [&](Step step) {
            return std::find(order.begin(), order.end(), step) - order.begin();
        };
        if (at(begin_1) > at(land_1) || at(begin_2) > at(land_2)) {
            continue;
        }
        for (const bool all : {false, true}) {
            ++orders;
            TrackedCache cache(small, 1);
            CacheFlight first("k", "");
            CacheFlight second("k", "");
            for (const Step step : order) {
                switch (step) {
                case begin_1:
                    cache.begin(first);
                    break;
                case begin_2:
                    cache.begin(second);
                    break;
                // The worst a server may answer: the value of the moment when the read was sent.
                case land_1:
                    cache.land(first, Reply(bulk(at(begin_1) < at(change) ? "old" : "new")).view());
                    break;
                case land_2:
                    cache.land(
                        second, Reply(bulk(at(begin_2) < at(change) ? "old" : "new")).view()
                    );
                    break;
                case change:
                    all ? cache.flush() : cache.invalidate("k");
                    EXPECT_EQ(cache.flying("k"), nullptr);  // whoever comes now joins neither
                    break;
                }
                if (at(step) >= at(change)) {
                    EXPECT_NE(found(cache, "k"), "old");
                }
            }
        }
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(orders, 60);
}

TEST(TrackedCache, its_bytes_stay_within_the_bound_whatever_is_read) {
    std::mt19937_64 random(7);
    for (const std::size_t most : {small, std::size_t{256} << 10}) {
        TrackedCache cache(most, 1);
        for (int i = 0; i < 20'000; ++i) {
            const std::string key = "key-" + std::to_string(random() % 5'000);
            CacheFlight flight(key, "");
            cache.begin(flight);
            cache.land(flight, Reply(bulk(std::string(random() % 300, 'v'))).view());
            ASSERT_LE(cache.bytes(), most);
            if (i % 7 == 0) {
                cache.invalidate("key-" + std::to_string(random() % 5'000));
            }
        }
        EXPECT_GT(cache.evictions(), 0U);
        EXPECT_GT(cache.bytes(), most / 2);
    }
}

TEST(TrackedCache, one_value_cannot_push_all_others_out) {
    TrackedCache cache(small, 1);
    read_in(cache, "k", "v");
    CacheFlight flight("large", "");
    cache.begin(flight);
    EXPECT_FALSE(cache.land(flight, Reply(bulk(std::string(small / tracked_share, 'x'))).view()));
    EXPECT_EQ(found(cache, "k"), "v");
}

TEST(TrackedCache, what_is_read_often_stays_while_others_pass_through) {
    TrackedCache cache(small, 1);
    const std::string value(100, 'v');
    for (int i = 0; i < 20; ++i) {
        read_in(cache, "hot-" + std::to_string(i), value);
    }
    int lost = 0;
    for (int i = 0; i < 10'000; ++i) {
        lost += cache.find("hot-" + std::to_string(i % 20)) == nullptr ? 1 : 0;
        read_in(cache, "passing-" + std::to_string(i), value);
    }
    EXPECT_EQ(lost, 0);
}

TEST(TrackedCache, a_reply_is_found_no_longer_than_its_age_allows) {
    TrackedCache cache(small, 1);
    cache.set_age_max(Duration(1'000));
    cache.set_time(SteadyTime(Duration(5'000)));
    read_in(cache, "k", "v");
    cache.set_time(SteadyTime(Duration(5'999)));
    EXPECT_EQ(found(cache, "k"), "v");
    cache.set_time(SteadyTime(Duration(6'000)));
    EXPECT_EQ(found(cache, "k"), std::nullopt);
    read_in(cache, "k", "w");
    EXPECT_EQ(found(cache, "k"), "w");
    EXPECT_EQ(cache.entries(), 1U);
}

// Against a map that forgets nothing: what is found is what was read last.
TEST(TrackedCache, it_agrees_with_a_map_over_any_sequence) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        std::mt19937_64 random(seed);
        TrackedCache cache(small, seed);
        std::map<std::string, std::string> model;
        for (int i = 0; i < 3'000; ++i) {
            const std::string key(random() % 40, static_cast<char>('a' + random() % 3));
            switch (random() % 50) {
            case 0:
                cache.flush();
                model.clear();
                break;
            case 1:
            case 2:
            case 3:
                cache.invalidate(key);
                model.erase(key);
                break;
            case 4:
            case 5:
            case 6:
            case 7:
                model[key] = std::to_string(i);
                read_in(cache, key, model[key]);
                break;
            default:
                const auto known = model.find(key);
                EXPECT_EQ(
                    found(cache, key),
                    known == model.end() ? std::nullopt : std::optional(known->second)
                );
            }
        }
        EXPECT_EQ(cache.evictions(), 0U);
    }
}

TEST(KeyHash, keys_that_differ_in_one_place_differ_whatever_their_length) {
    std::set<std::uint64_t> seen;
    std::size_t made = 0;
    for (std::size_t size = 0; size <= 70; ++size) {
        const std::string base(size, 'x');
        seen.insert(key_hash(base, 1));
        ++made;
        for (std::size_t at = 0; at < size; ++at) {
            std::string other = base;
            other[at] = 'y';
            seen.insert(key_hash(other, 1));
            ++made;
        }
    }
    EXPECT_EQ(seen.size(), made);
    EXPECT_NE(key_hash("k", 1), key_hash("k", 2));
}

}  // namespace
}  // namespace holdfast::redis
