// What comes out of cosid.machine.*, cosid.generators.* and cosid.server.ids.*.

#include <holdfast/settings/service_settings.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr const char* head = "cosid:\n"
                             "  namespace: shop\n"
                             "  server:\n"
                             "    auth: {tokens: [0123456789abcdef]}\n"
                             "    ids: {enabled: true}\n";

ServiceOutcome read_with_host(const std::string& yaml, const std::string& host) {
    return read_service_settings(
        ConfigSources().file("application.yaml", head + yaml), {"memory", "sqlite"}, false, host
    );
}

IdRuntimeOptions runtime_of(const std::string& yaml, const std::string& host = "web-3") {
    ServiceOutcome outcome = read_with_host(yaml, host);
    for (const ConfigProblem& problem : outcome.problems) {
        ADD_FAILURE() << problem.line();
    }
    return outcome.settings.ids.runtime.value_or(IdRuntimeOptions(Namespace::parse("none").value())
    );
}

const LeasedMachine& leased(const IdRuntimeOptions& options) {
    return std::get<LeasedMachine>(options.machine());
}

constexpr const char* snowflake = "  generators: {default: {strategy: snowflake}}\n";

TEST(IdsSettings, a_lease_has_defaults_for_everything) {
    const IdRuntimeOptions options =
        runtime_of(std::string(snowflake) + "  machine: {leased: {ttl: 30s}}\n", "web");
    EXPECT_EQ(options.name().text(), "shop");
    EXPECT_EQ(leased(options).name().text(), "shop");
    EXPECT_EQ(leased(options).owner().text(), "web");
    EXPECT_EQ(leased(options).ttl(), Duration(30'000));
    EXPECT_EQ(leased(options).tolerance(), Duration(5'000));
    EXPECT_EQ(leased(options).renew_interval(), Duration(10'000));
    EXPECT_EQ(leased(options).max_ahead(), Duration(5'000));
    EXPECT_EQ(leased(options).limit(), std::nullopt);
    EXPECT_EQ(leased(options).preferred(), std::nullopt);
    EXPECT_EQ(options.machine_store(), "");
    ASSERT_EQ(options.generators().size(), 1U);
    EXPECT_EQ(options.generators()[0].layout(), IdLayout::milliseconds());
    EXPECT_TRUE(options.generators()[0].enabled());
    EXPECT_FALSE(options.generators()[0].codec().has_value());
}

TEST(IdsSettings, a_lease_takes_everything_that_is_told) {
    const IdRuntimeOptions options = runtime_of(
        std::string(snowflake) +
        "  machine:\n"
        "    leased: {store: OTHER, namespace: machines, ttl: 20s, tolerance: 2s, renewInterval: "
        "4s,\n"
        "      limit: 64, owner-key: me, preferred-slot: 9, max-ahead: 1s}\n"
        "  server.store: main\n"
        "  stores:\n"
        "    main: {type: memory}\n"
        "    other: {type: memory, timeout: 3s}\n"
    );
    EXPECT_EQ(options.machine_store(), "other");
    EXPECT_EQ(leased(options).name().text(), "machines");
    EXPECT_EQ(leased(options).owner().text(), "me");
    EXPECT_EQ(leased(options).ttl(), Duration(20'000));
    EXPECT_EQ(leased(options).tolerance(), Duration(2'000));
    EXPECT_EQ(leased(options).renew_interval(), Duration(4'000));
    EXPECT_EQ(leased(options).max_ahead(), Duration(1'000));
    EXPECT_EQ(leased(options).limit(), 64U);
    EXPECT_EQ(leased(options).preferred(), Slot(9));
    EXPECT_EQ(leased(options).call_timeout(), Duration(3'000));
}

std::optional<Slot> preferred_of(const std::string& host, const std::string& limit = "4") {
    return leased(runtime_of(
                      std::string(snowflake) + "  machine: {leased: {limit: " + limit + "}}\n", host
                  ))
        .preferred();
}

TEST(IdsSettings, the_ordinal_of_a_stateful_set_is_preferred_below_the_limit) {
    EXPECT_EQ(preferred_of("web-0"), Slot(0));
    EXPECT_EQ(preferred_of("web-shop-3"), Slot(3));
    EXPECT_EQ(preferred_of("web-4"), std::nullopt);
    EXPECT_EQ(preferred_of("web-4", "5"), Slot(4));
    EXPECT_EQ(preferred_of("web-03"), std::nullopt);
    EXPECT_EQ(preferred_of("web-"), std::nullopt);
    EXPECT_EQ(preferred_of("-3"), std::nullopt);
    EXPECT_EQ(preferred_of("web3"), std::nullopt);
    EXPECT_EQ(preferred_of("web-3a"), std::nullopt);
    EXPECT_EQ(preferred_of("web-4294967297"), std::nullopt);
}

TEST(IdsSettings, without_a_limit_the_fewest_machine_bits_bound_the_ordinal) {
    const std::string yaml = "  machine: {leased: {ttl: 30s}}\n"
                             "  generators:\n"
                             "    a: {strategy: snowflake}\n"
                             "    b: {strategy: snowflake, js-safe: true}\n";
    EXPECT_EQ(leased(runtime_of(yaml, "web-7")).preferred(), Slot(7));
    EXPECT_EQ(leased(runtime_of(yaml, "web-8")).preferred(), std::nullopt);
}

TEST(IdsSettings, a_host_name_that_is_no_owner_key_must_be_replaced) {
    const std::string yaml = std::string(snowflake) + "  machine: {leased: {ttl: 30s}}\n";
    for (const std::string& host : {std::string(), std::string("a b"), std::string(101, 'h')}) {
        const ServiceOutcome outcome = read_with_host(yaml, host);
        ASSERT_EQ(outcome.problems.size(), 1U) << host;
        EXPECT_EQ(outcome.problems[0].setting, "cosid.machine.leased.owner-key");
    }
    EXPECT_TRUE(read_with_host(yaml, std::string(100, 'h')).problems.empty());
    const std::string told = std::string(snowflake) + "  machine: {leased: {owner-key: me}}\n";
    EXPECT_TRUE(read_with_host(told, "a b").problems.empty());
}

TEST(IdsSettings, a_manual_machine_is_a_number) {
    const IdRuntimeOptions options =
        runtime_of(std::string(snowflake) + "  machine: {manual: {id: 1023}}\n");
    EXPECT_EQ(std::get<ManualMachine>(options.machine()).id, 1'023U);
}

TEST(IdsSettings, layouts_start_from_the_usual_one_of_their_kind) {
    const IdRuntimeOptions options = runtime_of(
        "  machine: {manual: {id: 1}}\n"
        "  generators:\n"
        "    a: {strategy: snowflake, timestamp-unit: SECOND}\n"
        "    b: {strategy: snowflake, js-safe: true}\n"
        "    c: {strategy: snowflake, jsSafe: true, timestampUnit: second}\n"
        "    d: {strategy: string}\n"
        "    e: {strategy: snowflake, machine-bits: 5, sequence-bits: 7, epoch: 1700000000000,\n"
        "        sequence-reset-threshold: 3}\n"
    );
    ASSERT_EQ(options.generators().size(), 5U);
    const auto layout = [&](std::size_t i) {
        return options.generators()[i].layout();
    };
    EXPECT_EQ(layout(0), IdLayout::seconds());
    EXPECT_EQ(layout(1), IdLayout::js_safe_milliseconds());
    EXPECT_EQ(layout(2), IdLayout::js_safe_seconds());
    EXPECT_EQ(layout(3), IdLayout::text());
    EXPECT_EQ(layout(4).time_bits(), 41);
    EXPECT_EQ(layout(4).machine_bits(), 5);
    EXPECT_EQ(layout(4).sequence_bits(), 7);
    EXPECT_EQ(layout(4).epoch(), WallTime(Duration(1'700'000'000'000)));
    EXPECT_EQ(layout(4).sequence_reset_threshold(), 3);
}

TEST(IdsSettings, ranges_periods_and_converters_take_what_is_told) {
    const IdRuntimeOptions options = runtime_of(
        "  generators:\n"
        "    a: {strategy: segment, step: 10, offset: 100, mode: direct, order: relaxed,\n"
        "        safe-distance: 5, enabled: false}\n"
        "    b:\n"
        "      strategy: periodic\n"
        "      period: day\n"
        "      zone: Asia/Kolkata\n"
        "      converter:\n"
        "        type: radix\n"
        "        pad: false\n"
        "        prefix: no-\n"
        "        suffix: .x\n"
        "        zone: Europe/Berlin\n"
        "        group-prefix: {delimiter: _, before-prefix: false}\n"
        "        date-prefix: {enabled: false, pattern: yyyyMMdd}\n"
    );
    ASSERT_EQ(options.generators().size(), 2U);
    const GeneratorOptions& a = options.generators()[0];
    EXPECT_EQ(a.segment().step(), 10);
    EXPECT_EQ(a.segment().offset(), 100);
    EXPECT_EQ(a.segment().mode(), SegmentMode::direct);
    EXPECT_EQ(a.segment().order(), SegmentOrder::relaxed);
    EXPECT_EQ(a.segment().safe_distance(), 5);
    EXPECT_FALSE(a.enabled());
    const GeneratorOptions& b = options.generators()[1];
    EXPECT_EQ(b.segment().step(), 1'000);
    EXPECT_EQ(b.period().period(), Period::day);
    EXPECT_EQ(b.period().zone().name(), "Asia/Kolkata");
    ASSERT_TRUE(b.codec().has_value());
    EXPECT_EQ(b.codec()->base(), TextBase::radix62);
    EXPECT_FALSE(b.codec()->pad());
    EXPECT_EQ(b.codec()->prefix(), "no-");
    EXPECT_EQ(b.codec()->suffix(), ".x");
    EXPECT_EQ(b.codec()->zone().name(), "Europe/Berlin");
    ASSERT_TRUE(b.codec()->group_prefix().has_value());
    EXPECT_EQ(b.codec()->group_prefix()->delimiter(), "_");
    EXPECT_FALSE(b.codec()->group_prefix()->before_prefix());
    EXPECT_FALSE(b.codec()->date_prefix().has_value());
}

TEST(IdsSettings, the_environment_names_generators_too) {
    const ServiceOutcome outcome = read_service_settings(
        ConfigSources().environment(
            {{"COSID_SERVER_AUTH_TOKENS_0", "0123456789abcdef"},
             {"COSID_SERVER_IDS_ENABLED", "true"},
             {"COSID_SERVER_LIMITS_MAXCOUNT", "7"},
             {"COSID_GENERATORS_ORDERS_STRATEGY", "SEGMENT"},
             {"COSID_GENERATORS_ORDERS_SAFEDISTANCE", "3"}}
        ),
        {"memory"},
        false,
        "h"
    );
    EXPECT_TRUE(outcome.problems.empty());
    EXPECT_TRUE(outcome.settings.ids.enabled);
    EXPECT_EQ(outcome.settings.ids.count_max, 7U);
    ASSERT_TRUE(outcome.settings.ids.runtime.has_value());
    ASSERT_EQ(outcome.settings.ids.runtime->generators().size(), 1U);
    EXPECT_EQ(outcome.settings.ids.runtime->generators()[0].name(), "orders");
    EXPECT_EQ(outcome.settings.ids.runtime->generators()[0].segment().safe_distance(), 3);
}

TEST(IdsSettings, without_ids_nothing_is_asked_for) {
    const ServiceOutcome outcome = read_service_settings(
        ConfigSources().file("application.yaml", "cosid.server.auth.tokens: 0123456789abcdef\n"),
        {"memory"},
        false
    );
    EXPECT_TRUE(outcome.problems.empty());
    EXPECT_FALSE(outcome.settings.ids.enabled);
    EXPECT_EQ(outcome.settings.ids.count_max, 1'000U);
    EXPECT_FALSE(outcome.settings.ids.runtime.has_value());
}

}  // namespace
}  // namespace holdfast
