#include "uri_parts.h"

#include <array>
#include <charconv>
#include <limits>

namespace holdfast::redis {
namespace {

constexpr std::int64_t day_ns = std::int64_t{86'400} * 1'000'000'000;

struct Unit {
    std::string_view name;
    std::int64_t ns;
};
constexpr std::array<Unit, 8> units{{
    {"ns", 1},
    {"us", 1'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", std::int64_t{60} * 1'000'000'000},
    {"h", std::int64_t{3'600} * 1'000'000'000},
    {"d", day_ns},
    {"", 1'000'000},
}};

int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

Error uri_error(std::string_view what, std::string detail) {
    ErrorContext context;
    context.server_text = std::move(detail);
    return Error(Code::invalid_argument, Effect::none, what).with(std::move(context));
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const bool whole = text.size() - i > 2;
            const int high = whole ? hex_digit(text[i + 1]) : -1;
            const int low = whole ? hex_digit(text[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return std::nullopt;
            }
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (c == '\0') {
            return std::nullopt;
        }
        out.push_back(c);
    }
    return out;
}

std::optional<std::uint32_t> small_number(std::string_view text, std::uint32_t max) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || number > max) {
        return std::nullopt;
    }
    return number;
}

std::optional<Duration> uri_duration(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) {
        return std::nullopt;
    }
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    for (const Unit& known : units) {
        if (known.name == unit) {
            const bool fits = number <= day_ns / known.ns && number * known.ns >= 1'000'000;
            return fits ? std::optional(Duration(number * known.ns / 1'000'000)) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string_view cut(std::string_view& rest, char mark) {
    const std::size_t at = rest.find(mark);
    const std::string_view head = rest.substr(0, at);
    rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
    return head;
}

}  // namespace holdfast::redis
