// The part of SlotRows about cosid_owner: the slot an owner was granted last.

#include "slot_rows.h"
#include "sql_run.h"

namespace holdfast {

Result<std::optional<Slot>> SlotRows::sticky(std::string_view owner) {
    return with_statement(
        *connection_,
        "SELECT slot FROM cosid_owner WHERE namespace = ?1 AND owner_key = ?2",
        [&](SqlRun& run) -> Result<std::optional<Slot>> {
            auto found = run.with(*name_).with(owner).step();
            if (!found.ok()) {
                return std::move(found).error();
            }
            // Only a preference: what cannot be one is none.
            if (!found.value() || !run.row().is_integer(0) || run.row().integer(0) < 0 ||
                run.row().integer(0) >= limits::slot_limit_max) {
                return std::optional<Slot>();
            }
            return std::optional<Slot>(Slot(static_cast<std::uint32_t>(run.row().integer(0))));
        }
    );
}

Result<Done> SlotRows::set_sticky(std::string_view owner, Slot slot) {
    return with_statement(
        *connection_,
        "INSERT INTO cosid_owner(namespace, owner_key, slot) VALUES(?1, ?2, ?3) "
        "ON CONFLICT(namespace, owner_key) DO UPDATE SET slot = excluded.slot "
        "WHERE slot <> excluded.slot",
        [&](SqlRun& run) {
            return finish(run.with(*name_).with(owner).with(std::int64_t{slot.value()}));
        }
    );
}

Result<Done> SlotRows::drop_sticky(std::string_view owner, Slot slot) {
    return with_statement(
        *connection_,
        "DELETE FROM cosid_owner WHERE namespace = ?1 AND owner_key = ?2 AND slot = ?3",
        [&](SqlRun& run) {
            return finish(run.with(*name_).with(owner).with(std::int64_t{slot.value()}));
        }
    );
}

}  // namespace holdfast
