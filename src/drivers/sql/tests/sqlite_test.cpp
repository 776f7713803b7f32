#include "support/temporary_folder.h"

#include <holdfast/sql/sqlite.h>

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace holdfast {
namespace {

using testing::TemporaryFolder;

// A clock that only looking moves: a wait that is bounded by a deadline ends after as many looks.
class TickingClock final : public Clock {
public:
    SteadyTime steady_now() const override { return SteadyTime(Duration(++looks_)); }
    WallTime wall_now() const override { return WallTime(); }

private:
    mutable std::atomic<int> looks_ = 0;
};

Deadline soon() {
    return Deadline::in(Duration(10'000), system_clock());
}

std::unique_ptr<SqlConnection> open(const std::filesystem::path& path) {
    auto opened = open_sqlite(SqliteOptions(path.string(), system_clock()), soon());
    EXPECT_TRUE(opened.ok());
    EXPECT_TRUE(make_sqlite_durable(*opened.value(), system_clock(), soon()).ok());
    return std::move(opened).value();
}

void run(SqlConnection& connection, std::string_view text) {
    auto done = connection.execute(text);
    ASSERT_TRUE(done.ok()) << done.error().what();
}

std::int64_t count(SqlConnection& connection) {
    SqlRun run(*connection.prepare("SELECT count(*) FROM t").value());
    EXPECT_TRUE(run.step().value());
    return run.row().integer(0);
}

TEST(Sqlite, numbers_texts_and_nulls_come_back_as_they_went_in) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    run(*file, "CREATE TABLE t(a bigint, b varchar(9), c bigint)");
    {
        SqlStatement& insert = *file->prepare("INSERT INTO t VALUES(?1, ?2, ?3)").value();
        insert.bind(1, std::int64_t{9223372036854775807});
        insert.bind(2, std::string_view("a\0b", 3));
        insert.bind_null(3);
        EXPECT_FALSE(insert.step().value());
        insert.reset();
    }
    SqlRun read(*file->prepare("SELECT a, b, c, b || '' FROM t").value());
    ASSERT_TRUE(read.step().value());
    EXPECT_EQ(read.row().integer(0), 9223372036854775807);
    EXPECT_EQ(read.row().text(1), std::string_view("a\0b", 3));
    EXPECT_TRUE(read.row().is_null(2));
    EXPECT_TRUE(read.row().is_text(1));
    EXPECT_TRUE(read.row().is_integer(0));
    EXPECT_EQ(read.row().integer(1), 0) << "a text is not read as a number";
    EXPECT_EQ(read.row().text(0), "") << "a number is not read as a text";
    EXPECT_FALSE(read.step().value());
}

TEST(Sqlite, an_empty_text_is_not_null) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    SqlRun read(*file->prepare("SELECT ?1").value());
    read.with(std::string_view());
    ASSERT_TRUE(read.step().value());
    EXPECT_TRUE(read.row().is_text(0));
}

TEST(Sqlite, the_same_text_gives_the_same_statement) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    EXPECT_EQ(file->prepare("SELECT 1").value(), file->prepare("SELECT 1").value());
}

TEST(Sqlite, a_text_of_two_statements_is_refused_before_the_first_runs) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    run(*file, "CREATE TABLE t(a)");
    auto done = file->execute("INSERT INTO t VALUES(1); DROP TABLE t");
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code(), Code::invalid_argument);
    EXPECT_EQ(count(*file), 0);
}

TEST(Sqlite, a_run_forgets_its_parameters) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    {
        SqlRun(*file->prepare("SELECT ?1").value()).with(std::int64_t{7});
    }
    SqlRun read(*file->prepare("SELECT ?1").value());
    ASSERT_TRUE(read.step().value());
    EXPECT_TRUE(read.row().is_null(0));
}

TEST(Sqlite, a_durable_file_has_a_log_that_is_synced_at_each_commit) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    {
        SqlRun mode(*file->prepare("PRAGMA journal_mode").value());
        ASSERT_TRUE(mode.step().value());
        EXPECT_EQ(mode.row().text(0), "wal");
    }
    SqlRun sync(*file->prepare("PRAGMA synchronous").value());
    ASSERT_TRUE(sync.step().value());
    EXPECT_EQ(sync.row().integer(0), 2);
}

TEST(Sqlite, a_file_in_memory_is_never_called_durable) {
    auto file = open_sqlite(SqliteOptions(":memory:", system_clock()), soon());
    ASSERT_TRUE(file.ok());
    auto durable = make_sqlite_durable(*file.value(), system_clock(), soon());
    ASSERT_FALSE(durable.ok());
    EXPECT_EQ(durable.error().code(), Code::unsupported);
}

