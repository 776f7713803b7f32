#pragma once
// Fills a document with nodes in the order of the text. Knows the rules that the grammar does not:
// names once, sizes.

#include <holdfast/codec/json.h>

namespace holdfast {

class JsonBuilder {
public:
    JsonBuilder(JsonDocument& document, std::string_view text);

    // Characters of the name or text that is being read; the last call of each is finish_*.
    void add_part(std::string_view part);
    void finish_name(std::string_view last);
    void finish_text(std::string_view last);
    void number(std::string_view token);
    void boolean(bool value);
    void null();
    void open(JsonKind kind);
    // False: an object has a name twice.
    bool close();

    const JsonNode* root() const { return nodes_; }

private:
    JsonNode& add(JsonKind kind);
    void grow();
    std::string_view finish(std::string_view last);
    char* room_for_chars();
    bool names_differ(const JsonNode* object);

    JsonDocument& document_;
    std::string_view text_;
    std::string_view name_;
    JsonNode* nodes_;
    std::size_t count_ = 0;
    std::size_t capacity_;
    char* chars_ = nullptr;
    std::size_t chars_used_ = 0;
    std::size_t part_bytes_ = 0;  // of chars_, not yet part of a finished name or text
    std::array<std::uint32_t, json_depth_max> open_;
    std::size_t depth_ = 0;
};

}  // namespace holdfast
