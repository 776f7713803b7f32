#include "tracked_cache.h"

#include "key_hash.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/tracked_limits.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace holdfast::redis {

// One block: this, the nodes of the reply, the key, the command, the texts of the reply.
struct TrackedCache::Entry {
    Entry* next = nullptr;  // of the same bucket
    std::uint64_t hash = 0;
    SteadyTime expires{};
    std::uint32_t key_bytes = 0;
    std::uint32_t command_bytes = 0;
    std::uint32_t node_count = 0;
    bool visited = false;  // since the hand came by
    Entry* newer = nullptr;
    Entry* older = nullptr;
    std::size_t bytes = 0;

    RespNode* nodes() { return reinterpret_cast<RespNode*>(this + 1); }
    char* texts() { return reinterpret_cast<char*>(nodes() + node_count); }
    std::string_view key() { return {texts(), key_bytes}; }
    std::string_view command() { return {texts() + key_bytes, command_bytes}; }

    static Entry*
    make(std::uint64_t hash, std::string_view key, std::string_view command, RespView reply);
};

namespace {

// What the allocator (glibc's) takes for a block: eight bytes of its own, in steps of sixteen.
constexpr std::size_t block_bytes(std::size_t size) {
    return std::max<std::size_t>((size + 8 + 15) / 16 * 16, 32);
}

std::string_view text_of(const RespNode& node) {
    const RespView view(&node);
    return view.is_aggregate() ? std::string_view() : view.text();
}

std::size_t text_bytes(RespView reply) {
    std::size_t size = 0;
    for (const RespNode& node : reply.nodes()) {
        size += text_of(node).size();
    }
    return size;
}

char* put(char* at, std::string_view text) {
    return std::copy(text.begin(), text.end(), at);
}

constexpr std::size_t bucket_count(std::size_t bytes_max) {
    return std::max<std::size_t>(std::bit_ceil(bytes_max / tracked_entry_bytes_usual), 16);
}

}  // namespace

TrackedCache::Entry* TrackedCache::Entry::make(
    std::uint64_t hash, std::string_view key, std::string_view command, RespView reply
) {
    static_assert(alignof(RespNode) <= alignof(Entry) && sizeof(Entry) % alignof(RespNode) == 0);
    const std::size_t count = reply.nodes().size();
    const std::size_t size =
        sizeof(Entry) + count * sizeof(RespNode) + key.size() + command.size() + text_bytes(reply);
    auto* entry = new (::operator new(size)) Entry;
    entry->hash = hash;
    entry->key_bytes = static_cast<std::uint32_t>(key.size());
    entry->command_bytes = static_cast<std::uint32_t>(command.size());
    entry->node_count = static_cast<std::uint32_t>(count);
    entry->bytes = block_bytes(size);
    std::uninitialized_copy(reply.nodes().begin(), reply.nodes().end(), entry->nodes());
    char* at = put(put(entry->texts(), key), command);
    for (RespNode& node : std::span(entry->nodes(), count)) {
        const std::string_view text = text_of(node);
        node.data = at;
        node.size = text.size();
        at = put(at, text);
    }
    return entry;
}

TrackedCache::TrackedCache(std::size_t bytes_max, std::uint64_t seed)
    : buckets_(bucket_count(bytes_max), nullptr), mask_(bucket_count(bytes_max) - 1), seed_(seed),
      bytes_max_(bytes_max),
      table_bytes_(sizeof(TrackedCache) + block_bytes(bucket_count(bytes_max) * sizeof(Entry*))),
      bytes_(table_bytes_) {}

TrackedCache::~TrackedCache() {
    flush();
}

TrackedCache::Entry*
TrackedCache::look_up(std::uint64_t hash, std::string_view key, std::string_view command) {
    for (Entry* entry = bucket(hash); entry != nullptr; entry = entry->next) {
        if (entry->hash == hash && entry->key() == key && entry->command() == command) {
            return entry;
        }
    }
    return nullptr;
}

const RespNode* TrackedCache::find(std::string_view key, std::string_view command) {
    Entry* const entry = look_up(key_hash(key, seed_), key, command);
    if (entry == nullptr || entry->expires <= now_) {
        return nullptr;
    }
    if (!entry->visited) {  // else the line would be written to at each hit
        entry->visited = true;
    }
    return entry->nodes();
}

