#pragma once
// Answers that are not a store's outcome.

#include <holdfast/http/message.h>
#include <holdfast/store_http/answers.h>

namespace holdfast {

inline void set_error(HttpResponse& response, const HttpCode& code, std::string_view message) {
    response.status = code.status;
    response.content_type = "application/json";
    response.body.clear();
    write_error(response.body, code.code, message);
}

inline void set_no_content(HttpResponse& response) {
    response.status = 204;
    response.content_type = {};
    response.body.clear();
}

}  // namespace holdfast
