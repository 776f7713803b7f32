#include "service_rules.h"

#include <holdfast/config/units.h>
#include <holdfast/server/limits.h>
#include <holdfast/settings/limits.h>

#include <algorithm>
#include <map>

namespace holdfast {
namespace {

constexpr std::string_view tokens = "cosid.server.auth.tokens";
constexpr std::string_view clients = "cosid.server.auth.clients";

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += text.empty() ? word : ", " + word;
    }
    return text;
}

std::string item(std::string_view list, std::size_t index) {
    return std::string(list) + '[' + std::to_string(index) + ']';
}

std::string near_text(std::string_view text, const std::vector<std::string>& words) {
    const std::string nearest = nearest_word(text, words);
    return nearest.empty() ? "" : "; nearest: " + nearest;
}

class RuleCheck {
public:
    explicit RuleCheck(const ServiceRules& rules) : config_(rules.config), rules_(rules) {}

    std::vector<ConfigProblem> run() {
        someone_may_enter();
        clients_are_whole();
        tokens_differ();
        tls_is_whole();
        ttls_are_ordered();
        stores_have_types();
        served_store_exists();
        return std::move(problems_);
    }

private:
    // A problem with the setting, or with anything below it, was already told.
    bool told(std::string_view prefix) const {
        const auto below = [&](const ConfigProblem& problem) {
            const std::string_view name = problem.setting;
            return name.empty() || (name.starts_with(prefix) &&
                                    (name.size() == prefix.size() || name[prefix.size()] == '.' ||
                                     name[prefix.size()] == '['));
        };
        return std::ranges::any_of(rules_.known, below);
    }

    void refuse(const std::string& setting, const std::string& text) {
        problems_.push_back(refused(config_, setting, text));
    }

    void someone_may_enter() {
        if (rules_.nothing_configured || told("cosid.server.auth") ||
            config_.boolean("cosid.server.auth.allow-anonymous") || config_.size(tokens) != 0 ||
            config_.size(clients) != 0) {
            return;
        }
        refuse(
            std::string(tokens),
            "no token and no client is configured; allowed: a token of at least " +
                std::to_string(token_characters_min) +
                " characters here (COSID_SERVER_AUTH_TOKENS_0), or "
                "cosid.server.auth.allow-anonymous=true"
        );
    }

    void clients_are_whole() {
        std::map<std::string, std::string> names;
        for (std::size_t i = 0; i < config_.size(clients); ++i) {
            const std::string client = item(clients, i);
            if (told(client)) {
                continue;
            }
            const std::string name = client + ".name";
            if (!config_.has(name)) {
                missing(client, name, "1 to 64 of A-Z a-z 0-9 . _ -");
            } else if (const auto [first, fresh] = names.emplace(config_.text(name), name);
                       !fresh) {
                refuse(name, "the same name as " + first->second + "; allowed: a name of its own");
            }
            if (!config_.has(client + ".token")) {
                missing(
                    client,
                    client + ".token",
                    "a secret of at least " + std::to_string(token_characters_min) +
                        " printable ASCII characters"
                );
            }
            if (!config_.has(client + ".namespaces") && !config_.has(client + ".key-prefixes")) {
                missing(
                    client,
                    client + ".namespaces",
                    "a list of namespaces, * for all; or key-prefixes beside it"
                );
            }
        }
    }

    void missing(const std::string& group, const std::string& setting, const std::string& allowed) {
        ConfigProblem problem = refused(config_, group, "is missing; allowed: " + allowed);
        problem.setting = setting;
        problems_.push_back(std::move(problem));
    }

    // One token with two meanings would get the first one's.
    void tokens_differ() {
        std::vector<std::pair<std::string, Secret>> all;
        const std::vector<Secret> unrestricted = config_.secrets(tokens);
        for (std::size_t i = 0; i < unrestricted.size(); ++i) {
            all.emplace_back(item(tokens, i), unrestricted[i]);
        }
        for (std::size_t i = 0; i < config_.size(clients); ++i) {
            const std::string name = item(clients, i) + ".token";
            if (config_.has(name)) {
                all.emplace_back(name, config_.secret(name));
            }
        }
        std::map<std::string_view, std::string_view> first_with;
        for (const auto& [name, token] : all) {
            if (token.reveal().size() > limits::token_bytes_max) {
                refuse(
                    name,
                    "this value is not allowed; allowed: a secret of at most " +
                        std::to_string(limits::token_bytes_max) + " characters"
                );
            }
            const auto [first, fresh] = first_with.emplace(token.reveal(), name);
            if (!fresh) {
                refuse(
                    name,
                    "the same token as " + std::string(first->second) +
                        "; allowed: a token of its own"
                );
            }
        }
    }

    void tls_is_whole() {
        const std::string group = "cosid.server.tls";
        const bool certificate = config_.has(group + ".certificate");
        const bool key = config_.has(group + ".key");
        if (told(group)) {
            return;
        }
        if (key && !certificate) {
            missing(group, group + ".certificate", "the file of the key's certificate chain");
        } else if (certificate && !key) {
            missing(group, group + ".key", "the file of the certificate's private key");
        } else if (!certificate && config_.has(group + ".client-ca")) {
            missing(group, group + ".certificate", "the file of a certificate chain, and key");
        }
    }

    void ttls_are_ordered() {
        constexpr std::string_view min = "cosid.server.limits.min-ttl";
        constexpr std::string_view max = "cosid.server.limits.max-ttl";
        if (told(min) || told(max) || config_.duration(min) <= config_.duration(max)) {
            return;
        }
        const std::string_view given = config_.where(min) == "default" ? max : min;
        refuse(
            std::string(given),
            given == min ? "is longer than " + std::string(max) + "; allowed: at most " +
                               duration_text(config_.duration(max))
                         : "is shorter than " + std::string(min) + "; allowed: at least " +
                               duration_text(config_.duration(min))
        );
    }

    void stores_have_types() {
        for (const std::string& name : config_.children("cosid.stores")) {
            const std::string store = "cosid.stores." + name;
            if (name.find('.') !=
                std::string::npos) {  // it would not fit into the names of its own settings
                problems_.push_back(
                    {"",
                     "cosid.stores.[" + name + "]",
                     "a name that is not allowed; allowed: 1 to 64 of A-Z a-z 0-9 _ -"}
                );
            } else if (!told(store) && !config_.has(store + ".type")) {
                missing(store, store + ".type", "one of " + joined(rules_.store_types));
            }
        }
    }

    void served_store_exists() {
        const std::string setting = "cosid.server.store";
        if (told(setting) || told("cosid.stores")) {
            return;
        }
        const std::vector<std::string> names = config_.children("cosid.stores");
        if (!config_.has(setting)) {
            if (names.size() > 1) {
                ConfigProblem problem = refused(
                    config_, "cosid.stores", "is missing; allowed: one of " + joined(names)
                );
                problem.setting = setting;
                problems_.push_back(std::move(problem));
            }
            return;
        }
        const std::string name = config_.text(setting);
        if (names.empty()) {
            refuse(
                setting,
                "names a store, and none is configured; allowed: a name that stands below "
                "cosid.stores"
            );
        } else if (std::ranges::none_of(names, [&](const std::string& known) {
                       return relaxed_equal(known, name);
                   })) {
            refuse(
                setting, "no such store; allowed: one of " + joined(names) + near_text(name, names)
            );
        }
    }

    const Config& config_;
    const ServiceRules& rules_;
    std::vector<ConfigProblem> problems_;
};

}  // namespace

std::vector<ConfigProblem> broken_rules(const ServiceRules& rules) {
    return RuleCheck(rules).run();
}

}  // namespace holdfast
