#pragma once
// How long to wait before the next dial: a random part of a bound that doubles (full jitter), so
// that clients of a server that comes back do not come all at once.

#include <holdfast/io/random.h>
#include <holdfast/redis/client_limits.h>

#include <algorithm>

namespace holdfast::redis {

class Backoff {
public:
    explicit Backoff(Random& random) : random_(&random) {}
    void succeeded() { bound_ = backoff_first; }
    Duration next() {
        const auto span = static_cast<std::uint64_t>(bound_.count());
        bound_ = std::min(bound_ * 2, backoff_max);
        return Duration(1 + static_cast<std::int64_t>(random_->next() % span));
    }

private:
    Random* random_;
    Duration bound_ = backoff_first;
};

}  // namespace holdfast::redis
