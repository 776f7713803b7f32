#include "listeners.h"

#include "subscription_state.h"

namespace holdfast::redis {

void Listeners::add(const std::shared_ptr<SubscriptionState>& listener) {
    std::erase_if(all_, [](const auto& held) { return held.expired(); });
    all_.push_back(listener);
}

void Listeners::tell() const {
    for (const auto& listener : all()) {
        listener->look_again();
    }
}

std::vector<std::shared_ptr<SubscriptionState>> Listeners::all() const {
    std::vector<std::shared_ptr<SubscriptionState>> living;
    for (const auto& held : all_) {
        if (auto listener = held.lock(); listener != nullptr) {
            living.push_back(std::move(listener));
        }
    }
    return living;
}

}  // namespace holdfast::redis
