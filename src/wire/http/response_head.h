#pragma once
// The status line and header of an answer.

#include <holdfast/http/message.h>

#include <string>

namespace holdfast {

// Statuses whose answers never have a body and announce none.
constexpr bool is_bodiless(int status) {
    return status < 200 || status == 204 || status == 304;
}

// Replaces `out`. Announces the body's size also where the body is not sent (HEAD).
void format_head(std::string& out, const HttpResponse& response, bool close);

}  // namespace holdfast
