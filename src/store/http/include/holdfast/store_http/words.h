#pragma once
// The words of the HTTP contract (CosId 5's server): paths, error codes, and what a store's error
// is called there.

#include <holdfast/base/result.h>

#include <string_view>

namespace holdfast {

namespace http_path {
inline constexpr std::string_view reserve = "/ranges:reserve";
inline constexpr std::string_view seal = "/ranges:seal";
inline constexpr std::string_view acquire = "/slots:acquire";
inline constexpr std::string_view renew = "/slots:renew";
inline constexpr std::string_view release = "/slots:release";
}  // namespace http_path

// One status and its code word, as in {"code":"..","message":".."}.
struct HttpCode {
    int status;
    std::string_view code;
    friend bool operator==(const HttpCode&, const HttpCode&) = default;
};

namespace http_code {
inline constexpr HttpCode bad_request{400, "bad_request"};
inline constexpr HttpCode unauthorized{401, "unauthorized"};
inline constexpr HttpCode forbidden{403, "forbidden"};
inline constexpr HttpCode not_found{404, "not_found"};
inline constexpr HttpCode unknown_generator{404, "unknown_generator"};
inline constexpr HttpCode method_not_allowed{405, "method_not_allowed"};
inline constexpr HttpCode request_timeout{408, "request_timeout"};
inline constexpr HttpCode slots_exhausted{409, "slots_exhausted"};
inline constexpr HttpCode namespace_mismatch{409, "namespace_mismatch"};
inline constexpr HttpCode lease_lost{409, "lease_lost"};
inline constexpr HttpCode generator_disabled{409, "generator_disabled"};
inline constexpr HttpCode range_sealed{410, "range_sealed"};
inline constexpr HttpCode body_too_large{413, "body_too_large"};
inline constexpr HttpCode uri_too_long{414, "uri_too_long"};
inline constexpr HttpCode unsupported_media_type{415, "unsupported_media_type"};
inline constexpr HttpCode expectation_failed{417, "expectation_failed"};
inline constexpr HttpCode range_exhausted{422, "range_exhausted"};
inline constexpr HttpCode too_many_keys{429, "too_many_keys"};
inline constexpr HttpCode too_many_namespaces{429, "too_many_namespaces"};
inline constexpr HttpCode headers_too_large{431, "headers_too_large"};
inline constexpr HttpCode store_error{500, "store_error"};
inline constexpr HttpCode not_implemented{501, "not_implemented"};
inline constexpr HttpCode seal_unsupported{501, "seal_unsupported"};
inline constexpr HttpCode busy{503, "busy"};
inline constexpr HttpCode store_unavailable{503, "store_unavailable"};
inline constexpr HttpCode store_timeout{504, "store_timeout"};
inline constexpr HttpCode version_not_supported{505, "version_not_supported"};
}  // namespace http_code

// The header of every 5xx answer that says whether the call may have changed anything: `none` or
// `unknown`.
inline constexpr std::string_view effect_header = "Holdfast-Effect";

// What a store could not do, as the caller is told. `cancelled` has no answer: the caller went
// away.
HttpCode http_code_of(const Error& error);

// The text for people that goes with a store's error: says nothing of the inside.
std::string_view http_message_of(const HttpCode& code);

}  // namespace holdfast
