#include <holdfast/redis/batch.h>

namespace holdfast::redis {

void Replies::add(RespView reply) {
    starts_.push_back(nodes_.size());
    for (const RespNode& node : reply.nodes()) {
        nodes_.push_back(node);
        if (node.size != 0) {
            texts_.append(node.data, node.size);
        }
    }
    settled_for_ = nullptr;
}

RespView Replies::operator[](std::size_t index) const {
    if (settled_for_ != texts_.data()) {  // more came, or this was moved
        settle();
    }
    return RespView(&nodes_[starts_[places_.empty() ? index : places_[index]]]);
}

// The texts lie in the order of their nodes.
void Replies::settle() const {
    const char* text = texts_.data();
    for (RespNode& node : nodes_) {
        node.data = text;
        text += node.size;
    }
    settled_for_ = texts_.data();
}

void Batch::add_any(const AnyCommand& command) {
    const std::size_t start = bytes_.size();
    append_resp_count(bytes_, command.words());
    const std::string_view key = command.first_key_text();
    entries_.push_back({
        command.name(),
        start,
        bytes_.size() + command.first_key_at(),
        key.size(),
        command.told_slot(),
        command.on_error(),
        command.repeat(),
    });
    bytes_.append(command.bytes());
    repeat_ = std::max(repeat_, command.repeat());
    if (command.lane() != Lane::shared) {
        lane_ = command.lane();
    }
    bulky_ = bulky_ || command.bulky();
}

std::int32_t Batch::slot_at(std::size_t index) const {
    const Entry& entry = entries_[index];
    if (entry.slot != slot_of_first_key) {
        return entry.slot;
    }
    return key_slot(std::string_view(bytes_).substr(entry.key_at, entry.key_size));
}

std::int32_t Batch::slot() const {
    std::int32_t all = slot_of_no_key;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const std::int32_t slot = slot_at(i);
        if (slot == slot_of_no_key || slot == all) {
            continue;
        }
        if (all != slot_of_no_key) {
            return slot_of_many;
        }
        all = slot;
    }
    return all;
}

std::string_view Batch::bytes_at(std::size_t index) const {
    const std::size_t start = entries_[index].start;
    const std::size_t end = index + 1 < entries_.size() ? entries_[index + 1].start : bytes_.size();
    return std::string_view(bytes_).substr(start, end - start);
}

Error Batch::missing(std::size_t index) const {
    for (const auto& [at, error] : errors_) {
        if (at == index) {
            return copy_of(error);
        }
    }
    return {Code::unreachable, Effect::unknown, "the batch ended before this answer"};
}

Effect Batch::effect_at(std::size_t index) const {
    return replies_.has(index) ? error_at(index, replies_[index]).effect()
                               : missing(index).effect();
}

void Batch::forget_answers() {
    replies_.clear();
    errors_.clear();
    unsure_.clear();
}

void Batch::clear() {
    bytes_.clear();
    entries_.clear();
    forget_answers();
    repeat_ = Repeat::read;
    lane_ = Lane::shared;
    bulky_ = false;
}

Error Batch::error_at(std::size_t index, RespView reply) const {
    AnyCommand command(entries_[index].name);
    command.set_on_error(entries_[index].on_error).set_repeat(entries_[index].repeat);
    const bool unsure = index < unsure_.size() && unsure_[index];
    return error_of(reply, command, unsure ? Effect::unknown : Effect::none);
}

}  // namespace holdfast::redis
