#include "loop_side.h"

#include <holdfast/io/compose.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/copies_by_shard.h>
#include <holdfast/redis/durable_limits.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {
namespace {

// Of CONFIG GET appendonly appendfsync: names and values in turn.
Result<bool> read_flushes_always(RespView reply) {
    bool file = false;
    bool always = false;
    std::string_view name;
    bool is_name = true;
    for (const RespView word : reply) {
        file = file || (!is_name && name == "appendonly" && word.text() == "yes");
        always = always || (!is_name && name == "appendfsync" && word.text() == "always");
        name = word.text();
        is_name = !is_name;
    }
    return file && always;
}

Command<ReplicasSeen> role_of(std::int32_t slot) {
    AnyCommand role("ROLE", Repeat::idempotent);  // reads may go to replicas
    role.route_to(slot);
    return {std::move(role), read_replicas_seen};
}

Command<bool> flushing_of(std::int32_t slot) {
    AnyCommand config("CONFIG|GET", Repeat::idempotent);
    config.add("appendonly").add("appendfsync").route_to(slot);
    return {std::move(config), read_flushes_always};
}

// A slot of each shard that has one.
std::vector<std::int32_t> slots_of(const Topology* topology) {
    if (topology == nullptr || topology->shape() != Shape::cluster) {
        return {slot_of_no_key};
    }
    std::vector<std::int32_t> slots;
    std::vector<bool> has(topology->shards().size(), false);
    for (std::size_t slot = 0; slot < topology->owners().size(); ++slot) {
        const std::uint16_t shard = topology->owners()[slot];
        if (shard != Topology::no_shard && !has[shard]) {
            has[shard] = true;
            slots.push_back(static_cast<std::int32_t>(slot));
        }
    }
    return slots;
}

class CopiesLook {
public:
    CopiesLook(Client& client, CopiesByShard& shards, LoopSide& side)
        : client_(&client), shards_(&shards), side_(&side) {}

    static Task<> shard(CopiesLook self, std::int32_t slot, Deadline until) {
        const Endpoint node = self.primary_of(slot);
        auto seen = co_await self.client_->run(role_of(slot), until);
        // What another node has said in the meantime is not of this one.
        if (seen.ok() && self.primary_of(slot) == node) {
            RequiredCopies* required = self.shards_->at(node, self.side_->topology());
            self.shards_->role_said(node, seen.value(), self.side_->loop().now());
            if (required == nullptr || required->required() == 0) {
                auto flushes = co_await self.client_->run(flushing_of(slot), until);
                const bool told = flushes.ok() || flushes.error().code() == Code::denied;
                if (told && self.primary_of(slot) == node) {
                    self.shards_->flushes_always(node, flushes.ok() && flushes.value());
                }
            }
        }
        co_return Done();
    }

private:
    // An empty host: nobody is known.
    Endpoint primary_of(std::int32_t slot) const { return side_->primary_at(slot); }

    Client* client_;
    CopiesByShard* shards_;
    LoopSide* side_;
};

}  // namespace

Task<> watch_copies(Client& client, CopiesByShard& shards) {
    const Scope& scope = co_await this_scope();
    Loop& loop = scope.loop();
    LoopSide* side = client.side_of(loop);
    if (side == nullptr) {
        co_return Error(Code::invalid_argument, Effect::none, "a loop of another runtime");
    }
    while (!scope.cancelled()) {
        const bool known = side->is_single() || side->topology() != nullptr;
        const SteadyTime next = loop.now() + role_poll_pause;
        std::vector<Task<>> looks;
        for (const std::int32_t slot : slots_of(side->topology().get())) {
            const CopiesLook look(client, shards, *side);
            looks.push_back(CopiesLook::shard(look, slot, Deadline::at(next)));
        }
        (void)co_await when_all(std::move(looks));
        if (!known && side->topology() != nullptr) {
            continue;  // the first question found out whom to ask
        }
        auto slept = co_await sleep(next);
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
    }
    co_return cancelled_error();
}

}  // namespace holdfast::redis
