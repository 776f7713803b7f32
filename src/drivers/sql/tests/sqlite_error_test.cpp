#include "sqlite_error.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace holdfast {
namespace {

TEST(SqliteError, a_failed_sync_at_commit_leaves_the_effect_unknown) {
    EXPECT_EQ(effect_of_commit(SQLITE_IOERR_FSYNC), Effect::unknown);
    EXPECT_EQ(effect_of_commit(SQLITE_IOERR_WRITE), Effect::unknown);
    EXPECT_EQ(effect_of_commit(SQLITE_CORRUPT), Effect::unknown);
    EXPECT_EQ(effect_of_commit(SQLITE_NOMEM), Effect::unknown);
}

TEST(SqliteError, a_commit_that_wrote_no_commit_frame_has_no_effect) {
    EXPECT_EQ(effect_of_commit(SQLITE_FULL), Effect::none);
    EXPECT_EQ(effect_of_commit(SQLITE_BUSY), Effect::none);
}

TEST(SqliteError, a_statement_alone_is_unknown_only_where_bytes_may_be_out) {
    EXPECT_EQ(effect_alone(SQLITE_IOERR_FSYNC), Effect::unknown);
    EXPECT_EQ(effect_alone(SQLITE_BUSY), Effect::none);
    EXPECT_EQ(effect_alone(SQLITE_READONLY), Effect::none);
}

TEST(SqliteError, codes_tell_what_a_caller_can_do) {
    const auto code = [](int result) {
        return sqlite_error(nullptr, result, Effect::none).code();
    };
    EXPECT_EQ(code(SQLITE_BUSY_SNAPSHOT), Code::timed_out);
    EXPECT_EQ(code(SQLITE_FULL), Code::internal);
    EXPECT_EQ(code(SQLITE_READONLY_DBMOVED), Code::denied);
    EXPECT_EQ(code(SQLITE_PERM), Code::denied);
    EXPECT_EQ(code(SQLITE_CORRUPT_INDEX), Code::corrupt);
    EXPECT_EQ(code(SQLITE_NOTADB), Code::corrupt);
    EXPECT_EQ(code(SQLITE_CANTOPEN), Code::unreachable);
    EXPECT_EQ(code(SQLITE_NOMEM), Code::overloaded);
    EXPECT_EQ(code(SQLITE_IOERR_READ), Code::internal);
}

}  // namespace
}  // namespace holdfast
