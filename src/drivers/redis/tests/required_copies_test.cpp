// Promises of how many replicas must have a write: one test for each sentence of the rule.
#include <holdfast/redis/required_copies.h>
#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace holdfast::redis {
namespace {

class Follower {
public:
    Follower(int at_port, int acknowledged) : port(at_port), offset(acknowledged) {}
    int port;
    int offset;
};

std::string bulk(const std::string& text) {
    return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
}

ReplicasSeen role_with(const std::vector<Follower>& followers) {
    std::string text = "*3\r\n" + bulk("master") + ":100\r\n*";
    text += std::to_string(followers.size()) + "\r\n";
    for (const Follower& follower : followers) {
        text += "*3\r\n" + bulk("127.0.0.1") + bulk(std::to_string(follower.port)) +
                bulk(std::to_string(follower.offset));
    }
    RespParser parser;
    EXPECT_EQ(parser.parse(text), RespStatus::complete);
    auto seen = read_replicas_seen(parser.reply());
    EXPECT_TRUE(seen.ok());
    return seen.ok() ? seen.value() : ReplicasSeen(false, 0);
}
ReplicasSeen with(std::int64_t replicas) {
    return {true, replicas};
}

constexpr SteadyTime start{Duration(1'000'000)};
SteadyTime at(int ms) {
    return start + Duration(ms);
}

TEST(RequiredCopies, the_configured_number_is_the_least) {
    RequiredCopies copies(WaitRule::at_least(2));
    EXPECT_EQ(copies.required(), 2);
    copies.seen(with(1), at(0));
    EXPECT_EQ(copies.required(), 2);
}

TEST(RequiredCopies, the_highest_number_that_was_ever_connected_is_required) {
    RequiredCopies copies(WaitRule::automatic());
    EXPECT_EQ(copies.required(), 0);
    copies.seen(with(1), at(0));
    EXPECT_EQ(copies.required(), 1);
    copies.seen(with(3), at(1));
    EXPECT_EQ(copies.required(), 3);
}

TEST(
    RequiredCopies, replicas_that_sentinel_or_a_cluster_knows_are_required_also_those_that_are_down
) {
    RequiredCopies copies(WaitRule::automatic());
    copies.known(2);
    copies.seen(with(1), at(0));
    EXPECT_EQ(copies.required(), 2);
}

TEST(RequiredCopies, it_is_never_lowered_by_itself) {
    RequiredCopies copies(WaitRule::automatic());
    copies.seen(with(2), at(0));
    copies.known(2);
    copies.seen(with(1), at(1));
    copies.seen(with(0), at(2));
    copies.seen(ReplicasSeen(false, 0), at(3));
    copies.known(0);
    EXPECT_EQ(copies.required(), 2);
    EXPECT_EQ(copies.judge(2, 1, with(1), at(4)), CopiesVerdict::too_few);
    EXPECT_EQ(RequiredCopies(WaitRule::automatic()).required(), 0);  // a restart does
}

TEST(RequiredCopies, a_follower_without_a_port_is_not_counted) {
    RequiredCopies copies(WaitRule::automatic());
    copies.seen(role_with({Follower(6380, 100), Follower(0, 100)}), at(0));
    EXPECT_EQ(copies.required(), 1);
}

TEST(RequiredCopies, a_replica_that_loads_is_counted_while_its_offset_is_zero) {
    RequiredCopies copies(WaitRule::automatic());
    copies.seen(role_with({Follower(6380, 0)}), at(0));
    EXPECT_EQ(copies.required(), 1);
    EXPECT_EQ(copies.judge(1, 0, role_with({Follower(6380, 0)}), at(1)), CopiesVerdict::too_few);
}

TEST(RequiredCopies, a_write_that_cannot_be_kept_is_refused_before_it_is_sent) {
    RequiredCopies copies(WaitRule::at_least(2));
    EXPECT_FALSE(copies.refusal(at(0)).has_value());  // nothing is known
    copies.seen(with(1), at(0));
    const auto refused = copies.refusal(at(10));
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->code(), Code::unreachable);
    EXPECT_EQ(refused->effect(), Effect::none);
    copies.seen(ReplicasSeen(false, 0), at(20));
    EXPECT_EQ(copies.refusal(at(21))->effect(), Effect::none);
    copies.seen(with(2), at(30));
    EXPECT_FALSE(copies.refusal(at(31)).has_value());
}

