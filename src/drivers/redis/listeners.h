#pragma once
// The subscriptions of a loop, for what concerns them all. Loop thread only.

#include <memory>
#include <vector>

namespace holdfast::redis {

class SubscriptionState;

class Listeners {
public:
    void add(const std::shared_ptr<SubscriptionState>& listener);
    // Another topology, why there will be none, or the client has been closed: they look again.
    void tell() const;
    std::vector<std::shared_ptr<SubscriptionState>> all() const;

private:
    std::vector<std::weak_ptr<SubscriptionState>> all_;
};

}  // namespace holdfast::redis
