#include "openapi_operations.h"

#include <array>

namespace holdfast {
namespace {

constexpr std::string_view json = "application/json";
constexpr std::string_view html = "text/html";

constexpr std::string_view ranges = "ranges";
constexpr std::string_view slots = "slots";
constexpr std::string_view ids = "ids";
constexpr std::string_view operation = "operation";
constexpr std::string_view documents = "documents";

constexpr std::array all{
    http_code::bad_request,
    http_code::request_timeout,
    http_code::body_too_large,
    http_code::uri_too_long,
    http_code::expectation_failed,
    http_code::headers_too_large,
    http_code::store_error,
    http_code::not_implemented,
    http_code::busy,
    http_code::version_not_supported,
};
constexpr std::array callers{http_code::unauthorized, http_code::forbidden};
constexpr std::array bodies{
    http_code::unsupported_media_type,
    http_code::store_unavailable,
    http_code::store_timeout,
};

constexpr std::array reserve_refusals{
    http_code::range_sealed,
    http_code::range_exhausted,
    http_code::too_many_keys,
    http_code::too_many_namespaces,
};
constexpr std::array seal_refusals{
    http_code::seal_unsupported,
    http_code::too_many_keys,
    http_code::too_many_namespaces,
};
constexpr std::array acquire_refusals{http_code::slots_exhausted, http_code::namespace_mismatch};
constexpr std::array lease_refusals{http_code::lease_lost};

constexpr std::array ids_refusals{
    http_code::unknown_generator,
    http_code::generator_disabled,
    http_code::range_sealed,
    http_code::range_exhausted,
    http_code::store_unavailable,
    http_code::store_timeout,
};

constexpr Operation issued(
    std::string_view id,
    std::string_view summary,
    std::string_view description,
    std::string_view schema
) {
    return {
        id, ids, summary, description, {}, 200, "Nobody else gets them.", json, schema, ids_refusals
    };
}

constexpr Operation page(
    std::string_view id, std::string_view summary, std::string_view answer, std::string_view type
) {
    return {id, documents, summary, {}, {}, 200, answer, type, {}, {}};
}
constexpr Operation report(
    std::string_view id, std::string_view summary, std::string_view answer, std::string_view schema
) {
    return {id, operation, summary, {}, {}, 200, answer, json, schema, {}};
}

constexpr Operation reserve_call{
    "reserveRange",
    ranges,
    "Reserve numbers that nobody else gets",
    "initialOffset counts while the key does not exist. Sent again after a lost answer it gives "
    "other numbers, never the same ones twice.",
    "ReserveRequest",
    200,
    "The range [start, end) is the caller's alone, for ever.",
    json,
    "Range",
    reserve_refusals
};
constexpr Operation seal_call{
    "sealRange",
    ranges,
    "End a key: it gives no more ranges",
    "Sealing twice is sealing once.",
    "SealRequest",
    204,
    "The key is sealed.",
    {},
    {},
    seal_refusals
};
constexpr Operation acquire_call{
    "acquireSlot",
    slots,
    "Take a slot, held by one owner at a time",
    "Sent again after a lost answer it finds what the lost call took.",
    "AcquireRequest",
    200,
    "The lease of the slot.",
    json,
    "AcquiredLease",
    acquire_refusals
};
constexpr Operation renew_call{
    "renewSlot",
    slots,
    "Keep a slot",
    "Only what is still held by this owner, incarnation and fence.",
    "RenewRequest",
    200,
    "The lease with its new end.",
    json,
    "Lease",
    lease_refusals
};
constexpr Operation release_call{
    "releaseSlot",
    slots,
    "Give a slot back",
    "With the part of its window that was not used: what is at or before lastIssued stays used.",
    "ReleaseRequest",
    204,
    "The slot is free.",
    {},
    {},
    lease_refusals
};
constexpr std::string_view exact_numbers =
    "Numbers of 63 bits: JavaScript's are exact up to 2^53 only, ask for strings there.";
constexpr Operation ids_call = issued("ids", "Ids of the generator default", exact_numbers, "Ids");
constexpr Operation id_strings_call =
    issued("idStrings", "Ids of the generator default as texts", {}, "IdStrings");
constexpr Operation ids_of_call =
    issued("idsOfGenerator", "Ids of a generator", exact_numbers, "Ids");
constexpr Operation id_strings_of_call =
    issued("idStringsOfGenerator", "Ids of a generator as texts", {}, "IdStrings");
constexpr Operation id_periodic_of_call = issued(
    "periodicIdsOfGenerator",
    "Numbers of a generator that starts again in each period",
    "All of one period; may be fewer than asked for at its end.",
    "PeriodicIds"
);
constexpr Operation cosid_issue_call =
    issued("issueIds", "Ids of any generator, in the form that it has", exact_numbers, "AnyIds");
constexpr Operation health_report = report(
    "health", "Whether the store answers; asked at most once a second", "It does.", "Health"
);
constexpr Operation liveness_report =
    report("liveness", "Whether the process serves. The store is not asked", "It does.", "Health");
constexpr Operation readiness_report = report(
    "readiness",
    "Whether calls should be sent here: the store answers, and the service is not stopping",
    "They should.",
    "Health"
);
constexpr Operation info_report =
    report("info", "What runs here", "Build, store and runtime.", "Info");
constexpr Operation cosid_report = report(
    "cosid",
    "The generators of the service, their leases and ranges",
    "Empty where the service issues no ids.",
    "Generators"
);
constexpr Operation prometheus_report{
    "prometheus",
    operation,
    "Metrics in the text format of Prometheus",
    {},
    {},
    200,
    "All metrics.",
    "text/plain",
    {},
    {}
};
constexpr Operation landing_page =
    page("landingPage", "The page for people: what this is, and how it is", "The page.", html);
constexpr Operation openapi_page{
    "openapi", documents, "This document", {}, {}, 200, "OpenAPI 3.1.", json, "OpenApi", {}
};
constexpr Operation swagger_move{
    "swaggerUi",
    documents,
    "Leads to the page of the operations",
    {},
    {},
    302,
    "Location.",
    {},
    {},
    {}
};
constexpr Operation swagger_page =
    page("swaggerIndex", "The operations to read and try in a browser", "The page.", html);
constexpr Operation swagger_start =
    page("swaggerStart", "The script that starts the page", "The script.", "text/javascript");
constexpr Operation swagger_bundle =
    page("swaggerBundle", "Swagger UI", "The script.", "text/javascript");
constexpr Operation swagger_style =
    page("swaggerStyle", "The style of Swagger UI", "The style.", "text/css");
constexpr Operation swagger_icon =
    page("swaggerIcon", "The icon of the page", "A PNG.", "image/png");

}  // namespace

const Operation& operation_of(Action action) {
    switch (action) {
    case Action::reserve:
        return reserve_call;
    case Action::seal:
        return seal_call;
    case Action::acquire:
        return acquire_call;
    case Action::renew:
        return renew_call;
    case Action::release:
        return release_call;
    case Action::ids:
        return ids_call;
    case Action::id_strings:
        return id_strings_call;
    case Action::ids_of:
        return ids_of_call;
    case Action::id_strings_of:
        return id_strings_of_call;
    case Action::id_periodic_of:
        return id_periodic_of_call;
    case Action::cosid_issue:
        return cosid_issue_call;
    case Action::health:
        return health_report;
    case Action::liveness:
        return liveness_report;
    case Action::readiness:
        return readiness_report;
    case Action::info:
        return info_report;
    case Action::cosid:
        return cosid_report;
    case Action::prometheus:
        return prometheus_report;
    case Action::landing:
        return landing_page;
    case Action::api_docs:
        return openapi_page;
    case Action::swagger_move:
        return swagger_move;
    case Action::swagger_page:
        return swagger_page;
    case Action::swagger_start:
        return swagger_start;
    case Action::swagger_bundle:
        return swagger_bundle;
    case Action::swagger_style:
        return swagger_style;
    case Action::swagger_icon:
        break;
    }
    return swagger_icon;
}

std::span<const HttpCode> refusals_of_all() {
    return all;
}
std::span<const HttpCode> refusals_of_callers() {
    return callers;
}
std::span<const HttpCode> refusals_of_bodies() {
    return bodies;
}

}  // namespace holdfast
