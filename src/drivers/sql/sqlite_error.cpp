#include "sqlite_error.h"

#include <holdfast/sql/limits.h>

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <thread>

namespace holdfast {
namespace {

struct Meaning {
    Code code;
    std::string_view what;
};

Meaning cannot_open(int error_number) {
    if (error_number == EACCES || error_number == EPERM || error_number == EROFS) {
        return {Code::denied, "no permission to open the database file"};
    }
    return {Code::unreachable, "the database file cannot be opened"};
}

Meaning meaning_of(int primary, int error_number) {
    switch (primary) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {Code::timed_out, "another connection held the lock until the deadline"};
    case SQLITE_FULL:
        return {Code::internal, "the disk is full"};
    case SQLITE_READONLY:
        return {Code::denied, "the database is read-only"};
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return {Code::denied, "no permission to use the database file"};
    case SQLITE_CORRUPT:
        return {Code::corrupt, "the database file is damaged"};
    case SQLITE_NOTADB:
        return {Code::corrupt, "the file is not a database"};
    case SQLITE_CANTOPEN:
        return cannot_open(error_number);
    case SQLITE_IOERR:
        return {Code::internal, "reading or writing the database file failed"};
    case SQLITE_NOMEM:
        return {Code::overloaded, "no memory left for the database"};
    case SQLITE_CONSTRAINT:
        return {Code::internal, "a rule of the table forbids the change"};
    default:
        return {Code::internal, "the database refused the statement"};
    }
}

}  // namespace

Error sqlite_error(sqlite3* db, int result, Effect effect) {
    const Meaning meaning = meaning_of(result & 0xff, db == nullptr ? 0 : sqlite3_system_errno(db));
    ErrorContext context;
    context.server_text = sqlite3_errstr(result);
    if (db != nullptr) {
        context.server_text.append(": ").append(sqlite3_errmsg(db));
    }
    return Error(meaning.code, effect, meaning.what).with(std::move(context));
}

Effect effect_alone(int result) {
    // Only input and output go wrong after the log was written: the other codes stop before.
    return (result & 0xff) == SQLITE_IOERR ? Effect::unknown : Effect::none;
}

Effect effect_of_commit(int result) {
    // BUSY: nothing was written. FULL: a frame could not be written, and the one that commits is
    // the last of them. A failed fsync is IOERR: what it left on the disk nobody knows.
    const int primary = result & 0xff;
    return primary == SQLITE_BUSY || primary == SQLITE_FULL ? Effect::none : Effect::unknown;
}

void pause_for_lock(int looks) {
    const auto pause = sql_lock_pause_min * (1 << std::min(looks, 8));
    std::this_thread::sleep_for(std::min(pause, sql_lock_pause_max));
}

}  // namespace holdfast
