#pragma once
// A row of cosid_slot between SQL and the rules.

#include <holdfast/sql/connection.h>
#include <holdfast/store/slot_rules.h>

namespace holdfast {

// In the order that read_slot_row() and bind_slot_row() go by.
#define HOLDFAST_SLOT_COLUMNS                                                                      \
    "slot, owner_key, incarnation, last_owner_key, fence, expires_at, floor, ceiling, next_floor"

// corrupt, none: a field holds what no rule writes.
Result<SlotEntry> read_slot_row(const SqlStatement& row);
// All rows of a run; damaged ones are left out.
Result<std::vector<SlotEntry>> read_slot_rows(SqlRun& run);
void bind_slot_row(SqlRun& run, Slot slot, const SlotRow& row);

}  // namespace holdfast
