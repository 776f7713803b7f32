#pragma once
// An id of a text layout as three fields of radix 62 or 36, each padded to its bits: byte order is
// the order of the ids.

#include "parts.h"

#include <holdfast/base/result.h>
#include <holdfast/codec/radix.h>
#include <holdfast/ids/codec.h>

namespace holdfast {

class RadixPartsBase {
public:
    using Value = IdParts;
    using Argument = const IdParts&;

    explicit RadixPartsBase(const CodecOptions& options);

    std::string_view fault_of(const IdParts& parts) const { return fault_of_parts(layout_, parts); }
    std::string_view append(std::string& out, const IdParts& parts) const;
    Result<IdParts> parse(std::string_view text) const;
    WallTime time_of(const IdParts& parts) const { return holdfast::time_of(layout_, parts); }

private:
    IdLayout layout_;
    std::uint8_t time_width_;
    std::uint8_t machine_width_;
    std::uint8_t sequence_width_;
    Radix radix_;
};

}  // namespace holdfast
