#include <holdfast/redis/owned_reply.h>

#include <vector>

namespace holdfast::redis {

struct OwnedReply::Block {
    std::vector<RespNode> nodes;
    std::vector<char> bytes;
};

namespace {

std::string_view text_of(const RespNode& node) {
    const RespView view(&node);
    return view.is_aggregate() ? std::string_view() : view.text();
}

}  // namespace

OwnedReply::OwnedReply(RespView reply) {
    auto block = std::make_shared<Block>();
    block->nodes.assign(reply.nodes().begin(), reply.nodes().end());
    std::size_t size = 0;
    for (const RespNode& node : block->nodes) {
        size += text_of(node).size();
    }
    block->bytes.reserve(size);  // so that no text moves
    for (RespNode& node : block->nodes) {
        const std::string_view text = text_of(node);
        node.data = block->bytes.data() + block->bytes.size();
        node.size = text.size();
        block->bytes.insert(block->bytes.end(), text.begin(), text.end());
    }
    block_ = std::move(block);
}

RespView OwnedReply::view() const {
    return RespView(block_->nodes.data());
}

bool operator==(const OwnedReply& a, const OwnedReply& b) {
    const std::vector<RespNode>& left = a.block_->nodes;
    const std::vector<RespNode>& right = b.block_->nodes;
    if (left.size() != right.size()) {
        return false;
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i].type != right[i].type || left[i].children != right[i].children ||
            text_of(left[i]) != text_of(right[i])) {
            return false;
        }
    }
    return true;
}

Result<OwnedReply> read_reply(RespView reply) {
    return OwnedReply(reply);
}

}  // namespace holdfast::redis
