#pragma once
// The bodies of the HTTP contract as JSON schemas, with the limits that hold.

#include <holdfast/codec/json_writer.h>
#include <holdfast/store_http/requests.h>

#include <string_view>

namespace holdfast {

// The rules of store/names.h as regular expressions without look-around: every validator has these.
namespace name_pattern {
inline constexpr std::string_view range_key =
    R"(^(?:\.{3,}|\.*[A-Za-z0-9_:@-][A-Za-z0-9._:@-]*)(?:/(?:\.{3,}|\.*[A-Za-z0-9_:@-][A-Za-z0-9._:@-]*))*$)";
inline constexpr std::string_view name = R"(^(?:\.{3,}|\.*[A-Za-z0-9_:@-][A-Za-z0-9._:@-]*)$)";
inline constexpr std::string_view incarnation = "^[A-Za-z0-9_-]+$";
}  // namespace name_pattern

// All members of components.schemas, into an object that is open.
void write_schemas(JsonWriter& json, const RequestLimits& limits);

}  // namespace holdfast
