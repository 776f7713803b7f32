#pragma once
// A table that writes rows as a wrong rule would.

#include "mutant_store.h"
#include "slot_space.h"

namespace holdfast {

enum class SlotCall : std::uint8_t { acquire, renew, release };

class MutantTable final : public SlotTable {
public:
    MutantTable(SlotSpace& right, Mutant mutant, SlotCall call, StoreTime now)
        : right_(right), now_(now), mutant_(mutant), call_(call) {}

    Result<SlotSettings> settings(SlotSettings wanted) override { return right_.settings(wanted); }
    Result<SlotRow> row(Slot slot) override { return right_.row(slot); }
    Result<std::vector<SlotEntry>> expired(StoreTime now, int count) override {
        return right_.expired(now, count);
    }
    Result<std::vector<SlotEntry>> held_by(std::string_view owner, int count) override {
        return right_.held_by(owner, count);
    }
    Result<std::vector<SlotEntry>> free_slots(Slot from, std::uint32_t limit, int count) override {
        return right_.free_slots(from, limit, count);
    }
    Result<std::optional<StoreTime>> earliest_expiry() override { return right_.earliest_expiry(); }
    Result<std::optional<Slot>> sticky(std::string_view owner) override {
        return right_.sticky(owner);
    }
    Result<Done> set_sticky(std::string_view owner, Slot slot) override {
        return right_.set_sticky(owner, slot);
    }
    Result<Done> drop_sticky(std::string_view owner, Slot slot) override {
        return right_.drop_sticky(owner, slot);
    }

    Result<Done> write(Slot slot, const SlotRow& row) override {
        SlotRow bent = row;
        bend(right_.row(slot).value(), bent);
        return right_.write(slot, bent);
    }

private:
    void bend(const SlotRow& before, SlotRow& row) const {
        const bool ended = !before.free() && row.free();
        const bool granted = before.free() && !row.free();
        const bool kept = !before.free() && !row.free();
        if (mutant_ == Mutant::expire_next_floor_is_floor && ended && call_ == SlotCall::acquire) {
            row.next_floor = row.floor;
        } else if (mutant_ == Mutant::expire_next_floor_is_clock && ended &&
                   call_ == SlotCall::acquire) {
            row.next_floor = now_;
        } else if (mutant_ == Mutant::floor_from_clock && granted) {
            row.floor = now_;
        } else if (mutant_ == Mutant::release_off_by_one && ended && call_ == SlotCall::release) {
            row.next_floor = std::max(row.floor, row.next_floor - Duration(1));
        } else if (mutant_ == Mutant::ceiling_not_monotone && kept) {
            row.ceiling = row.expires_at + (before.ceiling - before.expires_at);
            row.next_floor = row.ceiling;
        }
    }

    SlotSpace& right_;
    StoreTime now_;
    Mutant mutant_;
    SlotCall call_;
};

}  // namespace holdfast
