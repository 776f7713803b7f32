#pragma once
// The HTTP service over one store: it keeps no state, one call is one call of the store.

#include <holdfast/http/server.h>
#include <holdfast/ids/id_runtime.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/metrics.h>
#include <holdfast/server/options.h>
#include <holdfast/store/store.h>

#include <memory>

namespace holdfast {

class Service : public HttpHandlers {
public:
    // Readiness answers 503 from now on; everything else goes on. Any thread.
    virtual void stopping() = 0;

    // Takes other tokens, clients and path rules from now on; a call that was let in goes on. Any
    // thread. invalid_argument: as of open_service; the old ones stay.
    virtual Result<Done> reload(AuthOptions auth) = 0;
};

// `store`, `metrics`, `log` and `ids` outlive the service. Null `ids`: it issues none, and the
// paths for that do not exist. The service outlives the HTTP server that uses
// it. invalid_argument: the options contradict each other (a token that is too short, nobody may
// call).
Result<std::unique_ptr<Service>> open_service(
    Store& store, ServiceOptions options, Metrics& metrics, Log& log, IdRuntime* ids = nullptr
);

}  // namespace holdfast
