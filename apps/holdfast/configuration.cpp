#include "configuration.h"

#include "build_info.h"

#include <holdfast/settings/config_file.h>
#include <holdfast/settings/service_settings.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

extern char** environ;

namespace holdfast::app {
namespace {

const std::vector<std::string> store_types{"memory", "jdbc"};

std::vector<std::pair<std::string, std::string>> environment() {
    std::vector<std::pair<std::string, std::string>> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
            variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    return variables;
}

// Empty: the host does not say.
std::string host_name() {
    std::array<char, 256> name{};  // POSIX: at most 255
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// What a service that was told nothing does beside serving its store.
std::vector<LocatedSetting> usual_ids() {
    std::vector<LocatedSetting> settings;
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"cosid.server.ids.enabled", "true"},
             {"cosid.machine.leased.namespace", "default"},
             {"cosid.generators.default.strategy", "snowflake"},
             {"cosid.generators.segment.strategy", "segment"}
         }) {
        settings.push_back({name, value, "nothing configured"});
    }
    return settings;
}

// ADDRESS:PORT or [ADDRESS]:PORT. Which addresses and ports there are, the settings know.
std::optional<std::vector<LocatedSetting>> listen_overrides(const std::string& listen) {
    if (listen.empty()) {
        return std::vector<LocatedSetting>();
    }
    const std::size_t colon = listen.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == listen.size()) {
        return std::nullopt;
    }
    std::string address = listen.substr(0, colon);
    const bool bracketed = address.front() == '[' && address.back() == ']';
    if (!bracketed && address.find_first_of(":[]") != std::string::npos) {
        return std::nullopt;
    }
    if (bracketed) {
        address = address.substr(1, address.size() - 2);
    }
    const std::string where = "command line --listen";
    return std::vector<LocatedSetting>{
        {"server.address", address, where}, {"server.port", listen.substr(colon + 1), where}
    };
}

ServiceOptions service_options(const ServiceSettings& settings) {
    ServiceOptions options;
    options.auth.tokens = settings.auth.tokens;
    options.auth.allow_anonymous = settings.auth.allow_anonymous;
    options.auth.admin_paths = settings.auth.admin_paths;
    options.auth.public_paths = settings.auth.public_paths;
    for (const ClientSettings& client : settings.auth.clients) {
        options.auth.clients.push_back(
            {client.name, client.token, client.namespaces, client.key_prefixes}
        );
    }
    options.limits.ttl_min = settings.limits.ttl_min;
    options.limits.ttl_max = settings.limits.ttl_max;
    options.limits.tolerance_max = settings.limits.tolerance_max;
    options.limits.slot_limit_max = settings.limits.slot_limit_max;
    options.limits.reserve_size_max = settings.limits.reserve_max;
    options.counts.keys_per_namespace_max = settings.limits.keys_per_namespace_max;
    options.counts.namespaces_per_client_max = settings.limits.namespaces_per_client_max;
    options.counts.key_idle_timeout = settings.limits.key_idle_timeout;
    options.build = build_info();
    options.namespace_name = settings.namespace_name;
    options.ids_count_max = settings.ids.count_max;
    options.store_calls_max = settings.blocking.threads + settings.blocking.queue_capacity;
    if (const StoreSettings* store = settings.served()) {
        options.store_timeout = store->timeout;
        options.store_name = store->name;
    }
    return options;
}

LogLevel level_of(const std::string& word) {
    if (word == "debug") {
        return LogLevel::debug;
    }
    if (word == "warn") {
        return LogLevel::warn;
    }
    return word == "error" ? LogLevel::error : LogLevel::info;
}

HttpLimits http_limits(const HttpTimeSettings& times) {
    HttpLimits limits;
    limits.header_time = times.header;
    limits.body_time_base = times.body;
    limits.write_stall_time = times.write;
    limits.idle_time = times.idle;
    return limits;
}

ServePlan plan_of(const ServiceSettings& settings) {
    ServePlan plan;
    plan.service = service_options(settings);
    plan.http = HttpServerOptions()
                    .address(settings.listen.address)
                    .port(settings.listen.port)
                    .connections_max(settings.listen.connections_max)
                    .limits(http_limits(settings.listen.http));
    plan.store_queue_max = settings.blocking.threads + settings.blocking.queue_capacity;
    plan.blocking_threads = settings.blocking.threads;
    plan.loops = settings.listen.loops;
    plan.stop_grace = settings.listen.stop_grace;
    plan.insecure = settings.listen.insecure;
    plan.log_format = settings.log.format == "json" ? LogFormat::json : LogFormat::text;
    plan.log_level = level_of(settings.log.level);
    plan.issues_ids = settings.ids.enabled;
    plan.ids = settings.ids.runtime;
    return plan;
}

// The store that the settings name, by the table of its type.
std::variant<StoreChoice, std::vector<ConfigProblem>> store_of(const StoreSettings& store) {
    if (store.type == "memory") {
        std::vector<ConfigProblem> problems;
        for (const StoreOption& option : store.options) {
            problems.push_back(
                {option.where,
                 store.option_prefix() + "." + option.name,
                 "unknown setting; a memory store has no options"}
            );
        }
        if (!problems.empty()) {
            return problems;
        }
        return StoreChoice::memory();
    }
    auto options = read_store_options(
        store, {Setting::option("url").about("Where the database is: jdbc:sqlite:PATH.")}
    );
    if (!options.problems.empty()) {
        return std::move(options.problems);
    }
    const std::string name = store.option_prefix() + ".url";
    const std::string url = options.config.text(name);
    constexpr std::string_view allowed = "allowed: jdbc:sqlite:PATH, the path of a file";
    if (!url.starts_with("jdbc:")) {
        return std::vector{refused(options.config, name, allowed)};
    }
    auto choice = store_of_uri(url);
    if (std::holds_alternative<StoreProblem>(choice)) {
        return std::vector{refused(options.config, name, allowed)};
    }
    return std::get<StoreChoice>(choice);
}

