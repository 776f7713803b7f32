#include <holdfast/redis/commands/stream_ids.h>

#include <charconv>

namespace holdfast::redis {

namespace {

bool parse_number(std::string_view text, std::uint64_t& into) {
    const char* end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(text.data(), end, into);
    return !text.empty() && problem == std::errc() && at == end;
}

}  // namespace

std::optional<StreamId> StreamId::parse(std::string_view text) {
    StreamId id;
    const std::size_t dash = text.find('-');
    const bool good =
        parse_number(text.substr(0, dash), id.ms) &&
        (dash == std::string_view::npos || parse_number(text.substr(dash + 1), id.sequence));
    return good ? std::optional(id) : std::nullopt;
}

std::string StreamId::word() const {
    return std::to_string(ms) + "-" + std::to_string(sequence);
}

}  // namespace holdfast::redis
