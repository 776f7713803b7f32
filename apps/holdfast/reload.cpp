#include "reload.h"

#include <holdfast/io/compose.h>
#include <holdfast/server/limits.h>

#include <csignal>

namespace holdfast::app {
namespace {

constexpr int no_signal = 0;  // the time was over first

// The next signal, or no_signal when it is time to warn again. A signal that comes at the same
// moment is kept by `signals` or is in the answer: none is lost.
Task<int> next_signal(Signals& signals, Duration patience) {
    const SteadyTime until = (co_await this_scope()).loop().now() + patience;
    auto slept = [](SteadyTime when) -> Task<Done> {
        co_return co_await sleep(when);
    };
    auto first = co_await when_any(signals.next(), slept(until));
    if (!first.ok()) {
        co_return std::move(first).error();
    }
    auto& signal = std::get<0>(first.value().outcomes);
    if (signal.ok()) {
        co_return signal.value();
    }
    if (first.value().first == 1) {
        co_return no_signal;
    }
    co_return std::move(signal).error();
}

// Those that a reload does not bring.
std::vector<EffectiveSetting> other_settings(const Configuration& configuration) {
    std::vector<EffectiveSetting> others;
    if (configuration.config.has_value()) {
        for (EffectiveSetting& setting : configuration.config->effective()) {
            if (!setting.name.starts_with("cosid.server.auth.") &&
                !setting.name.starts_with("cosid.server.tls.")) {
                others.push_back(std::move(setting));
            }
        }
    }
    return others;
}

}  // namespace

Reloading::Reloading(
    const ConfigurationArguments& arguments,
    const Configuration& started,
    Service& service,
    Log& log
)
    : arguments_(&arguments), service_(&service), log_(&log),
      certificates_(started.plan.certificates), other_settings_(other_settings(started)),
      anonymous_(started.plan.service.auth.allow_anonymous) {
    warn_of_anonymous();
}

bool Reloading::until_told_to_stop(Runtime& runtime, Signals& signals) {
    while (true) {
        const auto signal = wait(runtime, next_signal(signals, limits::anonymous_warning_period));
        if (!signal.ok()) {
            return false;
        }
        if (signal.value() == no_signal) {
            warn_of_anonymous();
        } else if (signal.value() == SIGHUP) {
            reload();
        } else {
            return true;
        }
    }
}

void Reloading::warn_of_anonymous() const {
    if (anonymous_) {
        log_->warn(
            "anonymous",
            "anyone who reaches the port may call: cosid.server.auth.allow-anonymous is true"
        );
    }
}

// False: TLS was switched on or off, which a running listener cannot follow.
bool Reloading::reload_certificates(const ServePlan& fresh) {
    if (certificates_ == nullptr || fresh.certificates == nullptr) {
        return certificates_ == fresh.certificates;
    }
    certificates_->replace(fresh.certificates->current());
    log_->info("certificates_reloaded", "new connections get them; open ones go on with the old");
    return true;
}

void Reloading::reload() {
    const Configuration fresh = read_configuration(*arguments_, true);
    for (const std::string& problem : fresh.problems) {
        log_->error(
            "settings_refused",
            "the settings have a mistake; what held before still holds",
            {{"problem", problem}}
        );
    }
    if (!fresh.problems.empty()) {
        return;
    }
    const AuthOptions& auth = fresh.plan.service.auth;
    if (auto taken = service_->reload(auth); !taken.ok()) {
        log_->error(
            "settings_refused",
            "the settings have a mistake; what held before still holds",
            {{"problem", taken.error().what()}}
        );
        return;
    }
    anonymous_ = auth.allow_anonymous;
    log_->info(
        "settings_reloaded",
        "other tokens and clients hold from now on",
        {{"tokens", auth.tokens.size()}, {"clients", auth.clients.size()}}
    );
    warn_of_anonymous();
    const bool certificates_hold = reload_certificates(fresh.plan);
    const std::vector<EffectiveSetting> others = other_settings(fresh);
    const bool same = std::equal(
        others.begin(),
        others.end(),
        other_settings_.begin(),
        other_settings_.end(),
        [](const EffectiveSetting& a, const EffectiveSetting& b) {
            return a.name == b.name && a.value == b.value;
        }
    );
    if (!same || !certificates_hold) {
        log_->warn(
            "restart_needed",
            "settings that a reload does not bring have changed: they hold after the next start"
        );
    }
}

}  // namespace holdfast::app
