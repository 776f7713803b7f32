#pragma once

#include <holdfast/sql/connection.h>

struct sqlite3;
struct sqlite3_stmt;

namespace holdfast {

class SqliteStatement final : public SqlStatement {
public:
    SqliteStatement(sqlite3* db, sqlite3_stmt* handle) : db_(db), handle_(handle) {}
    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;
    ~SqliteStatement() override;

    void bind(int parameter, std::int64_t value) override;
    void bind(int parameter, std::string_view value) override;
    void bind_null(int parameter) override;
    Result<bool> step() override;
    void reset() override;
    bool is_null(int column) const override;
    bool is_integer(int column) const override;
    bool is_text(int column) const override;
    std::int64_t integer(int column) const override;
    std::string_view text(int column) const override;

    // The result code itself: ROW, DONE or an error.
    int step_raw();

private:
    void bound(int result);

    sqlite3* db_;
    sqlite3_stmt* handle_;
    int bind_failure_ = 0;  // the first one; the next step answers it
};

}  // namespace holdfast
