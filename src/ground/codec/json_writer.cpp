#include <holdfast/codec/json.h>
#include <holdfast/codec/json_writer.h>
#include <holdfast/codec/utf.h>

#include <charconv>
#include <cmath>

namespace holdfast {
namespace {

template <class Number>
void append_number(std::string& out, Number value) {
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

bool plain(char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x80 &&
           c != '"' && c != '\\';
}

void append_escape(std::string& out, char c) {
    out += '\\';
    switch (c) {
    case '"':
    case '\\':
        out += c;
        break;
    case '\b':
        out += 'b';
        break;
    case '\f':
        out += 'f';
        break;
    case '\n':
        out += 'n';
        break;
    case '\r':
        out += 'r';
        break;
    case '\t':
        out += 't';
        break;
    default:
        out += "u00";
        out += "0123456789abcdef"[c >> 4];
        out += "0123456789abcdef"[c & 15];
    }
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        std::size_t bytes = 0;
        while (bytes < text.size() && plain(text[bytes])) {
            ++bytes;
        }
        out += text.substr(0, bytes);
        text.remove_prefix(bytes);
        if (text.empty()) {
            break;
        }
        if (static_cast<unsigned char>(text[0]) < 0x80) {
            append_escape(out, text[0]);
            text.remove_prefix(1);
        } else if (const std::size_t character = utf8_character_bytes(text); character > 0) {
            out += text.substr(0, character);
            text.remove_prefix(character);
        } else {
            out += "\xef\xbf\xbd";
            text.remove_prefix(1);
        }
    }
    out += '"';
}

void JsonWriter::separate() {
    if (comma_) {
        out_ += ',';
    }
    comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    out_ += bracket;
    comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::name(std::string_view name) {
    separate();
    append_json_text(out_, name);
    out_ += ':';
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
    separate();
    append_json_text(out_, value);
    return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
    separate();
    append_number(out_, value);
    return *this;
}

JsonWriter& JsonWriter::unsigned_integer(std::uint64_t value) {
    separate();
    append_number(out_, value);
    return *this;
}

JsonWriter& JsonWriter::real(double value) {
    if (!std::isfinite(value)) {
        return null();
    }
    separate();
    append_number(out_, value);
    return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
    return raw(value ? "true" : "false");
}

JsonWriter& JsonWriter::null() {
    return raw("null");
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    out_ += json;
    return *this;
}

// The depth is that of a document, so recursion is bounded.
JsonWriter& JsonWriter::value(JsonValue value) {
    switch (value.kind()) {
    case JsonKind::null:
        return null();
    case JsonKind::boolean:
        return boolean(*value.boolean());
    case JsonKind::number:
        return raw(*value.number_token());
    case JsonKind::text:
        return text(*value.text());
    case JsonKind::array:
        open_array();
        for (JsonValue item : value.children()) {
            this->value(item);
        }
        return close_array();
    case JsonKind::object:
        open_object();
        for (JsonValue item : value.children()) {
            name(item.name()).value(item);
        }
        return close_object();
    }
    return *this;
}

}  // namespace holdfast
