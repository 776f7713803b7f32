#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/transact.h>

#include <algorithm>

namespace holdfast::redis {

bool may_transact_elsewhere(const Error& error, const Lease& lease) {
    const bool elsewhere = error.code() == Code::moved || error.code() == Code::unreachable;
    return elsewhere && (error.effect() == Effect::none || !lease.may_have_done());
}

Duration pause_before_transacting(int lost) {
    constexpr int doublings = 5;
    return pause_first * (1 << std::min(lost, doublings));
}

}  // namespace holdfast::redis
