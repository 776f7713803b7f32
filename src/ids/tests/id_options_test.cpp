// Both sides of each bound of what a runtime of ids may be told.

#include <holdfast/ids/id_runtime.h>
#include <holdfast/ids/limits.h>
#include <holdfast/store/limits.h>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

Namespace shop() {
    return Namespace::parse("shop").value();
}
LeasedMachine web() {
    return LeasedMachine(shop(), OwnerKey::parse("web-1").value());
}
IdRuntimeOptions with(GeneratorOptions generator) {
    return IdRuntimeOptions(shop()).machine(web()).add(std::move(generator));
}
IdRuntimeOptions with(LeasedMachine machine) {
    return IdRuntimeOptions(shop())
        .machine(std::move(machine))
        .add(GeneratorOptions::snowflake("a"));
}
IdRuntimeOptions with(SegmentOptions segment) {
    return with(GeneratorOptions::segment("orders", std::move(segment)));
}

// "generator option"; empty: nothing is refused.
std::string refused(const IdRuntimeOptions& options, std::vector<std::string> stores = {"main"}) {
    const auto checked = check_id_options(options, stores);
    if (checked.ok()) {
        return "";
    }
    EXPECT_EQ(checked.error().code(), Code::invalid_argument);
    EXPECT_EQ(checked.error().effect(), Effect::none);
    EXPECT_FALSE(checked.error().what().empty());
    const ErrorContext& context = *checked.error().context();
    return context.server_text + " " + std::string(context.command);
}

TEST(IdOptions, a_name_has_1_to_64_bytes_of_the_alphabet_of_a_namespace) {
    const auto named = [](const std::string& name) {
        return refused(with(GeneratorOptions::segment(name)));
    };
    EXPECT_EQ(named("a"), "");
    EXPECT_EQ(named(std::string(64, 'n')), "");
    EXPECT_EQ(named("a.b_c-d:e@f"), "");
    EXPECT_EQ(named(""), " name");
    EXPECT_EQ(named(std::string(65, 'n')), std::string(65, 'n') + " name");
    EXPECT_EQ(named("a/b"), "a/b name");
    EXPECT_EQ(named("a b"), "a b name");
    EXPECT_EQ(named(".."), ".. name");
    EXPECT_EQ(named("strings"), "strings name");
    EXPECT_EQ(named("string"), "");
}

TEST(IdOptions, a_name_has_one_generator) {
    const auto two = [](const std::string& first, const std::string& second) {
        return refused(with(GeneratorOptions::segment(first)).add(GeneratorOptions::segment(second))
        );
    };
    EXPECT_EQ(two("orders", "orders"), "orders name");
    EXPECT_EQ(two("orders", "Orders"), "");
}

TEST(IdOptions, time_based_generators_need_a_machine_while_they_are_enabled) {
    for (const auto& generator :
         {GeneratorOptions::snowflake("a"), GeneratorOptions::string("a")}) {
        EXPECT_EQ(refused(IdRuntimeOptions(shop()).add(generator)), "a strategy");
        EXPECT_EQ(
            refused(IdRuntimeOptions(shop()).add(GeneratorOptions(generator).enabled(false))), ""
        );
        EXPECT_EQ(
            refused(IdRuntimeOptions(shop()).machine(ManualMachine{1}).add(generator), {}), ""
        );
    }
    EXPECT_EQ(refused(IdRuntimeOptions(shop()).add(GeneratorOptions::segment("a"))), "");
}

TEST(IdOptions, stores_are_those_there_are) {
    EXPECT_EQ(refused(with(GeneratorOptions::segment("a").store("main"))), "");
    EXPECT_EQ(refused(with(GeneratorOptions::segment("a").store("other"))), "a store");
    EXPECT_EQ(refused(with(web()), {}), " store");
    EXPECT_EQ(refused(with(web()).machine_store("other")), " store");
    EXPECT_EQ(refused(with(web()).machine_store("other"), {"main", "other"}), "");
}

