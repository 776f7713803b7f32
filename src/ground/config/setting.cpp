#include <holdfast/base/check.h>
#include <holdfast/config/limits.h>
#include <holdfast/config/setting.h>
#include <holdfast/config/units.h>

#include <algorithm>

namespace holdfast {
namespace {

bool one_line(std::string_view text) {
    return std::ranges::none_of(text, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += text.empty() ? word : ", " + word;
    }
    return text;
}

SettingPath pattern_of(std::string_view name) {
    auto pattern = SettingPath::parse_pattern(name);
    check(pattern.has_value(), "a setting's name in the schema cannot be read");
    return *std::move(pattern);
}

}  // namespace

Setting::Setting(std::string_view name, SettingKind kind)
    : pattern_(pattern_of(name)), kind_(kind) {}

Setting Setting::text(std::string_view name) {
    return {name, SettingKind::text};
}

Setting Setting::boolean(std::string_view name) {
    return {name, SettingKind::boolean};
}

Setting Setting::integer(std::string_view name, std::int64_t min, std::int64_t max) {
    Setting setting(name, SettingKind::integer);
    setting.min_ = min;
    setting.max_ = max;
    return setting;
}

Setting Setting::duration(std::string_view name, Duration min, Duration max) {
    Setting setting = integer(name, min.count(), max.count());
    setting.kind_ = SettingKind::duration;
    return setting;
}

Setting Setting::bytes(std::string_view name, std::int64_t min, std::int64_t max) {
    Setting setting = integer(name, min, max);
    setting.kind_ = SettingKind::bytes;
    return setting;
}

Setting Setting::choice(std::string_view name, std::vector<std::string> words) {
    Setting setting(name, SettingKind::choice);
    setting.words_ = std::move(words);
    return setting;
}

Setting Setting::secret(std::string_view name, std::size_t characters_min) {
    Setting setting(name, SettingKind::secret);
    setting.min_ = static_cast<std::int64_t>(characters_min);
    return setting;
}

Setting Setting::option(std::string_view name) {
    return {name, SettingKind::option};
}

Setting Setting::checked(bool (*rule)(std::string_view), std::string_view allowed) && {
    rule_ = rule;
    allowed_ = std::string(allowed);
    return std::move(*this);
}

Setting Setting::under(const SettingPath& prefix) const {
    Setting setting = *this;
    setting.pattern_ = prefix.with(pattern_);
    return setting;
}

bool Setting::is_list() const {
    return pattern_.parts().back().kind == SettingPart::Kind::any_index;
}

std::string Setting::allowed() const {
    if (!allowed_.empty()) {
        return allowed_;
    }
    switch (kind_) {
    case SettingKind::boolean:
        return "true or false";
    case SettingKind::integer:
        return "a whole number from " + std::to_string(min_) + " to " + std::to_string(max_);
    case SettingKind::duration:
        return "a time such as 500ms, 3s, 1m, 1h, 1d, PT0.5S or plain milliseconds, from " +
               duration_text(Duration(min_)) + " to " + duration_text(Duration(max_));
    case SettingKind::bytes:
        return "a size such as 512, 64KiB or 1MiB, from " + byte_size_text(min_) + " to " +
               byte_size_text(max_);
    case SettingKind::choice:
        return "one of " + joined(words_);
    case SettingKind::secret:
        return "a secret of at least " + std::to_string(min_) +
               " printable ASCII characters, without ${";
    case SettingKind::text:
        return "one line of text, not empty";
    case SettingKind::option:
        break;
    }
    return "text";
}

std::optional<SettingValue> Setting::read(std::string_view text) const {
    if (text.size() > config_value_bytes_max || (rule_ != nullptr && !rule_(text))) {
        return std::nullopt;
    }
    SettingValue value;
    value.text = std::string(text);
    std::optional<std::int64_t> number;
    switch (kind_) {
    case SettingKind::text:
        return !text.empty() && one_line(text) ? std::optional(value) : std::nullopt;
    case SettingKind::option:
        return text.find('\0') == std::string_view::npos ? std::optional(value) : std::nullopt;
    case SettingKind::secret:
        return text.size() >= static_cast<std::size_t>(min_) &&
                       text.find("${") == std::string_view::npos &&
                       std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; })
                   ? std::optional(value)
                   : std::nullopt;
    case SettingKind::choice:
        for (const std::string& word : words_) {
            if (relaxed_equal(word, text)) {
                value.text = word;
                return value;
            }
        }
        return std::nullopt;
    case SettingKind::boolean:
        if (const auto answer = parse_yes_or_no(text)) {
            value.text = *answer ? "true" : "false";
            value.number = *answer ? 1 : 0;
            return value;
        }
        return std::nullopt;
    case SettingKind::integer:
        number = parse_whole_number(text);
        break;
    case SettingKind::bytes:
        number = parse_byte_size(text);
        break;
    case SettingKind::duration:
        if (const auto duration = parse_duration(text)) {
            number = duration->count();
        }
        break;
    }
    if (!number || *number < min_ || *number > max_) {
        return std::nullopt;
    }
    value.number = *number;
    return value;
}

}  // namespace holdfast
