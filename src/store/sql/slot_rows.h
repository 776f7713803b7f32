#pragma once
// cosid_namespace, cosid_slot and cosid_owner as the table that the slot rules work on. Nothing
// here scans: each question goes through an index or the primary key.
//
// A slot without a row is free and was never granted. Rows are made by grants and never deleted, so
// from 0 on nearly all numbers have one; how many is noted (meta_rows.h) and only looked beyond.

#include <holdfast/sql/connection.h>
#include <holdfast/store/slot_rules.h>

namespace holdfast {

// Inside a transaction; one thread. Corrupt rows are left out of the lists.
class SlotRows final : public SlotTable {
public:
    // Both must outlive it.
    SlotRows(SqlConnection& connection, const Namespace& name)
        : connection_(&connection), name_(&name.text()) {}

    Result<SlotSettings> settings(SlotSettings wanted) override;
    Result<SlotRow> row(Slot slot) override;
    Result<Done> write(Slot slot, const SlotRow& row) override;
    Result<std::vector<SlotEntry>> expired(StoreTime now, int count) override;
    Result<std::vector<SlotEntry>> held_by(std::string_view owner, int count) override;
    Result<std::vector<SlotEntry>> free_slots(Slot from, std::uint32_t limit, int count) override;
    Result<std::optional<StoreTime>> earliest_expiry() override;
    Result<std::optional<Slot>> sticky(std::string_view owner) override;
    Result<Done> set_sticky(std::string_view owner, Slot slot) override;
    Result<Done> drop_sticky(std::string_view owner, Slot slot) override;

private:
    Result<std::vector<SlotEntry>>
    of_owner(std::string_view owner, std::int64_t from, std::int64_t limit, std::int64_t count);
    Result<std::int64_t> rows_from_zero();

    SqlConnection* connection_;
    const std::string* name_;
};

}  // namespace holdfast
