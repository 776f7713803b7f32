// The steps on one row.
#include <holdfast/base/fault_switch.h>
#include <holdfast/store/slot_rules.h>

#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace holdfast {

StoreTime clamp_now(StoreTime now, LeaseTerms terms) {
    const StoreTime last(Duration(limits::stored_time_max) - terms.ttl - terms.tolerance);
    return std::clamp(now, StoreTime(), last);
}

void expire(SlotRow& row) {
    row.next_floor =
        fault("expire-next-floor-is-floor") ? row.floor : std::max(row.next_floor, row.ceiling);
    row.last_owner = std::move(row.owner);
    row.owner.clear();
    row.incarnation.clear();
}

void extend(SlotRow& row, LeaseTerms terms, StoreTime now) {
    row.expires_at = now + terms.ttl;
    row.ceiling = std::max(row.ceiling, row.expires_at + terms.tolerance);
    row.next_floor = std::max(row.next_floor, row.ceiling);
    if (fault("ceiling-not-monotone")) {
        row.next_floor = row.ceiling = std::max(row.floor, row.expires_at + terms.tolerance);
    }
}

void grant(SlotRow& row, const AcquireRequest& request, StoreTime now) {
    row.owner = request.owner().text();
    row.incarnation = request.incarnation().text();
    row.fence = Fence(row.fence.value() + 1);
    row.expires_at = now + request.ttl();
    row.floor = fault("floor-from-clock") ? now : row.next_floor;
    row.ceiling = std::max(row.floor, row.expires_at + request.tolerance());
    row.next_floor = row.ceiling;
}

void release(SlotRow& row, StoreTime last_issued) {
    const Duration used(fault("release-off-by-one") ? 0 : 1);
    const StoreTime unused = std::min(last_issued + used, row.ceiling);
    row.next_floor = std::max(row.floor, unused);
    if (fault("release-unclamped") && last_issued < row.floor) {
        row.next_floor = StoreTime();  // nothing issued, taken as nothing ever
    }
    row.last_owner = std::move(row.owner);
    row.owner.clear();
    row.incarnation.clear();
}

bool matches(const SlotRow& row, const LeaseKey& key) {
    return !row.free() && row.fence == key.fence() && row.owner == key.owner().text() &&
           row.incarnation == key.incarnation().text();
}

bool releasable(const SlotRow& row, StoreTime last_issued) {
    return last_issued >= row.floor - Duration(1) && last_issued < row.ceiling;
}

LeaseLost lost(const SlotRow& row, const LeaseKey& key) {
    LeaseLost answer;
    answer.rollback_suspected = key.fence() > row.fence;
    return answer;
}

bool held_now(const SlotRow& row, StoreTime now) {
    return !row.free() && row.expires_at > now;
}

StoreTime usable_from(const SlotRow& row, LeaseTerms terms) {
    return row.next_floor - terms.ttl - terms.tolerance + Duration(1);
}

bool usable_at_once(const SlotRow& row, Duration tolerance, StoreTime now) {
    return row.next_floor <= now + tolerance;
}

Slot spread_start(const Incarnation& incarnation, std::uint32_t limit) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    const std::string& text = incarnation.text();
    // Fails only without memory or where SHA-1 is forbidden; any start is right then, the lowest
    // slots were seen already.
    (void)EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha1(), nullptr);
    std::uint32_t head = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        head = head << 8 | digest[i];
    }
    return Slot(head % limit);
}

SlotLease lease_of(Slot slot, const SlotRow& row, StoreTime now) {
    return SlotLease{slot, row.fence, row.expires_at, row.floor, row.ceiling, now};
}

}  // namespace holdfast
