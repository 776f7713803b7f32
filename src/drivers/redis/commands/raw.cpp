#include <holdfast/redis/commands/raw.h>

namespace holdfast::redis {

bool KeysAt::has(std::size_t argument) const {
    return argument >= first_ && (argument - first_) % step_ == 0 &&
           (argument - first_) / step_ < count_;
}

KeysAt no_keys() {
    return {0, 0, 1};
}

KeysAt keys_at(std::size_t first, std::size_t count, std::size_t step) {
    return {first, count, step == 0 ? 1 : step};
}

Command<OwnedReply> raw(std::string_view name, Words arguments, KeysAt keys) {
    AnyCommand any(name);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (keys.has(i)) {
            any.add_key(arguments[i]);
        } else {
            any.add(arguments[i]);
        }
    }
    return {std::move(any), read_reply};
}

}  // namespace holdfast::redis
