#include <holdfast/codec/json.h>
#include <holdfast/store/limits.h>
#include <holdfast/store_http/requests.h>

#include <limits>
#include <optional>

namespace holdfast {
namespace {

constexpr std::int64_t number_max = std::numeric_limits<std::int64_t>::max();

// The members of one body. The first problem is kept; what is read after it does not matter.
class Fields {
public:
    explicit Fields(std::string_view body) {
        auto parsed = document_.parse_object(body);
        if (parsed.ok()) {
            object_.emplace(parsed.value());
        } else {
            refuse({}, std::string(parsed.error().what()));
        }
    }

    template <class T>
    std::optional<T> name(std::string_view field) {
        if (!object_.has_value()) {
            return std::nullopt;
        }
        const auto member = object_->text(field);
        if (!member.ok()) {
            refuse(field, member.absent() ? "a text is required" : "must be a text");
            return std::nullopt;
        }
        auto parsed = T::parse(member.value());
        if (!parsed.ok()) {
            refuse(field, std::string(parsed.error().what()));
            return std::nullopt;
        }
        return std::move(parsed).value();
    }

    std::int64_t integer(std::string_view field, std::int64_t min, std::int64_t max) {
        if (!object_.has_value()) {
            return min;
        }
        const auto member = object_->integer(field);
        if (!member.ok()) {
            refuse(
                field,
                member.absent() ? "a whole number is required"
                                : "must be a whole number in plain decimal"
            );
            return min;
        }
        if (member.value() < min || member.value() > max) {
            refuse(field, "must be from " + std::to_string(min) + " to " + std::to_string(max));
            return min;
        }
        return member.value();
    }

    std::optional<Slot> optional_slot(std::string_view field, std::int64_t limit) {
        if (!object_.has_value() || object_->integer(field).absent()) {
            return std::nullopt;
        }
        return Slot(static_cast<std::uint32_t>(integer(field, 0, limit - 1)));
    }

    Duration ttl(const RequestLimits& limits) {
        return Duration(integer("ttlMs", limits.ttl_min.count(), limits.ttl_max.count()));
    }
    Duration tolerance(const RequestLimits& limits) {
        return Duration(integer("toleranceMs", 0, limits.tolerance_max.count()));
    }

    std::optional<LeaseKey> lease_key() {
        auto space = name<Namespace>("namespace");
        const auto slot = integer("slot", 0, limits::slot_limit_max - 1);
        auto owner = name<OwnerKey>("ownerKey");
        auto incarnation = name<Incarnation>("incarnation");
        const auto fence = integer("fence", 0, limits::stored_time_max);
        if (problem_.has_value()) {
            return std::nullopt;
        }
        return LeaseKey(
            std::move(*space),
            Slot(static_cast<std::uint32_t>(slot)),
            std::move(*owner),
            std::move(*incarnation),
            Fence(static_cast<std::uint64_t>(fence))
        );
    }

    const std::optional<FieldProblem>& problem() const { return problem_; }

private:
    void refuse(std::string_view field, std::string what) {
        if (!problem_.has_value()) {
            problem_ = FieldProblem{field, std::move(what)};
        }
    }

    JsonDocument document_;
    std::optional<JsonObject> object_;
    std::optional<FieldProblem> problem_;
};

}  // namespace

std::string FieldProblem::text() const {
    return field.empty() ? what : std::string(field) + ": " + what;
}

Read<ReserveRequest> read_reserve(std::string_view body, const RequestLimits& limits) {
    Fields fields(body);
    auto key = fields.name<RangeKey>("key");
    const auto size = fields.integer("size", 1, limits.reserve_size_max);
    const auto offset = fields.integer("initialOffset", 0, number_max);
    if (fields.problem().has_value()) {
        return *fields.problem();
    }
    return ReserveRequest(std::move(*key), size, offset);
}

Read<RangeKey> read_seal(std::string_view body) {
    Fields fields(body);
    auto key = fields.name<RangeKey>("key");
    if (fields.problem().has_value()) {
        return *fields.problem();
    }
    return std::move(*key);
}

Read<AcquireRequest> read_acquire(std::string_view body, const RequestLimits& limits) {
    Fields fields(body);
    auto space = fields.name<Namespace>("namespace");
    auto owner = fields.name<OwnerKey>("ownerKey");
    auto incarnation = fields.name<Incarnation>("incarnation");
    const auto limit = fields.integer("limit", 1, limits.slot_limit_max);
    const Duration ttl = fields.ttl(limits);
    const Duration tolerance = fields.tolerance(limits);
    const auto preferred = fields.optional_slot("preferredSlot", limit);
    if (fields.problem().has_value()) {
        return *fields.problem();
    }
    return AcquireRequest(std::move(*space), std::move(*owner), std::move(*incarnation))
        .limit(static_cast<std::uint32_t>(limit))
        .ttl(ttl)
        .tolerance(tolerance)
        .preferred(preferred);
}

Read<RenewRequest> read_renew(std::string_view body, const RequestLimits& limits) {
    Fields fields(body);
    auto key = fields.lease_key();
    const Duration ttl = fields.ttl(limits);
    const Duration tolerance = fields.tolerance(limits);
    if (fields.problem().has_value()) {
        return *fields.problem();
    }
    return RenewRequest(std::move(*key), ttl, tolerance);
}

Read<ReleaseRequest> read_release(std::string_view body) {
    Fields fields(body);
    auto key = fields.lease_key();
    const auto last = fields.integer("lastIssued", -1, limits::stored_time_max);
    if (fields.problem().has_value()) {
        return *fields.problem();
    }
    return ReleaseRequest(std::move(*key), StoreTime(Duration(last)));
}

}  // namespace holdfast
