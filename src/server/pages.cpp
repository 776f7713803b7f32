// The pages for people and their tools: what each needs from the service.

#include "documents.h"
#include "handler.h"
#include "landing.h"
#include "openapi.h"

namespace holdfast {

Task<Done> ServiceHandler::page(Action action, const HttpRequest& request, HttpResponse& response) {
    const std::string_view version = state_->options.build.version;
    if (action == Action::landing) {
        // As the public readiness does: one bounded question at a time, its answer kept for a
        // while.
        (void)co_await look_at_store();
        LandingState shown = ready_ ? LandingState::up : LandingState::down;
        if (state_->stopping.load(std::memory_order_relaxed)) {
            shown = LandingState::stopping;
        }
        write_landing(
            response, LandingFacts{shown, version, request.field("host"), state_->options.tls}
        );
    } else if (action == Action::api_docs) {
        const bool anonymous = state_->auth()->allow_anonymous;
        write_openapi(
            response.body,
            OpenApiFacts{
                version,
                state_->options.limits,
                route_access_,
                anonymous,
                state_->ids != nullptr ? state_->options.ids_count_max : 0
            }
        );
    } else {
        write_document(response, action);
    }
    co_return Done();
}

}  // namespace holdfast
