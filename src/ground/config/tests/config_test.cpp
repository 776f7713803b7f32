#include "tests/sample_schema.h"

#include <holdfast/config/limits.h>

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Config, values_of_every_kind_are_read_with_their_place) {
    const ConfigOutcome outcome = load_sample("app:\n"
                                              "  title: the name\n"
                                              "  fast: off\n"
                                              "  limits: {max-count: 7, min-ttl: 2s, body: 1KiB}\n"
                                              "  log.format: JSON\n"
                                              "  tokens: [first-token, second-token]\n");
    EXPECT_THAT(problem_lines(outcome), IsEmpty());
    const Config& config = outcome.config;
    EXPECT_EQ(config.text("app.title"), "the name");
    EXPECT_FALSE(config.boolean("app.fast"));
    EXPECT_EQ(config.integer("app.limits.maxCount"), 7);
    EXPECT_EQ(config.duration("app.limits.min-ttl"), Duration(2'000));
    EXPECT_EQ(config.bytes("app.limits.body"), 1'024);
    EXPECT_EQ(config.text("app.log.format"), "json");
    EXPECT_EQ(config.secrets("app.tokens").at(1).reveal(), "second-token");
    EXPECT_EQ(config.where("app.limits.max-count"), "app.yaml:4");
    EXPECT_EQ(config.where("app.tokens"), "app.yaml:6");
    EXPECT_EQ(config.where("server.port"), "default");
}

TEST(Config, defaults_hold_where_nothing_is_given) {
    const ConfigOutcome outcome = load_sample("");
    const Config& config = outcome.config;
    EXPECT_EQ(config.text("app.title"), "none");
    EXPECT_EQ(config.duration("app.limits.min-ttl"), Duration(100));
    EXPECT_THAT(config.list("app.paths"), ElementsAre("/a", "/b"));
    EXPECT_THAT(config.secrets("app.tokens"), IsEmpty());
    EXPECT_FALSE(config.has("app"));
}

TEST(Config, overrides_beat_the_environment_which_beats_the_file) {
    const ConfigOutcome outcome = load_sample(
        "app:\n  limits:\n    max-count: 1\n    min-ttl: 1s\n  title: file\n",
        {{"APP_LIMITS_MAXCOUNT", "2"}, {"APP_LIMITS_MINTTL", "2s"}},
        {{"app.limits.max-count", "3", "command line --max-count"}}
    );
    EXPECT_THAT(problem_lines(outcome), IsEmpty());
    EXPECT_EQ(outcome.config.integer("app.limits.max-count"), 3);
    EXPECT_EQ(outcome.config.where("app.limits.max-count"), "command line --max-count");
    EXPECT_EQ(outcome.config.duration("app.limits.min-ttl"), Duration(2'000));
    EXPECT_EQ(outcome.config.where("app.limits.min-ttl"), "environment APP_LIMITS_MINTTL");
    EXPECT_EQ(outcome.config.text("app.title"), "file");
}

TEST(Config, a_list_is_taken_whole_from_the_strongest_source) {
    const ConfigOutcome outcome = load_sample(
        "app:\n  paths: [/x, /y, /z]\n  clients:\n  - {name: a, token: 12345678}\n  - {name: b, "
        "token: 12345678}\n",
        {{"APP_PATHS_0", "/e"}, {"APP_CLIENTS_0_NAME", "e"}}
    );
    EXPECT_THAT(outcome.config.list("app.paths"), ElementsAre("/e"));
    EXPECT_EQ(outcome.config.size("app.clients"), 1U);
    EXPECT_EQ(outcome.config.text("app.clients[0].name"), "e");
    EXPECT_FALSE(outcome.config.has("app.clients[0].token"));
}

TEST(Config, an_empty_list_replaces_the_default_and_a_weaker_list) {
    EXPECT_THAT(load_sample("app:\n  paths: []\n").config.list("app.paths"), IsEmpty());
    EXPECT_THAT(load_sample("app:\n  paths:\n").config.list("app.paths"), IsEmpty());
    EXPECT_THAT(
        load_sample("app:\n  paths: [/x]\n", {{"APP_PATHS", ""}}).config.list("app.paths"),
        IsEmpty()
    );
    EXPECT_EQ(load_sample("app:\n  clients: []\n").config.size("app.clients"), 0U);
}

TEST(Config, a_text_with_commas_is_a_list) {
    const ConfigOutcome outcome = load_sample("app:\n  paths: /x, /y\n");
    EXPECT_THAT(outcome.config.list("app.paths"), ElementsAre("/x", "/y"));
    EXPECT_EQ(outcome.config.where("app.paths"), "app.yaml:2");
}

TEST(Config, entries_of_maps_keep_their_names) {
    const ConfigOutcome outcome = load_sample(
        "app:\n  stores:\n    Main: {type: a, options: {sweepBatch: 5}}\n    other-one: {type: b, "
        "timeout: 1s}\n",
        {{"APP_STORES_MAIN_OPTIONS_SWEEPBATCH", "6"}, {"APP_STORES_THIRD_TYPE", "c"}}
    );
    EXPECT_THAT(problem_lines(outcome), IsEmpty());
    const Config& config = outcome.config;
    EXPECT_THAT(config.children("app.stores"), ElementsAre("Main", "other-one", "third"));
    EXPECT_THAT(config.children("app.stores.main.options"), ElementsAre("sweepBatch"));
    EXPECT_EQ(config.text("app.stores.main.options.sweep-batch"), "6");
    EXPECT_EQ(config.duration("app.stores.third.timeout"), Duration(3'000));
    EXPECT_EQ(config.duration("app.stores.other-one.timeout"), Duration(1'000));
}

TEST(Config, effective_settings_say_where_they_come_from_and_hide_secrets) {
    const ConfigOutcome outcome = load_sample(
        "app:\n  tokens: [first-token]\n  stores:\n    main:\n      type: x\n      options:\n"
        "        uri: redis://user:pa:ss@host:1/0?password=hidden&wait=2\n        password: "
        "hidden\n"
        "        key: ${KEY:hidden}\n        plain: 5\n",
        {{"KEY", "hidden"}}
    );
    std::map<std::string, std::string> shown;
    for (const EffectiveSetting& setting : outcome.config.effective()) {
        shown[setting.name] = setting.value + " (" + setting.where + ")";
        EXPECT_THAT(setting.value, ::testing::Not(HasSubstr("hidden")));
    }
    EXPECT_EQ(shown["app.tokens[0]"], "*** (app.yaml:2)");
    EXPECT_EQ(
        shown["app.stores.main.options.uri"],
        "redis://user:***@host:1/0?password=***&wait=2 (app.yaml:7)"
    );
    EXPECT_EQ(shown["app.stores.main.options.password"], "*** (app.yaml:8)");
    EXPECT_EQ(shown["app.stores.main.options.key"], "${KEY} (app.yaml:9)");
    EXPECT_EQ(shown["app.stores.main.options.plain"], "5 (app.yaml:10)");
    EXPECT_EQ(shown["app.stores.main.timeout"], "3s (default)");
    EXPECT_EQ(shown["app.limits.min-ttl"], "100ms (default)");
    EXPECT_EQ(shown["app.paths"], "/a,/b (default)");
}

TEST(Config, names_of_others_are_notes_with_the_nearest_known_name) {
    const ConfigOutcome outcome = load_sample("spring:\n  a: 1\n  b: 2\nserver:\n  prot: 5\n");
    EXPECT_THAT(problem_lines(outcome), IsEmpty());
    ASSERT_EQ(outcome.notes.size(), 2U);
    EXPECT_EQ(
        outcome.notes[0].line(), "app.yaml:1: spring: not a setting of this program, ignored"
    );
    EXPECT_EQ(
        outcome.notes[1].line(),
        "app.yaml:5: server.prot: not a setting of this program, ignored; nearest known: "
        "server.port "
        "(a whole number from 0 to 65535)"
    );
}

TEST(Config, placeholders_take_the_environment_then_settings_then_the_default) {
    const auto title = [](const std::string& value, Variables variables = {}) {
        const ConfigOutcome outcome = load_sample(
            "spring.application.name: shop\napp:\n  log: {format: json}\n  title: \"" + value +
                "\"\n",
            variables
        );
        return outcome.problems.empty() ? outcome.config.text("app.title")
                                        : outcome.problems.front().text;
    };
    EXPECT_EQ(title("a ${X} b", {{"X", "env"}}), "a env b");
    EXPECT_EQ(title("${X:d}"), "d");
    EXPECT_EQ(title("${X:${Y:e}}"), "e");
    EXPECT_EQ(title("${X:http://h:1}"), "http://h:1");
    EXPECT_EQ(title("${app.log.format}"), "json");
    EXPECT_EQ(title("${server.port}"), "80");
    EXPECT_EQ(title("${spring.application.name}-x"), "shop-x");
    EXPECT_EQ(title("${app.limits.max-count}", {{"APP_LIMITS_MAXCOUNT", "9"}}), "9");
    EXPECT_EQ(title("${X}", {{"X", "${Y}"}}), "${Y}");  // a variable's text is taken as it is
    EXPECT_EQ(title("$X {x} $"), "$X {x} $");
    EXPECT_EQ(
        title("${X}"), "${X} is not set; set the environment variable X or write ${X:default}"
    );
    EXPECT_THAT(title("${X"), HasSubstr("without its }"));
    EXPECT_THAT(title("${}"), HasSubstr("cannot be read"));
    EXPECT_THAT(title("${app.title}"), HasSubstr("leads back to itself"));
    EXPECT_THAT(
        title("${A:${B:${C:${D:${E:${F:${G:${H:${I:x}}}}}}}}}"),
        HasSubstr("nested deeper than 8 levels")
    );
    EXPECT_EQ(title("${A:${B:${C:${D:${E:${F:${G:${H:x}}}}}}}}"), "x");
}

TEST(Config, overrides_are_taken_as_they_are) {
    const ConfigOutcome outcome =
        load_sample("", {{"X", "x"}}, {{"app.title", "${X}", "command line --title"}});
    EXPECT_EQ(outcome.config.text("app.title"), "${X}");
}

TEST(Config, placeholders_that_multiply_are_cut_off) {
    std::string yaml = "x0: aaaaaaaaaaaaaaaa\n";
    for (int i = 1; i < 9; ++i) {
        const std::string name = "${x" + std::to_string(i - 1) + "}";
        yaml += "x" + std::to_string(i) + ": \"";
        for (int k = 0; k < 20; ++k) {
            yaml += name;
        }
        yaml += "\"\n";
    }
    const ConfigOutcome outcome = load_sample(yaml + "app:\n  title: ${x7}\n");
    ASSERT_EQ(outcome.problems.size(), 1U);
    EXPECT_THAT(
        outcome.problems[0].text,
        ::testing::AnyOf(HasSubstr("grows beyond"), HasSubstr("more than"))
    );
}

TEST(Config, aliases_are_followed_and_bounded) {
    const ConfigOutcome outcome =
        load_sample("app:\n  stores:\n    a: &a\n      type: x\n      timeout: 5s\n    b: *a\n");
    EXPECT_EQ(outcome.config.duration("app.stores.b.timeout"), Duration(5'000));

    std::string laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 10; ++i) {
        const std::string name = "*a" + std::to_string(i - 1);
        const std::string n = std::to_string(i);
        laughs += "a" + n + ": &a" + n + " [" + name + "," + name + "," + name + "," + name + "," +
                  name + "]\n";
    }
    EXPECT_THAT(
        problem_lines(load_sample(laughs)),
        ElementsAre(HasSubstr("aliases (*) multiply into more than 10000"))
    );
}

TEST(Config, bounds_of_the_file_are_kept) {
    const auto first = [](const std::string& yaml) {
        return problem_lines(load_sample(yaml)).at(0);
    };
    EXPECT_EQ(first(std::string(config_file_bytes_max + 1, ' ')), "app.yaml: larger than 256 KiB");
    EXPECT_EQ(
        first("x: " + std::string(100, '[') + std::string(100, ']')),
        "app.yaml:1: nested deeper than 16 levels"
    );
    EXPECT_THAT(first(std::string(200'000, '[')), HasSubstr("app.yaml:1: "));
    EXPECT_EQ(first("x: " + std::string(65'537, 'v')), "app.yaml:1: x: a value longer than 64 KiB");
    std::string many = "x: [";
    for (int i = 0; i < 10'001; ++i) {
        many += "1,";
    }
    EXPECT_EQ(first(many + "]"), "app.yaml:1: more than 10000 values");
    std::string wrong = "app:\n";
    for (int i = 0; i < 150; ++i) {
        wrong += "  unheard" + std::to_string(i) + ": 1\n";
    }
    const auto lines = problem_lines(load_sample(wrong));
    EXPECT_EQ(lines.size(), config_problems_max + 1);
    EXPECT_EQ(lines.back(), "and 50 more");
}

TEST(Config, an_open_quote_is_refused_wherever_it_stands) {
    for (const char* yaml :
         {"app:\n  title: 'x\n", "app: {title: \"x}", "\"app", "app:\n  title: \"x\\\"", "- 'x''"
         }) {
        EXPECT_THAT(
            problem_lines(load_sample(yaml)), ElementsAre(HasSubstr("a quote that is not closed"))
        ) << yaml;
    }
    const ConfigOutcome outcome = load_sample("app:\n  stores: {a: {options: {k: |+\n}}}");
    EXPECT_FALSE(outcome.problems.empty());
    const ConfigOutcome kept =
        load_sample("app:\n  stores:\n    a:\n      options:\n        k: |+\n          x\n\n");
    EXPECT_EQ(kept.config.text("app.stores.a.options.k"), "x\n\n");
}

TEST(Config, a_mark_at_the_front_and_windows_line_ends_are_read) {
    EXPECT_EQ(
        load_sample("\xEF\xBB\xBF"
                    "app:\r\n  title: x\r\n")
            .config.text("app.title"),
        "x"
    );
}

TEST(Config, a_setting_says_what_it_means) {
    const ConfigSchema schema = sample_schema();
    ASSERT_NE(schema.find("app.Title"), nullptr);
    EXPECT_EQ(schema.find("app.title")->about(), "What it is called.");
    EXPECT_EQ(schema.find("app.stores.*.timeout")->default_text(), "3s");
    EXPECT_EQ(schema.find("app.tite"), nullptr);
    EXPECT_EQ(schema.nearest(*SettingPath::parse("app.tite")), "app.title");
}

TEST(ConfigDeathTest, a_name_that_the_schema_does_not_know_is_a_bug) {
    const ConfigOutcome outcome = load_sample("");
    EXPECT_DEATH((void)outcome.config.text("app.nothing"), "no such setting");
    EXPECT_DEATH((void)outcome.config.integer("app.title"), "another kind");
}

}  // namespace
}  // namespace holdfast
