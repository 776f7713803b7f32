#include <holdfast/config/limits.h>
#include <holdfast/config/path.h>

#include <algorithm>
#include <charconv>

namespace holdfast {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool plain_byte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte != 0x7f && c != '.' && c != '[' && c != ']' && c != '*';
}

bool bracket_byte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7f && c != '[' && c != ']' && c != '*';
}

bool digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool same(const SettingPart& left, const SettingPart& right) {
    return left.kind == right.kind && left.index == right.index && left.relaxed == right.relaxed;
}

bool stands_for(const SettingPart& pattern, const SettingPart& part) {
    using Kind = SettingPart::Kind;
    if (pattern.kind == Kind::any_word) {
        return part.kind == Kind::word || part.kind == Kind::any_word;
    }
    if (pattern.kind == Kind::any_index) {
        return part.kind == Kind::index || part.kind == Kind::any_index;
    }
    return same(pattern, part);
}

std::optional<SettingPart> word_part(std::string_view text) {
    SettingPart part;
    part.text = std::string(text);
    part.relaxed = relaxed(text);
    if (part.relaxed.empty()) {
        return std::nullopt;
    }
    return part;
}

std::optional<SettingPart> bracket_part(std::string_view text, bool pattern) {
    SettingPart part;
    if (text.empty()) {
        part.kind = SettingPart::Kind::any_index;
        return pattern ? std::optional(part) : std::nullopt;
    }
    if (digits(text)) {
        part.kind = SettingPart::Kind::index;
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), part.index);
        return error == std::errc() ? std::optional(part) : std::nullopt;
    }
    if (!std::ranges::all_of(text, bracket_byte)) {
        return std::nullopt;
    }
    return word_part(text);
}

}  // namespace

std::string relaxed(std::string_view word) {
    std::string text;
    text.reserve(word.size());
    for (const char c : word) {
        if (c != '-' && c != '_') {
            text += lower(c);
        }
    }
    return text;
}

bool relaxed_equal(std::string_view left, std::string_view right) {
    return relaxed(left) == relaxed(right);
}

std::optional<SettingPath> SettingPath::parse(std::string_view name) {
    return parse(name, false);
}

std::optional<SettingPath> SettingPath::parse_pattern(std::string_view name) {
    return parse(name, true);
}

std::optional<SettingPath> SettingPath::parse(std::string_view name, bool pattern) {
    if (name.empty() || name.size() > config_name_bytes_max) {
        return std::nullopt;
    }
    SettingPath path;
    std::size_t at = 0;
    bool after_dot = true;  // a part must follow; otherwise a dot or a bracket
    while (at < name.size()) {
        if (name[at] == '[') {
            const std::size_t end = name.find(']', at);
            if (end == std::string_view::npos) {
                return std::nullopt;
            }
            auto part = bracket_part(name.substr(at + 1, end - at - 1), pattern);
            if (!part) {
                return std::nullopt;
            }
            path.parts_.push_back(*std::move(part));
            at = end + 1;
            after_dot = false;
            continue;
        }
        if (!after_dot) {
            if (name[at] != '.') {
                return std::nullopt;
            }
            ++at;
            after_dot = true;
            continue;
        }
        if (pattern && name[at] == '*') {
            SettingPart any;
            any.kind = SettingPart::Kind::any_word;
            path.parts_.push_back(std::move(any));
            ++at;
        } else {
            const auto* begin = name.begin() + static_cast<std::ptrdiff_t>(at);
            const auto length =
                static_cast<std::size_t>(std::find_if_not(begin, name.end(), plain_byte) - begin);
            auto part = word_part(name.substr(at, length));
            if (!part) {
                return std::nullopt;
            }
            path.parts_.push_back(*std::move(part));
            at += length;
        }
        after_dot = false;
    }
    return after_dot ? std::nullopt : std::optional(std::move(path));
}

std::string SettingPath::text() const {
    std::string text;
    for (const SettingPart& part : parts_) {
        switch (part.kind) {
        case SettingPart::Kind::index:
            text += '[' + std::to_string(part.index) + ']';
            break;
        case SettingPart::Kind::any_index:
            text += "[]";
            break;
        case SettingPart::Kind::any_word:
            text += text.empty() ? "*" : ".*";
            break;
        case SettingPart::Kind::word:
            text += text.empty() ? "" : ".";
            text += std::ranges::all_of(part.text, plain_byte) ? part.text : '[' + part.text + ']';
            break;
        }
    }
    return text;
}

SettingPath SettingPath::with_word(std::string word) const {
    SettingPart part;
    part.relaxed = relaxed(word);
    part.text = std::move(word);
    return with(std::move(part));
}

SettingPath SettingPath::with_index(std::size_t index) const {
    SettingPart part;
    part.kind = SettingPart::Kind::index;
    part.index = index;
    return with(std::move(part));
}

SettingPath SettingPath::with(SettingPart part) const {
    SettingPath path = *this;
    path.parts_.push_back(std::move(part));
    return path;
}

SettingPath SettingPath::with(const SettingPath& tail) const {
    SettingPath path = *this;
    path.parts_.insert(path.parts_.end(), tail.parts_.begin(), tail.parts_.end());
    return path;
}

SettingPath SettingPath::first(std::size_t count) const {
    SettingPath path;
    path.parts_.assign(
        parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(std::min(count, parts_.size()))
    );
    return path;
}

bool SettingPath::begins(const SettingPath& other) const {
    return parts_.size() <= other.parts_.size() &&
           std::equal(parts_.begin(), parts_.end(), other.parts_.begin(), same);
}

bool SettingPath::matches(const SettingPath& path) const {
    return parts_.size() == path.parts_.size() &&
           std::equal(parts_.begin(), parts_.end(), path.parts_.begin(), stands_for);
}

bool SettingPath::matches_group(const SettingPath& path) const {
    return parts_.size() > path.parts_.size() &&
           std::equal(
               path.parts_.begin(),
               path.parts_.end(),
               parts_.begin(),
               [](const auto& part, const auto& pattern) { return stands_for(pattern, part); }
           );
}

SettingPath SettingPath::spelled(const SettingPath& path) const {
    SettingPath spelled = path;
    for (std::size_t i = 0; i < std::min(parts_.size(), path.parts_.size()); ++i) {
        if (parts_[i].kind == SettingPart::Kind::word) {
            spelled.parts_[i] = parts_[i];
        }
    }
    return spelled;
}

std::weak_ordering operator<=>(const SettingPath& left, const SettingPath& right) {
    return std::lexicographical_compare_three_way(
        left.parts_.begin(),
        left.parts_.end(),
        right.parts_.begin(),
        right.parts_.end(),
        [](const SettingPart& a, const SettingPart& b) -> std::weak_ordering {
            if (const auto kind = a.kind <=> b.kind; kind != 0) {
                return kind;
            }
            if (const auto index = a.index <=> b.index; index != 0) {
                return index;
            }
            return a.relaxed <=> b.relaxed;
        }
    );
}

}  // namespace holdfast
