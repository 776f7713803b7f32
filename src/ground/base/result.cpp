#include <holdfast/base/check.h>
#include <holdfast/base/result.h>

namespace holdfast {

std::string_view name_of(Code code) {
    switch (code) {
    case Code::invalid_argument:
        return "invalid_argument";
    case Code::denied:
        return "denied";
    case Code::overloaded:
        return "overloaded";
    case Code::unreachable:
        return "unreachable";
    case Code::timed_out:
        return "timed_out";
    case Code::moved:
        return "moved";
    case Code::corrupt:
        return "corrupt";
    case Code::unsupported:
        return "unsupported";
    case Code::closed:
        return "closed";
    case Code::cancelled:
        return "cancelled";
    case Code::internal:
        return "internal";
    }
    check(false, "a code without a name");
    return {};
}

std::string_view name_of(Effect effect) {
    return effect == Effect::none ? "none" : "unknown";
}

}  // namespace holdfast
