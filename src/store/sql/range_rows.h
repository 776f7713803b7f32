#pragma once
// cosid_range: the next value of a key, and whether it is sealed. next_value is NULL for a key that
// was sealed before its first reservation.

#include <holdfast/sql/connection.h>
#include <holdfast/store/range_store.h>

namespace holdfast {

// Inside a transaction that nobody else can write beside; the request has been checked. One read
// and one write: a single statement with RETURNING makes SQLite build a table for its one row,
// which costs more than the second look. An error has changed nothing. corrupt, none: the row holds
// what we never write.
Result<ReserveOutcome> reserve_range(SqlConnection& connection, const ReserveRequest& request);
Result<SealOutcome> seal_range(SqlConnection& connection, const RangeKey& key);

}  // namespace holdfast
