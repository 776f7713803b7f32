// What the reader accepts means the same after it is written again, and is written the same the
// second time.

#include <holdfast/codec/json.h>
#include <holdfast/codec/json_writer.h>
#include <holdfast/codec/utf.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void must(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

// Every value can be asked for as everything, and gives itself to exactly one kind.
void ask(holdfast::JsonValue value) {
    const int kinds = value.boolean().has_value() + value.text().has_value() +
                      value.object().has_value() + value.array().has_value() +
                      value.number_token().has_value() +
                      (value.kind() == holdfast::JsonKind::null ? 1 : 0);
    must(kinds == 1, "a value has one kind");
    if (value.integer()) {
        must(std::to_string(*value.integer()) == *value.number_token(), "an integer is exact");
    }
    (void)value.real();
    for (holdfast::JsonValue child : value.children()) {
        ask(child);
    }
    if (const auto object = value.object()) {
        for (holdfast::JsonValue child : *object) {
            const auto found = object->find(child.name());
            must(found && same_json(*found, child), "a member is found by its name");
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    holdfast::JsonDocument first;
    const auto read = first.parse(text);
    if (!read.ok()) {
        must(read.error().effect() == holdfast::Effect::none, "reading changes nothing");
        return 0;
    }
    must(holdfast::is_utf8(text), "only UTF-8 is accepted");
    must(!first.repeated_name(), "an accepted text repeats no name");
    ask(read.value());
    std::string written;
    holdfast::JsonWriter(written).value(read.value());
    holdfast::JsonDocument second;
    const auto again = second.parse(written);
    must(again.ok(), "what is written can be read");
    must(same_json(read.value(), again.value()), "writing keeps the meaning");
    std::string rewritten;
    holdfast::JsonWriter(rewritten).value(again.value());
    must(written == rewritten, "writing is stable");
    return 0;
}
