#pragma once
// How a value of a program stands in a key: as text, as a decimal integer, or as JSON of a fixed
// type with the number of its schema.
//
//   struct Order {
//       static constexpr std::uint32_t schema = 3;   // goes up when readers of before would
//       misread void write_json(JsonWriter& writer) const;   // one object static Result<Order>
//       read_json(JsonObject object);
//   };
//   co_await client.run(set_value<JsonCodec<Order>>("order:1", order), deadline);
//   co_await client.run(get_value<JsonCodec<Order>>("order:1"), deadline);   // optional<Order>
//
// The JSON is {"schema":3,"value":{..}}: other languages read it too. A value of another schema is
// `unsupported`, effect none: a cache takes it for a miss, a migration reads it with the old type.
// A value that is none at all is `corrupt`.

#include <holdfast/base/result.h>
#include <holdfast/codec/json.h>
#include <holdfast/codec/json_writer.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/read.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::redis {

template <class T>
concept Codec = requires(const typename T::Value& value, std::string_view text) {
    { T::write(value) } -> std::same_as<std::string>;
    { T::read(text) } -> std::same_as<Result<typename T::Value>>;
};

class TextCodec {
public:
    using Value = std::string;
    static std::string write(const std::string& value) { return value; }
    static Result<std::string> read(std::string_view text) { return std::string(text); }
};

class IntegerCodec {
public:
    using Value = std::int64_t;
    static std::string write(std::int64_t value) { return std::to_string(value); }
    static Result<std::int64_t> read(std::string_view text);
};

template <class T>
concept JsonType = requires(const T& value, JsonWriter& writer, JsonObject object) {
    { T::schema } -> std::convertible_to<std::uint32_t>;
    value.write_json(writer);
    { T::read_json(object) } -> std::same_as<Result<T>>;
};

// The object of the envelope. `document` holds it and `text` must outlive it.
Result<JsonObject>
open_envelope(JsonDocument& document, std::string_view text, std::uint32_t schema);

template <JsonType T>
class JsonCodec {
public:
    using Value = T;
    static std::string write(const T& value) {
        std::string text;
        JsonWriter writer(text);
        writer.open_object().field("schema", std::uint32_t{T::schema}).name("value");
        value.write_json(writer);
        writer.close_object();
        return text;
    }
    // The text is read before this returns: `T` keeps no views of it.
    static Result<T> read(std::string_view text) {
        JsonDocument document;
        Result<JsonObject> object = open_envelope(document, text, T::schema);
        if (!object.ok()) {
            return std::move(object).error();
        }
        return T::read_json(object.value());
    }
};

// A reader for any command that answers a text: `hget("k", "f").as(read_optional<read_as<C>>)`.
template <Codec C>
Result<typename C::Value> read_as(RespView reply) {
    if (reply.type() != RespType::bulk && reply.type() != RespType::simple &&
        reply.type() != RespType::verbatim) {
        return wrong_shape();
    }
    return C::read(reply.text());
}

template <Codec C>
Command<std::optional<typename C::Value>> get_value(std::string_view key) {
    return get(key).as(read_optional<read_as<C>>);
}

template <Codec C>
Command<Done> set_value(std::string_view key, const typename C::Value& value) {
    return set(key, C::write(value));
}
template <Codec C>
Command<bool>
set_value(std::string_view key, const typename C::Value& value, const SetOptions& options) {
    return set(key, C::write(value), options);
}

}  // namespace holdfast::redis
