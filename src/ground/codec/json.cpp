#include <holdfast/codec/json.h>

#include <charconv>
#include <cmath>

namespace holdfast {
namespace {

// Digits with a minus before them at most; no zero before other digits, no "-0".
std::optional<std::int64_t> read_integer(std::string_view token) {
    const bool negative = !token.empty() && token[0] == '-';
    const std::string_view digits = token.substr(negative ? 1 : 0);
    if (digits.empty() || (digits[0] == '0' && (digits.size() > 1 || negative))) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) {
        return std::nullopt;
    }
    return value;
}

std::string_view text_of(const JsonNode* node) {
    return {node->text, node->text_bytes};
}

template <class T>
JsonMember<T>
member(const std::optional<JsonValue>& value, std::optional<T> (JsonValue::*read)() const) {
    if (!value) {
        return JsonMember<T>(JsonFound::missing);
    }
    if (value->kind() == JsonKind::null) {
        return JsonMember<T>(JsonFound::null);
    }
    std::optional<T> got = ((*value).*read)();
    return got ? JsonMember<T>(*got) : JsonMember<T>(JsonFound::wrong_type);
}

}  // namespace

std::optional<bool> JsonValue::boolean() const {
    return kind() == JsonKind::boolean ? std::optional(node_->flag) : std::nullopt;
}

std::optional<std::string_view> JsonValue::text() const {
    return kind() == JsonKind::text ? std::optional(text_of(node_)) : std::nullopt;
}

std::optional<std::string_view> JsonValue::number_token() const {
    return kind() == JsonKind::number ? std::optional(text_of(node_)) : std::nullopt;
}

std::optional<JsonObject> JsonValue::object() const {
    return kind() == JsonKind::object ? std::optional(JsonObject(*this)) : std::nullopt;
}

std::optional<JsonArray> JsonValue::array() const {
    return kind() == JsonKind::array ? std::optional(JsonArray(*this)) : std::nullopt;
}

JsonChildren JsonValue::children() const {
    return JsonChildren(*this);
}

std::optional<std::int64_t> JsonValue::integer() const {
    return kind() == JsonKind::number ? read_integer(text_of(node_)) : std::nullopt;
}

std::optional<std::int64_t> JsonValue::integer_or_text() const {
    return kind() == JsonKind::text ? read_integer(text_of(node_)) : integer();
}

std::optional<double> JsonValue::real() const {
    if (kind() != JsonKind::number) {
        return std::nullopt;
    }
    const std::string_view token = text_of(node_);
    double value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

bool same_json(JsonValue a, JsonValue b) {
    const std::uint32_t span = a.node_->span;
    if (span != b.node_->span) {
        return false;
    }
    for (std::uint32_t i = 0; i < span; ++i) {
        const JsonNode& x = a.node_[i];
        const JsonNode& y = b.node_[i];
        const bool names = i == 0 || std::string_view(x.name, x.name_bytes) ==
                                         std::string_view(y.name, y.name_bytes);
        if (x.kind != y.kind || x.flag != y.flag || x.span != y.span || !names ||
            text_of(&x) != text_of(&y)) {
            return false;
        }
    }
    return true;
}

std::optional<JsonValue> JsonObject::find(std::string_view name) const {
    for (JsonValue value : *this) {
        if (value.name() == name) {
            return value;
        }
    }
    return std::nullopt;
}

JsonMember<std::string_view> JsonObject::text(std::string_view name) const {
    return member(find(name), &JsonValue::text);
}

JsonMember<std::int64_t> JsonObject::integer(std::string_view name) const {
    return member(find(name), &JsonValue::integer);
}

JsonMember<std::int64_t> JsonObject::integer_or_text(std::string_view name) const {
    return member(find(name), &JsonValue::integer_or_text);
}

JsonMember<double> JsonObject::real(std::string_view name) const {
    return member(find(name), &JsonValue::real);
}

JsonMember<bool> JsonObject::boolean(std::string_view name) const {
    return member(find(name), &JsonValue::boolean);
}

JsonMember<JsonObject> JsonObject::object(std::string_view name) const {
    return member(find(name), &JsonValue::object);
}

JsonMember<JsonArray> JsonObject::array(std::string_view name) const {
    return member(find(name), &JsonValue::array);
}

}  // namespace holdfast
