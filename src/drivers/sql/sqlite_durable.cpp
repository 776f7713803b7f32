#include "sqlite_error.h"

#include <holdfast/sql/sqlite.h>

namespace holdfast {
namespace {

Result<bool>
first_text_is(SqlConnection& connection, std::string_view text, std::string_view wanted) {
    auto statement = connection.prepare(text);
    if (!statement.ok()) {
        return std::move(statement).error();
    }
    SqlRun run(*statement.value());
    auto row = run.step();
    if (!row.ok()) {
        return std::move(row).error();
    }
    return row.value() && run.row().text(0) == wanted;
}

Result<bool> is_full(SqlConnection& connection) {
    auto statement = connection.prepare("PRAGMA synchronous");
    if (!statement.ok()) {
        return std::move(statement).error();
    }
    SqlRun run(*statement.value());
    auto row = run.step();
    if (!row.ok()) {
        return std::move(row).error();
    }
    constexpr std::int64_t full = 2;
    return row.value() && run.row().integer(0) == full;
}

}  // namespace

Result<Done> make_sqlite_durable(SqlConnection& connection, const Clock& clock, Deadline deadline) {
    // Where two connections change the journal at once SQLite answers "busy" without waiting, since
    // waiting could lock both for ever.
    for (int looks = 0;; ++looks) {
        auto log = first_text_is(connection, "PRAGMA journal_mode=WAL", "wal");
        if (log.ok()) {
            if (!log.value()) {
                return Error(Code::unsupported, Effect::none, "no write-ahead log for this file");
            }
            break;
        }
        if (log.error().code() != Code::timed_out || deadline.passed(clock.steady_now())) {
            return std::move(log).error();
        }
        pause_for_lock(looks);
    }
    auto set = connection.execute("PRAGMA synchronous=FULL");
    if (!set.ok()) {
        return set;
    }
    auto full = is_full(connection);
    if (!full.ok()) {
        return std::move(full).error();
    }
    if (!full.value()) {
        return Error(Code::unsupported, Effect::none, "synchronous=FULL was not accepted");
    }
    return Done();
}

}  // namespace holdfast
