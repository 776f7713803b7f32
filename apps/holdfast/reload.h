#pragma once
// What a running service does between its start and its stop: SIGHUP brings other tokens and
// clients, and a service without tokens says so again and again.

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
    void warn_of_anonymous();

    const ConfigurationArguments* arguments_;
    Service* service_;
    Log* log_;
    std::vector<EffectiveSetting> other_settings_;  // all but those of the tokens, as at the start
    bool anonymous_;
};

}  // namespace holdfast::app
