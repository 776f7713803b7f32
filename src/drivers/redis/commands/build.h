#pragma once
// How the sources of this folder put a command together.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/words.h>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::redis {

// What has a text of its own as an argument: bounds, ids.
template <class T>
concept Argument = requires(const T& value) {
    { value.word() } -> std::convertible_to<std::string_view>;
};

template <class T>
void put(AnyCommand& to, const T& value) {
    if constexpr (Argument<T>) {
        to.add(value.word());
    } else if constexpr (std::same_as<T, Duration>) {
        to.add(value.count());
    } else if constexpr (std::same_as<T, Words>) {
        to.add_words(value);
    } else if constexpr (std::same_as<T, WordPairs>) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            to.add(value[i].first).add(value[i].second);
        }
    } else {
        to.add(value);
    }
}

template <class... Each>
AnyCommand build(std::string_view name, Repeat repeat, const Each&... each) {
    AnyCommand any(name, repeat);
    (put(any, each), ...);
    return any;
}

// Its first argument is its only key.
template <class... Each>
AnyCommand
build_on(std::string_view name, Repeat repeat, std::string_view key, const Each&... each) {
    AnyCommand any(name, repeat);
    any.add_key(key);
    (put(any, each), ...);
    return any;
}

// All its arguments are keys.
inline AnyCommand build_on_all(std::string_view name, Repeat repeat, Words keys) {
    AnyCommand any(name, repeat);
    any.add_keys(keys);
    return any;
}

// How long a blocking command waits.
inline double in_seconds(Duration wait) {
    return static_cast<double>(wait.count()) / 1000;
}

// "2 k1 k2"
inline void put_counted_keys(AnyCommand& to, Words keys) {
    to.add(keys.size()).add_keys(keys);
}

}  // namespace holdfast::redis
