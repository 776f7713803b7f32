#include "tests/sample_schema.h"

namespace holdfast {
namespace {

// The setting that one variable gives, as "name=value"; empty: none.
std::string given_by(const std::string& variable, const std::string& yaml = "") {
    const ConfigOutcome outcome = load_sample(yaml, {{variable, "5"}});
    for (const EffectiveSetting& setting : outcome.config.effective()) {
        if (setting.where == "environment " + variable) {
            return setting.name;
        }
    }
    return outcome.problems.empty() ? "" : "problem";
}

TEST(Relaxed, a_variable_finds_its_setting_without_regard_to_case_and_dashes) {
    EXPECT_EQ(given_by("APP_LIMITS_MAXCOUNT"), "app.limits.max-count");
    EXPECT_EQ(given_by("APP_LIMITS_MAX_COUNT"), "app.limits.max-count");
    EXPECT_EQ(given_by("app_limits_maxcount"), "app.limits.max-count");
    EXPECT_EQ(given_by("App_Limits_Max_Count"), "app.limits.max-count");
    EXPECT_EQ(given_by("app.limits.max-count"), "app.limits.max-count");
    EXPECT_EQ(given_by("SERVER_PORT"), "server.port");
}

TEST(Relaxed, a_variable_finds_items_of_lists) {
    EXPECT_EQ(given_by("APP_PATHS_0"), "app.paths[0]");
    EXPECT_EQ(given_by("APP_CLIENTS_0_NAME"), "app.clients[0].name");
    EXPECT_EQ(given_by("APP_CLIENTS_0_SPACES_0"), "app.clients[0].spaces[0]");
    EXPECT_EQ(given_by("APP_PATHS"), "app.paths[0]");
}

TEST(Relaxed, a_variable_makes_a_new_entry_of_a_map_with_one_word) {
    EXPECT_EQ(given_by("APP_STORES_MAIN_TYPE"), "app.stores.main.type");
    EXPECT_EQ(given_by("APP_STORES_MAIN_OPTIONS_URI"), "app.stores.main.options.uri");
    EXPECT_EQ(given_by("APP_STORES_MAIN_OPTIONS_SWEEPBATCH"), "app.stores.main.options.sweepbatch");
    EXPECT_EQ(
        given_by("APP_STORES_MAIN_OPTIONS_SWEEP_BATCH"), "app.stores.main.options.sweep-batch"
    );
    EXPECT_EQ(given_by("APP_STORES_MY_STORE_TYPE"), "problem");  // "my" has no setting "store.type"
}

TEST(Relaxed, a_variable_finds_the_entry_that_the_file_names) {
    const std::string yaml =
        "app:\n  stores:\n    my-Store:\n      type: x\n      options:\n        sweepBatch: 1\n";
    EXPECT_EQ(given_by("APP_STORES_MYSTORE_TYPE", yaml), "app.stores.my-Store.type");
    EXPECT_EQ(given_by("APP_STORES_MY_STORE_TYPE", yaml), "app.stores.my-Store.type");
    EXPECT_EQ(
        given_by("APP_STORES_MYSTORE_OPTIONS_SWEEPBATCH", yaml),
        "app.stores.my-Store.options.sweepBatch"
    );
    EXPECT_EQ(
        given_by("APP_STORES_MY_STORE_OPTIONS_SWEEP_BATCH", yaml),
        "app.stores.my-Store.options.sweepBatch"
    );
    EXPECT_EQ(given_by("APP_STORES_OTHER_TYPE", yaml), "app.stores.other.type");
}

TEST(Relaxed, variables_of_others_are_left_alone) {
    for (const char* name :
         {"PATH", "APPLE_LIMITS", "APP", "SERVER_NAME", "SERVER_SOFTWARE", "_", "HOME"}) {
        EXPECT_EQ(given_by(name), "") << name;
    }
}

TEST(Relaxed, an_unknown_variable_under_a_strict_prefix_is_a_problem) {
    for (const char* name :
         {"APP_LIMIT_MAXCOUNT", "APP_", "APP__TITLE", "APP_TITLE_", "APP_PATHS_X", "app.titel"}) {
        EXPECT_EQ(given_by(name), "problem") << name;
    }
}

TEST(Relaxed, variables_that_kubernetes_makes_from_service_names_are_ignored) {
    const Variables variables{
        {"APP_PORT", "tcp://10.0.0.1:80"},
        {"APP_SERVICE_HOST", "10.0.0.1"},
        {"APP_SERVICE_PORT", "80"},
        {"APP_SERVICE_PORT_HTTP", "80"},
        {"APP_PORT_80_TCP", "tcp://10.0.0.1:80"},
        {"APP_PORT_80_TCP_ADDR", "10.0.0.1"},
        {"SERVER_PORT", "tcp://10.0.0.2:80"},
    };
    const ConfigOutcome outcome = load_sample("", variables);
    EXPECT_THAT(problem_lines(outcome), ::testing::IsEmpty());
    EXPECT_EQ(outcome.config.integer("server.port"), 80);
    EXPECT_FALSE(names_settings(variables, "app"));
    EXPECT_TRUE(names_settings({{"APP_TITLE", "x"}}, "app"));
    EXPECT_TRUE(names_settings({{"app.title", "x"}}, "app"));
    EXPECT_FALSE(names_settings({{"APPLE_TITLE", "x"}, {"APP", "x"}}, "app"));
}

}  // namespace
}  // namespace holdfast
