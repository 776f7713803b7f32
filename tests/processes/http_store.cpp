#include "http_store.h"

#include <holdfast/codec/json.h>
#include <holdfast/codec/json_writer.h>
#include <holdfast/store_http/words.h>

#include <array>
#include <charconv>

namespace holdfast::testing {
namespace {

Error broken(std::string_view what) {
    return Error(Code::unreachable, Effect::unknown, what);
}

// Whole: head, blank line, as many bytes as Content-Length says.
struct Head {
    int status = 0;
    std::size_t body_at = 0;
    std::size_t body_bytes = 0;
};
std::optional<Head> head_of(std::string_view text) {
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string_view::npos || text.size() < 12) {
        return std::nullopt;
    }
    Head head;
    head.body_at = end + 4;
    std::from_chars(text.data() + 9, text.data() + 12, head.status);
    constexpr std::string_view name = "\r\nContent-Length: ";
    const std::size_t at = text.find(name);
    if (at < end) {
        std::from_chars(text.data() + at + name.size(), text.data() + end, head.body_bytes);
    }
    return head;
}

void write_key(JsonWriter& json, const LeaseKey& key) {
    json.field("namespace", key.name().text())
        .field("slot", key.slot().value())
        .field("ownerKey", key.owner().text())
        .field("incarnation", key.incarnation().text())
        .field("fence", key.fence().value());
}

StoreTime time_of(const JsonObject& object, std::string_view name) {
    return StoreTime(Duration(object.integer(name).value()));
}

SlotLease lease_of(const JsonObject& object) {
    return SlotLease{
        Slot(static_cast<std::uint32_t>(object.integer("slot").value())),
        Fence(static_cast<Fence::rep>(object.integer("fence").value())),
        time_of(object, "expiresAt"),
        time_of(object, "floor"),
        time_of(object, "ceiling"),
        time_of(object, "storeNow"),
    };
}

Error error_of(int status) {
    return Error(
        status == 504 ? Code::timed_out : Code::unreachable,
        Effect::unknown,
        "the service answered with an error"
    );
}

Result<AcquireOutcome> read_acquired(int status, const std::string& body) {
    JsonDocument document;
    auto object = document.parse_object(body);
    if (!object.ok()) {
        return std::move(object).error();
    }
    if (status == 200) {
        const AcquireReason reason = AcquireReason::free;
        return AcquireOutcome(Acquired{
            lease_of(object.value()), reason, object.value().boolean("duplicateOwnerKey").value()
        });
    }
    const auto code = object.value().text("code");
    if (code.ok() && code.value() == http_code::slots_exhausted.code) {
        return AcquireOutcome(SlotsExhausted{time_of(object.value(), "earliestExpiresAt")});
    }
    if (code.ok() && code.value() == http_code::namespace_mismatch.code) {
        return AcquireOutcome(NamespaceMismatch());
    }
    return error_of(status);
}

Result<RenewOutcome> read_renewed(int status, const std::string& body) {
    JsonDocument document;
    auto object = document.parse_object(body);
    if (object.ok() && status == 200) {
        return RenewOutcome(lease_of(object.value()));
    }
    return status == 409 ? Result<RenewOutcome>(RenewOutcome(LeaseLost())) : error_of(status);
}

Result<ReserveOutcome> read_range(int status, const std::string& body) {
    JsonDocument document;
    auto object = document.parse_object(body);
    if (object.ok() && status == 200) {
        return ReserveOutcome(
            Range{object.value().integer("start").value(), object.value().integer("end").value()}
        );
    }
    if (status == 410) {
        return ReserveOutcome(RangeSealed());
    }
    return status == 422 ? Result<ReserveOutcome>(ReserveOutcome(RangeExhausted()))
                         : error_of(status);
}

}  // namespace

Task<HttpStore::Answer>
HttpStore::post(std::string_view path, std::string body, Deadline deadline) {
    auto connected = co_await connect_tcp("127.0.0.1", port_, deadline);
    if (!connected.ok()) {
        co_return std::move(connected).error();
    }
    Stream& stream = *connected.value();
    std::string text = "POST " + std::string(path) +
                       " HTTP/1.1\r\nHost: store\r\nConnection: close\r\n"
                       "Content-Type: application/json\r\nAuthorization: Bearer " +
                       token_ + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                       body;
    auto sent = co_await write_all(stream, text, deadline);
    if (!sent.ok()) {
        co_return broken("the request was cut off");
    }
    text.clear();
    std::array<std::byte, 4096> space;
    for (;;) {
        const auto head = head_of(text);
        if (head && text.size() >= head->body_at + head->body_bytes) {
            co_return Answer(head->status, text.substr(head->body_at, head->body_bytes));
        }
        auto got = co_await stream.read_some(space);
        if (!got.ok() || got.value() == 0) {
            co_return broken("the answer did not come");
        }
        text.append(reinterpret_cast<const char*>(space.data()), got.value());
    }
}

Task<Done> HttpStore::probe(Deadline) {
    co_return Done();
}

Task<ReserveOutcome> HttpStore::reserve(ReserveRequest request, Deadline deadline) {
    std::string body;
    JsonWriter(body)
        .open_object()
        .field("key", request.key().text())
        .field("size", request.size())
        .field("initialOffset", request.initial_offset())
        .close_object();
    auto answer = co_await post(http_path::reserve, std::move(body), deadline);
    if (!answer.ok()) {
        co_return std::move(answer).error();
    }
    co_return read_range(answer.value().status, answer.value().body);
}

Task<SealOutcome> HttpStore::seal(RangeKey, Deadline) {
    co_return SealOutcome::unsupported;
}

Task<AcquireOutcome> HttpStore::acquire(AcquireRequest request, Deadline deadline) {
    std::string body;
    JsonWriter(body)
        .open_object()
        .field("namespace", request.name().text())
        .field("ownerKey", request.owner().text())
        .field("incarnation", request.incarnation().text())
        .field("limit", request.limit())
        .field("ttlMs", request.ttl().count())
        .field("toleranceMs", request.tolerance().count())
        .close_object();
    auto answer = co_await post(http_path::acquire, std::move(body), deadline);
    if (!answer.ok()) {
        co_return std::move(answer).error();
    }
    co_return read_acquired(answer.value().status, answer.value().body);
}

Task<RenewOutcome>
HttpStore::renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) {
    std::string body;
    JsonWriter json(body);
    json.open_object();
    write_key(json, key);
    json.field("ttlMs", ttl.count()).field("toleranceMs", tolerance.count()).close_object();
    auto answer = co_await post(http_path::renew, std::move(body), deadline);
    if (!answer.ok()) {
        co_return std::move(answer).error();
    }
    co_return read_renewed(answer.value().status, answer.value().body);
}

Task<ReleaseOutcome> HttpStore::release(LeaseKey key, StoreTime last_issued, Deadline deadline) {
    std::string body;
    JsonWriter json(body);
    json.open_object();
    write_key(json, key);
    json.field("lastIssued", last_issued.time_since_epoch().count()).close_object();
    auto answer = co_await post(http_path::release, std::move(body), deadline);
    if (!answer.ok()) {
        co_return std::move(answer).error();
    }
    const int status = answer.value().status;
    if (status == 204) {
        co_return ReleaseOutcome(Released());
    }
    if (status == 409) {
        co_return ReleaseOutcome(LeaseLost());
    }
    co_return error_of(status);
}

}  // namespace holdfast::testing
