#include <holdfast/redis/codec.h>

#include <charconv>

namespace holdfast::redis {

namespace {

Error no_value(std::string_view what) {
    return {Code::corrupt, Effect::none, what};
}

}  // namespace

Result<std::int64_t> IntegerCodec::read(std::string_view text) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(text.data(), end, value);
    if (text.empty() || problem != std::errc() || at != end) {
        return no_value("the value is no integer");
    }
    return value;
}

Result<JsonObject>
open_envelope(JsonDocument& document, std::string_view text, std::uint32_t schema) {
    const Result<JsonObject> envelope = document.parse_object(text);
    if (!envelope.ok()) {
        return no_value("the value is no JSON object");
    }
    const JsonMember<std::int64_t> number = envelope.value().integer("schema");
    if (!number.ok()) {
        return no_value("the value has no schema number");
    }
    if (number.value() != schema) {
        return Error(Code::unsupported, Effect::none, "the value has another schema");
    }
    const JsonMember<JsonObject> value = envelope.value().object("value");
    if (!value.ok()) {
        return no_value("the envelope has no value");
    }
    return value.value();
}

}  // namespace holdfast::redis
