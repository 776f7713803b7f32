#include "trial.h"

namespace holdfast {
namespace {

Task<Done> sleep_for(Duration duration) {
    Scope& scope = co_await this_scope();
    auto slept = co_await sleep(scope.loop().now() + duration);
    co_return slept;
}

template <class T>
T checked(std::string_view text) {
    return T::parse(text).value();  // the kit's own names are sound
}

}  // namespace

Trial::Trial(StoreUnderTest& under_test, std::unique_ptr<Store> store)
    : under_test_(under_test), store_(std::move(store)), name_(under_test.fresh_name()) {
    set_now(StoreTime(Duration(trial_start_ms)));
}

bool Trial::expect(bool holds, std::string_view text) {
    if (!holds && failure_.empty()) {
        failure_ = text;
    }
    return holds;
}

bool Trial::expect_equal(std::int64_t got, std::int64_t wanted, std::string_view what) {
    return expect(
        got == wanted,
        std::string(what) + ": got " + std::to_string(got) + ", expected " + std::to_string(wanted)
    );
}

PromiseResult Trial::result() const {
    if (!failure_.empty()) {
        return {Verdict::failed, failure_};
    }
    if (!skipped_.empty()) {
        return {Verdict::skipped, skipped_};
    }
    return {Verdict::passed, {}};
}

void Trial::reopen() {
    store_.reset();
    auto opened = under_test_.open();
    if (!opened.ok()) {
        expect(false, "the store does not open again: " + std::string(opened.error().what()));
        return;
    }
    store_ = std::move(opened).value();
}

Deadline Trial::soon() const {
    return Deadline::in(std::chrono::seconds(10), runtime().loop(0).now());
}
Deadline Trial::passed() const {
    return Deadline::at(runtime().loop(0).now());
}

RangeKey Trial::key(std::string_view tail) const {
    return checked<RangeKey>(name_ + std::string(tail));
}
Namespace Trial::space(std::string_view tail) const {
    return checked<Namespace>(name_ + std::string(tail));
}
OwnerKey Trial::owner(std::string_view text) {
    return checked<OwnerKey>(text);
}
Incarnation Trial::fresh_incarnation() {
    return checked<Incarnation>(name_ + "-" + std::to_string(++incarnations_));
}
AcquireRequest Trial::ask(std::string_view owner_text) {
    return AcquireRequest(space(), owner(owner_text), fresh_incarnation()).limit(4);
}

void Trial::expect_error(const Error* error, Code code, std::string_view what) {
    if (error == nullptr) {
        expect(false, std::string(what) + " was not refused");
        return;
    }
    const std::string_view word = code == Code::timed_out ? "timed_out" : "invalid_argument";
    expect(
        error->code() == code && error->effect() == Effect::none,
        std::string(what) + " was not refused as " + std::string(word) +
            " with effect none: " + std::string(error->what())
    );
}

template <class T>
bool Trial::answered(const Result<T>& answer, std::string_view call) {
    return expect(
        answer.ok(),
        answer.ok() ? std::string()
                    : std::string(call) + " failed: " + std::string(answer.error().what())
    );
}

SlotLease Trial::no_lease() const {
    return SlotLease{Slot(0), Fence(0), StoreTime(), StoreTime(), StoreTime(), StoreTime()};
}

Result<ReserveOutcome> Trial::try_reserve(ReserveRequest request) {
    return wait(runtime(), store_->ranges().reserve(std::move(request), soon()));
}

ReserveOutcome Trial::reserve(ReserveRequest request) {
    auto answer = try_reserve(std::move(request));
    return answered(answer, "reserve") ? answer.value() : ReserveOutcome(Range{0, 0});
}

Range Trial::take(ReserveRequest request) {
    const ReserveOutcome outcome = reserve(std::move(request));
    const auto* range = std::get_if<Range>(&outcome);
    expect(range != nullptr, "reserve did not answer a range");
    return range != nullptr ? *range : Range{0, 0};
}

void Trial::expect_range_exhausted(ReserveRequest request) {
    const ReserveOutcome outcome = reserve(std::move(request));
    expect(std::holds_alternative<RangeExhausted>(outcome), "the key was not exhausted");
}

void Trial::expect_sealed(ReserveRequest request) {
    const ReserveOutcome outcome = reserve(std::move(request));
    expect(std::holds_alternative<RangeSealed>(outcome), "the key was not sealed");
}

bool Trial::seal(RangeKey key) {
    auto answer = wait(runtime(), store_->ranges().seal(std::move(key), soon()));
    if (answered(answer, "seal") && answer.value() == SealOutcome::unsupported) {
        skip("this store does not seal");
        return false;
    }
    return answer.ok();
}

Result<AcquireOutcome> Trial::try_acquire(AcquireRequest request) {
    return wait(runtime(), store_->slots().acquire(std::move(request), soon()));
}
Result<RenewOutcome> Trial::try_renew(LeaseKey key, Duration ttl, Duration tolerance) {
    return wait(runtime(), store_->slots().renew(std::move(key), ttl, tolerance, soon()));
}
Result<ReleaseOutcome> Trial::try_release(LeaseKey key, StoreTime last_issued) {
    return wait(runtime(), store_->slots().release(std::move(key), last_issued, soon()));
}

Lease Trial::take(AcquireRequest request) {
    auto answer = try_acquire(request);
    if (answered(answer, "acquire")) {
        const auto* granted = std::get_if<Acquired>(&answer.value());
        if (expect(granted != nullptr, "acquire did not grant a slot")) {
            return Lease(std::move(request), *granted);
        }
    }
    return Lease(std::move(request), Acquired{no_lease(), AcquireReason::free, false});
}

SlotsExhausted Trial::expect_exhausted(AcquireRequest request) {
    auto answer = try_acquire(std::move(request));
    if (answered(answer, "acquire")) {
        const auto* exhausted = std::get_if<SlotsExhausted>(&answer.value());
        if (expect(exhausted != nullptr, "acquire did not answer that the slots are exhausted")) {
            return *exhausted;
        }
    }
    return SlotsExhausted{StoreTime()};
}

void Trial::expect_mismatch(AcquireRequest request) {
    auto answer = try_acquire(std::move(request));
    if (answered(answer, "acquire")) {
        expect(
            std::holds_alternative<NamespaceMismatch>(answer.value()),
            "acquire did not answer that the namespace has other settings"
        );
    }
}

SlotLease Trial::renew(const Lease& lease) {
    return renew(lease.key(), lease.request().ttl(), lease.request().tolerance());
}

SlotLease Trial::renew(LeaseKey key, Duration ttl, Duration tolerance) {
    auto answer = try_renew(std::move(key), ttl, tolerance);
    if (answered(answer, "renew")) {
        const auto* lease = std::get_if<SlotLease>(&answer.value());
        if (expect(lease != nullptr, "the lease was lost at a renewal")) {
            return *lease;
        }
    }
    return no_lease();
}

LeaseLost Trial::expect_renew_lost(LeaseKey key) {
    auto answer = try_renew(std::move(key), std::chrono::seconds(30), std::chrono::seconds(1));
    if (answered(answer, "renew")) {
        const auto* gone = std::get_if<LeaseLost>(&answer.value());
        if (expect(gone != nullptr, "a renewal was accepted that had to be refused")) {
            return *gone;
        }
    }
    return LeaseLost();
}

void Trial::release(const Lease& lease, StoreTime last_issued) {
    auto answer = try_release(lease.key(), last_issued);
    if (answered(answer, "release")) {
        expect(
            std::holds_alternative<Released>(answer.value()), "the lease was lost at its release"
        );
    }
}

void Trial::release_unused(const Lease& lease) {
    release(lease, lease.row().floor - Duration(1));
}

LeaseLost Trial::expect_release_lost(LeaseKey key, StoreTime last_issued) {
    auto answer = try_release(std::move(key), last_issued);
    if (answered(answer, "release")) {
        const auto* gone = std::get_if<LeaseLost>(&answer.value());
        if (expect(gone != nullptr, "a release was accepted that had to be refused")) {
            return *gone;
        }
    }
    return LeaseLost();
}

void Trial::pass_until(StoreTime time) {
    if (under_test_.has_clock()) {
        set_now(time);
        return;
    }
    // The store's time is only seen in its answers: a lease of another namespace serves as the
    // watch.
    const Lease watch = take(AcquireRequest(space("-watch"), owner("watch"), fresh_incarnation())
                                 .limit(4)
                                 .ttl(limits::ttl_max));
    const SteadyTime until = runtime().loop(0).now() + std::chrono::seconds(30);
    while (renew(watch).store_now < time) {
        (void)wait(runtime(), sleep_for(Duration(10)));
        if (!failure_.empty() ||
            !expect(runtime().loop(0).now() < until, "the store's clock stands")) {
            return;
        }
    }
}

}  // namespace holdfast
