#pragma once
// The rows of one namespace in memory, with the lists the rules ask for. Not thread-safe: its owner
// holds a lock.

#include "names_map.h"

#include <holdfast/store/limits.h>
#include <holdfast/store/slot_rules.h>

#include <set>

namespace holdfast {

class SlotSpace final : public SlotTable {
public:
    SlotSpace();

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
    // At most 16 of the owner's slots: a fleet that shares one owner key must not make each acquire
    // look at all of them.
    using HeldList = std::set<Slot>;

    SlotEntry entry(Slot slot);
    void list_held(const SlotRow& row, Slot slot);
    void unlist_held(const SlotRow& row, Slot slot);
    void mark_free(Slot slot, bool free);

    std::optional<SlotSettings> settings_;
    std::unordered_map<std::uint32_t, SlotRow> rows_;  // those ever written
    std::vector<std::uint64_t> free_;                  // one bit a number; an absent row is free
    std::set<std::pair<StoreTime, Slot>> live_;        // held rows by expiry
    NamesMap<HeldList> held_;
    NamesMap<Slot> sticky_;
};

}  // namespace holdfast
