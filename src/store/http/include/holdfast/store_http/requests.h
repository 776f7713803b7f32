#pragma once
// The request bodies of the HTTP contract, read into the store's own types.

#include <holdfast/store/range_store.h>
#include <holdfast/store/slot_lease_store.h>

#include <string>
#include <string_view>
#include <variant>

namespace holdfast {

// Why a body was refused: which field, and what is allowed.
struct FieldProblem {
    std::string_view field;  // a literal; empty when the body as a whole is wrong
    std::string what;        // of numbers and literals: nothing that was sent
    friend bool operator==(const FieldProblem&, const FieldProblem&) = default;

    // "size: must be from 1 to 1000"
    std::string text() const;
};

template <class T>
using Read = std::variant<T, FieldProblem>;

// What a service allows, inside what the contract allows.
struct RequestLimits {
    Duration ttl_min{100};
    Duration ttl_max = std::chrono::hours(1);
    Duration tolerance_max = std::chrono::minutes(1);
    std::uint32_t slot_limit_max = 65'536;
    std::int64_t reserve_size_max = 1'000'000'000'000;
};

class RenewRequest {
public:
    RenewRequest(LeaseKey key, Duration ttl, Duration tolerance)
        : key_(std::move(key)), ttl_(ttl), tolerance_(tolerance) {}
    const LeaseKey& key() const { return key_; }
    Duration ttl() const { return ttl_; }
    Duration tolerance() const { return tolerance_; }

private:
    LeaseKey key_;
    Duration ttl_;
    Duration tolerance_;
};

class ReleaseRequest {
public:
    ReleaseRequest(LeaseKey key, StoreTime last_issued)
        : key_(std::move(key)), last_issued_(last_issued) {}
    const LeaseKey& key() const { return key_; }
    StoreTime last_issued() const { return last_issued_; }

private:
    LeaseKey key_;
    StoreTime last_issued_;
};

// Any thread. Unknown members are ignored; duplicate members, trailing bytes, nesting deeper than
// 32, fractions, exponents and texts that are not UTF-8 are refused.
Read<ReserveRequest> read_reserve(std::string_view body, const RequestLimits& limits);
Read<RangeKey> read_seal(std::string_view body);
Read<AcquireRequest> read_acquire(std::string_view body, const RequestLimits& limits);
Read<RenewRequest> read_renew(std::string_view body, const RequestLimits& limits);
Read<ReleaseRequest> read_release(std::string_view body);

}  // namespace holdfast
