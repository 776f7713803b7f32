#pragma once
// Appends JSON to a string: commas, quotes and escapes are its work, the order of calls is the
// caller's.

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

class JsonValue;

// Usage: writer.open_object().field("start", 1).field("end", 2).close_object(). What it appends is
// valid JSON if each object gets name-value pairs and each open has its close; bytes that are no
// UTF-8 are written as U+FFFD.
class JsonWriter {
public:
    // `out` outlives the writer; it is only appended to.
    explicit JsonWriter(std::string& out) : out_(out) {}

    JsonWriter& open_object() { return open('{'); }
    JsonWriter& close_object() { return close('}'); }
    JsonWriter& open_array() { return open('['); }
    JsonWriter& close_array() { return close(']'); }
    JsonWriter& name(std::string_view name);

    JsonWriter& text(std::string_view value);
    JsonWriter& integer(std::int64_t value);
    JsonWriter& unsigned_integer(std::uint64_t value);
    // The shortest text that reads back as the same double; null if it is not finite.
    JsonWriter& real(double value);
    JsonWriter& boolean(bool value);
    JsonWriter& null();
    // Anything that was read, written again without white space; numbers as they were.
    JsonWriter& value(JsonValue value);
    // JSON made elsewhere, taken as it is.
    JsonWriter& raw(std::string_view json);

    JsonWriter& field(std::string_view key, std::string_view value) {
        return name(key).text(value);
    }
    JsonWriter& field(std::string_view key, const char* value) { return name(key).text(value); }
    template <std::same_as<bool> T>
    JsonWriter& field(std::string_view key, T value) {
        return name(key).boolean(value);
    }
    template <std::signed_integral T>
    JsonWriter& field(std::string_view key, T value) {
        return name(key).integer(value);
    }
    template <std::unsigned_integral T>
        requires(!std::same_as<T, bool>)
    JsonWriter& field(std::string_view key, T value) {
        return name(key).unsigned_integer(value);
    }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();

    std::string& out_;
    bool comma_ = false;  // whether a value stands before the place we write at
};

// The text as a JSON string with its quotes.
void append_json_text(std::string& out, std::string_view text);

}  // namespace holdfast
