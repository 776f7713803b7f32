#include "codecs/date_pattern.h"

#include "civil.h"
#include "codecs/digits.h"

#include <algorithm>

namespace holdfast {
namespace {

struct Letters {
    std::string_view letters;
    int LocalTime::* field;
};

constexpr Letters known[] = {
    {"yyyy", &LocalTime::year},
    {"yy", &LocalTime::year},
    {"MM", &LocalTime::month},
    {"dd", &LocalTime::day},
    {"HH", &LocalTime::hour},
    {"mm", &LocalTime::minute},
    {"ss", &LocalTime::second},
    {"SSS", &LocalTime::millisecond},
};

bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Has a meaning of its own in patterns of Java.
bool is_reserved(char c) {
    return c == '[' || c == ']' || c == '{' || c == '}' || c == '#';
}

Error refused(std::string_view what) {
    return {Code::invalid_argument, Effect::none, what};
}

}  // namespace

Result<Done> DatePattern::add_field(std::string_view letters) {
    for (const Letters& one : known) {
        if (one.letters == letters) {
            pieces_.push_back(Piece{one.field, letters.size(), {}});
            length_ += letters.size();
            return Done();
        }
    }
    return refused("a date pattern has yyyy, yy, MM, dd, HH, mm, ss, SSS and no other letters");
}

void DatePattern::add_text(std::string_view text) {
    pieces_.push_back(Piece{nullptr, text.size(), std::string(text)});
    length_ += text.size();
}

Result<DatePattern> DatePattern::parse(std::string_view pattern) {
    DatePattern parsed;
    while (!pattern.empty()) {
        const char first = pattern.front();
        std::size_t end = 1;
        if (is_reserved(first)) {
            return refused("a date pattern has no [ ] { } #");
        }
        if (is_letter(first)) {
            end = std::min(pattern.find_first_not_of(first), pattern.size());
            if (auto added = parsed.add_field(pattern.substr(0, end)); !added.ok()) {
                return std::move(added).error();
            }
        } else if (first == '\'') {
            end = pattern.find('\'', 1);
            if (end == pattern.npos) {
                return refused("a quote of the date pattern is open");
            }
            parsed.add_text(end == 1 ? "'" : pattern.substr(1, end - 1));
            ++end;
        } else {
            parsed.add_text(pattern.substr(0, 1));
        }
        pattern.remove_prefix(end);
    }
    if (parsed.length_ == 0) {
        return refused("the date pattern is empty");
    }
    return parsed;
}

void DatePattern::append(std::string& out, const LocalTime& local) const {
    for (const Piece& piece : pieces_) {
        if (piece.field == nullptr) {
            out += piece.text;
            continue;
        }
        const std::size_t at = out.size();
        out.resize(at + piece.width);
        write_digits(out.data() + at, static_cast<int>(piece.width), local.*piece.field);
    }
}

bool DatePattern::is_date(std::string_view text) const {
    if (text.size() != length_) {
        return false;
    }
    LocalTime local{2'000, 1, 1, 0, 0, 0, 0};  // a leap year, where the pattern has none
    for (const Piece& piece : pieces_) {
        const std::string_view part = text.substr(0, piece.width);
        text.remove_prefix(piece.width);
        if (piece.field == nullptr) {
            if (part != piece.text) {
                return false;
            }
            continue;
        }
        const auto number = parse_digits(part);
        if (!number.has_value()) {
            return false;
        }
        const bool short_year = piece.field == &LocalTime::year && piece.width == 2;
        local.*piece.field = static_cast<int>(*number) + (short_year ? 2'000 : 0);
    }
    return in_calendar(local);
}

}  // namespace holdfast
