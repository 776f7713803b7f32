#pragma once
// The name of a setting, in parts, and the rule by which two spellings of it are the same.

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// The spelling that relaxed binding compares: ASCII lower case without dashes and underscores.
std::string relaxed(std::string_view word);
bool relaxed_equal(std::string_view left, std::string_view right);

struct SettingPart {
    enum class Kind { word, index, any_word, any_index };
    Kind kind = Kind::word;
    std::string text;       // of a word, as written
    std::string relaxed;    // of a word, as compared
    std::size_t index = 0;  // of an index
};

// `cosid.server.auth.tokens[0]`; in a schema `cosid.stores.*.type` and `cosid.server.auth.tokens[]`
// stand for many. A part with dots is written in brackets: `cosid.stores.[my.store].type`. Ordered
// by relaxed words and numeric indexes.
class SettingPath {
public:
    SettingPath() = default;
    // Nothing: an empty part, an open bracket, a byte that no name has, or longer than
    // config_name_bytes_max.
    static std::optional<SettingPath> parse(std::string_view name);
    // The same with `*` and `[]`.
    static std::optional<SettingPath> parse_pattern(std::string_view name);

    const std::vector<SettingPart>& parts() const { return parts_; }
    std::size_t size() const { return parts_.size(); }
    std::string text() const;

    SettingPath with_word(std::string word) const;
    SettingPath with_index(std::size_t index) const;
    SettingPath with(SettingPart part) const;
    SettingPath with(const SettingPath& tail) const;
    SettingPath first(std::size_t count) const;

    // Whether this is, relaxed, the beginning of `other` (or all of it).
    bool begins(const SettingPath& other) const;
    // Whether this pattern stands for the path.
    bool matches(const SettingPath& path) const;
    // Whether the first parts of this pattern stand for all of the path, with parts left.
    bool matches_group(const SettingPath& path) const;
    // The path in this pattern's spelling; words that the pattern leaves open stay as they are.
    SettingPath spelled(const SettingPath& path) const;

    friend std::weak_ordering operator<=>(const SettingPath& left, const SettingPath& right);
    friend bool operator==(const SettingPath& left, const SettingPath& right) {
        return (left <=> right) == std::weak_ordering::equivalent;
    }

private:
    static std::optional<SettingPath> parse(std::string_view name, bool pattern);
    std::vector<SettingPart> parts_;
};

}  // namespace holdfast
