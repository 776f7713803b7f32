#include "environment.h"

#include <holdfast/config/sources.h>

#include <algorithm>
#include <charconv>

namespace holdfast {
namespace {

using Kind = SettingPart::Kind;
using Words = std::vector<std::string>;

std::string lower(std::string_view text) {
    std::string word(text);
    std::ranges::transform(word, word.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return word;
}

std::optional<std::size_t> index_of(const std::string& word) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    const bool whole = error == std::errc() && end == word.data() + word.size();
    return whole && word.size() <= 6 ? std::optional(index) : std::nullopt;
}

// One pattern against the words of one variable.
class Match {
public:
    Match(const SettingPath& pattern, const Words& words, const MapNames& names)
        : parts_(pattern.parts()), words_(words), names_(names) {}

    void run() { step(0, 0, SettingPath(), 0); }
    const std::optional<SettingPath>& best() const { return best_; }
    std::size_t cost() const { return cost_; }

private:
    // Cost: the open words of the pattern, and ten for each that makes a new name.
    void step(std::size_t part, std::size_t word, const SettingPath& path, std::size_t cost) {
        if (part == parts_.size()) {
            if (word == words_.size() && (!best_ || cost < cost_)) {
                best_ = path;
                cost_ = cost;
            }
            return;
        }
        if (word == words_.size()) {
            if (part + 1 == parts_.size() && parts_[part].kind == Kind::any_index &&
                (!best_ || cost < cost_)) {
                best_ = path;  // a list with commas
                cost_ = cost;
            }
            return;
        }
        switch (parts_[part].kind) {
        case Kind::word:
            fixed(part, word, path, cost);
            break;
        case Kind::any_index:
            if (const auto index = index_of(words_[word])) {
                step(part + 1, word + 1, path.with_index(*index), cost);
            }
            break;
        case Kind::any_word:
            open(part, word, path, cost + 1);
            break;
        case Kind::index:
            break;
        }
    }

    void fixed(std::size_t part, std::size_t word, const SettingPath& path, std::size_t cost) {
        std::string joined;
        for (std::size_t i = word; i < words_.size() && joined.size() < parts_[part].relaxed.size();
             ++i) {
            joined += relaxed(words_[i]);
            if (joined == parts_[part].relaxed) {
                step(part + 1, i + 1, path.with(parts_[part]), cost);
            }
        }
    }

    void open(std::size_t part, std::size_t word, const SettingPath& path, std::size_t cost) {
        const auto group = names_.find(path);
        if (group != names_.end()) {
            for (const std::string& name : group->second) {
                std::string joined;
                const std::string wanted = relaxed(name);
                for (std::size_t i = word; i < words_.size() && joined.size() < wanted.size();
                     ++i) {
                    joined += relaxed(words_[i]);
                    if (joined == wanted) {
                        step(part + 1, i + 1, path.with_word(name), cost);
                    }
                }
            }
        }
        if (part + 1 < parts_.size()) {
            step(part + 1, word + 1, path.with_word(words_[word]), cost + 10);
            return;
        }
        std::string rest = words_[word];
        for (std::size_t i = word + 1; i < words_.size(); ++i) {
            rest += '-' + words_[i];
        }
        step(part + 1, words_.size(), path.with_word(rest), cost + 10);
    }

    const std::vector<SettingPart>& parts_;
    const Words& words_;
    const MapNames& names_;
    std::optional<SettingPath> best_;
    std::size_t cost_ = 0;
};

bool has_service_suffix(const Words& words) {
    const std::size_t n = words.size();
    const auto is = [&](std::size_t from_end, std::string_view text) {
        return n > from_end && words[n - from_end] == text;
    };
    if (is(2, "service") && (is(1, "host") || is(1, "port"))) {
        return true;
    }
    for (std::size_t i = 1; i + 1 < n; ++i) {
        if (words[i] == "service" && words[i + 1] == "port") {
            return true;
        }
        const bool protocol =
            i + 2 < n && (words[i + 2] == "tcp" || words[i + 2] == "udp" || words[i + 2] == "sctp");
        if (words[i] == "port" && index_of(words[i + 1]) && protocol) {
            return true;
        }
    }
    return false;
}

}  // namespace

Words variable_words(std::string_view name) {
    Words words;
    const std::string text = lower(name);
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('_', begin), text.size());
        std::string word = text.substr(begin, end - begin);
        if (relaxed(word).empty()) {
            return {};
        }
        words.push_back(std::move(word));
        begin = end + 1;
    }
    return words;
}

std::optional<SettingPath>
match_variable(const ConfigSchema& schema, const Words& words, const MapNames& names) {
    std::optional<SettingPath> best;
    std::size_t cost = 0;
    for (const Setting& setting : schema.settings()) {
        Match match(setting.pattern(), words, names);
        match.run();
        if (match.best() && (!best || match.cost() < cost)) {
            best = match.best();
            cost = match.cost();
        }
    }
    return best;
}

bool is_service_link(std::string_view name, std::string_view value) {
    const bool address =
        value.starts_with("tcp://") || value.starts_with("udp://") || value.starts_with("sctp://");
    const Words words = variable_words(name);
    return (address && !words.empty() && words.back() == "port") || has_service_suffix(words);
}

bool names_settings(
    const std::vector<std::pair<std::string, std::string>>& environment, std::string_view prefix
) {
    const std::string front = relaxed(prefix);
    return std::ranges::any_of(environment, [&](const auto& variable) {
        const std::string& name = variable.first;
        const std::size_t end = std::min(name.find_first_of("_."), name.size());
        return end < name.size() && relaxed(std::string_view(name).substr(0, end)) == front &&
               !is_service_link(name, variable.second);
    });
}

}  // namespace holdfast
