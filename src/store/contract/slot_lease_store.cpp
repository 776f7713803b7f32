#include <holdfast/store/slot_lease_store.h>

namespace holdfast {

std::string_view name_of(AcquireReason reason) {
    switch (reason) {
    case AcquireReason::held:
        return "held";
    case AcquireReason::preferred:
        return "preferred";
    case AcquireReason::sticky:
        return "sticky";
    case AcquireReason::free:
        break;
    }
    return "free";
}

}  // namespace holdfast
