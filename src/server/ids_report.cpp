#include "ids_report.h"

#include <algorithm>

namespace holdfast {
namespace {

void write_layout(JsonWriter& json, const std::optional<IdLayout>& layout) {
    if (!layout.has_value()) {
        json.null();
        return;
    }
    json.open_object()
        .field("timestampUnit", layout->unit() == TickUnit::second ? "second" : "millisecond")
        .field("epoch", layout->epoch().time_since_epoch().count())
        .field("timestampBits", layout->time_bits())
        .field("machineBits", layout->machine_bits())
        .field("sequenceBits", layout->sequence_bits())
        .close_object();
}

void write_generator(JsonWriter& json, const GeneratorInfo& info) {
    json.open_object().field("name", std::string_view(info.name));
    json.field("strategy", name_of(info.strategy)).name("layout");
    write_layout(json, info.layout);
    json.field("enabled", info.state != IdState::disabled).field("state", name_of(info.state));
    json.name("yearsLeft");
    info.years_left.has_value() ? json.real(*info.years_left) : json.null();
    json.name("last");
    info.last.has_value() ? json.integer(*info.last) : json.null();
    json.field("issued", info.issued).field("burnt", info.burnt).close_object();
}

std::int64_t milliseconds(StoreTime time) {
    return time.time_since_epoch().count();
}

void write_lease(JsonWriter& json, const LeaseInfo& lease) {
    json.open_object()
        .field("namespace", std::string_view(lease.name.text()))
        .field("slot", lease.slot.value())
        .field("ownerKey", std::string_view(lease.owner.text()))
        .field("fence", lease.fence.value())
        .field("expiresAt", milliseconds(lease.expires_at))
        .field("floor", milliseconds(lease.floor))
        .field("ceiling", milliseconds(lease.ceiling))
        .field("state", name_of(lease.state))
        .field("duplicateOwnerKey", lease.duplicate_owner_key)
        .close_object();
}

}  // namespace

void write_cosid(std::string& out, const IdRuntime* ids) {
    JsonWriter json(out);
    json.open_object().name("generators").open_array();
    if (ids != nullptr) {
        for (const GeneratorInfo& info : ids->generators()) {
            write_generator(json, info);
        }
    }
    json.close_array().name("leases").open_array();
    if (ids != nullptr) {
        for (const LeaseInfo& lease : ids->leases()) {
            write_lease(json, lease);
        }
    }
    json.close_array().name("ranges").open_array();
    if (ids != nullptr) {
        for (const RangeInfo& range : ids->ranges()) {
            json.open_object()
                .field("key", std::string_view(range.key))
                .field("issued", range.issued)
                .field("prefetched", range.prefetched)
                .close_object();
        }
    }
    json.close_array().close_object();
}

void write_ids_health(JsonWriter& json, const IdRuntime& ids) {
    const auto generators = ids.generators();
    const bool all = std::ranges::all_of(generators, [](const GeneratorInfo& info) {
        return info.state == IdState::issuing || info.state == IdState::disabled;
    });
    json.open_object().field("status", all ? "UP" : "DOWN").name("details").open_object();
    json.name("generators").open_object();
    for (const GeneratorInfo& info : generators) {
        json.field(info.name, name_of(info.state));
    }
    json.close_object().name("leases").open_array();
    for (const LeaseInfo& lease : ids.leases()) {
        json.text(name_of(lease.state));
    }
    json.close_array().field("rollbackSuspected", ids.rollback_suspected());
    if (const auto machine = ids.manual_machine()) {
        json.field("manualMachine", *machine);
        json.field("uniqueness", "rests on the operator: no lease keeps others from this number");
    }
    json.close_object().close_object();
}

void write_default_layout(JsonWriter& json, IdRuntime* ids) {
    const IdGenerator* generator = ids != nullptr ? ids->find(default_generator) : nullptr;
    write_layout(json, generator != nullptr ? generator->info().layout : std::nullopt);
}

}  // namespace holdfast
