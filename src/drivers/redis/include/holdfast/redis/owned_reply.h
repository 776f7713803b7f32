#pragma once
// A reply that owns its bytes: for answers without a fixed shape. A copy shares them.

#include <holdfast/base/result.h>
#include <holdfast/resp/reply.h>

#include <memory>

namespace holdfast::redis {

class OwnedReply {
public:
    explicit OwnedReply(RespView reply);

    // Valid as long as this reply or a copy of it lives.
    RespView view() const;

    // Same types, texts and children.
    friend bool operator==(const OwnedReply& a, const OwnedReply& b);

private:
    struct Block;
    std::shared_ptr<const Block> block_;
};

bool operator==(const OwnedReply& a, const OwnedReply& b);

Result<OwnedReply> read_reply(RespView reply);  // any

}  // namespace holdfast::redis
