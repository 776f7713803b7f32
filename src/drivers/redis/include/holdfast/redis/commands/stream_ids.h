#pragma once
// Where an entry stands in a stream: milliseconds of the server's clock, and a number within them.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::redis {

class StreamId {
public:
    constexpr StreamId() = default;  // 0-0: before all entries
    constexpr StreamId(std::uint64_t milliseconds, std::uint64_t number)
        : ms(milliseconds), sequence(number) {}
    // "1526919030474-55" or "1526919030474"; nothing for other texts.
    static std::optional<StreamId> parse(std::string_view text);

    std::string word() const;

    friend auto operator<=>(const StreamId&, const StreamId&) = default;

    std::uint64_t ms = 0;
    std::uint64_t sequence = 0;
};

// An end of a range of entries.
class StreamBound {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): an id is the bound that includes it
    StreamBound(StreamId id) : text_(id.word()) {}
    static StreamBound without(StreamId id) { return StreamBound("(" + id.word()); }
    // All entries of a millisecond, at either end.
    static StreamBound at_ms(std::uint64_t ms) { return StreamBound(std::to_string(ms)); }
    static StreamBound lowest() { return StreamBound(std::string("-")); }
    static StreamBound highest() { return StreamBound(std::string("+")); }

    std::string_view word() const { return text_; }

private:
    explicit StreamBound(std::string text) : text_(std::move(text)) {}

    std::string text_;
};

}  // namespace holdfast::redis
