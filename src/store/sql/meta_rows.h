#pragma once
// cosid_meta: single numbers under a name.

#include <holdfast/sql/connection.h>

#include <optional>
#include <string_view>

namespace holdfast {

inline constexpr std::string_view meta_schema = "schema";
inline constexpr std::string_view meta_mark = "mark";
// "rows/" + namespace: all slots below the number have a row. Only a hint for speed: rows are never
// deleted, so it cannot become false; it may lag. "/" cannot stand in a namespace.
inline constexpr std::string_view meta_rows_prefix = "rows/";

// corrupt, none: there is one that is not a number.
Result<std::optional<std::int64_t>> read_meta(SqlConnection& connection, std::string_view name);
Result<Done> write_meta(SqlConnection& connection, std::string_view name, std::int64_t value);

}  // namespace holdfast
