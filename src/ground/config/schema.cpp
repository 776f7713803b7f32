#include "nearest.h"

#include <holdfast/base/check.h>
#include <holdfast/config/schema.h>

#include <algorithm>

namespace holdfast {
namespace {

using Kind = SettingPart::Kind;

SettingPath literal(std::string_view name) {
    auto path = SettingPath::parse_pattern(name);
    check(path.has_value(), "a prefix in the schema cannot be read");
    return *std::move(path);
}

// The pattern with its open parts taken from the name: what the writer may have meant.
SettingPath filled(const SettingPath& pattern, const SettingPath& name) {
    SettingPath path;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const SettingPart& part = pattern.parts()[i];
        const SettingPart* given = i < name.size() ? &name.parts()[i] : nullptr;
        const bool fits =
            given != nullptr && ((part.kind == Kind::any_word && given->kind == Kind::word) ||
                                 (part.kind == Kind::any_index && given->kind == Kind::index));
        path = path.with(fits ? *given : part);
    }
    return path;
}

// Only what both ways of writing a name have: an environment variable has no dots, dashes or
// brackets.
std::string squeezed(const SettingPath& path) {
    std::string text;
    for (const SettingPart& part : path.parts()) {
        text += part.kind == Kind::index ? std::to_string(part.index) : part.relaxed;
    }
    return text;
}

class Nearest {
public:
    explicit Nearest(const SettingPath& name) : name_(name), text_(squeezed(name)) {}

    void consider(const SettingPath& candidate) {
        const std::string text = squeezed(candidate);
        std::size_t distance = edit_distance(text_, text);
        if (candidate.parts().back().kind == Kind::word &&
            name_.parts().back().kind == Kind::word &&
            candidate.parts().back().relaxed == name_.parts().back().relaxed) {
            distance = std::min<std::size_t>(distance, 2);  // the right word in the wrong group
        }
        if (distance <= near_enough(text_.size()) && (best_.empty() || distance < distance_)) {
            best_ = candidate.text();
            distance_ = distance;
        }
    }

    const std::string& best() const { return best_; }

private:
    const SettingPath& name_;
    std::string text_;
    std::string best_;
    std::size_t distance_ = 0;
};

}  // namespace

ConfigSchema ConfigSchema::strict(std::string_view prefix) && {
    strict_.push_back(literal(prefix));
    return std::move(*this);
}

ConfigSchema ConfigSchema::unsupported(std::string_view pattern) && {
    unsupported_.push_back(literal(pattern));
    return std::move(*this);
}

const Setting* ConfigSchema::find(const SettingPath& name) const {
    const Setting* open = nullptr;
    for (const Setting& setting : settings_) {
        if (!setting.pattern().matches(name)) {
            continue;
        }
        const bool exact =
            std::ranges::none_of(setting.pattern().parts(), [](const SettingPart& part) {
                return part.kind == Kind::any_word;
            });
        if (exact) {
            return &setting;
        }
        open = open == nullptr ? &setting : open;
    }
    return open;
}

const Setting* ConfigSchema::find(std::string_view name) const {
    const auto path = SettingPath::parse_pattern(name);
    return path ? find(*path) : nullptr;
}

bool ConfigSchema::is_group(const SettingPath& name) const {
    return std::ranges::any_of(settings_, [&](const Setting& s) {
        return s.pattern().matches_group(name);
    });
}

bool ConfigSchema::is_strict(const SettingPath& name) const {
    return std::ranges::any_of(strict_, [&](const SettingPath& prefix) {
        return prefix.begins(name);
    });
}

bool ConfigSchema::is_unsupported(const SettingPath& name) const {
    return std::ranges::any_of(unsupported_, [&](const SettingPath& pattern) {
        return pattern.matches(name.first(pattern.size()));
    });
}

std::vector<std::string> ConfigSchema::members(const SettingPath& group) const {
    std::vector<std::string> words;
    for (const Setting& setting : settings_) {
        if (setting.pattern().matches_group(group)) {
            SettingPath member;
            std::string word = member.with(setting.pattern().parts()[group.size()]).text();
            if (std::ranges::find(words, word) == words.end()) {
                words.push_back(std::move(word));
            }
        }
    }
    return words;
}

std::string ConfigSchema::nearest(const SettingPath& name) const {
    Nearest nearest(name);
    for (const Setting& setting : settings_) {
        const SettingPath candidate = filled(setting.pattern(), name);
        nearest.consider(candidate);
        if (candidate.size() > name.size()) {
            nearest.consider(candidate.first(name.size()));
        }
    }
    return nearest.best();
}

std::string nearest_word(std::string_view text, const std::vector<std::string>& words) {
    const std::string given = relaxed(text.substr(0, 100));
    std::string best;
    std::size_t best_distance = 0;
    for (const std::string& word : words) {
        const std::size_t distance = edit_distance(given, relaxed(word));
        if (distance <= near_enough(given.size()) && distance < word.size() &&
            (best.empty() || distance < best_distance)) {
            best = word;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace holdfast
