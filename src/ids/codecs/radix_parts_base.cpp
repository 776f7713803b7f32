#include "codecs/radix_parts_base.h"

#include "codecs/digits.h"

#include <array>

namespace holdfast {
namespace {

std::uint8_t width_of(TextBase base, int bits) {
    return static_cast<std::uint8_t>(digits_of_bits(radix_of(base), bits));
}

}  // namespace

RadixPartsBase::RadixPartsBase(const CodecOptions& options)
    : layout_(*options.layout()), time_width_(width_of(options.base(), layout_.time_bits())),
      machine_width_(width_of(options.base(), layout_.machine_bits())),
      sequence_width_(width_of(options.base(), layout_.sequence_bits())),
      radix_(options.base() == TextBase::radix62 ? Radix::r62 : Radix::r36) {}

std::string_view RadixPartsBase::append(std::string& out, const IdParts& parts) const {
    if (!parts_fit(layout_, parts)) {
        return fault_of_parts(layout_, parts);
    }
    std::array<char, 3 * radix_digits_max(Radix::r36)> text;
    char* const machine = text.data() + time_width_;
    char* const sequence = machine + machine_width_;
    write_radix(text.data(), time_width_, static_cast<std::uint64_t>(parts.time), radix_);
    write_radix(machine, machine_width_, static_cast<std::uint64_t>(parts.machine), radix_);
    write_radix(sequence, sequence_width_, static_cast<std::uint64_t>(parts.sequence), radix_);
    out.append(text.data(), std::size_t{time_width_} + machine_width_ + sequence_width_);
    return {};
}

Result<IdParts> RadixPartsBase::parse(std::string_view text) const {
    const std::size_t length = std::size_t{time_width_} + machine_width_ + sequence_width_;
    if (text.size() != length) {
        return Error(Code::invalid_argument, Effect::none, "the id has another length");
    }
    // A field of no bits has no characters, and is 0.
    const auto field = [&](std::size_t from, std::size_t width) -> std::int64_t {
        if (width == 0) {
            return 0;
        }
        const auto value = parse_radix(text.substr(from, width), radix_);
        return value.has_value() && static_cast<std::int64_t>(*value) >= 0
                   ? static_cast<std::int64_t>(*value)
                   : -1;
    };
    const std::size_t sequence_at = std::size_t{time_width_} + machine_width_;
    const IdParts parts{
        field(0, time_width_),
        field(time_width_, machine_width_),
        field(sequence_at, sequence_width_)
    };
    if (parts.time < 0 || parts.machine < 0 || parts.sequence < 0) {
        return Error(Code::invalid_argument, Effect::none, "the id is no number of this radix");
    }
    if (const std::string_view fault = fault_of_parts(layout_, parts); !fault.empty()) {
        return Error(Code::invalid_argument, Effect::none, fault);
    }
    return parts;
}

}  // namespace holdfast
