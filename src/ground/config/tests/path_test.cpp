#include <holdfast/config/path.h>

namespace holdfast {
namespace {

SettingPath path(std::string_view name) {
    return SettingPath::parse(name).value();
}
SettingPath pattern(std::string_view name) {
    return SettingPath::parse_pattern(name).value();
}

TEST(SettingPath, a_name_is_written_as_it_was_read) {
    for (const char* name : {"a", "a.b-c.D", "a.list[0].b[12]", "a.[my.store].b", "[x.y]"}) {
        EXPECT_EQ(path(name).text(), name);
    }
    EXPECT_EQ(path("a.[name].b").text(), "a.name.b");
    EXPECT_EQ(pattern("a.*.b[]").text(), "a.*.b[]");
}

TEST(SettingPath, what_is_no_name_is_refused) {
    for (const char* name :
         {"",
          ".",
          "a.",
          ".a",
          "a..b",
          "a[",
          "a[0",
          "a]",
          "a[0]b",
          "a b",
          "a.-",
          "a.*",
          "a[]",
          "a[99999999999999999999]",
          "a\n"}) {
        EXPECT_FALSE(SettingPath::parse(name)) << name;
    }
    EXPECT_FALSE(SettingPath::parse(std::string(201, 'a')));
}

TEST(SettingPath, case_dashes_and_humps_do_not_count) {
    EXPECT_EQ(path("a.sweepBatch"), path("A.sweep-batch"));
    EXPECT_EQ(path("a.sweep_batch"), path("a.SWEEPBATCH"));
    EXPECT_NE(path("a.sweep.batch"), path("a.sweepBatch"));
    EXPECT_TRUE(relaxed_equal("max-keys-per-namespace", "maxKeysPerNamespace"));
    EXPECT_FALSE(relaxed_equal("min-ttl", "max-ttl"));
}

TEST(SettingPath, indexes_are_ordered_as_numbers) {
    EXPECT_LT(path("a[2]"), path("a[10]"));
}

TEST(SettingPath, a_pattern_stands_for_its_names_and_for_nothing_else) {
    EXPECT_TRUE(pattern("s.*.type").matches(path("S.main.Type")));
    EXPECT_FALSE(pattern("s.*.type").matches(path("s[0].type")));
    EXPECT_FALSE(pattern("s.*.type").matches(path("s.main")));
    EXPECT_TRUE(pattern("t[]").matches(path("t[7]")));
    EXPECT_FALSE(pattern("t[]").matches(path("t.x")));
    EXPECT_TRUE(pattern("s.*.type").matches_group(path("s.main")));
    EXPECT_FALSE(pattern("s.*.type").matches_group(path("s.main.type")));
    EXPECT_EQ(pattern("a.min-ttl.*").spelled(path("A.minTtl.My-Name")).text(), "a.min-ttl.My-Name");
}

}  // namespace
}  // namespace holdfast
