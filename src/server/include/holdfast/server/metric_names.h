#pragma once
// Every metric of the service, in one place; tests/golden/metric_names.txt pins them.

#include <holdfast/observe/metrics.h>

namespace holdfast::metric {

inline constexpr MetricFamily requests(
    "cosid_server_request_seconds",
    "Time from a whole request to its answer, by route and status.",
    {"route", "status"}
);
inline constexpr MetricFamily rejections(
    "cosid_server_call_rejections_total",
    "Calls turned away before the store was asked.",
    {"reason"}
);
inline constexpr MetricFamily
    calls_in_flight("cosid_server_calls_in_flight", "Store calls under way.");
inline constexpr MetricFamily
    refused_tokens("cosid_server_refused_tokens_total", "Requests without a token we know.");
inline constexpr MetricFamily cancelled_calls(
    "cosid_server_calls_cancelled_total", "Calls whose client went away before the answer."
);
inline constexpr MetricFamily rollback_suspected(
    "cosid_server_store_rollback_suspected_total",
    "Calls whose fence was above the store's: the store may have lost a write."
);
inline constexpr MetricFamily
    connections_open("cosid_server_connections_open", "Connections open now.");
inline constexpr MetricFamily
    connections_accepted("cosid_server_connections_accepted_total", "Connections accepted.");
inline constexpr MetricFamily connections_refused(
    "cosid_server_connections_refused_total", "Connections turned away: too many were open."
);
inline constexpr MetricFamily handshakes_failed(
    "cosid_server_tls_handshakes_failed_total",
    "Connections that did not become TLS: other bytes, a certificate, time."
);
inline constexpr MetricFamily malformed_requests(
    "cosid_server_malformed_requests_total",
    "Bytes that did not become a request: framing, limits, time."
);

}  // namespace holdfast::metric
