// The part of SlotRows that finds free slots: rows without an owner, and numbers without a row.

#include "meta_rows.h"
#include "slot_queries.h"
#include "slot_rows.h"
#include "sql_run.h"

#include <holdfast/store_sql/limits.h>

#include <algorithm>

namespace holdfast {
namespace {

using Numbers = std::vector<std::int64_t>;

// The numbers from <= n < limit that have a row, by rising number, one page.
Result<Numbers> page_of_rows(
    SqlConnection& connection, std::string_view name, std::int64_t from, std::int64_t limit
) {
    return with_statement(connection, slot_queries::numbers, [&](SqlRun& run) -> Result<Numbers> {
        run.with(name).with(from).with(limit).with(std::int64_t{slot_gap_page});
        Numbers numbers;
        for (;;) {
            auto row = run.step();
            if (!row.ok()) {
                return std::move(row).error();
            }
            if (!row.value()) {
                return numbers;
            }
            numbers.push_back(run.row().integer(0));
        }
    });
}

// The first `count` numbers from <= n < limit that have no row; fewer where too many rows lie
// between (see slot_gap_pages_max).
Result<Numbers> gaps(
    SqlConnection& connection,
    std::string_view name,
    std::int64_t from,
    std::int64_t limit,
    std::size_t count
) {
    Numbers found;
    for (int page = 0; page < slot_gap_pages_max && from < limit && found.size() < count; ++page) {
        auto rows = page_of_rows(connection, name, from, limit);
        if (!rows.ok()) {
            return rows;
        }
        const bool last = rows.value().size() < static_cast<std::size_t>(slot_gap_page);
        if (last) {
            rows.value().push_back(limit);
        }
        for (const std::int64_t taken : rows.value()) {
            for (; from < taken && found.size() < count; ++from) {
                found.push_back(from);
            }
            from = std::max(from, taken + 1);
        }
    }
    return found;
}

}  // namespace

// All numbers below the answer have a row.
Result<std::int64_t> SlotRows::rows_from_zero() {
    const std::string note = std::string(meta_rows_prefix) + *name_;
    auto noted = read_meta(*connection_, note);
    if (!noted.ok()) {
        return std::move(noted).error();
    }
    const std::int64_t known = std::max<std::int64_t>(noted.value().value_or(0), 0);
    std::int64_t reached = known;
    // Each row is passed once in the life of a namespace, whoever made it.
    for (bool more = true; more;) {
        auto rows = page_of_rows(*connection_, *name_, reached, limits::slot_limit_max);
        if (!rows.ok()) {
            return std::move(rows).error();
        }
        const std::int64_t before = reached;
        for (const std::int64_t number : rows.value()) {
            if (number != reached) {
                break;
            }
            ++reached;
        }
        more = reached - before == slot_gap_page;
    }
    if (reached - known >= slot_rows_lag_max) {
        auto kept = write_meta(*connection_, note, reached);
        if (!kept.ok()) {
            return std::move(kept).error();
        }
    }
    return reached;
}

Result<std::vector<SlotEntry>> SlotRows::free_slots(Slot from, std::uint32_t limit, int count) {
    auto free = of_owner("", from.value(), limit, count);
    if (!free.ok()) {
        return free;
    }
    auto first = rows_from_zero();
    if (!first.ok()) {
        return std::move(first).error();
    }
    const std::int64_t start = std::max<std::int64_t>(from.value(), first.value());
    auto absent = gaps(*connection_, *name_, start, limit, static_cast<std::size_t>(count));
    if (!absent.ok()) {
        return std::move(absent).error();
    }
    for (const std::int64_t number : absent.value()) {
        free.value().push_back(SlotEntry{Slot(static_cast<std::uint32_t>(number)), SlotRow()});
    }
    std::sort(free.value().begin(), free.value().end(), [](const SlotEntry& a, const SlotEntry& b) {
        return a.slot < b.slot;
    });
    if (free.value().size() > static_cast<std::size_t>(count)) {
        free.value().resize(static_cast<std::size_t>(count));
    }
    return free;
}

}  // namespace holdfast
