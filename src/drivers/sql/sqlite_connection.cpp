#include "sqlite_connection.h"

#include "sqlite_error.h"

#include <holdfast/sql/limits.h>
#include <holdfast/sql/sqlite.h>

#include <sqlite3.h>

namespace holdfast {

SqliteConnection::SqliteConnection(sqlite3* db, const Clock& clock, Deadline deadline)
    : db_(db), clock_(&clock), deadline_(deadline) {
    sqlite3_busy_handler(db_, &SqliteConnection::wait_for_lock, this);
}

SqliteConnection::~SqliteConnection() {
    // Closing writes the log back into the file, which nobody should wait for behind a lock.
    sqlite3_busy_handler(db_, nullptr, nullptr);
    statements_.clear();
    sqlite3_close(db_);
}

int SqliteConnection::wait_for_lock(void* self, int looks) {
    const auto& connection = *static_cast<SqliteConnection*>(self);
    if (connection.deadline_.passed(connection.clock_->steady_now())) {
        return 0;
    }
    pause_for_lock(looks);
    return 1;
}

Result<SqliteStatement*> SqliteConnection::prepared(std::string_view text) {
    if (const auto found = statements_.find(text); found != statements_.end()) {
        return found->second.get();
    }
    if (statements_.size() >= sql_statements_max) {
        return Error(Code::internal, Effect::none, "too many different statements");
    }
    sqlite3_stmt* handle = nullptr;
    const char* rest = nullptr;
    const int result = sqlite3_prepare_v3(
        db_, text.data(), static_cast<int>(text.size()), SQLITE_PREPARE_PERSISTENT, &handle, &rest
    );
    if (result != SQLITE_OK) {
        return sqlite_error(db_, result, Effect::none);
    }
    auto statement = std::make_unique<SqliteStatement>(db_, handle);
    if (handle == nullptr || rest != text.data() + text.size()) {
        return Error(Code::invalid_argument, Effect::none, "a text holds exactly one statement");
    }
    return statements_.emplace(text, std::move(statement)).first->second.get();
}

Result<SqlStatement*> SqliteConnection::prepare(std::string_view text) {
    auto statement = prepared(text);
    if (!statement.ok()) {
        return std::move(statement).error();
    }
    return static_cast<SqlStatement*>(statement.value());
}

Result<Done> SqliteConnection::execute(std::string_view text) {
    auto statement = prepared(text);
    if (!statement.ok()) {
        return std::move(statement).error();
    }
    SqlRun run(*statement.value());
    for (;;) {
        auto row = run.step();
        if (!row.ok()) {
            return std::move(row).error();
        }
        if (!row.value()) {
            return Done();
        }
    }
}

Result<Done> SqliteConnection::begin(Deadline deadline) {
    deadline_ = deadline;
    if (begin_ == nullptr) {
        auto statement = prepared("BEGIN IMMEDIATE");
        if (!statement.ok()) {
            return std::move(statement).error();
        }
        begin_ = statement.value();
    }
    SqlRun run(*begin_);
    auto begun = run.step();
    if (!begun.ok()) {
        return std::move(begun).error();
    }
    return Done();
}

Result<Done> SqliteConnection::commit() {
    if (!in_transaction()) {
        return Error(Code::internal, Effect::none, "the transaction was rolled back before");
    }
    if (commit_ == nullptr) {
        auto statement = prepared("COMMIT");
        if (!statement.ok()) {
            rollback();
            return std::move(statement).error();
        }
        commit_ = statement.value();
    }
    int result = SQLITE_OK;
    {
        SqlRun run(*commit_);
        result = commit_->step_raw();
        if (result == SQLITE_DONE) {
            return Done();
        }
    }
    Error error = sqlite_error(db_, result, effect_of_commit(result));
    rollback();
    return error;
}

void SqliteConnection::rollback() {
    if (in_transaction()) {
        // It ends the transaction also where it reports an error: there is nothing left to do then.
        sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

bool SqliteConnection::in_transaction() const {
    return sqlite3_get_autocommit(db_) == 0;
}

std::int64_t SqliteConnection::changes() const {
    return sqlite3_changes64(db_);
}

Result<std::unique_ptr<SqlConnection>>
open_sqlite(const SqliteOptions& options, Deadline deadline) {
    sqlite3* db = nullptr;
    // One thread at a time is our promise, so the library's own lock is off.
    const int flags = SQLITE_OPEN_READWRITE | (options.create() ? SQLITE_OPEN_CREATE : 0) |
                      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    const int result = sqlite3_open_v2(options.path().c_str(), &db, flags, nullptr);
    if (result != SQLITE_OK) {
        Error error = sqlite_error(db, result, Effect::none);
        sqlite3_close(db);
        return error;
    }
    auto connection = std::make_unique<SqliteConnection>(db, options.clock(), deadline);
    auto head = connection->execute("PRAGMA schema_version");
    if (!head.ok()) {
        return std::move(head).error();
    }
    // Where writing is not allowed the library quietly opens for reading, and BEGIN IMMEDIATE then
    // takes no lock.
    if (sqlite3_db_readonly(db, "main") == 1) {
        return Error(Code::denied, Effect::none, "the database file may only be read");
    }
    return std::unique_ptr<SqlConnection>(std::move(connection));
}

}  // namespace holdfast
