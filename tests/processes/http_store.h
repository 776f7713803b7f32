#pragma once
// The store of a service, over HTTP, as small as a test needs it: one connection a call.

#include <holdfast/io/tcp.h>
#include <holdfast/store/store.h>

#include <cstdint>
#include <string>

namespace holdfast::testing {

class HttpStore final : public Store, private RangeStore, private SlotLeaseStore {
public:
    HttpStore(std::uint16_t port, std::string token) : token_(std::move(token)), port_(port) {}

    RangeStore& ranges() override { return *this; }
    SlotLeaseStore& slots() override { return *this; }
    std::string_view type() const override { return "http"; }
    Task<Done> probe(Deadline deadline) override;

private:
    struct Answer {
        Answer(int code, std::string text) : status(code), body(std::move(text)) {}
        int status;
        std::string body;
    };

    Task<Answer> post(std::string_view path, std::string body, Deadline deadline);

    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override;
    Task<SealOutcome> seal(RangeKey key, Deadline deadline) override;
    Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) override;
    Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) override;
    Task<ReleaseOutcome> release(LeaseKey key, StoreTime last_issued, Deadline deadline) override;

    std::string token_;
    std::uint16_t port_;
};

}  // namespace holdfast::testing
