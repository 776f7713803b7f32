#pragma once
// One random sequence in names of its own. Runs as a task on one loop.

#include <holdfast/store_kit/store_kit.h>

#include <random>
#include <vector>

namespace holdfast {

class Sequence {
public:
    struct Side {
        StoreUnderTest& place;
        Store& store;
    };
    Sequence(Side tested, Side model, std::string name, std::uint64_t seed);

    Task<Done> run(int operations);
    const std::string& failure() const { return failure_; }
    std::int64_t compared() const { return compared_; }

private:
    struct Known {
        LeaseKey key;
        SlotLease row;
        Duration ttl;
    };

    Task<Done> step(Deadline deadline);
    Task<Done> acquire(AcquireRequest request, Deadline deadline);
    Task<Done> renew(Deadline deadline);
    Task<Done> release(Deadline deadline);
    Task<Done> reserve(Deadline deadline);
    Task<Done> seal(Deadline deadline);

    AcquireRequest new_request();
    LeaseKey bent(const LeaseKey& key);
    StoreTime any_last_issued(const SlotLease& row);
    Duration any_ttl();
    RangeKey any_key();
    void step_clock();
    void follow(StoreTime store_now);
    void compare(std::string_view call, const std::string& got, const std::string& wanted);

    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
    const Known& recent_lease();

    Side tested_;
    Side model_;
    std::string name_;
    std::mt19937_64 random_;
    bool has_clock_;
    StoreTime now_;
    std::uint32_t limit_;
    Duration tolerance_;
    std::vector<AcquireRequest> requests_;
    std::vector<Known> leases_;
    int tokens_ = 0;
    std::int64_t compared_ = 0;
    std::string failure_;
};

}  // namespace holdfast
