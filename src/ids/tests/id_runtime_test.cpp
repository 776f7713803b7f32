// A whole runtime of ids on the memory store, in virtual time.

#include <holdfast/ids/id_runtime.h>
#include <holdfast/io/compose.h>
#include <holdfast/io/virtual_runtime.h>
#include <holdfast/store_memory/memory_store.h>

#include <gtest/gtest.h>

#include <set>

namespace holdfast {
namespace {

Namespace shop() {
    return Namespace::parse("shop").value();
}

// A store that may be away.
class SwitchedStore final : public Store, public RangeStore, public SlotLeaseStore {
public:
    explicit SwitchedStore(Store& inner) : inner_(&inner) {}
    RangeStore& ranges() override { return *this; }
    SlotLeaseStore& slots() override { return *this; }
    std::string_view type() const override { return "switched"; }
    Task<Done> probe(Deadline deadline) override { return inner_->probe(deadline); }
    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override {
        ++reserves;
        if (away) {
            co_return gone();
        }
        if (slow.count() != 0) {
            (void)co_await shielded(pause(slow));  // as a call that has begun on a blocking pool
        }
        co_return co_await inner_->ranges().reserve(std::move(request), deadline);
    }
    Task<SealOutcome> seal(RangeKey key, Deadline deadline) override {
        return inner_->ranges().seal(std::move(key), deadline);
    }
    Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) override {
        ++acquires;
        if (away) {
            co_return gone();
        }
        co_return co_await inner_->slots().acquire(std::move(request), deadline);
    }
    Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) override {
        if (away) {
            co_return gone();
        }
        co_return co_await inner_->slots().renew(std::move(key), ttl, tolerance, deadline);
    }
    Task<ReleaseOutcome> release(LeaseKey key, StoreTime last_issued, Deadline deadline) override {
        ++releases;
        if (away) {
            co_return gone();
        }
        co_return co_await inner_->slots().release(std::move(key), last_issued, deadline);
    }

    bool away = false;
    Duration slow{0};  // each reserve takes so long, whoever asks it to stop
    int acquires = 0;
    int reserves = 0;
    int releases = 0;

private:
    static Task<> pause(Duration time) {
        const SteadyTime begin = (co_await this_scope()).loop().now();
        co_return co_await sleep(begin + time);
    }
    static Error gone() { return Error(Code::unreachable, Effect::none, "the store is away"); }
    Store* inner_;
};

