#include "scored.h"

namespace holdfast::redis {

Result<std::vector<ScoredMember>> read_scored(RespView reply) {
    auto pairs = read_pairs_of<read_text, read_real>(reply);
    if (!pairs.ok()) {
        return std::move(pairs).error();
    }
    std::vector<ScoredMember> members;
    members.reserve(pairs.value().size());
    for (auto& [member, score] : pairs.value()) {
        members.emplace_back(std::move(member), score);
    }
    return members;
}

Result<Popped<ScoredMember>> read_popped_members(RespView reply) {
    Popped<ScoredMember> popped;
    return Places(reply, 2)
        .take(popped.key, read_text)
        .take(popped.items, read_scored)
        .give(popped);
}

Result<PoppedMember> read_popped_member(RespView reply) {
    PoppedMember popped;
    return Places(reply, 3)
        .take(popped.key, read_text)
        .take(popped.member, read_text)
        .take(popped.score, read_real)
        .give(popped);
}

}  // namespace holdfast::redis
