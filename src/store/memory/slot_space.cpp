#include "slot_space.h"

#include <bit>

namespace holdfast {
namespace {

constexpr std::uint32_t word_bits = 64;
constexpr std::size_t held_listed_max = 16;

}  // namespace

SlotSpace::SlotSpace() : free_(limits::slot_limit_max / word_bits, ~std::uint64_t{0}) {}

Result<SlotSettings> SlotSpace::settings(SlotSettings wanted) {
    if (!settings_.has_value()) {
        settings_ = wanted;
    }
    return *settings_;
}

Result<SlotRow> SlotSpace::row(Slot slot) {
    const auto found = rows_.find(slot.value());
    return found == rows_.end() ? SlotRow() : found->second;
}

SlotEntry SlotSpace::entry(Slot slot) {
    return SlotEntry{slot, row(slot).value()};
}

Result<Done> SlotSpace::write(Slot slot, const SlotRow& row) {
    SlotRow& stored = rows_[slot.value()];
    if (!stored.free()) {
        live_.erase({stored.expires_at, slot});
    }
    if (!row.free()) {
        live_.insert({row.expires_at, slot});
    }
    if (stored.owner != row.owner) {
        unlist_held(stored, slot);
        list_held(row, slot);
        mark_free(slot, row.free());
    }
    stored = row;
    return Done();
}

void SlotSpace::list_held(const SlotRow& row, Slot slot) {
    if (row.free()) {
        return;
    }
    HeldList& list = held_[row.owner];
    if (list.size() < held_listed_max) {
        list.insert(slot);
    }
}

void SlotSpace::unlist_held(const SlotRow& row, Slot slot) {
    const auto found = held_.find(row.owner);
    if (found == held_.end()) {
        return;
    }
    found->second.erase(slot);
    if (found->second.empty()) {
        held_.erase(found);
    }
}

void SlotSpace::mark_free(Slot slot, bool free) {
    const std::uint64_t bit = std::uint64_t{1} << slot.value() % word_bits;
    std::uint64_t& word = free_[slot.value() / word_bits];
    word = free ? word | bit : word & ~bit;
}

Result<std::vector<SlotEntry>> SlotSpace::expired(StoreTime now, int count) {
    std::vector<SlotEntry> due;
    for (const auto& [expires_at, slot] : live_) {
        if (expires_at > now || static_cast<int>(due.size()) >= count) {
            break;
        }
        due.push_back(entry(slot));
    }
    return due;
}

Result<std::vector<SlotEntry>> SlotSpace::held_by(std::string_view owner, int count) {
    std::vector<SlotEntry> held;
    const auto found = held_.find(owner);
    if (found == held_.end()) {
        return held;
    }
    for (const Slot slot : found->second) {
        if (static_cast<int>(held.size()) < count) {
            held.push_back(entry(slot));
        }
    }
    return held;
}

Result<std::vector<SlotEntry>> SlotSpace::free_slots(Slot from, std::uint32_t limit, int count) {
    std::vector<SlotEntry> free;
    for (std::uint32_t first = from.value();
         first < limit && static_cast<int>(free.size()) < count;) {
        const std::uint64_t rest = free_[first / word_bits] >> first % word_bits;
        if (rest == 0) {
            first = (first / word_bits + 1) * word_bits;
            continue;
        }
        first += static_cast<std::uint32_t>(std::countr_zero(rest));
        if (first < limit) {
            free.push_back(entry(Slot(first)));
        }
        ++first;
    }
    return free;
}

Result<std::optional<StoreTime>> SlotSpace::earliest_expiry() {
    std::optional<StoreTime> earliest;
    if (!live_.empty()) {
        earliest = live_.begin()->first;
    }
    return earliest;
}

Result<std::optional<Slot>> SlotSpace::sticky(std::string_view owner) {
    std::optional<Slot> slot;
    const auto found = sticky_.find(owner);
    if (found != sticky_.end()) {
        slot = found->second;
    }
    return slot;
}

Result<Done> SlotSpace::set_sticky(std::string_view owner, Slot slot) {
    sticky_.insert_or_assign(std::string(owner), slot);
    return Done();
}

Result<Done> SlotSpace::drop_sticky(std::string_view owner, Slot slot) {
    const auto found = sticky_.find(owner);
    if (found != sticky_.end() && found->second == slot) {
        sticky_.erase(found);
    }
    return Done();
}

}  // namespace holdfast
