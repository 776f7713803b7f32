#pragma once
// The service's description of itself: OpenAPI 3.1, made from the table of routes.

#include "routes.h"

#include <holdfast/store_http/requests.h>

#include <span>
#include <string>

namespace holdfast {

struct OpenApiFacts {
    std::string_view version;        // of the program
    const RequestLimits& limits;     // that hold
    std::span<const Access> access;  // that holds, by a route's place in the table
    bool anonymous = false;          // a call without a token is let in
    std::size_t ids_count_max = 0;   // of one request; 0: the service issues no ids
};

void write_openapi(std::string& out, const OpenApiFacts& facts);

}  // namespace holdfast
