#include "codecs/number_base.h"

#include "codecs/digits.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/codec/radix.h>
#include <holdfast/ids/limits.h>

#include <array>
#include <charconv>

namespace holdfast {
namespace {

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

int default_width(TextBase base) {
    return digits_of_bits(radix_of(base), limits::id_bits_max);
}

std::int64_t widest_of(unsigned radix, int width) {
    std::int64_t widest = 0;
    for (int digit = 0; digit < width; ++digit) {
        const std::int64_t last = static_cast<std::int64_t>(radix) - 1;
        if (widest > (int64_max - last) / static_cast<std::int64_t>(radix)) {
            return int64_max;
        }
        widest = widest * static_cast<std::int64_t>(radix) + last;
    }
    return widest;
}

std::int64_t widest_of(const std::optional<IdLayout>& layout) {
    if (!layout.has_value()) {
        return int64_max;
    }
    const int bits = layout->time_bits() + layout->machine_bits() + layout->sequence_bits();
    return static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
}

}  // namespace

NumberBase::NumberBase(const CodecOptions& options)
    : width_(static_cast<std::uint8_t>(options.width().value_or(default_width(options.base())))),
      pad_(options.pad()), base_(options.base()),
      layout_(options.layout().value_or(IdLayout::milliseconds())) {
    id_max_ = std::min(widest_of(radix_of(base_), width_), widest_of(options.layout()));
}

std::string_view NumberBase::append(std::string& out, std::int64_t id) const {
    if (const std::string_view fault = fault_of(id); !fault.empty()) {
        return fault;
    }
    const auto number = static_cast<std::uint64_t>(id);
    if (base_ != TextBase::decimal) {
        const Radix radix = base_ == TextBase::radix62 ? Radix::r62 : Radix::r36;
        append_radix(out, number, radix, pad_ && !fault("ids.31") ? width_ : 0);
        return {};
    }
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    const auto count = static_cast<std::size_t>(end - digits.begin());
    if (pad_ && count < width_) {
        out.append(width_ - count, '0');
    }
    out.append(digits.data(), count);
    return {};
}

Result<std::int64_t> NumberBase::parse(std::string_view text) const {
    if (!has_printed_form(text, pad_, width_)) {
        return Error(Code::invalid_argument, Effect::none, "the id has another length");
    }
    std::optional<std::int64_t> id;
    if (base_ == TextBase::decimal) {
        id = parse_digits(text);
    } else {
        const auto number = parse_radix(text, base_ == TextBase::radix62 ? Radix::r62 : Radix::r36);
        if (number.has_value() && *number <= static_cast<std::uint64_t>(int64_max)) {
            id = static_cast<std::int64_t>(*number);
        }
    }
    if (!id.has_value()) {
        return Error(Code::invalid_argument, Effect::none, "the id is no number of this radix");
    }
    if (*id > id_max_) {
        return Error(Code::invalid_argument, Effect::none, "the id is wider than its layout");
    }
    return *id;
}

WallTime NumberBase::time_of(std::int64_t id) const {
    return holdfast::time_of(layout_, decompose(layout_, id).value());
}

}  // namespace holdfast
