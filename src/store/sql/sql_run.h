#pragma once
// Two shorthands for running a statement of this room.

#include <holdfast/sql/connection.h>

#include <type_traits>

namespace holdfast {

// `use` gets the run of the (kept) statement; the run is over when it returns.
template <class Use>
std::invoke_result_t<Use, SqlRun&>
with_statement(SqlConnection& connection, std::string_view text, Use use) {
    auto statement = connection.prepare(text);
    if (!statement.ok()) {
        return std::move(statement).error();
    }
    SqlRun run(*statement.value());
    return use(run);
}

// To the end, for statements without rows of interest.
inline Result<Done> finish(SqlRun& run) {
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

}  // namespace holdfast
