#pragma once
// One run of one promise: names of its own, calls that must be answered, and the first thing that
// went wrong.

#include <holdfast/store/limits.h>
#include <holdfast/store_kit/store_kit.h>

namespace holdfast {

inline constexpr std::int64_t trial_start_ms = 1'790'000'000'000;

// A granted lease with what was asked for.
class Lease {
public:
    Lease(AcquireRequest request, Acquired answer)
        : request_(std::move(request)), answer_(std::move(answer)) {}

    const AcquireRequest& request() const { return request_; }
    const Acquired& answer() const { return answer_; }
    const SlotLease& row() const { return answer_.lease; }
    std::uint32_t slot() const { return row().slot.value(); }
    LeaseKey key() const { return key_with(row().fence); }
    LeaseKey key_with(Fence fence) const {
        return LeaseKey(
            request_.name(), row().slot, request_.owner(), request_.incarnation(), fence
        );
    }

private:
    AcquireRequest request_;
    Acquired answer_;
};

class Trial {
public:
    Trial(StoreUnderTest& under_test, std::unique_ptr<Store> store);

    // The first failure counts; a promise runs on after it with made-up answers, which cannot hide
    // it.
    bool expect(bool holds, std::string_view text);
    bool expect_equal(std::int64_t got, std::int64_t wanted, std::string_view what);
    void skip(std::string_view reason) { skipped_ = reason; }
    PromiseResult result() const;

    Runtime& runtime() const { return under_test_.runtime(); }
    Store& store() { return *store_; }
    void reopen();
    Deadline soon() const;
    Deadline passed() const;

    // Names.
    RangeKey key(std::string_view tail = "") const;
    Namespace space(std::string_view tail = "") const;
    OwnerKey owner(std::string_view text);
    Incarnation fresh_incarnation();
    AcquireRequest ask(std::string_view owner);  // 4 slots, 30 s, 1 s, a fresh incarnation

    // Ranges. take: a range must be the answer.
    Result<ReserveOutcome> try_reserve(ReserveRequest request);
    ReserveOutcome reserve(ReserveRequest request);
    Range take(ReserveRequest request);
    void expect_range_exhausted(ReserveRequest request);
    void expect_sealed(ReserveRequest request);
    bool seal(RangeKey key);  // false: this store cannot, and the promise is skipped

    // Slots. take: a lease must be the answer.
    Result<AcquireOutcome> try_acquire(AcquireRequest request);
    Result<RenewOutcome> try_renew(LeaseKey key, Duration ttl, Duration tolerance);
    Result<ReleaseOutcome> try_release(LeaseKey key, StoreTime last_issued);
    Lease take(AcquireRequest request);
    SlotsExhausted expect_exhausted(AcquireRequest request);
    void expect_mismatch(AcquireRequest request);
    SlotLease renew(const Lease& lease);  // with the terms it was taken with
    SlotLease renew(LeaseKey key, Duration ttl, Duration tolerance);
    LeaseLost expect_renew_lost(LeaseKey key);
    void release(const Lease& lease, StoreTime last_issued);
    void release_unused(const Lease& lease);
    LeaseLost expect_release_lost(LeaseKey key, StoreTime last_issued);

    template <class T>
    void expect_refused(const Result<T>& answer, std::string_view what) {
        expect_error(answer.ok() ? nullptr : &answer.error(), Code::invalid_argument, what);
    }
    template <class T>
    void expect_timed_out(const Result<T>& answer, std::string_view what) {
        expect_error(answer.ok() ? nullptr : &answer.error(), Code::timed_out, what);
    }

    // Time. Sets the clock where it can be set, else waits until the store's own has come so far.
    void pass_until(StoreTime time);
    void set_now(StoreTime time) { under_test_.set_clock(time); }

private:
    void expect_error(const Error* error, Code code, std::string_view what);
    template <class T>
    bool answered(const Result<T>& answer, std::string_view call);
    SlotLease no_lease() const;

    StoreUnderTest& under_test_;
    std::unique_ptr<Store> store_;
    std::string name_;
    std::string failure_;
    std::string skipped_;
    int incarnations_ = 0;
};

}  // namespace holdfast
