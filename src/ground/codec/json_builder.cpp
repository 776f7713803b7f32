#include "json_builder.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace holdfast {
namespace {

// Up to here comparing each name with each costs less than sorting them, and needs no memory.
constexpr std::size_t names_pairwise_max = 16;

std::string_view name_of(const JsonNode* node) {
    return {node->name, node->name_bytes};
}

}  // namespace

JsonBuilder::JsonBuilder(JsonDocument& document, std::string_view text)
    : document_(document), text_(text), nodes_(document.inline_nodes_.data()),
      capacity_(json_inline_nodes) {}

JsonNode& JsonBuilder::add(JsonKind kind) {
    if (count_ == capacity_) {
        grow();
    }
    JsonNode& node = nodes_[count_++];
    node.kind = kind;
    node.flag = false;
    node.span = 1;
    node.name = name_.data();
    node.name_bytes = static_cast<std::uint32_t>(name_.size());
    node.text = nullptr;
    node.text_bytes = 0;
    name_ = {};
    return node;
}

void JsonBuilder::grow() {
    std::vector<JsonNode> more(capacity_ * 2);
    std::copy(nodes_, nodes_ + count_, more.begin());
    document_.heap_nodes_ = std::move(more);
    nodes_ = document_.heap_nodes_.data();
    capacity_ *= 2;
}

// An escape is never shorter than what it stands for, so all the unescaped text together fits where
// the whole text would.
char* JsonBuilder::room_for_chars() {
    if (chars_ == nullptr) {
        if (text_.size() <= json_inline_bytes) {
            chars_ = document_.inline_chars_.data();
        } else {
            document_.heap_chars_.reset(new char[text_.size()]);
            chars_ = document_.heap_chars_.get();
        }
    }
    return chars_ + chars_used_ + part_bytes_;
}

void JsonBuilder::add_part(std::string_view part) {
    if (!part.empty()) {
        std::memcpy(room_for_chars(), part.data(), part.size());
        part_bytes_ += part.size();
    }
}

// What has no escapes is left where it stands in the text; the parser hands the rest over in parts
// of its own buffer.
std::string_view JsonBuilder::finish(std::string_view last) {
    const std::less_equal<const char*> before;
    const bool inside = before(text_.data(), last.data()) &&
                        before(last.data() + last.size(), text_.data() + text_.size());
    if (part_bytes_ == 0 && (inside || last.empty())) {
        return last;
    }
    add_part(last);
    const std::string_view whole(chars_ + chars_used_, part_bytes_);
    chars_used_ += part_bytes_;
    part_bytes_ = 0;
    return whole;
}

void JsonBuilder::finish_name(std::string_view last) {
    name_ = finish(last);
}

void JsonBuilder::finish_text(std::string_view last) {
    const std::string_view whole = finish(last);
    JsonNode& node = add(JsonKind::text);
    node.text = whole.data();
    node.text_bytes = static_cast<std::uint32_t>(whole.size());
}

void JsonBuilder::number(std::string_view token) {
    JsonNode& node = add(JsonKind::number);
    node.text = token.data();
    node.text_bytes = static_cast<std::uint32_t>(token.size());
}

void JsonBuilder::boolean(bool value) {
    add(JsonKind::boolean).flag = value;
}

void JsonBuilder::null() {
    add(JsonKind::null);
}

void JsonBuilder::open(JsonKind kind) {
    open_[depth_++] = static_cast<std::uint32_t>(count_);
    add(kind);
}

bool JsonBuilder::close() {
    JsonNode* node = nodes_ + open_[--depth_];
    node->span = static_cast<std::uint32_t>(nodes_ + count_ - node);
    return node->kind == JsonKind::array || names_differ(node);
}

bool JsonBuilder::names_differ(const JsonNode* object) {
    const JsonNode* const end = object + object->span;
    std::size_t names = 0;
    for (const JsonNode* at = object + 1; at != end; at += at->span) {
        if (++names > names_pairwise_max) {
            break;
        }
        for (const JsonNode* other = object + 1; other != at; other += other->span) {
            if (name_of(other) == name_of(at)) {
                document_.repeated_name_ = name_of(at);
                return false;
            }
        }
    }
    if (names <= names_pairwise_max) {
        return true;
    }
    std::vector<std::string_view> sorted;
    for (const JsonNode* at = object + 1; at != end; at += at->span) {
        sorted.push_back(name_of(at));
    }
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) {
        document_.repeated_name_ = *twice;
        return false;
    }
    return true;
}

}  // namespace holdfast
