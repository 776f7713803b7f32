#include <holdfast/redis/commands/sorted_set_ranges.h>

#include <array>
#include <charconv>

namespace holdfast::redis {

std::string ScoreBound::written(double score) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), score).ptr};
}

void ZRange::put_into(AnyCommand& command) const {
    const bool swapped =
        reversed_ && !by_.empty();  // the server wants the end it starts from first
    command.add(swapped ? high_ : low_).add(swapped ? low_ : high_);
    if (!by_.empty()) {
        command.add(by_);
    }
    if (reversed_) {
        command.add("REV");
    }
    if (limit_) {
        command.add("LIMIT").add(limit_->first).add(limit_->second);
    }
}

}  // namespace holdfast::redis
