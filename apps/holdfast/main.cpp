// The command line. Each command is a function of its own file.

#include "commands.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace holdfast::app {

void complain(const std::string& text) {
    std::fprintf(stderr, "holdfast: %s\n", text.c_str());
}

namespace {

void add_configuration(CLI::App& command, ConfigurationArguments& arguments) {
    command.add_option(
        "--config",
        arguments.file,
        "Settings file (YAML). Else application.yaml or .yml in ./config, . or /etc/holdfast"
    );
    command.add_option(
        "--data",
        arguments.data,
        "Data folder when nothing is configured. Else $HOLDFAST_DATA, $XDG_DATA_HOME/holdfast, "
        "~/.local/share/holdfast"
    );
    command.add_option(
        "--listen", arguments.listen, "ADDRESS:PORT to listen on; wins over environment and file"
    );
}

void add_ids(
    CLI::App& program,
    IdsNextArguments& next,
    IdsParseArguments& parsing,
    std::string& described,
    IdsLeasesArguments& leases,
    int& code
) {
    CLI::App* ids =
        program.add_subcommand("ids", "Issue ids, read them, look at layouts and leases");
    ids->require_subcommand(1);
    ids->footer("Example: holdfast ids next -n 5");

    CLI::App* issuing = ids->add_subcommand(
        "next", "Issue ids by the settings, on a lease of its own that is given back at the end"
    );
    add_configuration(*issuing, next.configuration);
    issuing->add_option("GENERATOR", next.generator, "Else the generator default")->type_name("");
    issuing->add_option("-n,--count", next.count, "How many")
        ->check(CLI::Range(std::size_t{1}, ids_next_max))
        ->capture_default_str();
    issuing->add_flag("--text", next.text, "As texts of the generator's converter");
    issuing->add_flag("--json", next.json, "One object a line");
    issuing->footer("Example: holdfast ids next default -n 5 --text");
    issuing->callback([&] { code = ids_next(next); });

    CLI::App* reading = ids->add_subcommand("parse", "Say what ids tell: time, machine, sequence");
    add_configuration(*reading, parsing.configuration);
    reading->add_option("ID", parsing.ids, "Ids; else from standard input, one a line")
        ->type_name("");
    reading->add_option("--generator", parsing.generator, "A generator of the settings");
    reading
        ->add_option(
            "--layout",
            parsing.layout,
            "snowflake, snowflake-seconds, js-safe, js-safe-seconds or string; where no generator "
            "is named"
        )
        ->excludes("--generator");
    reading->add_flag("--text", parsing.text, "Digits are a text of the converter, not a number");
    reading->add_flag("--json", parsing.json, "One object a line");
    reading->footer("Example: holdfast ids parse 907166722326528012");
    reading->callback([&] { code = ids_parse(parsing); });

    CLI::App* describing = ids->add_subcommand(
        "describe", "Layouts, bits, epochs and the years left of the settings' generators"
    );
    add_configuration(*describing, next.configuration);
    describing->add_option("GENERATOR", described, "Else all")->type_name("");
    describing->add_flag("--json", next.json, "One object a line");
    describing->footer("Example: holdfast ids describe default");
    describing->callback([&] { code = ids_describe(next.configuration, described, next.json); });

    CLI::App* leasing =
        ids->add_subcommand("leases", "The machine leases that a running service holds");
    leasing->add_option(
        "--url", leases.url, "Of the service. Else $HOLDFAST_URL, http://127.0.0.1:8688"
    );
    leasing->add_option(
        "--data",
        leases.configuration.data,
        "Data folder whose token is sent where $HOLDFAST_TOKEN is not set"
    );
    leasing->add_flag("--json", leases.json, "One object a line");
    leasing->footer("Example: holdfast ids leases --url http://127.0.0.1:8688");
    leasing->callback([&] { code = ids_leases(leases); });
}

void add_target(CLI::App& command, RedisArguments& arguments) {
    command
        .add_option(
            "URI",
            arguments.uri,
            "redis://[[user:]password@]host[:port][/database], rediss:// or redis-socket://; "
            "redis://host,host?cluster=true; redis-sentinel://host,host#master"
        )
        ->required()
        ->type_name("");
    command.add_option(
        "--password-file", arguments.password_file, "File whose first line is the password"
    );
    command
        .add_option(
            "--password-env",
            arguments.password_environment,
            "Environment variable that has the password"
        )
        ->excludes("--password-file");
    command.add_option(
        "--ca", arguments.ca, "Who vouches for the server (PEM); else whom the system trusts"
    );
    command.add_option("--cert", arguments.certificate, "Our certificate (PEM)")
        ->needs(command.add_option("--key", arguments.key, "Its key (PEM)"));
    command.add_option(
        "--timeout", arguments.timeout_ms, "Of a call, in ms. Else the URI's timeout, 2000"
    );
    command.add_flag("--json", arguments.json, "One object a line");
}

void add_redis(CLI::App& program, RedisArguments& arguments, int& code) {
    CLI::App* redis = program.add_subcommand(
        "redis", "Look at a Redis server, a cluster, or what sentinels watch"
    );
    redis->require_subcommand(1);
    redis->footer("Example: holdfast redis ping redis://127.0.0.1:6379");

    CLI::App* pinging =
        redis->add_subcommand("ping", "Ask whether it answers, each node of it, and how soon");
    add_target(*pinging, arguments);
    pinging->add_option("-n,--count", arguments.count, "How often")
        ->check(CLI::Range(std::size_t{1}, redis_pings_max))
        ->capture_default_str();
    pinging->footer("Example: holdfast redis ping -n 3 redis://127.0.0.1:6379");
    pinging->callback([&] { code = redis_ping(arguments); });

    CLI::App* telling = redis->add_subcommand(
        "info", "Say what it is, and which of its settings lose writes that it acknowledged"
    );
    add_target(*telling, arguments);
    telling->add_flag("--strict", arguments.strict, "Exit 1 if such a setting was found");
    telling->footer("Example: holdfast redis info rediss://app@redis.example --password-env WORD");
    telling->callback([&] { code = redis_info(arguments); });

    CLI::App* racing = redis->add_subcommand(
        "bench", "Measure it: many callers of one connection to each node, as many SET as GET"
    );
    add_target(*racing, arguments);
    racing->add_option("--callers", arguments.callers, "Calls under way")
        ->check(CLI::Range(std::size_t{1}, redis_callers_max))
        ->capture_default_str();
    racing->add_option("--value-bytes", arguments.value_bytes, "Of each value")
        ->check(CLI::Range(std::size_t{0}, redis_value_bytes_max))
        ->capture_default_str();
    racing->add_option("--seconds", arguments.seconds, "How long")
        ->check(CLI::Range(std::size_t{1}, redis_seconds_max))
        ->capture_default_str();
    racing->footer("Example: holdfast redis bench --callers 256 redis://127.0.0.1:6379\nIt writes "
                   "only keys that begin with holdfast:bench: and removes them.");
    racing->callback([&] { code = redis_bench(arguments); });
}

int run(int argc, char** argv) {
    CLI::App program(
        "Unique ranges and slot leases over HTTP, from a store that keeps what it acknowledged.",
        "holdfast"
    );
    program.set_version_flag("--version", "holdfast " HOLDFAST_VERSION);
    program.require_subcommand(1);
    program.footer("Example: holdfast serve\nMore about a command: holdfast COMMAND --help");
    int code = exit_code::done;

    ConfigurationArguments configuration;
    CLI::App* serving = program.add_subcommand(
        "serve", "Run the service; with nothing configured, on a store in the data folder"
    );
    add_configuration(*serving, configuration);
    serving->footer("Example: holdfast serve --listen 127.0.0.1:8688");
    serving->callback([&] { code = serve(configuration); });

    CLI::App* config =
        program.add_subcommand("config", "Check, show or explain the settings without starting");
    config->require_subcommand(1);
    config->footer("Example: holdfast config check --config application.yaml");
    CLI::App* checking = config->add_subcommand(
        "check", "Say what is wrong with the settings; exit 0 when nothing is"
    );
    add_configuration(*checking, configuration);
    checking->footer("Example: holdfast config check");
    checking->callback([&] { code = config_check(configuration); });
    bool as_json = false;
    CLI::App* showing = config->add_subcommand(
        "show", "Print every setting that holds, and where it came from; secrets hidden"
    );
    add_configuration(*showing, configuration);
    showing->add_flag("--json", as_json, "One object a line");
    showing->footer("Example: holdfast config show --json");
    showing->callback([&] { code = config_show(configuration, as_json); });

    std::string setting;
    CLI::App* explaining = config->add_subcommand(
        "explain", "Say what a setting means, what it takes and what it is now"
    );
    add_configuration(*explaining, configuration);
    explaining->add_option("NAME", setting, "A setting, or the beginning of several")
        ->required()
        ->type_name("");
    explaining->footer("Example: holdfast config explain cosid.server.limits.max-ttl");
    explaining->callback([&] { code = config_explain(configuration, setting); });

    IdsNextArguments next;
    IdsParseArguments parsing;
    IdsLeasesArguments leases;
    std::string described;
    add_ids(program, next, parsing, described, leases, code);

    RedisArguments redis;
    add_redis(program, redis, code);

    TckArguments kit;
    CLI::App* testing =
        program.add_subcommand("tck", "Run the conformance kit on a store of yours");
    testing->add_option("--store", kit.store, "memory:, sqlite:PATH or jdbc:sqlite:PATH")
        ->required();
    testing->add_option("--only", kit.only, "Only promises whose name contains TEXT")
        ->type_name("TEXT");
    testing
        ->add_option(
            "--sequences", kit.sequences, "Random operation sequences compared with the model"
        )
        ->capture_default_str();
    testing
        ->add_option("--seed", kit.seed, "Of the random sequences; 0: a new one, which is printed")
        ->capture_default_str();
    testing->add_flag("--json", kit.json, "One object a line");
    testing->footer("Example: holdfast tck --store sqlite:/tmp/try.db\nIt writes only names that "
                    "begin with holdfast-tck-.");
    testing->callback([&] { code = tck(kit); });

    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return program.exit(help);
    } catch (const CLI::CallForVersion& version) {
        return program.exit(version);
    } catch (const CLI::ParseError& error) {
        complain(std::string(error.what()) + "; see holdfast --help");
        return exit_code::wrong_usage;
    }
    return code;
}

}  // namespace
}  // namespace holdfast::app

int main(int argc, char** argv) {
    return holdfast::app::run(argc, argv);
}
