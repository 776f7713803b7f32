#include <holdfast/store_http/words.h>

namespace holdfast {

HttpCode http_code_of(const Error& error) {
    switch (error.code()) {
    case Code::invalid_argument:
        return http_code::bad_request;
    case Code::overloaded:
    case Code::closed:
    case Code::cancelled:
        return http_code::busy;
    case Code::unreachable:
    case Code::moved:
        return http_code::store_unavailable;
    case Code::timed_out:
        return http_code::store_timeout;
    case Code::denied:
    case Code::corrupt:
    case Code::unsupported:
    case Code::internal:
        break;
    }
    return http_code::store_error;
}

std::string_view http_message_of(const HttpCode& code) {
    if (code == http_code::busy) {
        return "too many calls at once; come back later";
    }
    if (code == http_code::store_unavailable) {
        return "the store cannot be reached";
    }
    if (code == http_code::store_timeout) {
        return "the store did not answer in time";
    }
    if (code == http_code::bad_request) {
        return "a value is out of range";
    }
    return "the store failed; the service's log says why";
}

}  // namespace holdfast
