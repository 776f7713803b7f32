#include "sequence.h"

#include "answer_text.h"
#include "trial.h"

#include <array>
#include <limits>

namespace holdfast {
namespace {

using std::chrono::seconds;

constexpr std::int64_t last_number = std::numeric_limits<std::int64_t>::max();
constexpr std::array limits_tried = {1U, 2U, 3U, 8U, 12U};
constexpr std::array tolerances_tried = {Duration(0), Duration(50), Duration(5000)};
// A lease of the slow kind outlives its sequence, for stores whose clock cannot be set.
constexpr std::array ttls_short = {
    Duration(100), Duration(1000), Duration(30'000), limits::ttl_max
};
constexpr std::array ttls_long = {Duration(600'000), limits::ttl_max};
constexpr std::array sizes_tried = {
    std::int64_t{1},
    std::int64_t{10},
    std::int64_t{1000},
    limits::reserve_size_max,
    limits::reserve_size_max + 1,
    std::int64_t{0}
};
constexpr std::array offsets_tried = {
    std::int64_t{0},
    std::int64_t{1} << 53,
    last_number - limits::reserve_size_max,
    last_number - 5,
    last_number,
    std::int64_t{-1}
};

}  // namespace

Sequence::Sequence(Side tested, Side model, std::string name, std::uint64_t seed)
    : tested_(tested), model_(model), name_(std::move(name)), random_(seed),
      has_clock_(tested.place.has_clock()), now_(Duration(trial_start_ms)),
      limit_(limits_tried[below(limits_tried.size())]),
      tolerance_(tolerances_tried[below(tolerances_tried.size())]) {}

Task<Done> Sequence::run(int operations) {
    Scope& scope = co_await this_scope();
    for (int i = 0; i < operations && failure_.empty(); ++i) {
        step_clock();
        const Deadline deadline = Deadline::in(seconds(10), scope.loop().now());
        (void)co_await step(deadline);
    }
    co_return Done();
}

Task<Done> Sequence::step(Deadline deadline) {
    const std::uint64_t turn = below(100);
    if (turn < 34 || leases_.empty()) {
        requests_.push_back(new_request());
        co_return co_await acquire(requests_.back(), deadline);
    }
    if (turn < 44) {
        const std::size_t newest = std::min<std::size_t>(requests_.size(), 12);
        co_return co_await acquire(requests_[requests_.size() - 1 - below(newest)], deadline);
    }
    if (turn < 68) {
        co_return co_await renew(deadline);
    }
    if (turn < 86) {
        co_return co_await release(deadline);
    }
    if (turn < 98) {
        co_return co_await reserve(deadline);
    }
    co_return co_await seal(deadline);
}

Task<Done> Sequence::acquire(AcquireRequest request, Deadline deadline) {
    const auto got = co_await tested_.store.slots().acquire(request, deadline);
    const auto* granted = got.ok() ? std::get_if<Acquired>(&got.value()) : nullptr;
    if (granted != nullptr) {
        follow(granted->lease.store_now);
        LeaseKey key(
            request.name(),
            granted->lease.slot,
            request.owner(),
            request.incarnation(),
            granted->lease.fence
        );
        leases_.push_back(Known{std::move(key), granted->lease, request.ttl()});
    }
    const auto wanted = co_await model_.store.slots().acquire(request, deadline);
    compare("acquire", text_of(got), text_of(wanted));
    co_return Done();
}

Task<Done> Sequence::renew(Deadline deadline) {
    const Known known = recent_lease();
    const LeaseKey key = bent(known.key);
    const Duration ttl = below(2) == 0 ? known.ttl : any_ttl();
    const auto got = co_await tested_.store.slots().renew(key, ttl, tolerance_, deadline);
    const auto* row = got.ok() ? std::get_if<SlotLease>(&got.value()) : nullptr;
    if (row != nullptr) {
        follow(row->store_now);
        leases_.push_back(Known{key, *row, ttl});
    }
    const auto wanted = co_await model_.store.slots().renew(key, ttl, tolerance_, deadline);
    compare("renew", text_of(got), text_of(wanted));
    co_return Done();
}

Task<Done> Sequence::release(Deadline deadline) {
    const Known known = recent_lease();
    const LeaseKey key = bent(known.key);
    const StoreTime last = any_last_issued(known.row);
    const auto got = co_await tested_.store.slots().release(key, last, deadline);
    const auto wanted = co_await model_.store.slots().release(key, last, deadline);
    compare("release", text_of(got), text_of(wanted));
    co_return Done();
}

Task<Done> Sequence::reserve(Deadline deadline) {
    const std::int64_t size = sizes_tried[below(sizes_tried.size())];
    const std::int64_t offset = offsets_tried[below(offsets_tried.size())];
    const ReserveRequest request(any_key(), size, offset);
    const auto got = co_await tested_.store.ranges().reserve(request, deadline);
    const auto wanted = co_await model_.store.ranges().reserve(request, deadline);
    compare("reserve", text_of(got), text_of(wanted));
    co_return Done();
}

Task<Done> Sequence::seal(Deadline deadline) {
    const RangeKey key = any_key();
    const auto got = co_await tested_.store.ranges().seal(key, deadline);
    if (got.ok() && got.value() == SealOutcome::unsupported) {
        co_return Done();
    }
    const auto wanted = co_await model_.store.ranges().seal(key, deadline);
    compare("seal", text_of(got), text_of(wanted));
    co_return Done();
}

AcquireRequest Sequence::new_request() {
    const std::uint64_t owners = below(2) == 0 ? 2 : 9;
    const std::string owner = "o" + std::to_string(below(owners));
    const std::string token = name_ + "-" + std::to_string(++tokens_);
    std::uint32_t limit = limit_;
    Duration tolerance = tolerance_;
    const std::uint64_t turn = below(30);
    if (turn == 0) {
        limit += 1;
    } else if (turn == 1) {
        tolerance += Duration(1);
    }
    std::optional<Slot> preferred;
    if (below(3) == 0) {
        preferred = Slot(static_cast<std::uint32_t>(below(limit + 1)));  // one of them too high
    }
    return AcquireRequest(
               Namespace::parse(name_).value(),
               OwnerKey::parse(owner).value(),
               Incarnation::parse(token).value()
    )
        .limit(limit)
        .ttl(any_ttl())
        .tolerance(tolerance)
        .preferred(preferred);
}

// Mostly the lease as it is, sometimes one that is not quite it.
LeaseKey Sequence::bent(const LeaseKey& key) {
    const std::uint64_t turn = below(16);
    const OwnerKey owner = turn == 0 ? OwnerKey::parse("ox").value() : key.owner();
    const Incarnation token = turn == 1 ? Incarnation::parse("x").value() : key.incarnation();
    Fence fence = key.fence();
    Slot slot = key.slot();
    if (turn == 2) {
        fence = Fence(fence.value() + 1);
    } else if (turn == 3) {
        fence = Fence(fence.value() - 1);
    } else if (turn == 4) {
        slot = Slot(static_cast<std::uint32_t>(below(limit_ + 1)));
    }
    return LeaseKey(key.name(), slot, owner, token, fence);
}

StoreTime Sequence::any_last_issued(const SlotLease& row) {
    const StoreTime used_to = std::max(row.floor, row.store_now);
    switch (below(has_clock_ ? 8 : 4)) {
    case 0:
        return row.floor - Duration(1);
    case 1:
        return row.floor;
    case 2:
        return row.floor - Duration(2);
    case 3:
        return used_to;
    case 4:
        return row.ceiling - Duration(1);
    case 5:
        return row.ceiling;
    case 6:
        return row.ceiling + Duration(10'000'000);
    default:
        return row.floor +
               Duration(below(static_cast<std::uint64_t>((row.ceiling - row.floor).count()) + 1));
    }
}

Duration Sequence::any_ttl() {
    return has_clock_ ? ttls_short[below(ttls_short.size())] : ttls_long[below(ttls_long.size())];
}

RangeKey Sequence::any_key() {
    return RangeKey::parse(name_ + "/" + std::to_string(below(3))).value();
}

const Sequence::Known& Sequence::recent_lease() {
    const std::size_t newest = std::min<std::size_t>(leases_.size(), 20);
    return leases_[leases_.size() - 1 - below(newest)];
}

void Sequence::step_clock() {
    if (!has_clock_) {
        return;
    }
    const std::uint64_t turn = below(100);
    if (turn < 50) {
        now_ += Duration(below(400));
    } else if (turn < 60) {
        constexpr std::array ahead = {Duration(5000), Duration(31'000), Duration(4'000'000)};
        now_ += ahead[below(ahead.size())];
    } else if (turn < 68) {
        constexpr std::array back = {
            Duration(1), Duration(500), Duration(10'000), Duration(3'600'000)
        };
        now_ -= back[below(back.size())];
    }
    tested_.place.set_clock(now_);
    model_.place.set_clock(now_);
}

void Sequence::follow(StoreTime store_now) {
    if (!has_clock_) {
        model_.place.set_clock(store_now);
    }
}

void Sequence::compare(std::string_view call, const std::string& got, const std::string& wanted) {
    ++compared_;
    if (got != wanted && failure_.empty()) {
        failure_ =
            std::string(call) + ": the store answered '" + got + "', the model '" + wanted + "'";
    }
}

}  // namespace holdfast
