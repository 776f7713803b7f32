#pragma once
// A hash map by text that is searched without making a string.

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace holdfast {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>()(text);
    }
};

template <class T>
using NamesMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

}  // namespace holdfast