TEST(Sqlite, a_rollback_undoes_and_a_commit_keeps) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    run(*file, "CREATE TABLE t(a)");
    ASSERT_TRUE(file->begin(soon()).ok());
    run(*file, "INSERT INTO t VALUES(1)");
    EXPECT_TRUE(file->in_transaction());
    EXPECT_EQ(file->changes(), 1);
    file->rollback();
    EXPECT_FALSE(file->in_transaction());
    EXPECT_EQ(count(*file), 0);
    ASSERT_TRUE(file->begin(soon()).ok());
    run(*file, "INSERT INTO t VALUES(1)");
    ASSERT_TRUE(file->commit().ok());
    EXPECT_EQ(count(*open(folder / "a.db")), 1);
}

TEST(Sqlite, waiting_for_the_lock_ends_with_the_deadline_and_leaves_nothing) {
    TemporaryFolder folder;
    auto holder = open(folder / "a.db");
    ASSERT_TRUE(holder->begin(soon()).ok());
    TickingClock clock;
    auto other = open_sqlite(SqliteOptions((folder / "a.db").string(), clock), soon());
    ASSERT_TRUE(other.ok());
    auto begun = other.value()->begin(Deadline::in(Duration(5), clock));
    ASSERT_FALSE(begun.ok());
    EXPECT_EQ(begun.error().code(), Code::timed_out);
    EXPECT_EQ(begun.error().effect(), Effect::none);
    EXPECT_FALSE(other.value()->in_transaction());
    holder->rollback();
    EXPECT_TRUE(other.value()->begin(Deadline::in(Duration(5), clock)).ok());
}

TEST(Sqlite, a_lock_that_becomes_free_in_time_is_taken) {
    TemporaryFolder folder;
    auto holder = open(folder / "a.db");
    ASSERT_TRUE(holder->begin(soon()).ok());
    auto other = open_sqlite(SqliteOptions((folder / "a.db").string(), system_clock()), soon());
    ASSERT_TRUE(other.ok());
    std::thread waiter([&] { EXPECT_TRUE(other.value()->begin(soon()).ok()); });
    holder->rollback();
    waiter.join();
}

TEST(Sqlite, a_file_that_is_no_database_is_corrupt_and_left_alone) {
    TemporaryFolder folder;
    const std::string text(4096, 'x');
    std::ofstream(folder / "a.db") << text;
    auto file = open_sqlite(SqliteOptions((folder / "a.db").string(), system_clock()), soon());
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code(), Code::corrupt);
    EXPECT_EQ(file.error().effect(), Effect::none);
    std::ifstream stream(folder / "a.db");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
}

TEST(Sqlite, a_missing_file_is_made_only_on_request) {
    TemporaryFolder folder;
    SqliteOptions options((folder / "a.db").string(), system_clock());
    auto file = open_sqlite(options.create(false), soon());
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code(), Code::unreachable);
    EXPECT_TRUE(open_sqlite(options.create(true), soon()).ok());
}

TEST(Sqlite, a_missing_folder_is_unreachable) {
    TemporaryFolder folder;
    auto file = open_sqlite(SqliteOptions((folder / "no/a.db").string(), system_clock()), soon());
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code(), Code::unreachable);
}

TEST(Sqlite, writing_what_is_only_for_reading_is_denied) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    run(*file, "CREATE TABLE t(a)");
    run(*file, "PRAGMA query_only = 1");
    auto done = file->execute("INSERT INTO t VALUES(1)");
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code(), Code::denied);
    EXPECT_EQ(done.error().effect(), Effect::none);
}

TEST(Sqlite, a_full_file_is_said_to_be_full_and_keeps_nothing) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    run(*file, "CREATE TABLE t(a)");
    run(*file, "PRAGMA max_page_count = 4");
    ASSERT_TRUE(file->begin(soon()).ok());
    run(*file, "INSERT INTO t VALUES(1)");
    auto done = file->execute("INSERT INTO t VALUES(zeroblob(100000))");
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code(), Code::internal);
    EXPECT_EQ(done.error().what(), "the disk is full");
    EXPECT_EQ(done.error().effect(), Effect::none);
    file->rollback();
    EXPECT_EQ(count(*file), 0);
}

TEST(Sqlite, a_commit_after_the_library_rolled_back_says_that_nothing_was_kept) {
    TemporaryFolder folder;
    auto file = open(folder / "a.db");
    run(*file, "CREATE TABLE t(a PRIMARY KEY)");
    run(*file, "INSERT INTO t VALUES(1)");
    ASSERT_TRUE(file->begin(soon()).ok());
    run(*file, "INSERT INTO t VALUES(2)");
    EXPECT_FALSE(file->execute("INSERT OR ROLLBACK INTO t VALUES(1)").ok());
    EXPECT_FALSE(file->in_transaction());
    auto done = file->commit();
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().effect(), Effect::none);
    EXPECT_EQ(count(*file), 1);
}

}  // namespace
}  // namespace holdfast
