#pragma once
// Judgements that every transport makes alike.

#include <holdfast/base/result.h>
#include <holdfast/resp/reply.h>

namespace holdfast::redis {

// A server that speaks RESP2 cannot say these: the bytes are no answer.
inline bool only_in_resp3(RespType type) {
    switch (type) {
    case RespType::boolean:
    case RespType::real:
    case RespType::big_number:
    case RespType::verbatim:
    case RespType::set:
    case RespType::map:
    case RespType::push:
        return true;
    default:
        return false;
    }
}

// A dial that failed so fails again: whoever waits is told at once.
inline bool beyond_waiting(Code code) {
    return code == Code::denied || code == Code::unsupported || code == Code::corrupt ||
           code == Code::invalid_argument;
}

}  // namespace holdfast::redis