TEST(IdOptions, ranges_are_bounded_on_both_sides) {
    EXPECT_EQ(refused(with(SegmentOptions().step(0))), "orders step");
    EXPECT_EQ(refused(with(SegmentOptions().step(1))), "");
    EXPECT_EQ(refused(with(SegmentOptions().step(limits::reserve_size_max))), "");
    EXPECT_EQ(refused(with(SegmentOptions().step(limits::reserve_size_max + 1))), "orders step");
    EXPECT_EQ(refused(with(SegmentOptions().offset(-1))), "orders offset");
    EXPECT_EQ(refused(with(SegmentOptions().offset(0))), "");
    EXPECT_EQ(refused(with(SegmentOptions().offset(INT64_MAX))), "");
    EXPECT_EQ(refused(with(SegmentOptions().safe_distance(0))), "orders safe-distance");
    EXPECT_EQ(refused(with(SegmentOptions().safe_distance(1))), "");
    EXPECT_EQ(refused(with(SegmentOptions().safe_distance(1'000))), "");
    EXPECT_EQ(refused(with(SegmentOptions().safe_distance(1'001))), "orders safe-distance");
    EXPECT_EQ(
        refused(with(GeneratorOptions::periodic("p", PeriodOptions(), SegmentOptions().step(0)))),
        "p step"
    );
}

// Row 35.
TEST(IdOptions, times_of_the_lease_are_bounded_on_both_sides) {
    using std::chrono::hours;
    using std::chrono::minutes;
    EXPECT_EQ(refused(with(web().ttl(Duration(99)))), " ttl");
    EXPECT_EQ(refused(with(web().ttl(Duration(100)))), "");
    EXPECT_EQ(refused(with(web().ttl(hours(1)))), "");
    EXPECT_EQ(refused(with(web().ttl(hours(1) + Duration(1)))), " ttl");
    EXPECT_EQ(refused(with(web().tolerance(Duration(-1)))), " tolerance");
    EXPECT_EQ(refused(with(web().tolerance(Duration(0)))), "");
    EXPECT_EQ(refused(with(web().tolerance(minutes(1)))), "");
    EXPECT_EQ(
        refused(with(web().tolerance(minutes(1) + Duration(1)).max_ahead(Duration(0)))),
        " tolerance"
    );
    EXPECT_EQ(refused(with(web().renew_interval(Duration(9)))), " renew-interval");
    EXPECT_EQ(refused(with(web().renew_interval(Duration(10)))), "");
    EXPECT_EQ(refused(with(web().renew_interval(Duration(15'000)))), "");
    EXPECT_EQ(refused(with(web().renew_interval(Duration(15'001)))), " renew-interval");
    EXPECT_EQ(refused(with(web().max_ahead(Duration(-1)))), " max-ahead");
    EXPECT_EQ(refused(with(web().max_ahead(Duration(0)))), "");
    EXPECT_EQ(refused(with(web().max_ahead(minutes(1)))), "");
    EXPECT_EQ(refused(with(web().max_ahead(minutes(1) + Duration(1)))), " max-ahead");
    EXPECT_EQ(refused(with(web().call_timeout(Duration(0)))), " call-timeout");
    EXPECT_EQ(refused(with(web().call_timeout(Duration(1)))), "");
    EXPECT_EQ(refused(with(web().call_timeout(minutes(1)))), "");
    EXPECT_EQ(refused(with(web().call_timeout(minutes(1) + Duration(1)))), " call-timeout");
}

TEST(IdOptions, a_window_holds_two_ticks_of_every_generator) {
    const auto lasting = [](Duration ttl, Duration tolerance) {
        return refused(IdRuntimeOptions(shop())
                           .machine(web().ttl(ttl).tolerance(tolerance))
                           .add(GeneratorOptions::snowflake("a"))
                           .add(GeneratorOptions::snowflake("b", IdLayout::seconds())));
    };
    EXPECT_EQ(lasting(Duration(1'500), Duration(499)), " ttl");
    EXPECT_EQ(lasting(Duration(1'500), Duration(500)), "");
}

TEST(IdOptions, no_slot_is_wider_than_the_machine_bits_of_a_generator) {
    EXPECT_EQ(refused(with(web().limit(0))), " limit");
    EXPECT_EQ(refused(with(web().limit(1))), "");
    EXPECT_EQ(refused(with(web().limit(1'024))), "");
    EXPECT_EQ(refused(with(web().limit(1'025))), " limit");
    EXPECT_EQ(refused(with(web().preferred(Slot(1'023)))), "");
    EXPECT_EQ(refused(with(web().preferred(Slot(1'024)))), " preferred-slot");
    EXPECT_EQ(refused(with(web().limit(4).preferred(Slot(4)))), " preferred-slot");
    const auto manual = [](std::uint32_t id, GeneratorOptions generator) {
        return refused(IdRuntimeOptions(shop()).machine(ManualMachine{id}).add(generator));
    };
    EXPECT_EQ(manual(1'023, GeneratorOptions::snowflake("a")), "");
    EXPECT_EQ(manual(1'024, GeneratorOptions::snowflake("a")), " id");
    EXPECT_EQ(manual(7, GeneratorOptions::snowflake("a", IdLayout::js_safe_seconds())), "");
    EXPECT_EQ(manual(8, GeneratorOptions::snowflake("a", IdLayout::js_safe_seconds())), " id");
    EXPECT_EQ(manual(65'535, GeneratorOptions::string("a")), "");
    EXPECT_EQ(manual(65'536, GeneratorOptions::string("a")), " id");
}

TEST(IdOptions, the_fewest_machine_bits_count) {
    const IdRuntimeOptions both = with(GeneratorOptions::string("a"))
                                      .add(GeneratorOptions::snowflake("b"))
                                      .add(GeneratorOptions::segment("c"));
    EXPECT_EQ(machine_limit(both), 1'024U);
    EXPECT_EQ(machine_limit(with(GeneratorOptions::string("a"))), 65'536U);
    EXPECT_EQ(machine_limit(with(GeneratorOptions::segment("a"))), 65'536U);
}

TEST(IdOptions, layouts_fit_their_strategy_and_themselves) {
    EXPECT_EQ(refused(with(GeneratorOptions::snowflake("a", IdLayout::text()))), "a layout");
    EXPECT_EQ(refused(with(GeneratorOptions::string("a", IdLayout::seconds()))), "a layout");
    EXPECT_EQ(
        refused(with(GeneratorOptions::snowflake("a", IdLayout::milliseconds().bits(41, 10, 13)))),
        "a layout"
    );
}

TEST(IdOptions, a_converter_fits_its_generator) {
    EXPECT_EQ(
        refused(with(GeneratorOptions::segment("a").codec(CodecOptions(TextBase::friendly)))),
        "a converter"
    );
    EXPECT_EQ(
        refused(with(GeneratorOptions::snowflake("a").codec(CodecOptions(TextBase::friendly)))), ""
    );
    EXPECT_EQ(
        refused(with(GeneratorOptions::string("a").codec(CodecOptions(TextBase::decimal)))),
        "a converter"
    );
}

}  // namespace
}  // namespace holdfast
