#pragma once
// Values under names, as INFO, CLIENT LIST and CLUSTER INFO write them in text.

#include <holdfast/base/result.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

class NamedValues {
public:
    std::vector<std::pair<std::string, std::string>> values;  // in the server's order

    std::optional<std::string_view> find(std::string_view name) const;
    // Nothing if it is not there or no integer.
    std::optional<std::int64_t> integer(std::string_view name) const;

    friend bool operator==(const NamedValues&, const NamedValues&) = default;
};

// "name:value" in lines; "# Section" and empty lines are left out.
Result<NamedValues> read_info(RespView reply);
// "name=value name=value"
Result<NamedValues> read_client(RespView reply);
// One client a line.
Result<std::vector<NamedValues>> read_clients(RespView reply);

}  // namespace holdfast::redis
