// Calls are passed on and counted by what came of them.
#include <holdfast/store/metered_store.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace holdfast {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Gives the answers it was told to, in order.
class ScriptedStore final : public Store, public RangeStore, public SlotLeaseStore {
public:
    RangeStore& ranges() override { return *this; }
    SlotLeaseStore& slots() override { return *this; }
    std::string_view type() const override { return "scripted"; }
    Task<Done> probe(Deadline) override { co_return Done(); }
    Task<ReserveOutcome> reserve(ReserveRequest, Deadline) override {
        Result<ReserveOutcome> answer = std::move(reserves.front());
        reserves.pop_front();
        co_return answer;
    }
    Task<SealOutcome> seal(RangeKey, Deadline) override { co_return SealOutcome::sealed; }
    Task<AcquireOutcome> acquire(AcquireRequest, Deadline) override {
        co_return AcquireOutcome(NamespaceMismatch());
    }
    Task<RenewOutcome> renew(LeaseKey, Duration, Duration, Deadline) override {
        co_return RenewOutcome(LeaseLost{true});
    }
    Task<ReleaseOutcome> release(LeaseKey, StoreTime, Deadline) override {
        co_return ReleaseOutcome(LeaseLost{false});
    }

    std::deque<Result<ReserveOutcome>> reserves;
};

class MeteredStoreTest : public ::testing::Test {
protected:
    MeteredStoreTest() {
        auto scripted = std::make_unique<ScriptedStore>();
        scripted_ = scripted.get();
        store_ = meter(std::move(scripted), *runtime_, metrics_);
    }

    Deadline soon() { return Deadline::in(std::chrono::seconds(10), runtime_->loop(0).now()); }
    Result<ReserveOutcome> reserve() {
        auto key = RangeKey::parse("orders").value();
        return wait(*runtime_, store_->ranges().reserve(ReserveRequest(key, 10), soon()));
    }
    LeaseKey lease() {
        return LeaseKey(
            Namespace::parse("orders").value(),
            Slot(1),
            OwnerKey::parse("owner").value(),
            Incarnation::parse("token").value(),
            Fence(7)
        );
    }
    static std::string count_of(std::string_view labels, int count) {
        return "cosid_server_store_call_seconds_count{" + std::string(labels) + "} " +
               std::to_string(count) + "\n";
    }

    std::unique_ptr<Runtime> runtime_ = open_runtime(RuntimeOptions().loops(2)).value();
    Metrics metrics_;
    ScriptedStore* scripted_;
    std::unique_ptr<Store> store_;
};

TEST_F(MeteredStoreTest, an_answer_is_passed_on_and_counted_by_its_word) {
    scripted_->reserves.emplace_back(ReserveOutcome(Range{10, 20}));
    scripted_->reserves.emplace_back(ReserveOutcome(Range{20, 30}));
    scripted_->reserves.emplace_back(ReserveOutcome(RangeSealed()));
    const auto first = reserve();
    (void)reserve();
    (void)reserve();
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(first.value(), ReserveOutcome(Range{10, 20}));
    const std::string text = metrics_.text();
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="reserve",outcome="range")", 2)));
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="reserve",outcome="sealed")", 1)));
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="reserve",outcome="exhausted")", 0)));
}

TEST_F(MeteredStoreTest, a_failed_call_is_counted_by_what_is_known_of_its_effect) {
    scripted_->reserves.emplace_back(Error(Code::unreachable, Effect::unknown, "no answer"));
    scripted_->reserves.emplace_back(Error(Code::overloaded, Effect::none, "full"));
    const auto first = reserve();
    (void)reserve();
    ASSERT_FALSE(first.ok());
    EXPECT_EQ(first.error().code(), Code::unreachable);
    EXPECT_EQ(first.error().effect(), Effect::unknown);
    const std::string text = metrics_.text();
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="reserve",outcome="error_unknown")", 1)));
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="reserve",outcome="error_none")", 1)));
}

TEST_F(MeteredStoreTest, every_operation_is_counted) {
    auto name = Namespace::parse("orders").value();
    auto owner = OwnerKey::parse("owner").value();
    auto token = Incarnation::parse("token").value();
    (void)wait(*runtime_, store_->slots().acquire(AcquireRequest(name, owner, token), soon()));
    (void)wait(*runtime_, store_->ranges().seal(RangeKey::parse("orders").value(), soon()));
    (void)wait(*runtime_, store_->slots().renew(lease(), Duration(1000), Duration(0), soon()));
    (void)wait(*runtime_, store_->slots().release(lease(), StoreTime(), soon()));
    (void)wait(*runtime_, store_->probe(soon()));
    const std::string text = metrics_.text();
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="acquire",outcome="mismatch")", 1)));
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="seal",outcome="sealed")", 1)));
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="renew",outcome="lost")", 1)));
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="release",outcome="lost")", 1)));
    EXPECT_THAT(text, HasSubstr(count_of(R"(operation="probe",outcome="up")", 1)));
    EXPECT_THAT(text, Not(HasSubstr(R"(operation="probe",outcome="range")")));
}

}  // namespace
}  // namespace holdfast
