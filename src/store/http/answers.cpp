#include <holdfast/codec/json_writer.h>
#include <holdfast/store_http/answers.h>

#include <charconv>

namespace holdfast {
namespace {

void append(std::string& out, std::string_view literal, std::int64_t number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(literal).append(digits, end);
}

void append(std::string& out, std::string_view literal, StoreTime time) {
    append(out, literal, time.time_since_epoch().count());
}

// Names hold no character that JSON would escape (store/names.h).
void append_lease(
    std::string& out,
    const Namespace& name,
    const OwnerKey& owner,
    const Incarnation& incarnation,
    const SlotLease& lease
) {
    out.append(R"({"namespace":")").append(name.text());
    append(out, R"(","slot":)", lease.slot.value());
    out.append(R"(,"ownerKey":")").append(owner.text());
    out.append(R"(","incarnation":")").append(incarnation.text());
    append(out, R"(","fence":)", static_cast<std::int64_t>(lease.fence.value()));
    append(out, R"(,"expiresAt":)", lease.expires_at);
    append(out, R"(,"floor":)", lease.floor);
    append(out, R"(,"ceiling":)", lease.ceiling);
    append(out, R"(,"storeNow":)", lease.store_now);
}

}  // namespace

void write_range(std::string& out, const Range& range) {
    append(out, R"({"start":)", range.start);
    append(out, R"(,"end":)", range.end);
    out.push_back('}');
}

void write_acquired(
    std::string& out,
    const Namespace& name,
    const OwnerKey& owner,
    const Incarnation& incarnation,
    const Acquired& acquired
) {
    append_lease(out, name, owner, incarnation, acquired.lease);
    out.append(R"(,"reason":")").append(name_of(acquired.reason));
    out.append(
        acquired.duplicate_owner_key ? R"(","duplicateOwnerKey":true})"
                                     : R"(","duplicateOwnerKey":false})"
    );
}

void write_renewed(std::string& out, const LeaseKey& key, const SlotLease& lease) {
    append_lease(out, key.name(), key.owner(), key.incarnation(), lease);
    out.push_back('}');
}

void write_exhausted(std::string& out, const SlotsExhausted& exhausted) {
    append(
        out,
        R"({"code":"slots_exhausted","message":"no slot is free","earliestExpiresAt":)",
        exhausted.earliest_expires_at
    );
    out.push_back('}');
}

void write_error(std::string& out, std::string_view code, std::string_view message) {
    JsonWriter(out).open_object().field("code", code).field("message", message).close_object();
}

}  // namespace holdfast
