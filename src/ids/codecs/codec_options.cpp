#include <holdfast/ids/codec.h>

namespace holdfast {

CodecOptions CodecOptions::pad(bool wanted) && {
    pad_ = wanted;
    return std::move(*this);
}
CodecOptions CodecOptions::width(int characters) && {
    width_ = characters;
    return std::move(*this);
}
CodecOptions CodecOptions::layout(IdLayout layout) && {
    layout_ = layout;
    return std::move(*this);
}
CodecOptions CodecOptions::zone(TimeZone zone) && {
    zone_ = zone;
    return std::move(*this);
}
CodecOptions CodecOptions::prefix(std::string text) && {
    prefix_ = std::move(text);
    return std::move(*this);
}
CodecOptions CodecOptions::suffix(std::string text) && {
    suffix_ = std::move(text);
    return std::move(*this);
}
CodecOptions CodecOptions::group_prefix(PrefixOptions options) && {
    group_prefix_ = std::move(options);
    return std::move(*this);
}
CodecOptions CodecOptions::date_prefix(PrefixOptions options) && {
    date_prefix_ = std::move(options);
    return std::move(*this);
}

}  // namespace holdfast
