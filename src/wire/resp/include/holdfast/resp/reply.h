#pragma once
// A reply of a Redis server as it lies in the read buffer: nothing is copied.
//
// Source of the format: the protocol pages RESP2 and RESP3 of Redis.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace holdfast {

enum class RespType : std::uint8_t {
    null,        // _ and RESP2's $-1 and *-1
    simple,      // +
    error,       // - and ! (a long one)
    integer,     // :
    bulk,        // $
    boolean,     // #
    real,        // ,
    big_number,  // (
    verbatim,    // = : text() is without the three letters of its kind
    array,       // *
    set,         // ~
    map,         // % : twice as many children as entries
    push,        // > : never the answer of a command
};

// One value of a reply; those of an aggregate's children follow it, depth first.
struct RespNode {
    const char* data = nullptr;  // of the text, digits included
    std::size_t size = 0;        // bytes of the text
    std::uint32_t children = 0;
    std::uint32_t nodes = 1;  // this one and all below it
    std::int64_t number = 0;  // of integers and booleans
    RespType type = RespType::null;
};

// A view: valid as long as the parser and the bytes that it was made from are left alone.
class RespView {
public:
    explicit RespView(const RespNode* node) : node_(node) {}

    RespType type() const { return node_->type; }
    bool is_null() const { return node_->type == RespType::null; }
    bool is_error() const { return node_->type == RespType::error; }
    bool is_aggregate() const { return node_->type >= RespType::array; }
    // Of every type but aggregates: the bytes as sent, without prefix and length. An error's whole
    // line.
    std::string_view text() const { return {node_->data, node_->size}; }
    std::int64_t number() const { return node_->number; }
    std::size_t size() const { return node_->children; }

    class Iterator {
    public:
        explicit Iterator(const RespNode* node) : node_(node) {}
        RespView operator*() const { return RespView(node_); }
        Iterator& operator++() {
            node_ += node_->nodes;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const RespNode* node_;
    };
    // The children of an aggregate; none of anything else. Of a map: key, value, key, value.
    Iterator begin() const { return Iterator(node_ + 1); }
    Iterator end() const { return Iterator(node_ + node_->nodes); }

    std::span<const RespNode> nodes() const { return {node_, node_->nodes}; }

private:
    const RespNode* node_;
};

}  // namespace holdfast
