#include "meta_rows.h"

#include "sql_run.h"

namespace holdfast {

Result<std::optional<std::int64_t>> read_meta(SqlConnection& connection, std::string_view name) {
    return with_statement(
        connection,
        "SELECT value FROM cosid_meta WHERE name = ?1",
        [&](SqlRun& run) -> Result<std::optional<std::int64_t>> {
            auto row = run.with(name).step();
            if (!row.ok()) {
                return std::move(row).error();
            }
            if (!row.value()) {
                return std::optional<std::int64_t>();
            }
            if (!run.row().is_integer(0)) {
                return Error(Code::corrupt, Effect::none, "a value of cosid_meta is no number");
            }
            return std::optional<std::int64_t>(run.row().integer(0));
        }
    );
}

Result<Done> write_meta(SqlConnection& connection, std::string_view name, std::int64_t value) {
    return with_statement(
        connection,
        "INSERT INTO cosid_meta(name, value) VALUES(?1, ?2) "
        "ON CONFLICT(name) DO UPDATE SET value = excluded.value",
        [&](SqlRun& run) { return finish(run.with(name).with(value)); }
    );
}

}  // namespace holdfast
