#include "slot_rows.h"

#include "slot_queries.h"
#include "sql_run.h"

namespace holdfast {
namespace {

constexpr std::string_view damaged_namespace = "a row of cosid_namespace is damaged";

constexpr std::string_view write_row =
    "INSERT INTO cosid_slot(namespace, " HOLDFAST_SLOT_COLUMNS ") "
    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT(namespace, slot) DO UPDATE SET "
    "owner_key = excluded.owner_key, incarnation = excluded.incarnation, "
    "last_owner_key = excluded.last_owner_key, fence = excluded.fence, "
    "expires_at = excluded.expires_at, floor = excluded.floor, ceiling = excluded.ceiling, "
    "next_floor = excluded.next_floor";

}  // namespace

Result<SlotSettings> SlotRows::settings(SlotSettings wanted) {
    auto stored = with_statement(
        *connection_,
        "SELECT slot_limit, tolerance_ms FROM cosid_namespace WHERE namespace = ?1",
        [&](SqlRun& run) -> Result<std::optional<SlotSettings>> {
            auto found = run.with(*name_).step();
            if (!found.ok()) {
                return std::move(found).error();
            }
            if (!found.value()) {
                return std::optional<SlotSettings>();
            }
            const SqlStatement& row = run.row();
            if (!row.is_integer(0) || !row.is_integer(1) || row.integer(0) < 1 ||
                row.integer(0) > limits::slot_limit_max || row.integer(1) < 0) {
                return Error(Code::corrupt, Effect::none, damaged_namespace);
            }
            const auto limit = static_cast<std::uint32_t>(row.integer(0));
            return std::optional<SlotSettings>(SlotSettings{limit, Duration(row.integer(1))});
        }
    );
    if (!stored.ok()) {
        return std::move(stored).error();
    }
    if (stored.value().has_value()) {
        return *stored.value();
    }
    auto made = with_statement(
        *connection_,
        "INSERT INTO cosid_namespace(namespace, slot_limit, tolerance_ms) VALUES(?1, ?2, ?3)",
        [&](SqlRun& run) {
            run.with(*name_).with(std::int64_t{wanted.limit});
            return finish(run.with(std::int64_t{wanted.tolerance.count()}));
        }
    );
    if (!made.ok()) {
        return std::move(made).error();
    }
    return wanted;
}

Result<SlotRow> SlotRows::row(Slot slot) {
    return with_statement(
        *connection_,
        "SELECT " HOLDFAST_SLOT_COLUMNS " FROM cosid_slot WHERE namespace = ?1 AND slot = ?2",
        [&](SqlRun& run) -> Result<SlotRow> {
            auto found = run.with(*name_).with(std::int64_t{slot.value()}).step();
            if (!found.ok()) {
                return std::move(found).error();
            }
            if (!found.value()) {
                return SlotRow();
            }
            auto entry = read_slot_row(run.row());
            if (!entry.ok()) {
                return std::move(entry).error();
            }
            return std::move(entry.value().row);
        }
    );
}

Result<Done> SlotRows::write(Slot slot, const SlotRow& row) {
    return with_statement(*connection_, write_row, [&](SqlRun& run) {
        run.with(*name_);
        bind_slot_row(run, slot, row);
        return finish(run);
    });
}

Result<std::vector<SlotEntry>> SlotRows::expired(StoreTime now, int count) {
    return with_statement(*connection_, slot_queries::expired, [&](SqlRun& run) {
        run.with(*name_).with(std::int64_t{now.time_since_epoch().count()});
        return read_slot_rows(run.with(std::int64_t{count}));
    });
}

Result<std::vector<SlotEntry>> SlotRows::of_owner(
    std::string_view owner, std::int64_t from, std::int64_t limit, std::int64_t count
) {
    return with_statement(*connection_, slot_queries::of_owner, [&](SqlRun& run) {
        return read_slot_rows(run.with(*name_).with(owner).with(from).with(limit).with(count));
    });
}

Result<std::vector<SlotEntry>> SlotRows::held_by(std::string_view owner, int count) {
    return of_owner(owner, 0, limits::slot_limit_max, count);
}

Result<std::optional<StoreTime>> SlotRows::earliest_expiry() {
    return with_statement(
        *connection_,
        slot_queries::earliest_expiry,
        [&](SqlRun& run) -> Result<std::optional<StoreTime>> {
            auto found = run.with(*name_).step();
            if (!found.ok()) {
                return std::move(found).error();
            }
            if (!found.value() || !run.row().is_integer(0)) {
                return std::optional<StoreTime>();
            }
            return std::optional<StoreTime>(StoreTime(Duration(run.row().integer(0))));
        }
    );
}

}  // namespace holdfast
