#pragma once
// What a running service does between its start and its stop: SIGHUP brings other tokens,
// clients and certificates, and a service without tokens says so again and again.

#include "commands.h"
#include "configuration.h"

#include <holdfast/io/runtime.h>
#include <holdfast/io/signals.h>
#include <holdfast/server/service.h>

namespace holdfast::app {

// The main thread alone.
class Reloading {
public:
    // All of them outlive it.
    Reloading(
        const ConfigurationArguments& arguments,
        const Configuration& started,
        Service& service,
        Log& log
    );
    // Blocks. False: the signals could not be waited for.
    bool until_told_to_stop(Runtime& runtime, Signals& signals);

private:
    void reload();
    bool reload_certificates(const ServePlan& fresh);
    void warn_of_anonymous() const;

    const ConfigurationArguments* arguments_;
    Service* service_;
    Log* log_;
    std::shared_ptr<TlsServerContexts> certificates_;  // null: plain text
    std::vector<EffectiveSetting> other_settings_;     // all but those of a reload, as at the start
    bool anonymous_;
};

}  // namespace holdfast::app
