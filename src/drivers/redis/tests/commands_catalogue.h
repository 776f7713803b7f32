#pragma once
// A sample call of every command, with what a server must hold before it. Its bytes and what is
// said about it are pinned by a golden file; a live test compares it with a server and runs it.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/read.h>

#include <algorithm>
#include <concepts>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis::testing {

inline const WallTime in_2100(Duration(4102444800000));

enum class Stage { single, cluster, none };  // which server a sample is run on

class Sample {
public:
    template <class Reply>
    Sample(std::string text, const Command<Reply>& command)
        : label(std::move(text)), any(command.any()) {
        const auto reader = command.reader();
        reads = [reader](RespView reply) -> std::optional<Error> {
            auto value = reader(reply);
            if (value.ok()) {
                return std::nullopt;
            }
            return std::move(value).error();
        };
        same = [reader](RespView left, RespView right) {
            auto a = reader(left);
            auto b = reader(right);
            if constexpr (std::equality_comparable<Reply>) {
                return a.ok() && b.ok() && a.value() == b.value();
            } else {
                return a.ok() && b.ok();  // Done
            }
        };
    }

    // Commands that are sent before it on the same connection; words stand between blanks.
    Sample& given(std::initializer_list<std::string_view> lines) {
        before.insert(before.end(), lines.begin(), lines.end());
        return *this;
    }
    // Times, ids, random choices, memory: two runs answer differently.
    Sample& varying() {
        varies = true;
        return *this;
    }
    // The protocol versions answer different types, and the reader keeps them.
    Sample& untyped() { return varying(); }
    // Its answer is too long for the golden file.
    Sample& unrecorded() {
        recorded = false;
        return *this;
    }
    // The server refuses it in this state, with this.
    Sample& refused(std::string_view begin) {
        refusal = begin;
        return *this;
    }
    Sample& in_cluster() {
        stage = Stage::cluster;
        return *this;
    }
    // Not run, because the server of the tests does not have it: what the documentation says it
    // answers.
    Sample& documented(std::string_view reply) {
        stage = Stage::none;
        written = reply;
        return *this;
    }

    std::string label;
    AnyCommand any;
    std::function<std::optional<Error>(RespView)> reads;
    std::function<bool(RespView, RespView)> same;
    std::vector<std::string_view> before;
    bool varies = false;
    bool recorded = true;
    std::string_view refusal;
    Stage stage = Stage::single;
    std::string_view written;
};

class Samples {
public:
    template <class Reply>
    Sample& add(std::string_view text, const Command<Reply>& command) {
        std::string label = settled(text);
        const auto twins = std::ranges::count_if(all_, [&](const Sample& other) {
            return other.label == label || other.label.starts_with(label + " #");
        });
        if (twins != 0) {
            label += " #" + std::to_string(twins + 1);
        }
        return all_.emplace_back(std::move(label), command);
    }
    const std::deque<Sample>& all() const { return all_; }

private:
    // However the call is broken into lines.
    static std::string settled(std::string_view text) {
        std::string label(text);
        for (std::size_t at = 0; (at = label.find("( ", at)) != std::string::npos;) {
            label.erase(at + 1, 1);
        }
        for (std::size_t at = 0; (at = label.find(" )", at)) != std::string::npos;) {
            label.erase(at, 1);
        }
        return label;
    }

    std::deque<Sample> all_;
};

#define SAMPLE(...) samples.add(#__VA_ARGS__, __VA_ARGS__)

// The words of a command, read back from its bytes.
inline std::vector<std::string> words_of(const AnyCommand& any) {
    std::vector<std::string> words;
    std::string_view rest = any.bytes();
    while (!rest.empty()) {
        const std::size_t line = rest.find("\r\n");
        const std::size_t size = std::stoul(std::string(rest.substr(1, line - 1)));
        words.emplace_back(rest.substr(line + 2, size));
        rest.remove_prefix(line + 2 + size + 2);
    }
    return words;
}

// Those that it says are keys; only the first where they are not evenly apart.
inline std::vector<std::string> keys_of(const AnyCommand& any) {
    const std::vector<std::string> words = words_of(any);
    std::vector<std::string> keys;
    for (std::uint32_t i = 0; i < any.keys() && (i == 0 || any.key_step() != 0); ++i) {
        keys.push_back(words.at(any.first_key() + i * any.key_step()));
    }
    return keys;
}

}  // namespace holdfast::redis::testing
