#include "node_script.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace holdfast::testing {
namespace {

constexpr std::array with_second_word = {
    "CLIENT", "CLUSTER", "CONFIG", "FUNCTION", "SCRIPT", "SENTINEL"
};

}  // namespace

std::string upper(std::string text) {
    for (char& c : text) {
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return text;
}

std::string name_of(const Words& words) {
    std::string name = words.empty() ? "" : upper(words[0]);
    const bool longer = std::ranges::find(with_second_word, name) != with_second_word.end();
    return longer && words.size() > 1 ? name + " " + upper(words[1]) : name;
}

std::string error(const std::string& text) {
    return "-" + text + "\r\n";
}
std::string integer(std::uint64_t number) {
    return ":" + std::to_string(number) + "\r\n";
}
std::string pairs(const std::vector<std::string>& values, bool third) {
    return third ? map(values) : array(values);
}

Answer NodeScript::answer(Caller& caller, const Words& words) {
    const std::string name = name_of(words);
    heard_.push_back({caller.number, words});
    ++commands_[name];
    if (mute_) {
        return Answer::none();
    }
    if (auto first = before_handlers(caller, name, words); first.has_value()) {
        return *std::move(first);
    }
    const auto handler = std::find_if(handlers_.rbegin(), handlers_.rend(), [&](const auto& one) {
        return matches(one.first, words);
    });
    return handler != handlers_.rend() ? handler->second : Answer(reply(caller, name, words));
}

std::size_t NodeScript::heard(const Words& words) const {
    return static_cast<std::size_t>(std::ranges::count_if(heard_, [&](const Heard& one) {
        return matches(words, one.words);
    }));
}

}  // namespace holdfast::testing
