#include "ranges/period_name.h"

namespace holdfast {
namespace {

void append(std::string& text, int number, int digits) {
    std::string written = std::to_string(number);
    text.append(
        written.size() < static_cast<std::size_t>(digits)
            ? static_cast<std::size_t>(digits) - written.size()
            : 0,
        '0'
    );
    text += written;
}

}  // namespace

std::string period_name(Period period, const LocalTime& time) {
    std::string name;
    append(name, time.year, 4);
    if (period == Period::year) {
        return name;
    }
    name += '-';
    append(name, time.month, 2);
    if (period == Period::month) {
        return name;
    }
    name += '-';
    append(name, time.day, 2);
    if (period == Period::day) {
        return name;
    }
    name += 'T';
    append(name, time.hour, 2);
    return name;
}

}  // namespace holdfast
