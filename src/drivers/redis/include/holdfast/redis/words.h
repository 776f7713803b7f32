#pragma once
// Lists of arguments, seen where the caller keeps them: a command copies what it is given while it
// is made. One text, an array, a vector or a span of texts; `words("a", name)` for a few.

#include <array>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <string_view>
#include <utility>

namespace holdfast::redis {

template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;

template <class T>
concept TextPair = requires(const T& pair) {
    { pair.first } -> std::convertible_to<std::string_view>;
    { pair.second } -> std::convertible_to<std::string_view>;
};

class Words {
public:
    Words() : size_(0) {}
    // NOLINTBEGIN(google-explicit-constructor): a command takes any list of texts as it is
    template <Text One>
    Words(const One& one) : one_(one), size_(1) {}
    template <std::ranges::contiguous_range Many>
        requires(!Text<Many> && Text<std::ranges::range_value_t<Many>>)
    Words(const Many& many)
        : many_(std::ranges::data(many)), size_(std::ranges::size(many)),
          at_([](const void* from, std::size_t i) {
              return std::string_view(static_cast<const std::ranges::range_value_t<Many>*>(from)[i]
              );
          }) {}
    // NOLINTEND(google-explicit-constructor)

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::string_view operator[](std::size_t i) const { return at_ ? at_(many_, i) : one_; }

private:
    std::string_view one_;
    const void* many_ = nullptr;
    std::size_t size_;
    std::string_view (*at_)(const void*, std::size_t) = nullptr;
};

template <Text... Each>
std::array<std::string_view, sizeof...(Each)> words(const Each&... each) {
    return {std::string_view(each)...};
}

// The same for names with values: an array, a vector or a span of pairs of texts;
// `pairs("name", "Ada", "born", "1815")` for a few.
class WordPairs {
public:
    using Pair = std::pair<std::string_view, std::string_view>;

    template <std::ranges::contiguous_range Many>
        requires TextPair<std::ranges::range_value_t<Many>>
    WordPairs(const Many& many)  // NOLINT(google-explicit-constructor): as Words
        : many_(std::ranges::data(many)), size_(std::ranges::size(many)),
          at_([](const void* from, std::size_t i) {
              const auto& pair = static_cast<const std::ranges::range_value_t<Many>*>(from)[i];
              return Pair(pair.first, pair.second);
          }) {}

    std::size_t size() const { return size_; }
    Pair operator[](std::size_t i) const { return at_(many_, i); }

private:
    const void* many_;
    std::size_t size_;
    Pair (*at_)(const void*, std::size_t);
};

template <Text... Each>
    requires(sizeof...(Each) % 2 == 0)
std::array<WordPairs::Pair, sizeof...(Each) / 2> pairs(const Each&... each) {
    const std::array<std::string_view, sizeof...(Each)> flat = words(each...);
    std::array<WordPairs::Pair, sizeof...(Each) / 2> made;
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i] = {flat[2 * i], flat[2 * i + 1]};
    }
    return made;
}

}  // namespace holdfast::redis
