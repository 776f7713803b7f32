// Any bytes: a name is accepted exactly when a second, slower reading of its rule accepts it, and
// it comes back as it was.
#include <holdfast/store/limits.h>
#include <holdfast/store/names.h>

#include <cstdint>
#include <cstdlib>
#include <regex>

namespace holdfast {
namespace {

template <class T>
void same_as(const std::string& text, bool expected) {
    const auto parsed = T::parse(text);
    if (parsed.ok() != expected || (parsed.ok() && parsed.value().text() != text)) {
        std::abort();
    }
    if (!parsed.ok() &&
        (parsed.error().code() != Code::invalid_argument || parsed.error().what().empty())) {
        std::abort();
    }
}

bool segments_are_names(const std::string& text) {
    static const std::regex plain("[A-Za-z0-9._:@-]+");
    std::size_t from = 0;
    while (from <= text.size()) {
        const std::size_t to = std::min(text.find('/', from), text.size());
        const std::string segment = text.substr(from, to - from);
        if (!std::regex_match(segment, plain) || segment == "." || segment == "..") {
            return false;
        }
        from = to + 1;
    }
    return true;
}

void check(const std::string& text) {
    static const std::regex token("[A-Za-z0-9_-]{1,64}");
    const bool key = text.size() <= limits::range_key_bytes_max && segments_are_names(text);
    const bool name =
        text.size() <= limits::name_bytes_max && key && text.find('/') == std::string::npos;
    same_as<RangeKey>(text, key);
    same_as<Namespace>(text, name);
    same_as<OwnerKey>(text, name);
    same_as<Incarnation>(
        text, text.size() <= limits::incarnation_bytes_max && std::regex_match(text, token)
    );
    if (key) {
        const auto parsed = RangeKey::parse(text);
        const std::string head(first_segment(parsed.value()));
        if (!Namespace::parse(head).ok() && head.size() <= limits::name_bytes_max) {
            std::abort();
        }
    }
}

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size <= 512) {
        holdfast::check(std::string(reinterpret_cast<const char*>(data), size));
    }
    return 0;
}
