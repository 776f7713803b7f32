#include <holdfast/store/limits.h>
#include <holdfast/store/request_rules.h>

namespace holdfast {
namespace {

Error invalid(std::string_view what) {
    return Error(Code::invalid_argument, Effect::none, what);
}

// Empty: nothing is wrong.
std::string_view fault_of_terms(Duration ttl, Duration tolerance) {
    if (ttl < limits::ttl_min || ttl > limits::ttl_max) {
        return "ttl is 100 ms to 1 h";
    }
    if (tolerance < Duration::zero() || tolerance > limits::tolerance_max) {
        return "tolerance is 0 to 1 min";
    }
    return {};
}

std::string_view fault_of_lease(const LeaseKey& key) {
    if (key.slot().value() >= limits::slot_limit_max) {
        return "slot is 0 to 65,535";
    }
    if (key.fence().value() > static_cast<std::uint64_t>(limits::stored_time_max)) {
        return "fence is below 2^53";
    }
    return {};
}

}  // namespace

Result<Done> check(const ReserveRequest& request) {
    if (request.size() < 1 || request.size() > limits::reserve_size_max) {
        return invalid("size is 1 to 1,000,000,000,000");
    }
    if (request.initial_offset() < 0) {
        return invalid("initial offset is not negative");
    }
    return Done();
}

Result<Done> check(const AcquireRequest& request) {
    if (request.limit() < 1 || request.limit() > limits::slot_limit_max) {
        return invalid("limit is 1 to 65,536");
    }
    if (request.preferred().has_value() && request.preferred()->value() >= request.limit()) {
        return invalid("preferred slot is below limit");
    }
    const std::string_view fault = fault_of_terms(request.ttl(), request.tolerance());
    if (!fault.empty()) {
        return invalid(fault);
    }
    return Done();
}

Result<Done> check_renew(const LeaseKey& key, Duration ttl, Duration tolerance) {
    std::string_view fault = fault_of_lease(key);
    if (fault.empty()) {
        fault = fault_of_terms(ttl, tolerance);
    }
    if (!fault.empty()) {
        return invalid(fault);
    }
    return Done();
}

Result<Done> check_release(const LeaseKey& key, StoreTime last_issued) {
    const std::string_view fault = fault_of_lease(key);
    if (!fault.empty()) {
        return invalid(fault);
    }
    const auto last_ms = last_issued.time_since_epoch().count();
    if (last_ms < -1 || last_ms > limits::stored_time_max) {
        return invalid("last issued is -1 to 2^53 - 1");
    }
    return Done();
}

}  // namespace holdfast
