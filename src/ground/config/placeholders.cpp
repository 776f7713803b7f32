#include "placeholders.h"

#include "shown.h"

#include <holdfast/config/limits.h>
#include <holdfast/config/path.h>

#include <algorithm>

namespace holdfast {
namespace {

// The `}` that ends the placeholder whose inside begins at `at`.
std::size_t end_of(std::string_view text, std::size_t at) {
    std::size_t nested = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        if (text.substr(i, 2) == "${") {
            ++nested;
            ++i;
        } else if (text[i] == '}') {
            if (nested == 0) {
                return i;
            }
            --nested;
        }
    }
    return std::string_view::npos;
}

bool name_byte(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-' || c == '[' || c == ']';
}

}  // namespace

Expansion Placeholders::expand(std::string_view text) {
    open_.clear();
    depth_ = 0;
    problem_.clear();
    Expansion result;
    result.text = walk(text, &result.shown);
    result.problem = problem_;
    return result;
}

std::string Placeholders::walk(std::string_view text, std::string* shown) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size() && problem_.empty()) {
        const std::size_t begin = std::min(text.find("${", at), text.size());
        out += text.substr(at, begin - at);
        if (shown != nullptr) {
            *shown += text.substr(at, begin - at);
        }
        if (begin == text.size()) {
            break;
        }
        const std::size_t end = end_of(text, begin + 2);
        if (end == std::string_view::npos) {
            fail("a ${ without its }; allowed: ${NAME} or ${NAME:default}");
            break;
        }
        const std::string_view inside = text.substr(begin + 2, end - begin - 2);
        out += replace(inside);
        if (shown != nullptr) {
            *shown += "${" + std::string(inside.substr(0, inside.find(':'))) + "}";
        }
        if (out.size() > config_value_bytes_max) {
            fail(
                "grows beyond " + std::to_string(config_value_bytes_max / 1024) +
                " KiB when its ${} are filled in"
            );
        }
        at = end + 1;
    }
    return out;
}

std::string Placeholders::replace(std::string_view inside) {
    const std::size_t colon = inside.find(':');
    const std::string name(inside.substr(0, colon));
    if (name.empty() || !std::ranges::all_of(name, name_byte)) {
        fail("a ${} whose name cannot be read; allowed: ${NAME} or ${NAME:default}");
        return "";
    }
    const std::string word = relaxed(name);
    if (std::ranges::find(open_, word) != open_.end()) {
        fail("${" + shown_text(name) + "} leads back to itself");
        return "";
    }
    if (++steps_ > config_placeholder_steps_max) {
        fail("more than " + std::to_string(config_placeholder_steps_max) + " ${} in all");
        return "";
    }
    if (depth_ >= config_placeholder_depth_max) {
        fail("${} nested deeper than " + std::to_string(config_placeholder_depth_max) + " levels");
        return "";
    }
    ++depth_;
    std::string text;
    if (const auto found = lookup_(name)) {
        text = found->text;
        if (found->expand) {
            open_.push_back(word);
            text = walk(found->text, nullptr);
            open_.pop_back();
        }
    } else if (colon != std::string_view::npos) {
        text = walk(inside.substr(colon + 1), nullptr);
    } else {
        const std::string shown = shown_text(name);
        fail(
            "${" + shown + "} is not set; set the environment variable " + shown + " or write ${" +
            shown + ":default}"
        );
    }
    --depth_;
    return text;
}

void Placeholders::fail(std::string problem) {
    if (problem_.empty()) {
        problem_ = std::move(problem);
    }
}

}  // namespace holdfast
