#pragma once
// What the service tells about its own ids: /actuator/cosid, health, info.

#include <holdfast/codec/json_writer.h>
#include <holdfast/ids/id_runtime.h>

#include <string>

namespace holdfast {

// The layout that a service without a named generator issues by.
inline constexpr std::string_view default_generator = "default";

// Null: the service issues no ids.
void write_cosid(std::string& out, const IdRuntime* ids);

// One value each. Whether the service is ready does not depend on its ids: the store's calls go on.
void write_ids_health(JsonWriter& json, const IdRuntime& ids);
void write_default_layout(JsonWriter& json, IdRuntime* ids);

}  // namespace holdfast
