#pragma once
// The date of a date prefix: yyyy or yy, MM, dd, HH, mm, ss, SSS, and text that stands as it is
// ('quoted' where it has letters; '' is a quote). Always of one length. Source: Java's
// DateTimeFormatter, of which CosId takes patterns; its other letters are refused.

#include <holdfast/base/result.h>
#include <holdfast/ids/zone.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

class DatePattern {
public:
    // invalid_argument, none: empty, a letter or number of letters that is not listed above, an
    // open quote.
    static Result<DatePattern> parse(std::string_view pattern);

    std::size_t length() const { return length_; }
    // Years of four digits only.
    void append(std::string& out, const LocalTime& local) const;
    // Whether the text of that length could be a date: what it leaves open may be anything, and yy
    // is of this century.
    bool is_date(std::string_view text) const;

private:
    struct Piece {
        int LocalTime::* field;  // null: text
        std::size_t width;
        std::string text;
    };

    Result<Done> add_field(std::string_view letters);
    void add_text(std::string_view text);

    std::vector<Piece> pieces_;
    std::size_t length_ = 0;
};

}  // namespace holdfast
