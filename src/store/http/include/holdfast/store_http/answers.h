#pragma once
// The bodies of the HTTP contract, appended to a caller's string. Byte for byte as CosId 5's server
// writes them.

#include <holdfast/store/range_store.h>
#include <holdfast/store/slot_lease_store.h>
#include <holdfast/store_http/words.h>

#include <string>
#include <string_view>

namespace holdfast {

void write_range(std::string& out, const Range& range);
void write_acquired(
    std::string& out,
    const Namespace& name,
    const OwnerKey& owner,
    const Incarnation& incarnation,
    const Acquired& acquired
);
void write_renewed(std::string& out, const LeaseKey& key, const SlotLease& lease);
void write_exhausted(std::string& out, const SlotsExhausted& exhausted);

// {"code":"..","message":".."}; the message is escaped.
void write_error(std::string& out, std::string_view code, std::string_view message);

}  // namespace holdfast
