// What the store does to the file it is given.
#include "held_file.h"

#include <filesystem>
#include <fstream>

namespace holdfast {
namespace {

Error refusal(HeldFile& file) {
    auto store = open_sqlite_store(file.runtime(), file.options(), file.soon());
    EXPECT_FALSE(store.ok());
    return store.ok() ? Error(Code::internal, Effect::none, "opened") : std::move(store).error();
}

std::string bytes_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

TEST(SqliteStoreFile, a_new_file_gets_the_schema) {
    HeldFile file;
    auto store = file.open(file.options());
    EXPECT_EQ(file.number("SELECT value FROM cosid_meta WHERE name = 'schema'"), 1);
    EXPECT_EQ(
        file.number("SELECT count(*) FROM sqlite_master WHERE name IN ('cosid_range', "
                    "'cosid_namespace', 'cosid_slot', 'cosid_owner', 'cosid_meta')"),
        5
    );
}

TEST(SqliteStoreFile, a_newer_schema_is_refused_and_left_alone) {
    HeldFile file;
    ASSERT_TRUE(file.connect()->execute("CREATE TABLE cosid_meta(name PRIMARY KEY, value)").ok());
    ASSERT_TRUE(file.connect()->execute("INSERT INTO cosid_meta VALUES('schema', 2)").ok());
    const std::string before = bytes_of(file.path());
    const Error error = refusal(file);
    EXPECT_EQ(error.code(), Code::unsupported);
    EXPECT_EQ(error.effect(), Effect::none);
    EXPECT_NE(error.what().find("newer"), std::string_view::npos);
    EXPECT_EQ(bytes_of(file.path()), before);
}

TEST(SqliteStoreFile, a_table_of_another_program_is_not_taken_for_ours) {
    HeldFile file;
    ASSERT_TRUE(file.connect()->execute("CREATE TABLE cosid_meta(name PRIMARY KEY, value)").ok());
    EXPECT_EQ(refusal(file).code(), Code::corrupt);
}

TEST(SqliteStoreFile, a_file_that_is_no_database_is_corrupt_and_left_alone) {
    HeldFile file;
    std::ofstream(file.path()) << std::string(5000, 'x');
    EXPECT_EQ(refusal(file).code(), Code::corrupt);
    EXPECT_EQ(bytes_of(file.path()), std::string(5000, 'x'));
    EXPECT_FALSE(std::filesystem::exists(file.path() + "-wal"));
}

TEST(SqliteStoreFile, a_missing_folder_is_unreachable) {
    HeldFile file;
    auto store = open_sqlite_store(
        file.runtime(), SqliteStoreOptions(file.path() + "/no/store.db"), file.soon()
    );
    ASSERT_FALSE(store.ok());
    EXPECT_EQ(store.error().code(), Code::unreachable);
}

TEST(SqliteStoreFile, the_exact_value_comes_back_after_reopening) {
    HeldFile file;
    constexpr std::int64_t high = 9'007'199'254'740'993;  // 2^53 + 1
    ReserveRequest request(key_of("a"), 1, high);
    auto store = file.open(file.options());
    ASSERT_TRUE(wait(file.runtime(), store->ranges().reserve(request, file.soon())).ok());
    store.reset();
    store = file.open(file.options());
    auto next = wait(file.runtime(), reserve(*store, "a", 1, file.soon()));
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(std::get<Range>(next.value()).start, high + 1);
}

TEST(SqliteStoreFile, an_unsealed_key_without_a_value_starts_at_the_offset) {
    HeldFile file;
    auto store = file.open(file.options());
    ASSERT_TRUE(wait(file.runtime(), store->ranges().seal(key_of("a"), file.soon())).ok());
    ASSERT_TRUE(file.connect()->execute("UPDATE cosid_range SET sealed = 0").ok());
    auto request = ReserveRequest(key_of("a"), 10, 70);
    auto outcome = wait(file.runtime(), store->ranges().reserve(request, file.soon()));
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(std::get<Range>(outcome.value()), (Range{70, 80}));
}

TEST(SqliteStoreFile, a_range_value_that_we_never_write_is_corrupt_and_left_alone) {
    HeldFile file;
    auto store = file.open(file.options());
    for (const char* value : {"'text'", "-1", "1.5", "x'00'"}) {
        ASSERT_TRUE(file.connect()->execute("DELETE FROM cosid_range").ok());
        const std::string row =
            std::string("INSERT INTO cosid_range VALUES('a', ") + value + ", 0)";
        ASSERT_TRUE(file.connect()->execute(row).ok());
        auto outcome = wait(file.runtime(), reserve(*store, "a", 1, file.soon()));
        ASSERT_FALSE(outcome.ok()) << value;
        EXPECT_EQ(outcome.error().code(), Code::corrupt) << value;
        const std::string same =
            std::string("SELECT next_value = ") + value + " FROM cosid_range WHERE name = 'a'";
        EXPECT_EQ(file.number(same), 1) << value;
    }
}

}  // namespace
}  // namespace holdfast
