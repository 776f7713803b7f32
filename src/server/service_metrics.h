#pragma once
// The cells of one loop. Loop thread only.

#include "routes.h"

#include <holdfast/observe/metrics.h>

#include <array>

namespace holdfast {

class LoopMetrics {
public:
    explicit LoopMetrics(Metrics& metrics);

    // Null: no route.
    void answered(const Route* route, int status, double seconds);
    void busy() { busy_->add(); }
    void too_many_keys() { too_many_keys_->add(); }
    void too_many_namespaces() { too_many_namespaces_->add(); }
    void cancelled() { cancelled_->add(); }
    void token_refused() { refused_tokens_->add(); }
    void rollback_suspected() { rollback_suspected_->add(); }

private:
    static constexpr std::size_t statuses_max = 24;  // as many as the service has answers
    static constexpr std::size_t routes_max = 32;
    struct Cell {
        int status = 0;
        Histogram* histogram = nullptr;
    };

    Metrics* metrics_;
    Counter* busy_;
    Counter* too_many_keys_;
    Counter* too_many_namespaces_;
    Counter* cancelled_;
    Counter* refused_tokens_;
    Counter* rollback_suspected_;
    std::array<std::array<Cell, statuses_max>, routes_max + 1> cells_{};
};

}  // namespace holdfast
