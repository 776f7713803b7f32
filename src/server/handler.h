#pragma once
// One loop's side of the service: from a request's head to its answer.

#include "admission.h"
#include "auth.h"
#include "caller_counts.h"
#include "routes.h"
#include "service_metrics.h"

#include <holdfast/http/server.h>
#include <holdfast/ids/id_runtime.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/stopwatch.h>
#include <holdfast/observe/trace.h>
#include <holdfast/server/options.h>
#include <holdfast/store/store.h>
#include <holdfast/store_http/words.h>

namespace holdfast {

// What all loops share. Read only, but for what says otherwise.
class ServiceState {
public:
    ServiceState(
        Store& backing, ServiceOptions told, Metrics& counted, Log& logged, IdRuntime* issuing
    )
        : store(&backing), ids(issuing), options(std::move(told)), metrics(&counted), log(&logged),
          admission(options.store_calls_max),
          counts(
              names,
              {options.counts.namespaces_per_client_max, options.counts.key_idle_timeout},
              {options.counts.keys_per_namespace_max, options.counts.key_idle_timeout}
          ),
          auth_(std::make_shared<const AuthOptions>(options.auth)) {}

    // Any thread.
    void take(AuthOptions auth) {
        auto fresh = std::make_shared<const AuthOptions>(std::move(auth));
        const std::lock_guard lock(auth_mutex_);
        auth_.swap(fresh);
        auth_version_.fetch_add(1, std::memory_order_release);
    }
    std::shared_ptr<const AuthOptions> auth() const {
        const std::lock_guard lock(auth_mutex_);
        return auth_;
    }
    // Grows with each take(); read before auth(), so that a change in between is seen later.
    std::uint32_t auth_version() const { return auth_version_.load(std::memory_order_acquire); }

    // Numbers for spans: unlike those of other processes, not secret. Any thread.
    std::uint64_t span_number() {
        const std::uint64_t count = spans_.fetch_add(1, std::memory_order_relaxed);
        return names.of({reinterpret_cast<const char*>(&count), sizeof(count)});
    }

    Store* store;
    IdRuntime* ids;  // null: the service issues none
    ServiceOptions options;
    Metrics* metrics;
    Log* log;
    const KeyedHash names = KeyedHash::fresh();
    Admission admission;
    CallerCounts counts;
    std::atomic<bool> stopping = false;

private:
    mutable std::mutex auth_mutex_;
    std::shared_ptr<const AuthOptions> auth_;
    std::atomic<std::uint32_t> auth_version_ = 1;
    std::atomic<std::uint64_t> spans_ = 0;
};

// One call of the store on its way. It holds the table that let it in.
class StoreCall {
public:
    StoreCall(
        std::shared_ptr<const TokenTable> table,
        std::uint32_t caller,
        const HttpRequest& asked,
        HttpResponse& answered
    )
        : request(asked), response(answered), table_(std::move(table)), caller_(caller) {}

    const Grant& grant() const { return table_->grant(caller_); }

    const HttpRequest& request;
    HttpResponse& response;
    std::optional<TraceContext> trace;  // made when somebody needs it

private:
    std::shared_ptr<const TokenTable> table_;
    std::uint32_t caller_;
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
    Access access_to(const Route& route, std::string_view path) const;
    bool check_body(const HttpRequest& request, HttpResponse& response);
    void close_if_stopping(HttpResponse& response) const;
    void refuse_caller(const HttpRequest& request, Access access, HttpResponse& response);
    void take_new_tokens();

    Task<Done> answer(
        const Route& route, std::uint32_t caller, const HttpRequest& request, HttpResponse& response
    );
    // Lazy tasks: the call outlives them.
    Task<Done> reserve(StoreCall& call);
    Task<Done> seal(StoreCall& call);
    Task<Done> acquire(StoreCall& call);
    Task<Done> renew(StoreCall& call);
    Task<Done> release(StoreCall& call);
    // Which generator is asked for how many ids; nothing: the answer is the refusal.
    struct IdsWanted {
        IdGenerator* generator;
        std::size_t count;
    };
    std::optional<IdsWanted> ids_wanted(
        const Route& route, std::uint32_t caller, const HttpRequest& request, HttpResponse& response
    );
    Task<Done> issue(
        const Route& route, std::uint32_t caller, const HttpRequest& request, HttpResponse& response
    );
    Task<Done> issue_numbers(IdGenerator& generator, std::size_t count, HttpResponse& response);
    Task<Done> issue_texts(IdGenerator& generator, std::size_t count, HttpResponse& response);
    Task<Done> issue_of_period(IdGenerator& generator, std::size_t count, HttpResponse& response);
    void ids_failed(const IdGenerator& generator, const Error& error, HttpResponse& response);

    Task<Done> readiness(bool detailed, HttpResponse& response);
    Task<> look_at_store();
    Task<Done> page(Action action, const HttpRequest& request, HttpResponse& response);
    void write_info(std::string& out) const;

    Deadline store_deadline() const {
        return Deadline::in(state_->options.store_timeout, loop_->now());
    }
    CallerCounts::Use count(const StoreCall& call, const RangeKey& key);
    // Whether the call was refused.
    bool over_limit(const CallerCounts::Use& use, HttpResponse& response);
    void lease_lost(bool rollback_suspected, StoreCall& call);
    void store_failed(LogText operation, const Error& error, StoreCall& call);
    // The caller's trace with a span of ours; without one, or with one that is none, a new trace.
    // The answer names it.
    void begin_trace(StoreCall& call);
    std::string trace_of(StoreCall& call);

    ServiceState* state_;
    Loop* loop_;
    std::uint32_t auth_version_ = 0;  // of what follows
    std::shared_ptr<TokenTable> tokens_;
    std::vector<Access> route_access_;  // by the route's place in the table
    std::optional<AccessRules> rules_;
    LoopMetrics metrics_;
    std::vector<std::int64_t> numbers_;  // of a batch, between two suspensions

    // The store's health as this loop saw it last.
    bool ready_ = false;
    bool probing_ = false;
    SteadyTime ready_until_{};
};

}  // namespace holdfast
