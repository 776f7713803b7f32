#include "codecs/friendly.h"

#include "codecs/digits.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace holdfast {
namespace {

constexpr int year_max = 9'999;

std::uint8_t width_of(int bits) {
    return static_cast<std::uint8_t>(std::max(digits_of_bits(10, bits), 1));
}

char* write_field(char* to, std::int64_t value, bool pad, int width) {
    if (!pad) {
        return std::to_chars(to, to + 20, value).ptr;
    }
    write_digits(to, width, value);
    return to + width;
}

Error malformed(std::string_view what) {
    return {Code::invalid_argument, Effect::none, what};
}

}  // namespace

FriendlyPartsBase::FriendlyPartsBase(const CodecOptions& options)
    : layout_(*options.layout()), zone_(options.zone()),
      time_width_(layout_.unit() == TickUnit::second ? 14 : 17),
      machine_width_(width_of(layout_.machine_bits())),
      sequence_width_(width_of(layout_.sequence_bits())), pad_(options.pad()) {}

std::string_view FriendlyPartsBase::append(std::string& out, const IdParts& parts) const {
    if (const std::string_view fault = fault_of_parts(layout_, parts); !fault.empty()) {
        return fault;
    }
    const LocalTime local = zone_.local(time_of(parts));
    if (local.year > year_max) {
        return "the year of the id has more than four digits";
    }
    std::array<char, 17 + 2 * 21> text;
    char* at = text.data();
    write_digits(at, 4, local.year);
    write_digits(at + 4, 2, local.month);
    write_digits(at + 6, 2, local.day);
    write_digits(at + 8, 2, local.hour);
    write_digits(at + 10, 2, local.minute);
    write_digits(at + 12, 2, local.second);
    write_digits(at + 14, 3, local.millisecond);
    at += time_width_;
    *at++ = '-';
    at = write_field(at, parts.machine, pad_, machine_width_);
    *at++ = '-';
    at = write_field(at, parts.sequence, pad_, sequence_width_);
    out.append(text.data(), static_cast<std::size_t>(at - text.data()));
    return {};
}

Result<WallTime> FriendlyPartsBase::parse_time(std::string_view text) const {
    const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    if (text.size() != time_width_ || !digits) {
        return malformed("the time of the id is not yyyyMMddHHmmss and three more digits");
    }
    const auto field = [text](std::size_t from, std::size_t width) {
        return from >= text.size() ? 0 : static_cast<int>(*parse_digits(text.substr(from, width)));
    };
    return zone_.instant(LocalTime{
        field(0, 4), field(4, 2), field(6, 2), field(8, 2), field(10, 2), field(12, 2), field(14, 3)
    });
}

Result<IdParts> FriendlyPartsBase::parse(std::string_view text) const {
    const std::size_t first = text.find('-');
    const std::size_t second = first == text.npos ? text.npos : text.find('-', first + 1);
    if (second == text.npos) {
        return malformed("the id has no three parts with - between them");
    }
    const std::string_view machine_text = text.substr(first + 1, second - first - 1);
    const std::string_view sequence_text = text.substr(second + 1);
    if (!has_printed_form(machine_text, pad_, machine_width_) ||
        !has_printed_form(sequence_text, pad_, sequence_width_)) {
        return malformed("the machine or sequence of the id has another length");
    }
    const auto machine = parse_digits(machine_text);
    const auto sequence = parse_digits(sequence_text);
    if (!machine.has_value() || !sequence.has_value()) {
        return malformed("the machine or sequence of the id is no number");
    }
    auto time = parse_time(text.substr(0, first));
    if (!time.ok()) {
        return std::move(time).error();
    }
    const IdParts parts{layout_.tick_of(time.value()) - layout_.epoch_tick(), *machine, *sequence};
    if (const std::string_view fault = fault_of_parts(layout_, parts); !fault.empty()) {
        return malformed(fault);
    }
    return parts;
}

std::string_view FriendlyNumberBase::fault_of(std::int64_t id) const {
    const auto parts = decompose(parts_.layout(), id);
    return parts.ok() ? "" : parts.error().what();
}

std::string_view FriendlyNumberBase::append(std::string& out, std::int64_t id) const {
    const auto parts = decompose(parts_.layout(), id);
    return parts.ok() ? parts_.append(out, parts.value()) : parts.error().what();
}

Result<std::int64_t> FriendlyNumberBase::parse(std::string_view text) const {
    auto parts = parts_.parse(text);
    if (!parts.ok()) {
        return std::move(parts).error();
    }
    return compose(parts_.layout(), parts.value());
}

WallTime FriendlyNumberBase::time_of(std::int64_t id) const {
    return parts_.time_of(decompose(parts_.layout(), id).value());
}

}  // namespace holdfast
