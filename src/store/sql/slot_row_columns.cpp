#include "slot_row_columns.h"

namespace holdfast {
namespace {

constexpr int texts_from = 1;
constexpr int numbers_from = 4;
constexpr int columns = 9;

bool name_or_none(std::string_view text) {
    return text.empty() || OwnerKey::parse(text).ok();
}

bool readable(const SqlStatement& row) {
    for (int column = texts_from; column < numbers_from; ++column) {
        if (!row.is_text(column)) {
            return false;
        }
    }
    for (int column = numbers_from; column < columns; ++column) {
        if (!row.is_integer(column) || row.integer(column) < 0 ||
            row.integer(column) > limits::stored_time_max) {
            return false;
        }
    }
    const std::string_view incarnation = row.text(2);
    return name_or_none(row.text(1)) && name_or_none(row.text(3)) &&
           (incarnation.empty() || Incarnation::parse(incarnation).ok()) &&
           row.text(1).empty() == incarnation.empty();
}

StoreTime time_of(const SqlStatement& row, int column) {
    return StoreTime(Duration(row.integer(column)));
}

}  // namespace

Result<SlotEntry> read_slot_row(const SqlStatement& row) {
    if (!readable(row)) {
        return Error(Code::corrupt, Effect::none, "a row of cosid_slot is damaged");
    }
    SlotRow read;
    read.owner = row.text(1);
    read.incarnation = row.text(2);
    read.last_owner = row.text(3);
    read.fence = Fence(static_cast<std::uint64_t>(row.integer(4)));
    read.expires_at = time_of(row, 5);
    read.floor = time_of(row, 6);
    read.ceiling = time_of(row, 7);
    read.next_floor = time_of(row, 8);
    return SlotEntry{Slot(static_cast<std::uint32_t>(row.integer(0))), std::move(read)};
}

Result<std::vector<SlotEntry>> read_slot_rows(SqlRun& run) {
    std::vector<SlotEntry> entries;
    for (;;) {
        auto row = run.step();
        if (!row.ok()) {
            return std::move(row).error();
        }
        if (!row.value()) {
            return entries;
        }
        if (auto entry = read_slot_row(run.row()); entry.ok()) {
            entries.push_back(std::move(entry).value());
        }
    }
}

void bind_slot_row(SqlRun& run, Slot slot, const SlotRow& row) {
    run.with(std::int64_t{slot.value()});
    run.with(row.owner).with(row.incarnation).with(row.last_owner);
    run.with(static_cast<std::int64_t>(row.fence.value()));
    for (const StoreTime time : {row.expires_at, row.floor, row.ceiling, row.next_floor}) {
        run.with(std::int64_t{time.time_since_epoch().count()});
    }
}

}  // namespace holdfast
