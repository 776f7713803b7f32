#pragma once
// One loop's side of the service: from a request's head to its answer.

#include "admission.h"
#include "auth.h"
#include "routes.h"
#include "service_metrics.h"

#include <holdfast/http/server.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/stopwatch.h>
#include <holdfast/server/options.h>
#include <holdfast/store/store.h>
#include <holdfast/store_http/words.h>

namespace holdfast {

// What all loops share. Read only, but for the atomics.
struct ServiceState {
    ServiceState(Store& backing, ServiceOptions told, Metrics& counted, Log& logged)
        : store(&backing), options(std::move(told)), metrics(&counted), log(&logged),
          admission(options.store_calls_max) {}

    Store* store;
    ServiceOptions options;
    Metrics* metrics;
    Log* log;
    Admission admission;
    std::atomic<bool> stopping = false;
};

class ServiceHandler final : public HttpHandler {
public:
    ServiceHandler(ServiceState& state, Loop& loop);

    bool admit(const HttpRequest& request, HttpResponse& response) override;
    Task<Done> serve(const HttpRequest& request, HttpResponse& response) override;
    void refuse(HttpRefusal refusal, HttpResponse& response) override;

private:
    bool check_access(
        const HttpRequest& request, Access access, HttpResponse& response, std::uint32_t& caller
    );
    bool check_body(const HttpRequest& request, HttpResponse& response);

    Task<Done> answer(
        const Route& route, std::uint32_t caller, const HttpRequest& request, HttpResponse& response
    );
    Task<Done> reserve(const Grant& grant, std::string_view body, HttpResponse& response);
    Task<Done> seal(const Grant& grant, std::string_view body, HttpResponse& response);
    Task<Done> acquire(const Grant& grant, std::string_view body, HttpResponse& response);
    Task<Done> renew(const Grant& grant, std::string_view body, HttpResponse& response);
    Task<Done> release(const Grant& grant, std::string_view body, HttpResponse& response);
    Task<Done> readiness(HttpResponse& response);

    Deadline store_deadline() const {
        return Deadline::in(state_->options.store_timeout, loop_->now());
    }
    void lease_lost(bool rollback_suspected, HttpResponse& response);
    void store_failed(LogText operation, const Error& error, HttpResponse& response);

    ServiceState* state_;
    Loop* loop_;
    TokenTable tokens_;
    AccessRules rules_;
    std::vector<Access> route_access_;  // by the route's place in the table
    LoopMetrics metrics_;

    // The store's health as this loop saw it last.
    bool ready_ = false;
    bool probing_ = false;
    SteadyTime ready_until_{};
};

}  // namespace holdfast