TEST(RequiredCopies, what_was_said_long_ago_refuses_nothing) {
    RequiredCopies copies(WaitRule::at_least(1));
    copies.seen(with(0), at(0));
    EXPECT_TRUE(copies.refusal(at(2'000)).has_value());
    EXPECT_FALSE(copies.refusal(at(4'000)).has_value());
}

TEST(RequiredCopies, fewer_confirmations_than_required_are_an_unknown_outcome) {
    RequiredCopies copies(WaitRule::at_least(2));
    const CopiesVerdict verdict = copies.judge(2, 1, with(2), at(0));
    EXPECT_EQ(verdict, CopiesVerdict::too_few);
    EXPECT_EQ(error_of(verdict).code(), Code::unreachable);
    EXPECT_EQ(error_of(verdict).effect(), Effect::unknown);
    EXPECT_EQ(copies.judge(2, 2, with(2), at(1)), CopiesVerdict::kept);
}

TEST(RequiredCopies, more_replicas_than_were_waited_for_are_waited_for_again) {
    RequiredCopies copies(WaitRule::automatic());
    EXPECT_EQ(copies.judge(0, 0, with(2), at(0)), CopiesVerdict::grown);
    EXPECT_EQ(copies.required(), 2);
    EXPECT_EQ(copies.judge(2, 2, with(2), at(1)), CopiesVerdict::kept);
    copies.seen(with(3), at(2));  // by another loop, while a WAIT for 2 was under way
    EXPECT_EQ(copies.judge(2, 2, with(2), at(3)), CopiesVerdict::grown);
}

TEST(RequiredCopies, an_answer_of_what_is_no_primary_keeps_nothing) {
    RequiredCopies copies(WaitRule::automatic());
    const CopiesVerdict verdict = copies.judge(0, 0, ReplicasSeen(false, 0), at(0));
    EXPECT_EQ(verdict, CopiesVerdict::not_primary);
    EXPECT_EQ(error_of(verdict).effect(), Effect::unknown);
}

TEST(RequiredCopies, off_waits_for_nobody_and_still_wants_a_primary) {
    RequiredCopies copies(WaitRule::off(), Alone::must_flush);
    copies.known(2);
    copies.seen(with(2), at(0));
    EXPECT_EQ(copies.required(), 0);
    EXPECT_FALSE(copies.refusal(at(1)).has_value());
    EXPECT_EQ(copies.judge(0, 0, with(2), at(2)), CopiesVerdict::kept);
    EXPECT_EQ(copies.judge(0, 0, ReplicasSeen(false, 0), at(3)), CopiesVerdict::not_primary);
}

TEST(RequiredCopies, a_primary_of_a_cluster_may_be_alone_only_where_it_flushes_each_write) {
    RequiredCopies copies(WaitRule::automatic(), Alone::must_flush);
    ASSERT_TRUE(copies.refusal(at(0)).has_value());
    EXPECT_EQ(copies.refusal(at(0))->code(), Code::unsupported);
    EXPECT_EQ(copies.refusal(at(0))->effect(), Effect::none);
    copies.flushes_always(true);
    EXPECT_FALSE(copies.refusal(at(0)).has_value());
    copies.flushes_always(false);
    copies.known(1);
    EXPECT_FALSE(copies.refusal(at(0)).has_value());
}

TEST(RequiredCopies, settings_are_auto_off_or_a_number) {
    EXPECT_TRUE(WaitRule::parse("auto").value().waits());
    EXPECT_FALSE(WaitRule::parse("off").value().waits());
    EXPECT_EQ(WaitRule::parse("2").value().least(), 2);
    for (const char* text : {"", "-1", "1x", "Auto", "1001", "99999999999999999999"}) {
        const auto rule = WaitRule::parse(text);
        ASSERT_FALSE(rule.ok()) << text;
        EXPECT_EQ(rule.error().code(), Code::invalid_argument);
        EXPECT_EQ(rule.error().effect(), Effect::none);
    }
}

TEST(RequiredCopies, what_is_no_answer_to_role_is_corrupt) {
    for (const std::string text :
         {":1\r\n",
          "*0\r\n",
          "*1\r\n$6\r\nmaster\r\n",
          "*3\r\n$6\r\nmaster\r\n:1\r\n*1\r\n:1\r\n",
          "*3\r\n$6\r\nmaster\r\n:1\r\n*1\r\n*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\n1\r\n"}) {
        RespParser parser;
        ASSERT_EQ(parser.parse(text), RespStatus::complete) << text;
        const auto seen = read_replicas_seen(parser.reply());
        ASSERT_FALSE(seen.ok()) << text;
        EXPECT_EQ(seen.error().code(), Code::corrupt);
    }
}

// A primary, two replicas, and how much of its history each has.
class Shard {
public:
    explicit Shard(std::size_t replicas)
        : has_(replicas, 0), connected_(replicas, true), member_(replicas, true) {}

    // It has never been there.
    void without(std::size_t replica) { connected_[replica] = member_[replica] = false; }

    int write() { return ++written_; }
    void receive(std::size_t replica) {
        if (connected_[replica] && !loading_.contains(replica)) {
            has_[replica] = written_;
        }
    }
    void drop(std::size_t replica) { connected_[replica] = false; }
    // With a copy of the moment, that it has yet to read.
    void join(std::size_t replica) {
        if (!connected_[replica]) {
            connected_[replica] = member_[replica] = true;
            has_[replica] = written_;
            loading_.insert(replica);
        }
    }
    void loaded(std::size_t replica) { loading_.erase(replica); }

    std::int64_t wait(int write) const {
        std::int64_t confirmed = 0;
        for (std::size_t i = 0; i < has_.size(); ++i) {
            confirmed += connected_[i] && !loading_.contains(i) && has_[i] >= write ? 1 : 0;
        }
        return confirmed;
    }
    ReplicasSeen role() const {
        std::vector<Follower> followers;
        for (std::size_t i = 0; i < has_.size(); ++i) {
            if (connected_[i]) {
                followers.emplace_back(6380 + static_cast<int>(i), loading_.contains(i) ? 0 : 1);
            }
        }
        return role_with(followers);
    }
    // Whichever replica is promoted, connected at the moment or not.
    bool keeps(int write) const {
        bool all = true;
        for (std::size_t i = 0; i < has_.size(); ++i) {
            all = all && (has_[i] >= write || !member_[i]);
        }
        return all;
    }
    std::size_t size() const { return has_.size(); }

private:
    int written_ = 0;
    std::vector<int> has_;
    std::vector<bool> connected_;
    std::vector<bool> member_;
    std::set<std::size_t> loading_;
};

// The trace of the model check: with WAIT 1 and two replicas the same tick is issued twice.
TEST(RequiredCopies, the_trace_of_thirteen_steps_is_cut_at_the_fourth) {
    Shard shard(2);
    RequiredCopies copies(WaitRule::automatic());
    copies.seen(shard.role(), at(0));
    const int acquire = shard.write();  // 1, 2: p0 acquires, the store answers
    shard.receive(0);                   // 3: replica 0 has it
    const std::int64_t waited_for = copies.required();
    const CopiesVerdict verdict =  // 4: WAIT answers
        copies.judge(waited_for, shard.wait(acquire), shard.role(), at(1));
    EXPECT_EQ(verdict, CopiesVerdict::too_few);
    EXPECT_FALSE(shard.keeps(acquire));  // 5 ..: a failover to replica 1 forgets it
}

// Writes, replicas that drop out, come back and load, in any order: whoever is promoted has every
// write that was kept.
TEST(RequiredCopies, whichever_replica_is_promoted_has_every_write_that_was_kept) {
    int kept = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        Shard shard(2);
        if (seed % 2 == 1) {
            shard.without(1);
        }
        RequiredCopies copies(WaitRule::automatic());
        copies.seen(shard.role(), at(0));
        // Joins beside the other: of two that were never there together only Sentinel knows.
        shard.join(1);
        copies.seen(shard.role(), at(0));
        for (int step = 1; step < 60; ++step) {
            const std::size_t replica = random() % shard.size();
            switch (random() % 6) {
            case 0:
                shard.drop(replica);
                break;
            case 1:
                shard.join(replica);
                break;
            case 2:
                shard.loaded(replica);
                break;
            case 3:
                copies.seen(shard.role(), at(step));
                break;
            default:
                if (copies.refusal(at(step)).has_value()) {
                    break;
                }
                const int write = shard.write();
                const std::int64_t waited_for = copies.required();
                shard.receive(replica);
                shard.receive(random() % shard.size());
                const CopiesVerdict verdict =
                    copies.judge(waited_for, shard.wait(write), shard.role(), at(step));
                if (verdict == CopiesVerdict::kept) {
                    ++kept;
                    ASSERT_TRUE(shard.keeps(write)) << "seed " << seed << ", step " << step;
                }
            }
        }
    }
    EXPECT_GT(kept, 100);
}

}  // namespace
}  // namespace holdfast::redis
