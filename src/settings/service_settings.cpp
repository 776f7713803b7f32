#include "ids_settings.h"
#include "service_rules.h"

#include <holdfast/settings/service_settings.h>

#include <algorithm>

namespace holdfast {
namespace {

// An option's name may have dots or be a number: it is a word all the same.
std::string option_name(const StoreSettings& store, const std::string& option) {
    return SettingPath::parse(store.option_prefix())->with_word(option).text();
}

ListenSettings read_listen(const Config& config, bool nothing_configured) {
    ListenSettings listen;
    listen.address = nothing_configured ? "127.0.0.1" : "0.0.0.0";
    if (config.has("server.address")) {
        listen.address = config.text("server.address");
    }
    listen.port = static_cast<std::uint16_t>(config.integer("server.port"));
    listen.loops = static_cast<std::size_t>(config.integer("cosid.server.loops"));
    listen.connections_max =
        static_cast<std::size_t>(config.integer("cosid.server.connections-max"));
    listen.stop_grace = config.duration("cosid.server.stop-grace");
    listen.http.header = config.duration("cosid.server.http.header-time");
    listen.http.body = config.duration("cosid.server.http.body-time");
    listen.http.write = config.duration("cosid.server.http.write-time");
    listen.http.idle = config.duration("cosid.server.http.idle-time");
    listen.insecure = config.boolean("cosid.server.insecure");
    const auto path = [&](const std::string& name) {
        return config.has(name) ? config.text(name) : std::string();
    };
    listen.tls.certificate = path("cosid.server.tls.certificate");
    listen.tls.key = path("cosid.server.tls.key");
    listen.tls.client_ca = path("cosid.server.tls.client-ca");
    return listen;
}

AuthSettings read_auth(const Config& config) {
    const std::string prefix = "cosid.server.auth.";
    AuthSettings auth;
    auth.tokens = config.secrets(prefix + "tokens");
    auth.allow_anonymous = config.boolean(prefix + "allow-anonymous");
    auth.admin_paths = config.list(prefix + "admin-paths");
    auth.public_paths = config.list(prefix + "public-paths");
    for (std::size_t i = 0; i < config.size(prefix + "clients"); ++i) {
        const std::string client = prefix + "clients[" + std::to_string(i) + "].";
        auth.clients.push_back(
            {config.text(client + "name"),
             config.secret(client + "token"),
             config.list(client + "namespaces"),
             config.list(client + "key-prefixes")}
        );
    }
    return auth;
}

LimitSettings read_limits(const Config& config) {
    const std::string prefix = "cosid.server.limits.";
    LimitSettings limits;
    limits.ttl_min = config.duration(prefix + "min-ttl");
    limits.ttl_max = config.duration(prefix + "max-ttl");
    limits.tolerance_max = config.duration(prefix + "max-tolerance");
    limits.slot_limit_max = static_cast<std::uint32_t>(config.integer(prefix + "max-slot-limit"));
    limits.reserve_max = config.integer(prefix + "max-reserve");
    limits.keys_per_namespace_max =
        static_cast<std::size_t>(config.integer(prefix + "max-keys-per-namespace"));
    limits.namespaces_per_client_max =
        static_cast<std::size_t>(config.integer(prefix + "max-namespaces-per-client"));
    limits.key_idle_timeout = config.duration(prefix + "key-idle-timeout");
    return limits;
}

std::vector<StoreSettings> read_stores(const Config& config) {
    std::vector<StoreSettings> stores;
    for (const std::string& name : config.children("cosid.stores")) {
        StoreSettings store;
        store.name = name;
        const std::string prefix = "cosid.stores." + name;
        store.type = config.text(prefix + ".type");
        store.where = config.where(prefix + ".type");
        store.timeout = config.duration(prefix + ".timeout");
        for (const std::string& option : config.children(store.option_prefix())) {
            const std::string full = option_name(store, option);
            store.options.push_back({option, config.secret(full), config.where(full)});
        }
        stores.push_back(std::move(store));
    }
    return stores;
}

std::string served_name(const Config& config, const std::vector<StoreSettings>& stores) {
    if (stores.empty()) {
        return "";
    }
    const std::string name = config.text("cosid.server.store");
    const auto found = std::ranges::find_if(stores, [&](const StoreSettings& store) {
        return relaxed_equal(store.name, name);
    });
    return found == stores.end() ? stores.front().name : found->name;
}

}  // namespace

const StoreSettings* ServiceSettings::served() const {
    const auto found = std::ranges::find(stores, served_name, &StoreSettings::name);
    return found == stores.end() ? nullptr : &*found;
}

ServiceOutcome read_service_settings(
    ConfigSources sources,
    std::vector<std::string> store_types,
    bool nothing_configured,
    const std::string& host_name
) {
    const std::string file = sources.file_name();
    ConfigOutcome loaded = load_config(service_schema(store_types), std::move(sources));
    const ServiceRules rules{loaded.config, loaded.problems, store_types, nothing_configured};
    for (ConfigProblem& problem : broken_rules(rules)) {
        if (problem.where.empty()) {
            problem.where = file;  // of what is missing: where it could be written
        }
        loaded.problems.push_back(std::move(problem));
    }
    ServiceSettings settings;
    if (loaded.problems.empty()) {
        const Config& config = loaded.config;
        settings.namespace_name = config.text("cosid.namespace");
        settings.listen = read_listen(config, nothing_configured);
        settings.auth = read_auth(config);
        settings.limits = read_limits(config);
        settings.blocking.threads =
            static_cast<std::size_t>(config.integer("cosid.server.blocking.threads"));
        settings.blocking.queue_capacity =
            static_cast<std::size_t>(config.integer("cosid.server.blocking.queue-capacity"));
        settings.log.format = config.text("cosid.server.log.format");
        settings.log.level = config.text("cosid.server.log.level");
        settings.stores = read_stores(config);
        settings.served_name = served_name(config, settings.stores);
        IdsOutcome ids = read_ids(config, settings.stores, host_name);
        settings.ids = std::move(ids.settings);
        for (ConfigProblem& problem : ids.problems) {
            problem.where = problem.where.empty() ? file : problem.where;
            loaded.problems.push_back(std::move(problem));
        }
    }
    return {
        std::move(settings),
        std::move(loaded.config),
        std::move(loaded.problems),
        std::move(loaded.notes)
    };
}

bool starts_with_nothing(const ConfigSources& sources) {
    return sources.file_name().empty() && !names_settings(sources.environment(), "cosid");
}

ConfigOutcome read_store_options(const StoreSettings& store, const std::vector<Setting>& known) {
    const std::string prefix = store.option_prefix();
    const auto path = SettingPath::parse(prefix);
    ConfigSchema schema = ConfigSchema().strict(prefix);
    for (const Setting& setting : known) {
        schema = std::move(schema).add(setting.under(*path));
    }
    std::vector<LocatedSetting> values;
    for (const StoreOption& option : store.options) {
        values.push_back(
            {option_name(store, option.name), std::string(option.value.reveal()), option.where}
        );
    }
    return load_config(std::move(schema), ConfigSources().overrides(std::move(values)));
}

}  // namespace holdfast
