#include "openapi_schemas.h"

#include <holdfast/store/limits.h>

#include <array>
#include <initializer_list>
#include <limits>
#include <span>

namespace holdfast {
namespace {

constexpr std::int64_t number_max = std::numeric_limits<std::int64_t>::max();

// One object schema: members first, then end() with the names of the required ones.
class ObjectSchema {
public:
    ObjectSchema(JsonWriter& json, std::string_view name, std::string_view description)
        : json_(json) {
        json_.name(name).open_object().field("type", "object").field("description", description);
        json_.name("properties").open_object();
    }
    ObjectSchema(const ObjectSchema&) = delete;
    ObjectSchema& operator=(const ObjectSchema&) = delete;

    ObjectSchema& text(
        std::string_view name,
        std::string_view pattern,
        std::size_t bytes_max,
        std::string_view example,
        std::string_view description
    ) {
        begin(name, "string", description).field("minLength", 1).field("maxLength", bytes_max);
        json_.field("pattern", pattern).name("examples").open_array().text(example).close_array();
        return end_member();
    }
    ObjectSchema& integer(
        std::string_view name,
        std::int64_t min,
        std::int64_t max,
        std::int64_t example,
        std::string_view description
    ) {
        begin(name, "integer", description).field("format", "int64").field("minimum", min);
        json_.field("maximum", max).name("examples").open_array().integer(example).close_array();
        return end_member();
    }
    ObjectSchema& time(std::string_view name, std::string_view description) {
        return integer(name, -1, number_max, 1'790'000'000'000, description);
    }
    ObjectSchema& raw(std::string_view name, std::string_view schema) {
        json_.name(name).raw(schema);
        return *this;
    }
    ObjectSchema& range_key(std::string_view example) {
        return text(
            "key",
            name_pattern::range_key,
            limits::range_key_bytes_max,
            example,
            "Segments of letters, digits and . _ - : @ between slashes; none is empty, . or .."
        );
    }
    ObjectSchema& name(std::string_view name, std::string_view example, std::string_view what) {
        return text(name, name_pattern::name, limits::name_bytes_max, example, what);
    }
    ObjectSchema& who() {
        name("namespace", "workers", "Whose slots.");
        return name("ownerKey", "host-1", "Who holds it, the same over restarts.");
    }
    ObjectSchema& incarnation() {
        return text(
            "incarnation",
            name_pattern::incarnation,
            limits::incarnation_bytes_max,
            "k3J9x0",
            "Fresh random text for every lease session."
        );
    }
    ObjectSchema& slot(std::string_view name, std::string_view what) {
        return integer(name, 0, limits::slot_limit_max - 1, 0, what);
    }
    ObjectSchema& optional_slot(std::string_view name, std::string_view what) {
        json_.name(name).open_object().name("type").raw(R"(["integer","null"])");
        json_.field("description", what).field("format", "int64").field("minimum", 0);
        json_.field("maximum", limits::slot_limit_max - 1);
        return end_member();
    }
    ObjectSchema& fence() {
        return integer("fence", 0, number_max, 1, "Grows with each new lease of the slot.");
    }
    ObjectSchema& duration(const RequestLimits& allowed) {
        integer("ttlMs", allowed.ttl_min.count(), allowed.ttl_max.count(), 30'000, "How long.");
        return integer(
            "toleranceMs",
            0,
            allowed.tolerance_max.count(),
            1'000,
            "How far the holder's clock may be off."
        );
    }
    ObjectSchema& lease() {
        who().incarnation().slot("slot", "The number that is held.").fence();
        time("expiresAt", "The end of the lease.");
        time("floor", "The first millisecond of the window.");
        time("ceiling", "The first millisecond after the window.");
        return time("storeNow", "The store's clock when it answered.");
    }

    // The names of the members that are always there: `first`, then `more`.
    void
    end(std::span<const std::string_view> first,
        std::initializer_list<std::string_view> more = {}) {
        json_.close_object().name("required").open_array();
        for (const std::string_view name : first) {
            json_.text(name);
        }
        for (const std::string_view name : more) {
            json_.text(name);
        }
        json_.close_array().close_object();
    }

private:
    JsonWriter& begin(std::string_view name, std::string_view type, std::string_view description) {
        return json_.name(name).open_object().field("type", type).field("description", description);
    }
    ObjectSchema& end_member() {
        json_.close_object();
        return *this;
    }

    JsonWriter& json_;
};

void write_requests(JsonWriter& json, const RequestLimits& allowed) {
    ObjectSchema(json, "ReserveRequest", "Unknown members are ignored.")
        .range_key("orders/number")
        .integer("size", 1, allowed.reserve_size_max, 1'000, "How many numbers.")
        .integer("initialOffset", 0, number_max, 0, "The first number of a new key.")
        .end({}, {"key", "size", "initialOffset"});
    ObjectSchema(json, "SealRequest", "The key to end.")
        .range_key("orders/of-last-year")
        .end({}, {"key"});
    ObjectSchema(json, "AcquireRequest", "limit and toleranceMs are the same for all callers.")
        .who()
        .incarnation()
        .integer("limit", 1, allowed.slot_limit_max, 64, "How many slots the namespace has.")
        .duration(allowed)
        .optional_slot("preferredSlot", "Taken if it is free; below limit. Null: any slot.")
        .end({}, {"namespace", "ownerKey", "incarnation", "limit", "ttlMs", "toleranceMs"});
    ObjectSchema(json, "RenewRequest", "slot and fence as acquire answered.")
        .who()
        .incarnation()
        .slot("slot", "The slot that is held.")
        .fence()
        .duration(allowed)
        .end({}, {"namespace", "slot", "ownerKey", "incarnation", "fence", "ttlMs", "toleranceMs"});
    ObjectSchema(json, "ReleaseRequest", "slot and fence as acquire answered.")
        .who()
        .incarnation()
        .slot("slot", "The slot that is held.")
        .fence()
        .integer(
            "lastIssued",
            -1,
            number_max,
            -1,
            "The last millisecond of the window that was used; floor - 1 if none was."
        )
        .end({}, {"namespace", "slot", "ownerKey", "incarnation", "fence", "lastIssued"});
}

constexpr std::array<std::string_view, 9> lease_members{
    "namespace",
    "slot",
    "ownerKey",
    "incarnation",
    "fence",
    "expiresAt",
    "floor",
    "ceiling",
    "storeNow"
};

void write_answers(JsonWriter& json) {
    ObjectSchema(json, "Range", "The numbers from start up to, not with, end.")
        .integer("start", 0, number_max, 0, "The first number.")
        .integer("end", 1, number_max, 1'000, "The first number after the range.")
        .end({}, {"start", "end"});
    ObjectSchema(json, "Lease", "Times are milliseconds of the store's clock.")
        .lease()
        .end(lease_members);
    ObjectSchema(json, "AcquiredLease", "Times are milliseconds of the store's clock.")
        .lease()
        .raw("reason", R"({"type":"string","enum":["held","preferred","sticky","free"]})")
        .raw(
            "duplicateOwnerKey",
            R"({"type":"boolean","description":"Another live lease names this owner key."})"
        )
        .end(lease_members, {"reason", "duplicateOwnerKey"});
    constexpr std::string_view words = R"({"type":"string"})";
    ObjectSchema(json, "Error", "code is for programs, message for people.")
        .raw("code", words)
        .raw("message", words)
        .end({}, {"code", "message"});
    ObjectSchema(json, "SlotsExhausted", "Every slot is held.")
        .raw("code", R"({"const":"slots_exhausted"})")
        .raw("message", words)
        .time("earliestExpiresAt", "When asking again may help.")
        .end({}, {"code", "message", "earliestExpiresAt"});
    ObjectSchema(json, "Health", "components stand in it for unrestricted tokens.")
        .raw("status", R"({"type":"string","enum":["UP","DOWN","OUT_OF_SERVICE"]})")
        .raw("components", R"({"type":"object"})")
        .end({}, {"status"});
    constexpr std::string_view object = R"({"type":"object"})";
    constexpr std::string_view list = R"({"type":"array","items":{"type":"object"}})";
    ObjectSchema(json, "Info", "What runs here.")
        .raw("build", object)
        .raw("store", object)
        .raw("runtime", object)
        .end({}, {"build", "store", "runtime"});
    ObjectSchema(json, "Generators", "What issues ids here.")
        .raw("generators", list)
        .raw("leases", list)
        .raw("ranges", list)
        .end({}, {"generators", "leases", "ranges"});
    constexpr std::string_view numbers =
        R"({"type":"array","items":{"type":"integer","format":"int64","minimum":0},"minItems":1})";
    constexpr std::string_view texts =
        R"({"type":"array","items":{"type":"string","minLength":1},"minItems":1})";
    ObjectSchema(json, "Ids", "As many as were asked for, rising.")
        .raw("ids", numbers)
        .end({}, {"ids"});
    ObjectSchema(json, "IdStrings", "As many as were asked for.")
        .raw("ids", texts)
        .end({}, {"ids"});
    ObjectSchema(json, "PeriodicIds", "All of one period.")
        .raw("period", words)
        .raw("values", numbers)
        .end({}, {"period", "values"});
    json.name("AnyIds").raw(
        R"({"anyOf":[{"$ref":"#/components/schemas/Ids"},{"$ref":"#/components/schemas/IdStrings"},)"
        R"({"$ref":"#/components/schemas/PeriodicIds"}]})"
    );
    ObjectSchema(json, "OpenApi", "OpenAPI 3.1.")
        .raw("openapi", R"({"type":"string","pattern":"^3\\.1\\."})")
        .raw("paths", object)
        .end({}, {"openapi", "paths"});
}

}  // namespace

void write_schemas(JsonWriter& json, const RequestLimits& limits) {
    write_requests(json, limits);
    write_answers(json);
}

}  // namespace holdfast
