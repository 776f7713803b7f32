#pragma once

#include "sqlite_statement.h"

#include <holdfast/sql/connection.h>

#include <map>
#include <memory>
#include <string>

namespace holdfast {

class SqliteConnection final : public SqlConnection {
public:
    SqliteConnection(sqlite3* db, const Clock& clock, Deadline deadline);
    SqliteConnection(const SqliteConnection&) = delete;
    SqliteConnection& operator=(const SqliteConnection&) = delete;
    ~SqliteConnection() override;

    Result<SqlStatement*> prepare(std::string_view text) override;
    Result<Done> execute(std::string_view text) override;
    Result<Done> begin(Deadline deadline) override;
    Result<Done> commit() override;
    void rollback() override;
    bool in_transaction() const override;
    std::int64_t changes() const override;

    Result<SqliteStatement*> prepared(std::string_view text);

private:
    static int wait_for_lock(void* self, int looks);

    sqlite3* db_;
    const Clock* clock_;
    Deadline deadline_;
    std::map<std::string, std::unique_ptr<SqliteStatement>, std::less<>> statements_;
    SqliteStatement* begin_ = nullptr;
    SqliteStatement* commit_ = nullptr;
};

}  // namespace holdfast
