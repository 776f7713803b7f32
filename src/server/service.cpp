#include "handler.h"

#include <holdfast/server/limits.h>
#include <holdfast/server/metric_names.h>
#include <holdfast/server/service.h>

namespace holdfast {
namespace {

Result<Done> check_token(const Secret& token) {
    if (token.reveal().size() < limits::token_bytes_min) {
        return Error(
            Code::invalid_argument, Effect::none, "a token must have at least 16 characters"
        );
    }
    if (token.reveal().size() > limits::token_bytes_max) {
        return Error(
            Code::invalid_argument, Effect::none, "a token must have at most 512 characters"
        );
    }
    if (token.reveal().find("${") != std::string_view::npos) {
        return Error(Code::invalid_argument, Effect::none, "a token still contains ${");
    }
    return Done();
}

Result<Done> check_auth(const AuthOptions& auth) {
    if (auth.tokens.empty() && auth.clients.empty() && !auth.allow_anonymous) {
        return Error(
            Code::invalid_argument, Effect::none, "no token and no client: nobody could call"
        );
    }
    for (const Secret& token : auth.tokens) {
        if (auto checked = check_token(token); !checked.ok()) {
            return checked;
        }
    }
    for (const ClientOptions& client : auth.clients) {
        if (auto checked = check_token(client.token); !checked.ok()) {
            return checked;
        }
    }
    return Done();
}

class StoreService final : public Service {
public:
    StoreService(Store& store, ServiceOptions options, Metrics& metrics, Log& log, IdRuntime* ids)
        : state_(std::make_shared<ServiceState>(store, std::move(options), metrics, log, ids)) {
        metrics.gauge_from(metric::calls_in_flight, {}, [state = state_] {
            return static_cast<double>(state->admission.in_flight());
        });
    }
    std::unique_ptr<HttpHandler> open(Loop& loop) override {
        return std::make_unique<ServiceHandler>(*state_, loop);
    }
    Result<Done> reload(AuthOptions auth) override {
        if (auto checked = check_auth(auth); !checked.ok()) {
            return checked;
        }
        state_->take(std::move(auth));
        return Done();
    }
    void stopping() override { state_->stopping.store(true, std::memory_order_relaxed); }

private:
    std::shared_ptr<ServiceState> state_;  // shared with the registry, which may outlive us
};

}  // namespace

Result<std::unique_ptr<Service>>
open_service(Store& store, ServiceOptions options, Metrics& metrics, Log& log, IdRuntime* ids) {
    if (auto checked = check_auth(options.auth); !checked.ok()) {
        return std::move(checked).error();
    }
    return std::unique_ptr<Service>(
        std::make_unique<StoreService>(store, std::move(options), metrics, log, ids)
    );
}

}  // namespace holdfast
