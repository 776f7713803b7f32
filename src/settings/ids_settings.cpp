// From the names of the settings to the options of a runtime of ids.

#include "ids_settings.h"

#include "generator_settings.h"

#include <holdfast/ids/id_runtime.h>

#include <algorithm>
#include <charconv>

namespace holdfast {
namespace {

constexpr std::string_view leased_group = "cosid.machine.leased";
constexpr std::string_view manual_id = "cosid.machine.manual.id";

std::string leased(std::string_view option) {
    return std::string(leased_group).append(".").append(option);
}

// The ordinal of a stateful set's pod: the 3 of web-3.
std::optional<std::uint32_t> ordinal_of(const std::string& host) {
    const std::size_t dash = host.rfind('-');
    if (dash == std::string::npos || dash == 0 || dash + 1 == host.size()) {
        return std::nullopt;
    }
    const char* first = host.data() + dash + 1;
    const char* last = host.data() + host.size();
    std::uint32_t ordinal = 0;
    const auto [end, error] = std::from_chars(first, last, ordinal);
    const bool plain = *first != '0' || first + 1 == last;
    return error == std::errc() && end == last && plain ? std::optional(ordinal) : std::nullopt;
}

class IdsReader {
public:
    IdsReader(
        const Config& config, const std::vector<StoreSettings>& stores, const std::string& host
    )
        : config_(config), stores_(stores), host_(host) {}

    IdsOutcome read() {
        IdsSettings settings;
        settings.enabled = config_.boolean("cosid.server.ids.enabled");
        settings.count_max =
            static_cast<std::size_t>(config_.integer("cosid.server.limits.max-count"));
        const std::vector<std::string> names = config_.children("cosid.generators");
        if (!names.empty()) {
            settings.runtime = runtime(names);
        } else if (settings.enabled) {
            refuse(
                "cosid.server.ids.enabled",
                "there is nothing to issue; allowed: with at least one generator, for example "
                "cosid.generators.default.strategy: snowflake"
            );
        }
        return {std::move(settings), std::move(problems_)};
    }

private:
    void refuse(const std::string& setting, const std::string& text) {
        problems_.push_back(refused(config_, setting, text));
    }
    // Of a setting that may not be there: the place is the group's.
    void refuse_in(const std::string& group, const std::string& setting, const std::string& text) {
        ConfigProblem problem = refused(config_, config_.has(setting) ? setting : group, text);
        problem.setting = setting;
        problems_.push_back(std::move(problem));
    }

    IdRuntimeOptions runtime(const std::vector<std::string>& names) {
        IdRuntimeOptions options(*parsed<Namespace>(config_.text("cosid.namespace")));
        for (const std::string& name : names) {
            if (auto generator = read_generator(config_, name, problems_)) {
                const std::string store = generator_setting(name, "store");
                if (config_.has(store)) {
                    generator = std::move(*generator).store(store_name(store));
                }
                options = std::move(options).add(std::move(*generator));
            }
        }
        options = with_machine(std::move(options));
        if (problems_.empty()) {
            check_whole(options);
        }
        return options;
    }

    template <class Name>
    static std::optional<Name> parsed(const std::string& text) {
        auto name = Name::parse(text);
        return name.ok() ? std::optional(std::move(name).value()) : std::nullopt;
    }

    // As it is written below cosid.stores.
    std::string store_name(const std::string& setting) {
        const std::string told = config_.text(setting);
        std::string known;
        for (const StoreSettings& store : stores_) {
            if (relaxed_equal(store.name, told)) {
                return store.name;
            }
            known += known.empty() ? store.name : ", " + store.name;
        }
        refuse(
            setting,
            known.empty() ? "names a store, and none is configured; allowed: a name that stands "
                            "below cosid.stores"
                          : "no such store; allowed: one of " + known
        );
        return told;
    }

    IdRuntimeOptions with_machine(IdRuntimeOptions options) {
        const bool has_lease = config_.has(leased_group);
        if (config_.has(manual_id) && has_lease) {
            refuse(
                std::string(manual_id),
                "stands beside cosid.machine.leased; allowed: one of the two"
            );
            return options;
        }
        if (config_.has(manual_id)) {
            const auto id = static_cast<std::uint32_t>(config_.integer(manual_id));
            return std::move(options).machine(ManualMachine{id});
        }
        if (!has_lease) {
            return options;
        }
        const std::string store = leased("store");
        if (config_.has(store)) {
            options = std::move(options).machine_store(store_name(store));
        }
        const auto owner = owner_key();
        return owner.has_value() ? std::move(options).machine(machine(*owner, options))
                                 : std::move(options);
    }

