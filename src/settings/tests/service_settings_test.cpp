#include <holdfast/settings/limits.h>
#include <holdfast/settings/service_settings.h>

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Variables = std::vector<std::pair<std::string, std::string>>;

ServiceOutcome read(
    const std::string& yaml, Variables variables = {}, std::vector<LocatedSetting> overrides = {}
) {
    return read_service_settings(
        ConfigSources()
            .file("application.yaml", yaml)
            .environment(std::move(variables))
            .overrides(std::move(overrides)),
        {"memory", "sqlite"},
        false
    );
}

std::vector<std::string> lines_of(const std::vector<ConfigProblem>& problems) {
    std::vector<std::string> lines;
    for (const ConfigProblem& problem : problems) {
        lines.push_back(problem.line());
    }
    return lines;
}

constexpr const char* token = "cosid.server.auth.tokens: 0123456789abcdef\n";

TEST(ServiceSettings, a_whole_file_is_read) {
    const ServiceOutcome outcome = read(
        "server:\n"
        "  port: 9000\n"
        "  address: ::1\n"
        "cosid:\n"
        "  namespace: shop\n"
        "  server:\n"
        "    store: main\n"
        "    insecure: true\n"
        "    connections-max: 10\n"
        "    loops: 3\n"
        "    stop-grace: 2s\n"
        "    http: {header-time: 1s, body-time: 2s, write-time: 3s, idle-time: 4s}\n"
        "    log: {format: json, level: debug}\n"
        "    blocking: {threads: 8, queue-capacity: 16}\n"
        "    auth:\n"
        "      tokens: [\"0123456789abcdef\"]\n"
        "      clients:\n"
        "      - name: orders\n"
        "        token: ${ORDERS_TOKEN}\n"
        "        namespaces: [orders, \"*\"]\n"
        "        key-prefixes: [shared/orders-]\n"
        "      admin-paths: [/admin/**]\n"
        "      public-paths: []\n"
        "    limits:\n"
        "      min-ttl: 1s\n"
        "      max-ttl: 10m\n"
        "      max-tolerance: 5s\n"
        "      max-slot-limit: 1024\n"
        "      max-reserve: 1000000\n"
        "      max-keys-per-namespace: 0\n"
        "      max-namespaces-per-client: 5\n"
        "      key-idle-timeout: 0\n"
        "  stores:\n"
        "    main:\n"
        "      type: sqlite\n"
        "      timeout: 3s\n"
        "      options: {path: /data/db, 5: five}\n"
        "    other: {type: memory}\n",
        {{"ORDERS_TOKEN", "fedcba9876543210"}, {"COSID_STORES_MAIN_OPTIONS_PATH", "/other/db"}}
    );
    EXPECT_THAT(lines_of(outcome.problems), IsEmpty());
    EXPECT_THAT(lines_of(outcome.notes), IsEmpty());
    const ServiceSettings& settings = outcome.settings;
    EXPECT_EQ(settings.namespace_name, "shop");
    EXPECT_EQ(settings.listen.port, 9'000);
    EXPECT_EQ(settings.listen.address, "::1");
    EXPECT_TRUE(settings.listen.insecure);
    EXPECT_EQ(settings.listen.connections_max, 10U);
    EXPECT_EQ(settings.listen.loops, 3U);
    EXPECT_EQ(settings.listen.stop_grace, Duration(2'000));
    EXPECT_EQ(settings.listen.http.header, Duration(1'000));
    EXPECT_EQ(settings.listen.http.body, Duration(2'000));
    EXPECT_EQ(settings.listen.http.write, Duration(3'000));
    EXPECT_EQ(settings.listen.http.idle, Duration(4'000));
    EXPECT_EQ(settings.log.format, "json");
    EXPECT_EQ(settings.log.level, "debug");
    EXPECT_EQ(settings.blocking.threads, 8U);
    EXPECT_EQ(settings.blocking.queue_capacity, 16U);
    ASSERT_EQ(settings.auth.tokens.size(), 1U);
    EXPECT_EQ(settings.auth.tokens[0].reveal(), "0123456789abcdef");
    ASSERT_EQ(settings.auth.clients.size(), 1U);
    EXPECT_EQ(settings.auth.clients[0].name, "orders");
    EXPECT_EQ(settings.auth.clients[0].token.reveal(), "fedcba9876543210");
    EXPECT_THAT(settings.auth.clients[0].namespaces, ElementsAre("orders", "*"));
    EXPECT_THAT(settings.auth.clients[0].key_prefixes, ElementsAre("shared/orders-"));
    EXPECT_THAT(settings.auth.admin_paths, ElementsAre("/admin/**"));
    EXPECT_THAT(settings.auth.public_paths, IsEmpty());
    EXPECT_EQ(settings.limits.ttl_min, Duration(1'000));
    EXPECT_EQ(settings.limits.ttl_max, Duration(600'000));
    EXPECT_EQ(settings.limits.tolerance_max, Duration(5'000));
    EXPECT_EQ(settings.limits.slot_limit_max, 1'024U);
    EXPECT_EQ(settings.limits.reserve_max, 1'000'000);
    EXPECT_EQ(settings.limits.keys_per_namespace_max, 0U);
    EXPECT_EQ(settings.limits.namespaces_per_client_max, 5U);
    EXPECT_EQ(settings.limits.key_idle_timeout, Duration(0));
    ASSERT_NE(settings.served(), nullptr);
    EXPECT_EQ(settings.served()->type, "sqlite");
    EXPECT_EQ(settings.served()->timeout, Duration(3'000));
    ASSERT_EQ(settings.served()->options.size(), 2U);
    EXPECT_EQ(settings.served()->options[0].name, "5");
    EXPECT_EQ(settings.served()->options[1].name, "path");
    EXPECT_EQ(settings.served()->options[1].value.reveal(), "/other/db");
    EXPECT_EQ(settings.served()->options[1].where, "environment COSID_STORES_MAIN_OPTIONS_PATH");
    ASSERT_EQ(settings.stores.size(), 2U);
    EXPECT_EQ(settings.stores[1].timeout, Duration(1'000));
}

TEST(ServiceSettings, defaults_of_the_schema_and_of_the_structs_agree) {
    const ServiceOutcome outcome = read(token);
    EXPECT_THAT(lines_of(outcome.problems), IsEmpty());
    const ServiceSettings& read = outcome.settings;
    const ServiceSettings plain;
    EXPECT_EQ(read.namespace_name, plain.namespace_name);
    EXPECT_EQ(read.listen.port, plain.listen.port);
    EXPECT_EQ(read.listen.connections_max, plain.listen.connections_max);
    EXPECT_EQ(read.listen.stop_grace, plain.listen.stop_grace);
    EXPECT_EQ(read.listen.http.header, plain.listen.http.header);
    EXPECT_EQ(read.listen.http.body, plain.listen.http.body);
    EXPECT_EQ(read.listen.http.write, plain.listen.http.write);
    EXPECT_EQ(read.listen.http.idle, plain.listen.http.idle);
    EXPECT_EQ(read.limits.ttl_min, plain.limits.ttl_min);
    EXPECT_EQ(read.limits.ttl_max, plain.limits.ttl_max);
    EXPECT_EQ(read.limits.tolerance_max, plain.limits.tolerance_max);
    EXPECT_EQ(read.limits.slot_limit_max, plain.limits.slot_limit_max);
    EXPECT_EQ(read.limits.reserve_max, plain.limits.reserve_max);
    EXPECT_EQ(read.limits.keys_per_namespace_max, plain.limits.keys_per_namespace_max);
    EXPECT_EQ(read.limits.namespaces_per_client_max, plain.limits.namespaces_per_client_max);
    EXPECT_EQ(read.limits.key_idle_timeout, plain.limits.key_idle_timeout);
    EXPECT_EQ(read.blocking.threads, plain.blocking.threads);
    EXPECT_EQ(read.blocking.queue_capacity, plain.blocking.queue_capacity);
    EXPECT_EQ(read.log.format, plain.log.format);
    EXPECT_EQ(read.log.level, plain.log.level);
    EXPECT_THAT(
        read.auth.admin_paths,
        ElementsAre(
            "/actuator/**", "/v3/api-docs", "/v3/api-docs/**", "/swagger-ui.html", "/swagger-ui/**"
        )
    );
    EXPECT_THAT(read.auth.public_paths, ElementsAre("/actuator/health", "/actuator/health/**"));
    EXPECT_EQ(read.served(), nullptr);
}

TEST(ServiceSettings, every_default_is_allowed_and_every_setting_is_described) {
    const ConfigSchema schema = service_schema({"memory"});
    for (const Setting& setting : schema.settings()) {
        EXPECT_FALSE(setting.about().empty()) << setting.name();
        if (setting.default_text() && !setting.is_list()) {
            EXPECT_TRUE(setting.read(*setting.default_text())) << setting.name();
        }
    }
}

TEST(ServiceSettings, every_setting_can_be_given_by_the_environment_alone) {
    const ServiceOutcome outcome = read(
        "",
        {{"COSID_SERVER_AUTH_TOKENS_0", "0123456789abcdef"},
         {"COSID_SERVER_AUTH_TOKENS_1", "0123456789abcdeg"},
         {"COSID_SERVER_AUTH_CLIENTS_0_NAME", "orders"},
         {"COSID_SERVER_AUTH_CLIENTS_0_TOKEN", "fedcba9876543210"},
         {"COSID_SERVER_AUTH_CLIENTS_0_KEYPREFIXES_0", "orders-"},
         {"COSID_SERVER_LIMITS_MAXSLOTLIMIT", "5"},
         {"COSID_STORES_MAIN_TYPE", "memory"},
         {"COSID_STORES_MAIN_OPTIONS_SWEEPBATCH", "16"},
         {"SERVER_PORT", "1234"}}
    );
    EXPECT_THAT(lines_of(outcome.problems), IsEmpty());
    EXPECT_EQ(outcome.settings.auth.tokens.size(), 2U);
    EXPECT_THAT(outcome.settings.auth.clients.at(0).key_prefixes, ElementsAre("orders-"));
    EXPECT_EQ(outcome.settings.limits.slot_limit_max, 5U);
    EXPECT_EQ(outcome.settings.listen.port, 1'234);
    EXPECT_EQ(outcome.settings.served()->options.at(0).name, "sweepbatch");
}

TEST(ServiceSettings, the_address_is_everywhere_unless_nothing_is_configured) {
    EXPECT_EQ(read(token).settings.listen.address, "0.0.0.0");
    const ServiceOutcome nothing = read_service_settings(ConfigSources(), {"memory"}, true);
    EXPECT_THAT(lines_of(nothing.problems), IsEmpty());  // and no token is asked for
    EXPECT_EQ(nothing.settings.listen.address, "127.0.0.1");
    EXPECT_THAT(nothing.settings.auth.tokens, IsEmpty());
}

TEST(ServiceSettings, the_listen_option_beats_the_environment) {
    const ServiceOutcome outcome = read(
        token,
        {{"SERVER_PORT", "1"}, {"SERVER_ADDRESS", "10.0.0.1"}},
        {{"server.port", "2", "command line --listen"},
         {"server.address", "127.0.0.1", "command line --listen"}}
    );
    EXPECT_EQ(outcome.settings.listen.port, 2);
    EXPECT_EQ(outcome.settings.listen.address, "127.0.0.1");
}

TEST(ServiceSettings, nothing_configured_means_no_file_and_no_variable_of_ours) {
    EXPECT_TRUE(
        starts_with_nothing(ConfigSources().environment({{"PATH", "/bin"}, {"SERVER_PORT", "1"}}))
    );
    EXPECT_TRUE(starts_with_nothing(ConfigSources().environment({{"COSID_SERVICE_HOST", "10.0.0.1"}}
    )));
    EXPECT_FALSE(starts_with_nothing(ConfigSources().environment({{"COSID_NAMESPACE", "x"}})));
    EXPECT_FALSE(starts_with_nothing(ConfigSources().environment({{"cosid_namespce", "x"}})));
    EXPECT_FALSE(starts_with_nothing(ConfigSources().file("application.yaml", "")));
}

TEST(ServiceSettings, a_lone_store_is_served_without_being_named) {
    const ServiceOutcome outcome =
        read(std::string(token) + "cosid.stores.Any_Name.type: memory\n");
    ASSERT_NE(outcome.settings.served(), nullptr);
    EXPECT_EQ(outcome.settings.served()->name, "Any_Name");
}

TEST(ServiceSettings, keys_of_other_programs_are_noted) {
    const ServiceOutcome outcome =
        read(std::string(token) + "spring.application.name: x\nserver.prot: 1\n");
    EXPECT_THAT(lines_of(outcome.problems), IsEmpty());
    EXPECT_EQ(outcome.notes.size(), 2U);
}

StoreSettings store_with(std::vector<StoreOption> options) {
    StoreSettings store;
    store.name = "main";
    store.type = "sqlite";
    store.options = std::move(options);
    return store;
}

std::vector<Setting> sample_options() {
    return {
        Setting::option("path"),
        Setting::integer("sweepBatch", 1, 64).or_else("16"),
        Setting::secret("password", 1),
    };
}

TEST(StoreOptions, options_are_read_by_the_table_of_the_backend) {
    const StoreSettings store = store_with(
        {{"path", Secret("/data/${x}"), "application.yaml:3"},
         {"sweepbatch", Secret("32"), "environment X"}}
    );
    const ConfigOutcome outcome = read_store_options(store, sample_options());
    EXPECT_THAT(lines_of(outcome.problems), IsEmpty());
    EXPECT_EQ(
        outcome.config.text("cosid.stores.main.options.path"), "/data/${x}"
    );  // was filled in before
    EXPECT_EQ(outcome.config.integer(store.option_prefix() + ".sweepBatch"), 32);
    EXPECT_EQ(outcome.config.where(store.option_prefix() + ".sweepBatch"), "environment X");
}

TEST(StoreOptions, an_unknown_or_wrong_option_is_refused_at_its_place) {
    const StoreSettings store = store_with(
        {{"pth", Secret("/data"), "application.yaml:3"},
         {"sweepBatch", Secret("65"), "application.yaml:4"},
         {"password", Secret(""), "application.yaml:5"}}
    );
    EXPECT_THAT(
        lines_of(read_store_options(store, sample_options()).problems),
        ElementsAre(
            "application.yaml:3: cosid.stores.main.options.pth: unknown setting; nearest known: "
            "cosid.stores.main.options.path (text)",
            "application.yaml:4: cosid.stores.main.options.sweepBatch: '65' is not allowed; "
            "allowed: a whole number from 1 "
            "to 64",
            "application.yaml:5: cosid.stores.main.options.password: this value is not allowed; "
            "allowed: a secret of at "
            "least 1 printable ASCII characters, without ${"
        )
    );
}

}  // namespace
}  // namespace holdfast
