#include <live/slot_migration.h>

#include <utility>

namespace holdfast::testing {
namespace {

constexpr std::size_t keys_at_once = 100;
constexpr std::string_view migrate_timeout_ms = "5000";

void expect_ok(const RawReply& reply, const std::string& what) {
    if (reply.is_error()) {
        throw RawFailure(what + ": " + reply.text);
    }
}

}  // namespace

SlotMigration::SlotMigration(
    Node from, Node to, std::vector<std::uint16_t> others, RedisLogin login
)
    : from_(std::move(from)), to_(std::move(to)), others_(std::move(others)),
      login_(std::move(login)) {}

void SlotMigration::set_slot(std::uint16_t port, std::vector<std::string> words) const {
    words.insert(words.begin(), {"CLUSTER", "SETSLOT"});
    expect_ok(logged_in(port, login_).call(words), "SETSLOT " + words[2] + " " + words[3]);
}

// The receiver first: where the giver answers ASK, the receiver must know what ASKING means.
void SlotMigration::begin(std::uint16_t slot) {
    set_slot(to_.port, {std::to_string(slot), "IMPORTING", from_.id});
    set_slot(from_.port, {std::to_string(slot), "MIGRATING", to_.id});
}

std::size_t SlotMigration::move_keys(std::uint16_t slot, std::size_t count) {
    RawRedis from = logged_in(from_.port, login_);
    const RawReply keys =
        from.call({"CLUSTER", "GETKEYSINSLOT", std::to_string(slot), std::to_string(count)});
    expect_ok(keys, "GETKEYSINSLOT");
    if (keys.children.empty()) {
        return 0;
    }
    std::vector<std::string> words{
        "MIGRATE",
        "127.0.0.1",
        std::to_string(to_.peer_port),
        "",
        "0",
        std::string(migrate_timeout_ms),
        "REPLACE"
    };
    if (!login_.user.empty()) {
        words.insert(words.end(), {"AUTH2", login_.user, login_.password});
    } else if (!login_.password.empty()) {
        words.insert(words.end(), {"AUTH", login_.password});
    }
    words.emplace_back("KEYS");
    for (const RawReply& key : keys.children) {
        words.push_back(key.text);
    }
    expect_ok(from.call(words), "MIGRATE");
    return keys.children.size();
}

// The receiver first again: were it the giver, a failure between the two would leave the slot
// with nobody.
void SlotMigration::finish(std::uint16_t slot) {
    while (move_keys(slot, keys_at_once) > 0) {
    }
    const std::vector<std::string> words{std::to_string(slot), "NODE", to_.id};
    set_slot(to_.port, words);
    set_slot(from_.port, words);
    for (const std::uint16_t port : others_) {
        try {
            set_slot(port, words);
        } catch (const RawFailure&) {  // a replica, or a node that is down
        }
    }
}

void SlotMigration::cancel(std::uint16_t slot) {
    set_slot(from_.port, {std::to_string(slot), "STABLE"});
    set_slot(to_.port, {std::to_string(slot), "STABLE"});
}

void SlotMigration::move(const std::vector<std::uint16_t>& slots, const AfterSlot& after) {
    for (const std::uint16_t slot : slots) {
        begin(slot);
        finish(slot);
        if (after) {
            after(slot);
        }
    }
}

}  // namespace holdfast::testing