    std::optional<OwnerKey> owner_key() {
        const std::string setting = leased("owner-key");
        const bool told = config_.has(setting);
        auto owner = parsed<OwnerKey>(told ? config_.text(setting) : host_);
        if (!owner.has_value()) {
            refuse_in(
                std::string(leased_group),
                setting,
                "is missing, and the host's name '" + host_ +
                    "' cannot stand for it; allowed: 1 to 100 of A-Z a-z 0-9 . _ - : @"
            );
        }
        return owner;
    }

    LeasedMachine machine(const OwnerKey& owner, const IdRuntimeOptions& options) {
        const std::string setting = leased("namespace");
        const auto name = parsed<Namespace>(
            config_.has(setting) ? config_.text(setting) : config_.text("cosid.namespace")
        );
        LeasedMachine machine = LeasedMachine(*name, owner)
                                    .ttl(config_.duration(leased("ttl")))
                                    .tolerance(config_.duration(leased("tolerance")))
                                    .preferred(preferred(options));
        if (config_.has(leased("renew-interval"))) {
            machine = std::move(machine).renew_interval(config_.duration(leased("renew-interval")));
        }
        if (const auto told = told_limit()) {
            machine = std::move(machine).limit(*told);
        }
        if (config_.has(leased("max-ahead"))) {
            machine = std::move(machine).max_ahead(config_.duration(leased("max-ahead")));
        }
        const auto store = std::ranges::find(stores_, machine_store(options), &StoreSettings::name);
        return store == stores_.end() ? std::move(machine)
                                      : std::move(machine).call_timeout(store->timeout);
    }
    std::string machine_store(const IdRuntimeOptions& options) const {
        if (!options.machine_store().empty() || stores_.empty()) {
            return options.machine_store();
        }
        const std::string served = config_.text("cosid.server.store");
        const auto found = std::ranges::find_if(stores_, [&](const StoreSettings& store) {
            return relaxed_equal(store.name, served);
        });
        return found == stores_.end() ? stores_.front().name : found->name;
    }

    std::optional<std::uint32_t> told_limit() const {
        const std::string setting = leased("limit");
        return config_.has(setting)
                   ? std::optional(static_cast<std::uint32_t>(config_.integer(setting)))
                   : std::nullopt;
    }
    std::optional<Slot> preferred(const IdRuntimeOptions& options) const {
        const std::string setting = leased("preferred-slot");
        if (config_.has(setting)) {
            return Slot(static_cast<std::uint32_t>(config_.integer(setting)));
        }
        const auto ordinal = ordinal_of(host_);
        return ordinal.has_value() && *ordinal < told_limit().value_or(machine_limit(options))
                   ? std::optional(Slot(*ordinal))
                   : std::nullopt;
    }

    // What single options cannot say, by the rules of the runtime itself.
    void check_whole(const IdRuntimeOptions& options) {
        std::vector<std::string> names;
        for (const StoreSettings& store : stores_) {
            names.push_back(store.name);
        }
        if (names.empty()) {
            names.emplace_back("default");  // nothing is configured: the program's own
        }
        const auto checked = check_id_options(options, names);
        if (checked.ok()) {
            return;
        }
        const ErrorContext& context = *checked.error().context();
        const std::string option(context.command);
        if (context.server_text.empty()) {
            refuse_machine(option, std::string(checked.error().what()), options);
            return;
        }
        const std::string group = generator_setting(context.server_text, "");
        const bool of_group = option == "name" || option == "layout";
        std::string text(checked.error().what());
        if (option == "strategy") {
            text += "; allowed: with cosid.machine.leased.namespace (or anything of it), or "
                    "cosid.machine.manual.id";
        }
        refuse_in(group, of_group ? group : group + "." + option, text);
    }

    void
    refuse_machine(const std::string& option, std::string text, const IdRuntimeOptions& options) {
        const std::uint32_t limit = machine_limit(options);
        if (option == "id") {
            text += "; allowed: 0 to " + std::to_string(limit - 1);
        } else if (option == "limit") {
            text += "; allowed: 1 to " + std::to_string(limit);
        } else if (option == "preferred-slot") {
            text += "; allowed: 0 to " + std::to_string(told_limit().value_or(limit) - 1);
        }
        const std::string group = option == "id" ? "cosid.machine.manual" : "cosid.machine.leased";
        refuse_in(group, group + "." + option, text);
    }

    const Config& config_;
    const std::vector<StoreSettings>& stores_;
    const std::string& host_;
    std::vector<ConfigProblem> problems_;
};

}  // namespace

IdsOutcome read_ids(
    const Config& config, const std::vector<StoreSettings>& stores, const std::string& host_name
) {
    return IdsReader(config, stores, host_name).read();
}

}  // namespace holdfast
