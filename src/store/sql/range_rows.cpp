#include "range_rows.h"

#include "sql_run.h"

#include <limits>
#include <optional>

namespace holdfast {
namespace {

constexpr std::int64_t value_max = std::numeric_limits<std::int64_t>::max();

// OR FAIL: one row changes or none, so the statement needs no journal of its own.
constexpr std::string_view advance =
    "UPDATE OR FAIL cosid_range SET next_value = next_value + ?2 WHERE name = ?1 AND sealed = 0 "
    "AND next_value BETWEEN 0 AND ?3 AND typeof(next_value) = 'integer' RETURNING next_value";

constexpr std::string_view first =
    "INSERT INTO cosid_range(name, next_value, sealed) VALUES(?1, ?2, 0) "
    "ON CONFLICT(name) DO UPDATE SET next_value = excluded.next_value";

// What a row says that could not be advanced. Empty: it has no value yet.
Result<std::optional<ReserveOutcome>>
why_not(SqlConnection& connection, const ReserveRequest& request) {
    using Answer = std::optional<ReserveOutcome>;
    return with_statement(
        connection,
        "SELECT next_value, sealed FROM cosid_range WHERE name = ?1",
        [&](SqlRun& run) -> Result<Answer> {
            auto found = run.with(request.key().text()).step();
            if (!found.ok()) {
                return std::move(found).error();
            }
            if (!found.value()) {
                return Answer();
            }
            const SqlStatement& row = run.row();
            if (!row.is_integer(1) || (!row.is_null(0) && !row.is_integer(0)) ||
                row.integer(0) < 0) {
                return Error(Code::corrupt, Effect::none, "a row of cosid_range is damaged");
            }
            if (row.integer(1) != 0) {
                return Answer(RangeSealed());
            }
            return row.is_null(0) ? Answer() : Answer(RangeExhausted());
        }
    );
}

Result<ReserveOutcome> reserve_first(SqlConnection& connection, const ReserveRequest& request) {
    if (request.initial_offset() > value_max - request.size()) {
        return ReserveOutcome(RangeExhausted());
    }
    const std::int64_t end = request.initial_offset() + request.size();
    auto written = with_statement(connection, first, [&](SqlRun& run) {
        return finish(run.with(request.key().text()).with(end));
    });
    if (!written.ok()) {
        return std::move(written).error();
    }
    return ReserveOutcome(Range{request.initial_offset(), end});
}

}  // namespace

Result<ReserveOutcome> reserve_range(SqlConnection& connection, const ReserveRequest& request) {
    auto end = with_statement(
        connection,
        advance,
        [&](SqlRun& run) -> Result<std::optional<std::int64_t>> {
            run.with(request.key().text()).with(request.size()).with(value_max - request.size());
            auto row = run.step();
            if (!row.ok()) {
                return std::move(row).error();
            }
            if (!row.value()) {
                return std::optional<std::int64_t>();
            }
            return std::optional<std::int64_t>(run.row().integer(0));
        }
    );
    if (!end.ok()) {
        return std::move(end).error();
    }
    if (end.value().has_value()) {
        return ReserveOutcome(Range{*end.value() - request.size(), *end.value()});
    }
    auto reason = why_not(connection, request);
    if (!reason.ok()) {
        return std::move(reason).error();
    }
    if (reason.value().has_value()) {
        return *reason.value();
    }
    return reserve_first(connection, request);
}

Result<SealOutcome> seal_range(SqlConnection& connection, const RangeKey& key) {
    auto sealed = with_statement(
        connection,
        "INSERT INTO cosid_range(name, next_value, sealed) VALUES(?1, NULL, 1) "
        "ON CONFLICT(name) DO UPDATE SET sealed = 1 WHERE sealed = 0",
        [&](SqlRun& run) { return finish(run.with(key.text())); }
    );
    if (!sealed.ok()) {
        return std::move(sealed).error();
    }
    return SealOutcome::sealed;
}

}  // namespace holdfast
