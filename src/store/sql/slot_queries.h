#pragma once
// The questions about many slots. Each names its index: without statistics SQLite would rather walk
// a whole namespace in the order of its slots.

#include "slot_row_columns.h"

namespace holdfast::slot_queries {

// ?1 namespace, ?2 time, ?3 rows
inline constexpr std::string_view expired =
    "SELECT " HOLDFAST_SLOT_COLUMNS " FROM cosid_slot INDEXED BY cosid_slot_expiry "
    "WHERE namespace = ?1 AND owner_key <> '' AND expires_at <= ?2 "
    "ORDER BY expires_at, slot LIMIT ?3";

// ?1 namespace
inline constexpr std::string_view earliest_expiry =
    "SELECT expires_at FROM cosid_slot INDEXED BY cosid_slot_expiry "
    "WHERE namespace = ?1 AND owner_key <> '' ORDER BY expires_at LIMIT 1";

// ?1 namespace, ?2 owner (empty: free slots), ?3 first number, ?4 limit, ?5 rows
inline constexpr std::string_view of_owner =
    "SELECT " HOLDFAST_SLOT_COLUMNS " FROM cosid_slot INDEXED BY cosid_slot_owner "
    "WHERE namespace = ?1 AND owner_key = ?2 AND slot >= ?3 AND slot < ?4 "
    "ORDER BY slot LIMIT ?5";

// ?1 namespace, ?2 first number, ?3 limit, ?4 rows
inline constexpr std::string_view numbers =
    "SELECT slot FROM cosid_slot WHERE namespace = ?1 AND slot >= ?2 AND slot < ?3 "
    "ORDER BY slot LIMIT ?4";

}  // namespace holdfast::slot_queries
