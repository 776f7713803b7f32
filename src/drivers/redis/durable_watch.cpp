#include <holdfast/redis/client.h>
#include <holdfast/redis/durable_limits.h>
#include <holdfast/redis/durable_watch.h>

namespace holdfast::redis {

Task<> watch_copies(Client& client, RequiredCopies& required, std::int32_t slot) {
    const Scope& scope = co_await this_scope();
    Loop& loop = scope.loop();
    while (!scope.cancelled()) {
        const SteadyTime next = loop.now() + role_poll_pause;
        AnyCommand role("ROLE", Repeat::idempotent);  // reads may go to replicas
        role.route_to(slot);
        Command<ReplicasSeen> asked(std::move(role), read_replicas_seen);
        auto seen = co_await client.run(std::move(asked), Deadline::at(next));
        if (seen.ok()) {
            required.seen(seen.value(), loop.now());
        }
        auto slept = co_await sleep(next);
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
    }
    co_return cancelled_error();
}

}  // namespace holdfast::redis
