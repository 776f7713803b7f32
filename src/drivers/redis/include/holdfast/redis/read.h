#pragma once
// Readers of answers: from the shape that the protocol gives to the value that a command promises.
// Both protocol versions are read: RESP2 sends a map as a flat array, a double or a boolean as text
// or number. All answer corrupt, unknown, for another shape, and copy what they keep.

#include <holdfast/base/result.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis {

Error wrong_shape();  // corrupt, unknown

Result<Done> read_ok(RespView reply);  // +OK
Result<std::int64_t> read_integer(RespView reply);
Result<bool> read_boolean(RespView reply);  // :0 :1 #t #f
Result<double> read_real(RespView reply);
Result<std::string> read_text(RespView reply);  // bulk, simple, verbatim
Result<std::optional<std::string>> read_optional_text(RespView reply);
Result<std::optional<std::int64_t>> read_optional_integer(RespView reply);
Result<std::optional<double>> read_optional_real(RespView reply);
Result<std::vector<std::string>> read_texts(RespView reply);  // array, set
Result<std::vector<std::optional<std::string>>> read_optional_texts(RespView reply);
Result<std::vector<std::int64_t>> read_integers(RespView reply);
Result<std::vector<std::pair<std::string, std::string>>> read_pairs(RespView reply);  // map

}  // namespace holdfast::redis
