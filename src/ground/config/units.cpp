#include <holdfast/base/fault_switch.h>
#include <holdfast/config/path.h>
#include <holdfast/config/units.h>

#include <array>
#include <charconv>
#include <limits>

namespace holdfast {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t factor;
};

constexpr std::array duration_units{
    Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000}, Unit{"s", 1'000}, Unit{"ms", 1}
};
constexpr std::array byte_units{
    Unit{"GiB", 1 << 30},
    Unit{"GB", 1 << 30},
    Unit{"MiB", 1 << 20},
    Unit{"MB", 1 << 20},
    Unit{"KiB", 1 << 10},
    Unit{"KB", 1 << 10},
    Unit{"B", 1}
};

// The digits at the front of `text`, which are taken from it. Nothing: none, or too many.
std::optional<std::int64_t> take_digits(std::string_view& text) {
    if (text.empty() || text.front() < '0' || text.front() > '9') {
        return std::nullopt;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<std::int64_t> times(std::int64_t number, std::int64_t factor) {
    if (number > std::numeric_limits<std::int64_t>::max() / factor) {
        return std::nullopt;
    }
    return number * factor;
}

bool add(std::int64_t& sum, std::optional<std::int64_t> more) {
    if (!more || *more > std::numeric_limits<std::int64_t>::max() - sum) {
        return false;
    }
    sum += *more;
    return true;
}

template <std::size_t n>
std::optional<std::int64_t>
number_with_unit(std::string_view text, const std::array<Unit, n>& units) {
    const auto number = take_digits(text);
    if (!number || text.empty()) {
        return number;
    }
    for (const Unit& unit : units) {
        if (relaxed(unit.name) == relaxed(text)) {
            return times(*number, unit.factor);
        }
    }
    if (fault("ids.1") && text == "us") {
        return *number / 1'000;
    }
    return std::nullopt;
}

// The fraction of a second after its point, in ms: at most three digits that are not zero.
std::optional<std::int64_t> take_milliseconds(std::string_view& text) {
    std::int64_t ms = 0;
    std::int64_t factor = 100;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
        const std::int64_t digit = text[digits] - '0';
        if (factor == 0 && digit != 0) {
            return std::nullopt;
        }
        ms += digit * factor;
        factor /= 10;
    }
    text.remove_prefix(digits);
    return digits == 0 ? std::nullopt : std::optional(ms);
}

// What stands behind the P of ISO-8601: days, then after a T hours, minutes and seconds, each at
// most once.
std::optional<std::int64_t> iso_milliseconds(std::string_view text) {
    std::int64_t sum = 0;
    bool time = false;
    bool any = false;
    std::string_view left = "D";
    while (!text.empty()) {
        if ((text.front() == 'T' || text.front() == 't') && !time) {
            time = true;
            any = false;
            left = "HMS";
            text.remove_prefix(1);
            continue;
        }
        const auto number = take_digits(text);
        std::int64_t ms = 0;
        if (number && time && !text.empty() && text.front() == '.') {
            text.remove_prefix(1);
            const auto fraction = take_milliseconds(text);
            if (!fraction || text.empty() || relaxed(text) != "s") {
                return std::nullopt;
            }
            ms = *fraction;
        }
        if (!number || text.empty()) {
            return std::nullopt;
        }
        const char unit = static_cast<char>(text.front() & ~0x20);
        const std::size_t place = left.find(unit);
        if (place == std::string_view::npos) {
            return std::nullopt;
        }
        left.remove_prefix(place + 1);
        const std::int64_t factor = unit == 'D'   ? 86'400'000
                                    : unit == 'H' ? 3'600'000
                                    : unit == 'M' ? 60'000
                                                  : 1'000;
        if (!add(sum, times(*number, factor)) || !add(sum, ms)) {
            return std::nullopt;
        }
        any = true;
        text.remove_prefix(1);
    }
    return any ? std::optional(sum) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

std::optional<bool> parse_yes_or_no(std::string_view text) {
    std::string word;
    for (const char c : text) {
        word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (word == "true" || word == "yes" || word == "on" || word == "1") {
        return true;
    }
    if (word == "false" || word == "no" || word == "off" || word == "0") {
        return false;
    }
    return std::nullopt;
}

std::optional<Duration> parse_duration(std::string_view text) {
    const bool iso = !text.empty() && (text.front() == 'P' || text.front() == 'p');
    const auto ms = iso ? iso_milliseconds(text.substr(1)) : number_with_unit(text, duration_units);
    return ms ? std::optional(Duration(*ms)) : std::nullopt;
}

std::string duration_text(Duration duration) {
    for (const Unit& unit : duration_units) {
        if (duration.count() != 0 && duration.count() % unit.factor == 0) {
            return std::to_string(duration.count() / unit.factor) + std::string(unit.name);
        }
    }
    return "0ms";
}

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
    return number_with_unit(text, byte_units);
}

std::string byte_size_text(std::int64_t bytes) {
    for (const Unit& unit : byte_units) {
        if (unit.name.find('i') != std::string_view::npos && bytes != 0 &&
            bytes % unit.factor == 0) {
            return std::to_string(bytes / unit.factor) + std::string(unit.name);
        }
    }
    return std::to_string(bytes);
}

}  // namespace holdfast
