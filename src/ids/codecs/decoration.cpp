#include "codecs/decorated.h"

namespace holdfast {
namespace {

constexpr int year_max = 9'999;

Error malformed(std::string_view what) {
    return {Code::invalid_argument, Effect::none, what};
}

bool strip_front(std::string_view& text, std::string_view expected) {
    if (!text.starts_with(expected)) {
        return false;
    }
    text.remove_prefix(expected.size());
    return true;
}

}  // namespace

std::string_view
Decoration::append_before(std::string& out, WallTime time, std::string_view group) const {
    if (has_group() && group.empty()) {
        return "a group prefix needs a group";
    }
    LocalTime local;
    if (has_date()) {
        local = options_.zone().local(time);
        if (local.year < 0 || local.year > year_max) {
            return "the year of the date prefix has not four digits";
        }
    }
    // CosId says beforePrefix of what is applied before the prefix is: it stands after it.
    const auto append_those = [&](bool applied_before_prefix) {
        if (has_date() && options_.date_prefix()->before_prefix() == applied_before_prefix) {
            date_->append(out, local);
            out += options_.date_prefix()->delimiter();
        }
        if (has_group() && options_.group_prefix()->before_prefix() == applied_before_prefix) {
            out += group;
            out += options_.group_prefix()->delimiter();
        }
    };
    append_those(false);
    out += options_.prefix();
    append_those(true);
    return {};
}

bool Decoration::strip_date(std::string_view& text, Stripped& stripped, bool before_prefix) const {
    if (!has_date() || options_.date_prefix()->before_prefix() != before_prefix) {
        return true;
    }
    if (text.size() < date_->length()) {
        return false;
    }
    stripped.date = text.substr(0, date_->length());
    text.remove_prefix(date_->length());
    return date_->is_date(stripped.date) && strip_front(text, options_.date_prefix()->delimiter());
}

Result<Decoration::Stripped> Decoration::strip(std::string_view text) const {
    if (has_group()) {
        return Error(
            Code::unsupported, Effect::none, "an id with a group prefix cannot be read back"
        );
    }
    Stripped stripped;
    if (!strip_date(text, stripped, false)) {
        return malformed("the id does not begin with a date");
    }
    if (!strip_front(text, options_.prefix())) {
        return malformed("the id does not begin with its prefix");
    }
    if (!strip_date(text, stripped, true)) {
        return malformed("the id has no date after its prefix");
    }
    if (!text.ends_with(options_.suffix())) {
        return malformed("the id does not end with its suffix");
    }
    text.remove_suffix(options_.suffix().size());
    stripped.number = text;
    return stripped;
}

bool Decoration::is_date_of(std::string_view date, WallTime time) const {
    std::string own;
    date_->append(own, options_.zone().local(time));
    return own == date;
}

}  // namespace holdfast
