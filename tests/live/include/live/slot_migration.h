#pragma once
// Slots of a cluster that move from one primary to another, in the order of redis-cli --cluster
// reshard: clients see ASK while a slot is between the two, and MOVED from then on.
//
//   cluster.migration(0, 1).move({1, 2, 3});
//   SlotMigration slow = cluster.migration(0, 1);         // or step by step
//   slow.begin(7);
//   slow.move_keys(7, 1);                                  // one key has moved, others have not
//   slow.finish(7);

#include <live/redis_server.h>

#include <functional>

namespace holdfast::testing {

// Any thread. What a server refuses throws RawFailure.
class SlotMigration {
public:
    struct Node {
        std::uint16_t port = 0;
        std::uint16_t peer_port = 0;  // for other nodes: TLS, if they have it
        std::string id;
    };
    // `others`: to be told at once; those that do not answer learn it by gossip.
    SlotMigration(Node from, Node to, std::vector<std::uint16_t> others, RedisLogin login);

    using AfterSlot = std::function<void(std::uint16_t slot)>;
    void move(const std::vector<std::uint16_t>& slots, const AfterSlot& after = {});

    void begin(std::uint16_t slot);
    // At most so many of the keys that are still there; how many moved.
    std::size_t move_keys(std::uint16_t slot, std::size_t count);
    void finish(std::uint16_t slot);  // with the keys that are left
    void cancel(std::uint16_t slot);  // keys that have moved stay where they are

private:
    void set_slot(std::uint16_t port, std::vector<std::string> words) const;

    Node from_;
    Node to_;
    std::vector<std::uint16_t> others_;
    RedisLogin login_;
};

}  // namespace holdfast::testing
