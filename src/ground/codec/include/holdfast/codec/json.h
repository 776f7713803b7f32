#pragma once
// Reads JSON (RFC 8259) strictly: what two readers could understand differently is refused.

#include <holdfast/base/result.h>
#include <holdfast/codec/limits.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

class JsonArray;
class JsonChildren;
class JsonObject;

enum class JsonKind : std::uint8_t { null, boolean, number, text, array, object };

// One value of a document, and its name if it is a member. A document is the list of its nodes in
// the order of the text.
class JsonNode {
public:
    JsonKind kind;  // no initial values: a document has room for many and uses few
    bool flag;
    std::uint32_t span;  // this node and all below it
    std::uint32_t name_bytes;
    std::uint32_t text_bytes;
    const char* name;
    const char* text;  // of a text its characters, of a number its token
};

// A view into a JsonDocument; copy it freely, use it while the document and its text live.
class JsonValue {
public:
    explicit JsonValue(const JsonNode* node) : node_(node) {}

    JsonKind kind() const { return node_->kind; }
    // Empty unless the value is a member of an object.
    std::string_view name() const { return {node_->name, node_->name_bytes}; }

    // Each: nothing if the value is of another kind.
    std::optional<bool> boolean() const;
    std::optional<std::string_view> text() const;  // may contain NUL
    std::optional<JsonObject> object() const;
    std::optional<JsonArray> array() const;
    // Plain decimal of int64's range: no fraction, no exponent, not "-0".
    std::optional<std::int64_t> integer() const;
    // The same as number or as text, for 64-bit values of peers that cannot write them as numbers.
    std::optional<std::int64_t> integer_or_text() const;
    // The nearest double; nothing if it would be infinite.
    std::optional<double> real() const;
    // What stands directly below; empty if nothing can. Fit for `for (JsonValue item :
    // value.children())`.
    JsonChildren children() const;
    // Of a number as it was written.
    std::optional<std::string_view> number_token() const;

    friend bool same_json(JsonValue a, JsonValue b);

private:
    friend class JsonChildren;
    const JsonNode* node_;
};

// Same kinds, names, order and texts; numbers are compared as written.
bool same_json(JsonValue a, JsonValue b);

// The values directly below an array or object.
class JsonChildren {
public:
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = JsonValue;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = JsonValue;

        explicit Iterator(const JsonNode* node) : node_(node) {}
        JsonValue operator*() const { return JsonValue(node_); }
        Iterator& operator++() {
            node_ += node_->span;
            return *this;
        }
        bool operator==(const Iterator&) const = default;

    private:
        const JsonNode* node_;
    };

    Iterator begin() const { return Iterator(node_ + 1); }
    Iterator end() const { return Iterator(node_ + node_->span); }
    bool empty() const { return node_->span == 1; }

private:
    friend class JsonValue;
    friend class JsonArray;
    friend class JsonObject;
    explicit JsonChildren(JsonValue value) : node_(value.node_) {}

    const JsonNode* node_;
};

class JsonArray : public JsonChildren {
private:
    friend class JsonValue;
    explicit JsonArray(JsonValue value) : JsonChildren(value) {}
};

// What asking for a member gives. `null` is told apart from `missing`: whether they mean the same
// is the caller's to say.
enum class JsonFound : std::uint8_t { missing, null, wrong_type, value };

template <class T>
class JsonMember {
public:
    explicit JsonMember(JsonFound found) : found_(found) {}
    explicit JsonMember(T value) : value_(std::move(value)), found_(JsonFound::value) {}

    JsonFound found() const { return found_; }
    bool ok() const { return found_ == JsonFound::value; }
    bool absent() const { return found_ == JsonFound::missing || found_ == JsonFound::null; }
    bool wrong_type() const { return found_ == JsonFound::wrong_type; }
    // Only if ok().
    T value() const { return *value_; }

private:
    std::optional<T> value_;
    JsonFound found_;
};

class JsonObject : public JsonChildren {
public:
    std::optional<JsonValue> find(std::string_view name) const;

    // As the functions of JsonValue with the same names.
    JsonMember<std::string_view> text(std::string_view name) const;
    JsonMember<std::int64_t> integer(std::string_view name) const;
    JsonMember<std::int64_t> integer_or_text(std::string_view name) const;
    JsonMember<double> real(std::string_view name) const;
    JsonMember<bool> boolean(std::string_view name) const;
    JsonMember<JsonObject> object(std::string_view name) const;
    JsonMember<JsonArray> array(std::string_view name) const;

private:
    friend class JsonValue;
    explicit JsonObject(JsonValue value) : JsonChildren(value) {}
};

// Owns what was read from one text. Costs no allocation for a small one (see limits.h) and
// otherwise memory in proportion to the text. About 1 KiB: better a local of a plain function than
// of a coroutine that waits.
class JsonDocument {
public:
    JsonDocument() {
    }  // NOLINT(modernize-use-equals-default): members stay unset until they are used
    JsonDocument(const JsonDocument&) = delete;
    JsonDocument& operator=(const JsonDocument&) = delete;

    // Once per document; `text` must outlive it. Refused with invalid_argument, effect none:
    // anything but one JSON value of valid UTF-8, unpaired surrogates, a name twice in one object,
    // more than json_depth_max levels, more than json_text_bytes_max bytes, a byte order mark,
    // trailing bytes other than white space.
    Result<JsonValue> parse(std::string_view text);
    // The same, and anything but an object on top is refused too.
    Result<JsonObject> parse_object(std::string_view text);
    // A temporary would not outlive it.
    template <std::same_as<std::string> Temporary>
    void parse(Temporary&& text) = delete;
    template <std::same_as<std::string> Temporary>
    void parse_object(Temporary&& text) = delete;

    // After a refused parse: the name that stands twice in one object, if that was why.
    const std::optional<std::string_view>& repeated_name() const { return repeated_name_; }

private:
    friend class JsonBuilder;

    std::optional<std::string_view> repeated_name_;
    std::vector<JsonNode> heap_nodes_;
    std::unique_ptr<char[]> heap_chars_;  // unescaped names and texts
    std::array<JsonNode, json_inline_nodes> inline_nodes_;
    std::array<char, json_inline_bytes> inline_chars_;
};

}  // namespace holdfast
