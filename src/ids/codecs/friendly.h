#pragma once
// yyyyMMddHHmmssSSS-machine-sequence in the local time of a zone; no SSS where a tick is a second.
// A local time that came twice is read as the first of the two.

#include "parts.h"

#include <holdfast/base/result.h>
#include <holdfast/ids/codec.h>

namespace holdfast {

class FriendlyPartsBase {
public:
    using Value = IdParts;
    using Argument = const IdParts&;

    explicit FriendlyPartsBase(const CodecOptions& options);

    std::string_view fault_of(const IdParts& parts) const { return fault_of_parts(layout_, parts); }
    std::string_view append(std::string& out, const IdParts& parts) const;
    Result<IdParts> parse(std::string_view text) const;
    WallTime time_of(const IdParts& parts) const { return holdfast::time_of(layout_, parts); }
    const IdLayout& layout() const { return layout_; }

private:
    Result<WallTime> parse_time(std::string_view text) const;

    IdLayout layout_;
    TimeZone zone_;
    std::uint8_t time_width_;
    std::uint8_t machine_width_;
    std::uint8_t sequence_width_;
    bool pad_;
};

// The same of numbers.
class FriendlyNumberBase {
public:
    using Value = std::int64_t;
    using Argument = std::int64_t;

    explicit FriendlyNumberBase(const CodecOptions& options) : parts_(options) {}

    std::string_view fault_of(std::int64_t id) const;
    std::string_view append(std::string& out, std::int64_t id) const;
    Result<std::int64_t> parse(std::string_view text) const;
    WallTime time_of(std::int64_t id) const;

private:
    FriendlyPartsBase parts_;
};

}  // namespace holdfast
