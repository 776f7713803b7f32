#include <holdfast/store/limits.h>
#include <holdfast/store/names.h>

namespace holdfast {
namespace {

bool alphanumeric(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
bool in_segment(char c) {
    return alphanumeric(c) || c == '.' || c == '_' || c == '-' || c == ':' || c == '@';
}
bool in_token(char c) {
    return alphanumeric(c) || c == '_' || c == '-';
}

bool all_of(std::string_view text, bool (*allowed)(char)) {
    for (const char c : text) {
        if (!allowed(c)) {
            return false;
        }
    }
    return true;
}

bool is_dots(std::string_view segment) {
    return segment == "." || segment == "..";
}

// The literal that says what is wrong; empty: nothing is.
std::string_view fault_of_key(std::string_view text) {
    if (text.empty() || text.size() > limits::range_key_bytes_max) {
        return "a key has 1 to 200 bytes";
    }
    while (true) {
        const std::size_t slash = text.find('/');
        const std::string_view segment = text.substr(0, slash);
        if (segment.empty()) {
            return "a key has no empty segment";
        }
        if (is_dots(segment)) {
            return "a key has no segment . or ..";
        }
        if (!all_of(segment, in_segment)) {
            return "a key has the characters A-Z a-z 0-9 . _ - : / @";
        }
        if (slash == std::string_view::npos) {
            return {};
        }
        text.remove_prefix(slash + 1);
    }
}

std::string_view fault_of_name(std::string_view text) {
    if (text.empty() || text.size() > limits::name_bytes_max) {
        return "a namespace or owner key has 1 to 100 bytes";
    }
    if (is_dots(text)) {
        return "a namespace or owner key is not . or ..";
    }
    if (!all_of(text, in_segment)) {
        return "a namespace or owner key has the characters A-Z a-z 0-9 . _ - : @";
    }
    return {};
}

std::string_view fault_of_incarnation(std::string_view text) {
    if (text.empty() || text.size() > limits::incarnation_bytes_max) {
        return "an incarnation has 1 to 64 bytes";
    }
    if (!all_of(text, in_token)) {
        return "an incarnation has the characters A-Z a-z 0-9 _ -";
    }
    return {};
}

template <class Tag>
constexpr auto fault_of = fault_of_name;
template <>
constexpr auto fault_of<RangeKeyTag> = fault_of_key;
template <>
constexpr auto fault_of<IncarnationTag> = fault_of_incarnation;

}  // namespace

template <class Tag>
Result<Name<Tag>> Name<Tag>::parse(std::string_view text) {
    const std::string_view fault = fault_of<Tag>(text);
    if (!fault.empty()) {
        return Error(Code::invalid_argument, Effect::none, fault);
    }
    return Name(std::string(text));
}

template class Name<RangeKeyTag>;
template class Name<NamespaceTag>;
template class Name<OwnerKeyTag>;
template class Name<IncarnationTag>;

std::string_view first_segment(const RangeKey& key) {
    const std::string_view text = key.text();
    return text.substr(0, text.find('/'));
}

}  // namespace holdfast
