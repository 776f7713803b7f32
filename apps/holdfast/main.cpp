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
