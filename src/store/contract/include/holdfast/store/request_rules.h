#pragma once
// The checks that every store makes before it does anything: both ends of each number in limits.h.
// All answer invalid_argument with effect none, and a literal that names the number.

#include <holdfast/store/range_store.h>
#include <holdfast/store/slot_lease_store.h>

namespace holdfast {

Result<Done> check(const ReserveRequest& request);
Result<Done> check(const AcquireRequest& request);
Result<Done> check_renew(const LeaseKey& key, Duration ttl, Duration tolerance);
Result<Done> check_release(const LeaseKey& key, StoreTime last_issued);

}  // namespace holdfast
