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
    return RespView(&nodes_[starts_[index]]);
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
    append_resp_count(bytes_, command.words());
    bytes_.append(command.bytes());
    entries_.push_back({command.name(), command.on_error()});
    repeat_ = std::max(repeat_, command.repeat());
    if (command.lane() != Lane::shared) {
        lane_ = command.lane();
    }
    bulky_ = bulky_ || command.bulky();
}

void Batch::clear() {
    bytes_.clear();
    entries_.clear();
    replies_.clear();
    repeat_ = Repeat::read;
    lane_ = Lane::shared;
    bulky_ = false;
}

Error Batch::error_at(std::size_t index, RespView reply) const {
    AnyCommand command(entries_[index].name);
    command.set_on_error(entries_[index].on_error);
    return error_of(reply, command);
}

}  // namespace holdfast::redis
