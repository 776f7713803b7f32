#pragma once
// The tables of this room and their version.

#include <holdfast/sql/connection.h>

namespace holdfast {

inline constexpr std::int64_t schema_version = 1;

// Looks, writes nothing. True: our tables of this version are there; false: none of ours.
// unsupported, none: a newer version made them. corrupt, none: no version to be read.
Result<bool> schema_present(SqlConnection& connection);

// Makes the tables where they are missing, in one transaction; several may do so at once.
Result<Done> make_schema(SqlConnection& connection, Deadline deadline);

}  // namespace holdfast
