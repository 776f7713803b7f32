#include "range_rows.h"

#include "sql_run.h"

#include <limits>
#include <optional>

namespace holdfast {
namespace {

constexpr std::int64_t value_max = std::numeric_limits<std::int64_t>::max();

// What a key's row says. No row is an unsealed key without a value.
struct RangeState {
    std::optional<std::int64_t> next;
    bool sealed = false;
};

Result<RangeState> read_state(SqlConnection& connection, const RangeKey& key) {
    return with_statement(
        connection,
        "SELECT next_value, sealed FROM cosid_range WHERE name = ?1",
        [&](SqlRun& run) -> Result<RangeState> {
            auto found = run.with(key.text()).step();
            if (!found.ok()) {
                return std::move(found).error();
            }
            if (!found.value()) {
                return RangeState();
            }
            const SqlStatement& row = run.row();
            if (!row.is_integer(1) || (!row.is_null(0) && !row.is_integer(0)) ||
                row.integer(0) < 0) {
                return Error(Code::corrupt, Effect::none, "a row of cosid_range is damaged");
            }
            RangeState state;
            state.sealed = row.integer(1) != 0;
            if (!row.is_null(0)) {
                state.next = row.integer(0);
            }
            return state;
        }
    );
}

// OR FAIL: one row changes or none, so the statement needs no journal of its own.
constexpr std::string_view advance =
    "UPDATE OR FAIL cosid_range SET next_value = ?1 WHERE name = ?2";
constexpr std::string_view first =
    "INSERT INTO cosid_range(next_value, name, sealed) VALUES(?1, ?2, 0) "
    "ON CONFLICT(name) DO UPDATE SET next_value = excluded.next_value";

}  // namespace

Result<ReserveOutcome> reserve_range(SqlConnection& connection, const ReserveRequest& request) {
    auto state = read_state(connection, request.key());
    if (!state.ok()) {
        return std::move(state).error();
    }
    if (state.value().sealed) {
        return ReserveOutcome(RangeSealed());
    }
    const std::int64_t start = state.value().next.value_or(request.initial_offset());
    if (start > value_max - request.size()) {
        return ReserveOutcome(RangeExhausted());
    }
    const std::int64_t end = start + request.size();
    auto written = with_statement(
        connection,
        state.value().next.has_value() ? advance : first,
        [&](SqlRun& run) { return finish(run.with(end).with(request.key().text())); }
    );
    if (!written.ok()) {
        return std::move(written).error();
    }
    return ReserveOutcome(Range{start, end});
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
