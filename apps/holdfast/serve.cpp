// holdfast serve: opens the store, listens, and stops in order when it is told to.

#include "commands.h"
#include "configuration.h"
#include "opened_ids.h"
#include "opened_stores.h"
#include "reload.h"

#include <holdfast/http/server.h>
#include <holdfast/io/signals.h>
#include <holdfast/observe/process_metrics.h>
#include <holdfast/server/limits.h>
#include <holdfast/server/metric_names.h>
#include <holdfast/server/service.h>

#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace holdfast::app {
namespace {

constexpr Duration close_time{5'000};  // by now only the program's own tasks are left

std::string url_of(const HttpServerOptions& http, std::uint16_t port) {
    const bool six = http.address().find(':') != std::string::npos;
    return (http.tls() == nullptr ? "http://" : "https://") +
           (six ? "[" + http.address() + "]" : http.address()) + ":" + std::to_string(port);
}

void print_banner(const ServePlan& plan, std::uint16_t port) {
    const std::string url = url_of(plan.http, port);
    std::printf("holdfast " HOLDFAST_VERSION " listens on %s\n", url.c_str());
    std::printf("settings: %s\n", plan.settings_from.c_str());
    std::printf("store: %s\n", plan.store.shown().c_str());
    if (plan.store.kind() == StoreChoice::Kind::memory) {
        std::printf("        for tests only: all of it is forgotten when the service ends\n");
    }
    if (plan.issues_ids) {
        std::string generators;
        for (const GeneratorOptions& generator : plan.ids->generators()) {
            generators.append(generators.empty() ? "" : ", ").append(generator.name());
            generators.append(" (").append(name_of(generator.strategy())).append(")");
        }
        std::printf("ids: %s\n", generators.c_str());
    }
    if (plan.token.has_value()) {
        const std::string file = plan.token->file.string();
        if (plan.token->fresh) {
            std::printf(
                "token: %.*s\n",
                static_cast<int>(plan.token->text.reveal().size()),
                plan.token->text.reveal().data()
            );
            std::printf("       shown this once, kept in %s\n", file.c_str());
        } else {
            std::printf("token: kept in %s\n", file.c_str());
        }
        std::printf(
            "try: curl -H \"Authorization: Bearer $(cat '%s')\" '%s/ids?count=5'\n",
            file.c_str(),
            url.c_str()
        );
        std::printf(
            "     curl -H \"Authorization: Bearer $(cat '%s')\" -H 'Content-Type: "
            "application/json' \\\n"
            "       -d '{\"key\":\"orders\",\"size\":100,\"initialOffset\":1}' %s/ranges:reserve\n",
            file.c_str(),
            url.c_str()
        );
    }
    std::fflush(stdout);
}

void warn_of_what_is_open(const ServePlan& plan, Log& log) {
    const std::string& address = plan.http.address();
    const bool local = address.starts_with("127.") || address == "::1";
    if (!local && !plan.insecure && plan.certificates == nullptr) {
        log.warn(
            "plain_text",
            "tokens travel unencrypted to an address that others reach; set "
            "cosid.server.insecure=true if that is meant",
            {{"address", address}}
        );
    }
}

void register_http_metrics(Metrics& metrics, const HttpServer& server) {
    metrics.gauge_from(metric::connections_open, {}, [&server] {
        return static_cast<double>(server.counts().connections_open);
    });
    metrics.counter_from(metric::connections_accepted, {}, [&server] {
        return static_cast<double>(server.counts().connections_accepted);
    });
    metrics.counter_from(metric::connections_refused, {}, [&server] {
        return static_cast<double>(server.counts().connections_refused);
    });
    metrics.counter_from(metric::handshakes_failed, {}, [&server] {
        return static_cast<double>(server.counts().handshakes_failed);
    });
    metrics.counter_from(metric::malformed_requests, {}, [&server] {
        return static_cast<double>(server.counts().refusals);
    });
}

Task<> sleep_for(Duration time) {
    Loop& loop = (co_await this_scope()).loop();
    co_return co_await sleep(loop.now() + time);
}

// From the first connection to the last. The exit code.
int run(
    const ConfigurationArguments& arguments,
    const Configuration& configuration,
    Runtime& runtime,
    Store& store,
    IdRuntime* ids,
    Signals& signals,
    Metrics& metrics,
    Log& log
) {
    const ServePlan& plan = configuration.plan;
    auto service = open_service(store, plan.service, metrics, log, ids);
    if (!service.ok()) {
        complain(std::string(service.error().what()));
        return exit_code::wrong_usage;
    }
    auto http = open_http_server(runtime, plan.http, *service.value());
    if (!http.ok()) {
        complain(
            "cannot listen on " + plan.http.address() + ":" + std::to_string(plan.http.port()) +
            ": " + std::string(http.error().what())
        );
        return exit_code::unreachable;
    }
    register_http_metrics(metrics, *http.value());
    print_banner(plan, http.value()->port());
    warn_of_what_is_open(plan, log);

    Reloading reloading(arguments, configuration, *service.value(), log);
    const bool told = reloading.until_told_to_stop(runtime, signals);
    log.info(
        "stopping",
        "told to stop; what is in flight is answered first",
        {{"grace_ms", plan.stop_grace}}
    );
    const Deadline grace = Deadline::in(plan.stop_grace, runtime.clock());
    service.value()->stopping();
    (void)wait(runtime, sleep_for(std::min(limits::stop_notice, plan.stop_grace / 2)));
    const auto drained = wait(runtime, http.value()->drain(grace));
    if (!drained.ok()) {
        log.warn(
            "cut_off",
            "the grace time ended with calls in flight; their effect is unknown to their callers"
        );
    }
    log.info("stopped", "the last call is answered; the lease is given back, the store closes");
    return told ? exit_code::done : exit_code::no;
}

// The lease is held from before the first request until after the last.
int run_with_ids(
    const ConfigurationArguments& arguments,
    const Configuration& configuration,
    Runtime& runtime,
    OpenedStores& stores,
    Signals& signals,
    Metrics& metrics,
    Log& log
) {
    const ServePlan& plan = configuration.plan;
    std::unique_ptr<IdRuntime> ids;
    if (plan.issues_ids) {
        auto opened = open_ids(*plan.ids, stores, runtime, metrics, log);
        if (const auto* problem = std::get_if<IdsProblem>(&opened)) {
            complain(problem->text);
            return problem->exit_code;
        }
        ids = std::get<0>(std::move(opened));
    }
    const int code =
        run(arguments, configuration, runtime, stores.served(), ids.get(), signals, metrics, log);
    if (ids != nullptr) {
        close_ids(*ids, runtime, log);
    }
    return code;
}

}  // namespace

int serve(const ConfigurationArguments& arguments) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed terminal or pipe is no reason to end
    prctl(PR_SET_DUMPABLE, 0);      // no core with tokens in it
    Configuration configuration = read_configuration(arguments, true);
    for (const std::string& problem : configuration.problems) {
        complain(problem);
    }
    if (!configuration.problems.empty()) {
        return exit_code::wrong_usage;
    }
    const ServePlan& plan = configuration.plan;
    Log log(plan.log_format, plan.log_level, system_clock());
    auto runtime = open_runtime(RuntimeOptions()
                                    .loops(plan.loops)
                                    .pool_threads(plan.blocking_threads)
                                    .pool_queue_max(plan.store_queue_max));
    if (!runtime.ok()) {
        complain(std::string(runtime.error().what()));
        return exit_code::unreachable;
    }
    Metrics metrics;
    auto stores = OpenedStores::open(*runtime.value(), plan, metrics);
    if (const auto* problem = std::get_if<std::string>(&stores)) {
        complain(*problem);
        return exit_code::unreachable;
    }
    register_process_metrics(metrics);
    auto signals = open_signals(runtime.value()->loop(0), {SIGTERM, SIGINT, SIGHUP});
    if (!signals.ok()) {
        complain("signals: " + std::string(signals.error().what()));
        return exit_code::unreachable;
    }
    const int code = run_with_ids(
        arguments,
        configuration,
        *runtime.value(),
        std::get<OpenedStores>(stores),
        *signals.value(),
        metrics,
        log
    );
    stores = std::string();  // closes them
    runtime.value()->close(Deadline::in(close_time, runtime.value()->clock())
    );  // signals go after their loop
    return code;
}

}  // namespace holdfast::app
