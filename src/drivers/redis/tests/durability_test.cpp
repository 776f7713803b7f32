// Promises of the durability check: each setting that loses acknowledged writes is named with its
// remedy, and a server without one is not accused.
#include <holdfast/redis/durability.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

DurabilityFacts good() {
    DurabilityFacts facts;
    facts.config = std::map<std::string, std::string>{
        {"appendonly", "yes"},
        {"appendfsync", "always"},
        {"no-appendfsync-on-rewrite", "no"},
        {"maxmemory-policy", "noeviction"},
    };
    facts.info = info_fields("# Server\r\nredis_version:7.0.15\r\nrole:master\r\n"
                             "connected_slaves:0\r\naof_last_write_status:ok\r\n");
    return facts;
}

std::vector<DurabilityFault> faults(const DurabilityFacts& facts) {
    std::vector<DurabilityFault> out;
    for (const DurabilityFinding& finding : judge_durability(facts)) {
        EXPECT_FALSE(finding.loses.empty() || finding.remedy.empty());
        out.push_back(finding.fault);
    }
    return out;
}

using Faults = std::vector<DurabilityFault>;

TEST(Durability, a_server_as_it_should_be_has_no_finding) {
    EXPECT_EQ(faults(good()), Faults());
}

TEST(Durability, each_setting_that_loses_writes_is_a_finding_of_its_own) {
    struct Case {
        std::string setting;
        std::string value;
        DurabilityFault fault;
    };
    for (const Case& one : std::vector<Case>{
             {"appendonly", "no", DurabilityFault::no_append_only_file},
             {"appendfsync", "everysec", DurabilityFault::fsync_not_always},
             {"appendfsync", "no", DurabilityFault::fsync_not_always},
             {"no-appendfsync-on-rewrite", "yes", DurabilityFault::fsync_paused_by_rewrite},
             {"maxmemory-policy", "allkeys-lru", DurabilityFault::eviction},
             {"maxmemory-policy", "volatile-ttl", DurabilityFault::eviction},
         }) {
        DurabilityFacts facts = good();
        facts.config->at(one.setting) = one.value;
        EXPECT_EQ(faults(facts), Faults{one.fault}) << one.setting << " " << one.value;
        const auto finding = judge_durability(facts).front();
        EXPECT_EQ(finding.setting, one.setting);
        EXPECT_EQ(finding.value, one.value);
    }
}

TEST(Durability, a_setting_that_is_not_told_counts_as_bad) {
    DurabilityFacts facts = good();
    facts.config->erase("appendfsync");
    EXPECT_EQ(faults(facts), Faults{DurabilityFault::fsync_not_always});
    facts = good();
    facts.config.reset();
    EXPECT_EQ(faults(facts), Faults{DurabilityFault::cannot_verify});
}

TEST(Durability, replicas_must_all_be_waited_for) {
    DurabilityFacts facts = good();
    facts.info["connected_slaves"] = "2";
    EXPECT_EQ(faults(facts), Faults{DurabilityFault::replicas_not_waited_for});
    facts.replicas_waited_for = 1;
    EXPECT_EQ(faults(facts), Faults{DurabilityFault::replicas_not_waited_for});
    facts.replicas_waited_for = 2;
    EXPECT_EQ(faults(facts), Faults());
}

TEST(Durability, replicas_old_servers_and_failed_appends_are_findings) {
    DurabilityFacts facts = good();
    facts.info["redis_version"] = "6.2.14";
    facts.info["role"] = "slave";
    facts.info["aof_last_write_status"] = "err";
    EXPECT_EQ(
        faults(facts),
        (Faults{
            DurabilityFault::too_old,
            DurabilityFault::not_a_primary,
            DurabilityFault::append_failed,
        })
    );
}

TEST(Durability, a_server_of_a_version_with_two_digits_is_not_old) {
    DurabilityFacts facts = good();
    facts.info["redis_version"] = "10.0.1";
    EXPECT_EQ(faults(facts), Faults());
}

TEST(Durability, info_is_read_line_by_line_and_values_may_hold_colons) {
    const auto fields = info_fields("# A\r\na:1\r\n\r\nexecutable:/x:y\nno colon\r\nb:");
    EXPECT_EQ(
        fields, (std::map<std::string, std::string>{{"a", "1"}, {"executable", "/x:y"}, {"b", ""}})
    );
}

TEST(Durability, what_is_judged_is_what_is_asked_for) {
    DurabilityFacts facts;
    facts.config.emplace();
    std::size_t named = 0;
    for (const DurabilityFinding& finding : judge_durability(facts)) {
        named += finding.setting.empty() ? 0 : 1;
    }
    EXPECT_EQ(named, durability_settings().size());
}

}  // namespace
}  // namespace holdfast::redis
