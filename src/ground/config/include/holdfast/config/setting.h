#pragma once
// One known setting: its name or pattern, what it takes, its default, what it means.

#include <holdfast/base/time.h>
#include <holdfast/config/path.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

enum class SettingKind : std::uint8_t {
    text,  // one line; refused values may be shown
    boolean,
    integer,
    duration,
    bytes,
    choice,  // one of a few words, compared relaxed
    secret,  // never shown
    option,  // text that may carry credentials (an URI, a password): shown with those hidden
};

// A value that fits its setting.
struct SettingValue {
    std::string text;  // in the schema's spelling for a choice, `true` or `false` for a boolean
    std::int64_t number = 0;  // of integers, booleans, durations (ms) and sizes (bytes)
};

class Setting {
public:
    // The names are literals of the program: one that cannot be parsed aborts.
    static Setting text(std::string_view name);
    static Setting boolean(std::string_view name);
    static Setting integer(std::string_view name, std::int64_t min, std::int64_t max);
    static Setting duration(std::string_view name, Duration min, Duration max);
    static Setting bytes(std::string_view name, std::int64_t min, std::int64_t max);
    static Setting choice(std::string_view name, std::vector<std::string> words);
    static Setting secret(std::string_view name, std::size_t characters_min);
    static Setting option(std::string_view name);

    // The default. For a list: its items with commas between. It must fit; the room's users test
    // that.
    Setting or_else(std::string_view text) && {
        default_ = std::string(text);
        return std::move(*this);
    }
    Setting about(std::string_view text) && {
        about_ = std::string(text);
        return std::move(*this);
    }
    // One more rule for the text, and the words for it.
    Setting checked(bool (*rule)(std::string_view), std::string_view allowed) &&;
    // The same setting under a prefix: `uri` under `cosid.stores.main.options`.
    Setting under(const SettingPath& prefix) const;

    SettingKind kind() const { return kind_; }
    const SettingPath& pattern() const { return pattern_; }
    std::string name() const { return pattern_.text(); }
    bool is_list() const;  // of plain values: the pattern ends in []
    const std::optional<std::string>& default_text() const { return default_; }
    const std::string& about() const { return about_; }
    std::string allowed() const;  // "a whole number from 1 to 65535"
    const std::vector<std::string>& words() const { return words_; }

    // Nothing: not allowed.
    std::optional<SettingValue> read(std::string_view text) const;

private:
    Setting(std::string_view name, SettingKind kind);

    SettingPath pattern_;
    SettingKind kind_;
    std::int64_t min_ = 0;
    std::int64_t max_ = 0;
    std::vector<std::string> words_;
    bool (*rule_)(std::string_view) = nullptr;
    std::string allowed_;
    std::optional<std::string> default_;
    std::string about_;
};

}  // namespace holdfast