class IdRuntimeTest : public ::testing::Test {
protected:
    IdRuntimeOptions leased(const std::string& owner = "web-1") const {
        return IdRuntimeOptions(shop()).machine(
            LeasedMachine(shop(), OwnerKey::parse(owner).value())
        );
    }
    Deadline in(Duration time) const { return Deadline::in(time, runtime_->clock()); }
    Result<std::unique_ptr<IdRuntime>>
    open(IdRuntimeOptions options, Duration time = Duration(5'000)) {
        return wait(
            *runtime_,
            open_id_runtime(
                std::move(options), {IdStore{"main", &store_}}, *runtime_, metrics_, log_, in(time)
            )
        );
    }
    void close(IdRuntime& ids) {
        EXPECT_TRUE(wait(*runtime_, ids.close(in(Duration(5'000)))).ok());
    }

    std::unique_ptr<VirtualRuntime> runtime_ = open_virtual_runtime(VirtualOptions());
    std::unique_ptr<Store> memory_ = open_memory_store();
    SwitchedStore store_{*memory_};
    Metrics metrics_;
    LogLines lines_;
    Log log_{LogFormat::text, LogLevel::debug, system_clock(), lines_};
};

TEST_F(IdRuntimeTest, every_strategy_issues_and_tells_of_itself) {
    auto opened = open(leased()
                           .add(GeneratorOptions::snowflake("number"))
                           .add(GeneratorOptions::string("text"))
                           .add(GeneratorOptions::segment("segment"))
                           .add(GeneratorOptions::periodic("period")));
    ASSERT_TRUE(opened.ok()) << opened.error().what();
    IdRuntime& ids = *opened.value();
    EXPECT_TRUE(ids.find("number")->next().ok());
    EXPECT_TRUE(ids.find("text")->next_text().ok());
    EXPECT_EQ(ids.find("segment")->next().value(), 0);
    std::array<std::int64_t, 3> values{};
    EXPECT_TRUE(
        wait(*runtime_, ids.find("period")->fill_of_period(values, in(Duration(1'000)))).ok()
    );
    ASSERT_EQ(ids.generators().size(), 4U);
    EXPECT_EQ(ids.generators()[0].name, "number");
    EXPECT_EQ(ids.generators()[0].issued, 1U);
    ASSERT_EQ(ids.leases().size(), 1U);
    EXPECT_EQ(ids.leases()[0].state, LeaseState::leased);
    EXPECT_EQ(ids.manual_machine(), std::nullopt);
    EXPECT_FALSE(ids.rollback_suspected());
    EXPECT_FALSE(ids.ranges().empty());
    EXPECT_NE(
        metrics_.text().find("cosid_ids_issued_total{generator=\"number\"} 1"), std::string::npos
    );
    close(ids);
}

// Row 4: a null that nobody expected.
TEST_F(IdRuntimeTest, an_unknown_name_is_null_and_a_known_one_always_the_same_object) {
    auto opened =
        open(leased().add(GeneratorOptions::snowflake("b")).add(GeneratorOptions::snowflake("a")));
    ASSERT_TRUE(opened.ok());
    IdRuntime& ids = *opened.value();
    for (const char* name : {"", "c", "A", "ab", "strings"}) {
        EXPECT_EQ(ids.find(name), nullptr) << name;
    }
    EXPECT_EQ(ids.find("a"), ids.find("a"));
    EXPECT_EQ(ids.find("a")->name(), "a");
    EXPECT_EQ(ids.find("b")->name(), "b");
    close(ids);
}

// shardingsphere#17055: a generator object per call, each with a sequence of its own.
TEST_F(IdRuntimeTest, two_generators_of_one_layout_share_the_gate) {
    auto opened =
        open(leased().add(GeneratorOptions::snowflake("a")).add(GeneratorOptions::snowflake("b")));
    ASSERT_TRUE(opened.ok());
    IdRuntime& ids = *opened.value();
    std::set<std::int64_t> seen;
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(seen.insert(ids.find("a")->next().value()).second);
        EXPECT_TRUE(seen.insert(ids.find("b")->next().value()).second);
        EXPECT_TRUE(seen.insert(ids.find("a")->next().value()).second);
    }
    EXPECT_EQ(store_.acquires, 1);
    close(ids);
}

// Row 18: an id of a cached number while nobody can say who else has it.
TEST_F(IdRuntimeTest, while_the_store_is_away_at_the_start_no_time_based_id_is_issued) {
    store_.away = true;
    const SteadyTime before = runtime_->now();
    auto opened = open(leased().add(GeneratorOptions::snowflake("a")), Duration(3'000));
    ASSERT_FALSE(opened.ok());
    EXPECT_TRUE(
        opened.error().code() == Code::unreachable || opened.error().code() == Code::timed_out
    ) << opened.error().what();
    EXPECT_EQ(opened.error().effect(), Effect::none);
    EXPECT_LE(runtime_->now() - before, Duration(5'000));
    EXPECT_EQ(store_.reserves, 0);
    store_.away = false;
    auto again = open(leased().add(GeneratorOptions::snowflake("a")));
    ASSERT_TRUE(again.ok());
    close(*again.value());
}

TEST_F(IdRuntimeTest, ranges_need_no_store_to_be_opened) {
    store_.away = true;
    auto opened = open(IdRuntimeOptions(shop()).add(GeneratorOptions::segment("a")), Duration(500));
    ASSERT_TRUE(opened.ok()) << opened.error().what();
    IdRuntime& ids = *opened.value();
    EXPECT_FALSE(ids.find("a")->next().ok());
    store_.away = false;
    EXPECT_EQ(wait(*runtime_, ids.find("a")->next(in(Duration(60'000)))).value(), 0);
    EXPECT_EQ(store_.acquires, 0);
    close(ids);
}

// Its loop would wait for the end of a task of its own.
TEST_F(IdRuntimeTest, an_open_that_is_given_up_does_not_go_before_what_it_began) {
    store_.slow = Duration(20'000);
    IdStores stores = {IdStore{"main", &store_}};
    IdRuntimeOptions options = IdRuntimeOptions(shop()).add(GeneratorOptions::segment("a"));
    auto given_up = wait(
        *runtime_,
        with_deadline(
            open_id_runtime(
                std::move(options),
                std::move(stores),
                *runtime_,
                metrics_,
                log_,
                in(Duration(60'000))
            ),
            in(Duration(100))
        )
    );
    ASSERT_FALSE(given_up.ok());
    EXPECT_EQ(given_up.error().effect(), Effect::none);
    EXPECT_EQ(store_.reserves, 1);
}

TEST_F(IdRuntimeTest, all_slots_taken_is_an_answer_and_never_a_live_slot) {
    const auto one = [](const std::string& owner) {
        return IdRuntimeOptions(shop())
            .machine(LeasedMachine(shop(), OwnerKey::parse(owner).value()).limit(1))
            .add(GeneratorOptions::snowflake("a"));
    };
    auto first = open(one("web-1"));
    ASSERT_TRUE(first.ok());
    auto second = open(one("web-2"), Duration(2'000));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code(), Code::overloaded) << second.error().what();
    close(*first.value());
    auto third = open(one("web-2"));
    ASSERT_TRUE(third.ok()) << third.error().what();
    close(*third.value());
}

TEST_F(IdRuntimeTest, what_is_refused_names_the_generator_before_any_store_is_asked) {
    auto opened = open(leased().add(GeneratorOptions::segment("orders", SegmentOptions().step(0))));
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code(), Code::invalid_argument);
    EXPECT_EQ(opened.error().context()->server_text, "orders");
    EXPECT_EQ(store_.acquires + store_.reserves, 0);
}

TEST_F(IdRuntimeTest, a_layout_that_ends_within_a_year_is_refused) {
    const WallTime now = runtime_->clock().wall_now();
    const auto ends_in = [&](Duration time) {
        const Duration field{(std::int64_t{1} << 38) - 1};
        return open(leased().add(GeneratorOptions::snowflake(
            "a", IdLayout::milliseconds().bits(38, 10, 12).epoch(now + time - field)
        )));
    };
    auto late = ends_in(std::chrono::hours(24 * 364));
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::invalid_argument);
    auto early = ends_in(std::chrono::hours(24 * 368));
    ASSERT_TRUE(early.ok()) << early.error().what();
    close(*early.value());
}

TEST_F(IdRuntimeTest, a_disabled_generator_keeps_its_name_and_refuses) {
    auto opened = open(IdRuntimeOptions(shop())
                           .add(GeneratorOptions::snowflake("a").enabled(false))
                           .add(GeneratorOptions::segment("b").enabled(false)));
    ASSERT_TRUE(opened.ok());
    IdRuntime& ids = *opened.value();
    for (const char* name : {"a", "b"}) {
        IdGenerator& generator = *ids.find(name);
        EXPECT_EQ(generator.next().error().code(), Code::denied);
        EXPECT_EQ(generator.next_text().error().code(), Code::denied);
        EXPECT_EQ(
            wait(*runtime_, generator.next(in(Duration(1'000)))).error().code(), Code::denied
        );
        EXPECT_EQ(generator.info().state, IdState::disabled);
        EXPECT_EQ(generator.parse("00000000010").value(), 62);
    }
    EXPECT_EQ(store_.acquires + store_.reserves, 0);
    EXPECT_TRUE(ids.leases().empty());
    close(ids);
}

TEST_F(IdRuntimeTest, from_the_close_on_nothing_is_issued_and_the_slot_is_free_at_once) {
    const auto one = [] {
        return IdRuntimeOptions(shop())
            .machine(LeasedMachine(shop(), OwnerKey::parse("web-1").value()).limit(1))
            .add(GeneratorOptions::snowflake("a"))
            .add(GeneratorOptions::segment("b"));
    };
    auto first = open(one());
    ASSERT_TRUE(first.ok());
    IdRuntime& ids = *first.value();
    const std::int64_t last = ids.find("a")->next().value();
    const std::int64_t last_of_range = ids.find("b")->next().value();
    close(ids);
    EXPECT_EQ(ids.find("a")->next().error().code(), Code::closed);
    EXPECT_EQ(ids.find("b")->next().error().code(), Code::closed);
    EXPECT_EQ(store_.releases, 1);
    close(ids);  // again: nothing
    EXPECT_EQ(store_.releases, 1);
    first.value().reset();

    auto second = open(one());
    ASSERT_TRUE(second.ok()) << second.error().what();
    EXPECT_EQ(second.value()->leases()[0].slot, Slot(0));
    EXPECT_GT(wait(*runtime_, second.value()->find("a")->next(in(Duration(2'000)))).value(), last);
    EXPECT_GT(second.value()->find("b")->next().value(), last_of_range);
    close(*second.value());
}

TEST_F(IdRuntimeTest, a_manual_machine_asks_no_store_and_says_whom_uniqueness_rests_on) {
    store_.away = true;
    auto opened = open(
        IdRuntimeOptions(shop()).machine(ManualMachine{7}).add(GeneratorOptions::snowflake("a"))
    );
    ASSERT_TRUE(opened.ok());
    IdRuntime& ids = *opened.value();
    const auto id = ids.find("a")->next();
    ASSERT_TRUE(id.ok()) << id.error().what();
    EXPECT_EQ(decompose(IdLayout::milliseconds(), id.value()).value().machine, 7);
    EXPECT_EQ(ids.manual_machine(), 7U);
    EXPECT_TRUE(ids.leases().empty());
    EXPECT_EQ(store_.acquires, 0);
    EXPECT_TRUE(lines_.contains("manual_machine"));
    close(ids);
}

TEST_F(IdRuntimeTest, metrics_outlive_the_runtime) {
    auto opened =
        open(leased().add(GeneratorOptions::snowflake("a")).add(GeneratorOptions::segment("b")));
    ASSERT_TRUE(opened.ok());
    (void)opened.value()->find("a")->next();
    close(*opened.value());
    opened.value().reset();
    EXPECT_NE(metrics_.text().find("cosid_ids_issued_total{generator=\"a\"} 1"), std::string::npos);
}

}  // namespace
}  // namespace holdfast