CacheFlight* TrackedCache::flying(std::string_view key, std::string_view command) {
    const std::uint64_t hash = key_hash(key, seed_);
    CacheFlight* at = flights(hash);
    while (at != nullptr && (at->key_ != key || at->command_ != command)) {
        at = at->next_;
    }
    return at;
}

void TrackedCache::begin(CacheFlight& flight) {
    flight.hash_ = key_hash(flight.key_, seed_);
    flight.next_ = std::exchange(flights(flight.hash_), &flight);
    flight.current_ = true;
}

void TrackedCache::give_up(CacheFlight& flight) {
    if (!std::exchange(flight.current_, false)) {
        return;
    }
    CacheFlight** at = &flights(flight.hash_);
    while (*at != &flight) {
        at = &(*at)->next_;
    }
    *at = flight.next_;
}

bool TrackedCache::land(CacheFlight& flight, RespView reply) {
    const bool current = flight.current_;
    give_up(flight);
    if (!current || reply.is_error()) {
        return false;
    }
    const std::size_t most = (bytes_max_ - std::min(bytes_max_, table_bytes_)) / tracked_share;
    const std::size_t size = text_bytes(reply) + reply.nodes().size() * sizeof(RespNode) +
                             flight.key_.size() + flight.command_.size() + sizeof(Entry);
    if (block_bytes(size) > most && !fault("redis.cache_bytes")) {
        return false;
    }
    if (Entry* old = look_up(flight.hash_, flight.key_, flight.command_)) {
        erase(old);
    }
    insert(Entry::make(flight.hash_, flight.key_, flight.command_, reply));
    return true;
}

void TrackedCache::insert(Entry* entry) {
    while (bytes_ + entry->bytes > bytes_max_ && oldest_ != nullptr && !fault("redis.cache_bytes")
    ) {
        evict();
    }
    entry->expires = age_max_ == Duration::zero() ? SteadyTime::max() : now_ + age_max_;
    entry->next = bucket(entry->hash);
    bucket(entry->hash) = entry;
    entry->older = newest_;
    (newest_ == nullptr ? oldest_ : newest_->newer) = entry;
    newest_ = entry;
    bytes_ += entry->bytes;
    ++entries_;
}

void TrackedCache::erase(Entry* entry) {
    Entry** at = &bucket(entry->hash);
    while (*at != entry) {
        at = &(*at)->next;
    }
    *at = entry->next;
    if (hand_ == entry) {
        hand_ = entry->newer;
    }
    (entry->newer == nullptr ? newest_ : entry->newer->older) = entry->older;
    (entry->older == nullptr ? oldest_ : entry->older->newer) = entry->newer;
    bytes_ -= entry->bytes;
    --entries_;
    ::operator delete(entry);
}

// SIEVE (Zhang and others, NSDI 2024): a hit sets a mark and moves nothing; the hand goes from the
// oldest to the newest, takes marks away, and takes out the first that has none.
void TrackedCache::evict() {
    Entry* at = hand_ == nullptr ? oldest_ : hand_;
    while (at->visited && at->expires > now_) {
        at->visited = false;
        at = at->newer == nullptr ? oldest_ : at->newer;
    }
    hand_ = at;
    ++evictions_;
    erase(at);
}

void TrackedCache::invalidate(std::string_view key) {
    const std::uint64_t hash = key_hash(key, seed_);
    for (Entry* entry = bucket(hash); entry != nullptr;) {
        Entry* const next = entry->next;
        if (entry->hash == hash && entry->key() == key) {
            erase(entry);
        }
        entry = next;
    }
    if (fault("redis.cache_race")) {
        return;
    }
    for (CacheFlight* flight = flights(hash); flight != nullptr;) {
        CacheFlight* const next = flight->next_;
        if (flight->key_ == key) {
            give_up(*flight);
        }
        flight = next;
    }
}

void TrackedCache::flush() {
    while (newest_ != nullptr) {
        erase(newest_);
    }
    for (CacheFlight*& list : flights_) {
        while (list != nullptr) {
            give_up(*list);
        }
    }
}

}  // namespace holdfast::redis
