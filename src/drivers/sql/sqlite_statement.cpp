#include "sqlite_statement.h"

#include "sqlite_error.h"

#include <sqlite3.h>

namespace holdfast {

SqliteStatement::~SqliteStatement() {
    sqlite3_finalize(handle_);
}

void SqliteStatement::bound(int result) {
    if (result != SQLITE_OK && bind_failure_ == 0) {
        bind_failure_ = result;
    }
}

void SqliteStatement::bind(int parameter, std::int64_t value) {
    bound(sqlite3_bind_int64(handle_, parameter, value));
}

void SqliteStatement::bind(int parameter, std::string_view value) {
    // An empty view may have no address, which SQLite would read as NULL.
    const char* text = value.empty() ? "" : value.data();
    bound(sqlite3_bind_text64(handle_, parameter, text, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void SqliteStatement::bind_null(int parameter) {
    bound(sqlite3_bind_null(handle_, parameter));
}

int SqliteStatement::step_raw() {
    return bind_failure_ != 0 ? bind_failure_ : sqlite3_step(handle_);
}

Result<bool> SqliteStatement::step() {
    const bool alone = sqlite3_get_autocommit(db_) != 0;
    const int result = step_raw();
    if (result == SQLITE_ROW || result == SQLITE_DONE) {
        return result == SQLITE_ROW;
    }
    return sqlite_error(db_, result, alone ? effect_alone(result) : Effect::none);
}

void SqliteStatement::reset() {
    sqlite3_reset(handle_);
    sqlite3_clear_bindings(handle_);
    bind_failure_ = 0;
}

bool SqliteStatement::is_null(int column) const {
    return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

bool SqliteStatement::is_integer(int column) const {
    return sqlite3_column_type(handle_, column) == SQLITE_INTEGER;
}

bool SqliteStatement::is_text(int column) const {
    return sqlite3_column_type(handle_, column) == SQLITE_TEXT;
}

std::int64_t SqliteStatement::integer(int column) const {
    return is_integer(column) ? sqlite3_column_int64(handle_, column) : 0;
}

std::string_view SqliteStatement::text(int column) const {
    if (!is_text(column)) {
        return "";
    }
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
    if (bytes == nullptr) {
        return "";
    }
    return std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

}  // namespace holdfast