// The stores that ids name beside the served one.
std::vector<ConfigProblem> plan_more_stores(ServePlan& plan, const ServiceSettings& settings) {
    std::vector<std::string> names;
    if (plan.ids.has_value()) {
        names.push_back(plan.ids->machine_store());
        for (const GeneratorOptions& generator : plan.ids->generators()) {
            names.push_back(generator.store());
        }
    }
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    for (const StoreSettings& store : settings.stores) {
        if (store.name == settings.served_name || std::ranges::count(names, store.name) == 0) {
            continue;
        }
        auto choice = store_of(store);
        if (auto* problems = std::get_if<std::vector<ConfigProblem>>(&choice)) {
            return std::move(*problems);
        }
        plan.more_stores.emplace_back(store.name, std::get<StoreChoice>(choice));
    }
    return {};
}

// Reads the files.
std::optional<ConfigProblem>
plan_certificates(ServePlan& plan, const TlsSettings& tls, const Config& config) {
    if (tls.certificate.empty()) {
        return std::nullopt;
    }
    auto opened = open_tls_server(TlsServerOptions()
                                      .certificate(tls.certificate)
                                      .key(tls.key)
                                      .client_ca(tls.client_ca)
                                      .protocol("http/1.1"));
    if (!opened.ok()) {
        const Error& error = opened.error();
        const ErrorContext* context = error.context();
        const std::string option =
            context != nullptr ? std::string(context->command) : "certificate";
        return refused(
            config,
            "cosid.server.tls." + option,
            std::string(error.what()) + (context != nullptr ? ": " + context->server_text : "")
        );
    }
    plan.certificates = std::make_shared<TlsServerContexts>(std::move(opened).value());
    plan.http = std::move(plan.http).tls(plan.certificates);
    plan.service.tls = true;
    return std::nullopt;
}

void add_lines(std::vector<std::string>& lines, const std::vector<ConfigProblem>& problems) {
    for (const ConfigProblem& problem : problems) {
        lines.push_back(problem.line());
    }
}

// Nothing is configured: a store and a token of our own in the data folder.
void plan_data_folder(
    Configuration& made, const ConfigurationArguments& arguments, bool make_data
) {
    const auto folder = data_folder(arguments.data);
    if (!folder.has_value()) {
        made.problems.emplace_back("no home folder is known: say --data FOLDER or set HOLDFAST_DATA"
        );
        return;
    }
    made.plan.settings_from = "none, the defaults hold";
    made.plan.store = StoreChoice::sqlite((*folder / "holdfast.db").string());
    if (!make_data) {
        return;
    }
    if (auto problem = make_folder(*folder)) {
        made.problems.push_back(problem->text);
        return;
    }
    auto token = open_token(*folder, system_random());
    if (auto* problem = std::get_if<FolderProblem>(&token)) {
        made.problems.push_back(problem->text);
        return;
    }
    made.plan.token = std::get<Token>(token);
    made.plan.service.auth.tokens.push_back(made.plan.token->text);
}

}  // namespace

ConfigSchema known_settings() {
    return service_schema(store_types);
}

Configuration read_configuration(const ConfigurationArguments& arguments, bool make_data) {
    Configuration made;
    auto found = arguments.file.empty() ? find_config_file(default_config_folders())
                                        : read_config_file(arguments.file);
    if (found.problem.has_value()) {
        made.problems.push_back(found.problem->line());
        return made;
    }
    auto overrides = listen_overrides(arguments.listen);
    if (!overrides.has_value()) {
        made.problems.push_back(
            "command line --listen: '" + arguments.listen +
            "' is not allowed; allowed: ADDRESS:PORT or [ADDRESS]:PORT"
        );
        return made;
    }
    ConfigSources sources = ConfigSources().environment(environment());
    if (found.file.has_value()) {
        sources = std::move(sources).file(found.file->name, found.file->text);
    }
    const bool nothing = starts_with_nothing(sources);
    if (nothing) {
        std::ranges::copy(usual_ids(), std::back_inserter(*overrides));
    }
    auto outcome = read_service_settings(
        std::move(sources).overrides(std::move(*overrides)), store_types, nothing, host_name()
    );
    add_lines(made.problems, outcome.problems);
    add_lines(made.notes, outcome.notes);
    made.config = std::move(outcome.config);
    if (!made.problems.empty()) {
        return made;
    }
    made.plan = plan_of(outcome.settings);
    if (auto problem = plan_certificates(made.plan, outcome.settings.listen.tls, *made.config)) {
        made.problems.push_back(problem->line());
    }
    if (nothing) {
        plan_data_folder(made, arguments, make_data);
        return made;
    }
    made.plan.settings_from = found.file.has_value() ? found.file->name : "the environment";
    const StoreSettings* served = outcome.settings.served();
    if (served == nullptr) {
        made.problems.emplace_back(
            "cosid.stores: no store is configured; the least is cosid.stores.main.type: jdbc with "
            "cosid.stores.main.options.url: jdbc:sqlite:PATH"
        );
        return made;
    }
    auto store = store_of(*served);
    if (const auto* problems = std::get_if<std::vector<ConfigProblem>>(&store)) {
        add_lines(made.problems, *problems);
    } else {
        made.plan.store = std::get<StoreChoice>(store);
        add_lines(made.problems, plan_more_stores(made.plan, outcome.settings));
    }
    return made;
}

}  // namespace holdfast::app
