#include <holdfast/redis/command.h>

namespace holdfast::redis {

AnyCommand& AnyCommand::add(double number) {
    std::array<char, 32> text{};
    return add(std::string_view(
        text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr
    ));
}

AnyCommand& AnyCommand::add_further_key(std::string_view key) {
    if (keys_ == 1) {
        key_step_ = words_ - first_key_;
    } else if (words_ != first_key_ + keys_ * key_step_) {
        key_step_ = 0;
    }
    slot_ = slot();
    if (slot_ != key_slot(key)) {
        slot_ = slot_of_many;
    }
    ++keys_;
    return add(key);
}

}  // namespace holdfast::redis
