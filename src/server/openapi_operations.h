#pragma once
// What each action is to its caller, in words and names of schemas.

#include "routes.h"

#include <holdfast/store_http/words.h>

#include <span>
#include <string_view>

namespace holdfast {

// All views are literals.
struct Operation {
    std::string_view id;
    std::string_view tag;
    std::string_view summary;
    std::string_view description;
    std::string_view request;            // a schema; empty: no body
    int status;                          // when all is well
    std::string_view answer;             // in words
    std::string_view type;               // of the answer; empty: no body
    std::string_view schema;             // of a JSON answer
    std::span<const HttpCode> refusals;  // beside those that every answer may be
};

// No default inside: an action without a description does not compile.
const Operation& operation_of(Action action);

// What may be answered to any request, to one that needs a token, and to one with a body.
std::span<const HttpCode> refusals_of_all();
std::span<const HttpCode> refusals_of_callers();
std::span<const HttpCode> refusals_of_bodies();

}  // namespace holdfast
