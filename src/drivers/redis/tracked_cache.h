#pragma once
// What one connection with CLIENT TRACKING has read: replies, found by key and command, forgotten
// by key. No socket and no clock; one thread.
//
// A reply is stored only if nothing was heard of its key from the moment the read was sent: who
// calls sends the read, and lands it here with the reply.

#include <holdfast/base/time.h>
#include <holdfast/resp/reply.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::redis {

// A read on its way, from begin() to land(); in the cache, unless its key was changed meanwhile.
class CacheFlight {
public:
    // Both stay where they are as long as the flight. `command`: its words as they travel; empty:
    // GET.
    CacheFlight(std::string_view key, std::string_view command) : key_(key), command_(command) {}
    ~CacheFlight() = default;
    CacheFlight(const CacheFlight&) = delete;
    CacheFlight& operator=(const CacheFlight&) = delete;

private:
    friend class TrackedCache;
    std::string_view key_;
    std::string_view command_;
    std::uint64_t hash_ = 0;
    CacheFlight* next_ = nullptr;
    bool current_ = false;  // in its list
};

class TrackedCache {
public:
    // Of the bytes, all are counted: keys, commands, replies, and what the table itself needs.
    TrackedCache(std::size_t bytes_max, std::uint64_t seed);
    ~TrackedCache();
    TrackedCache(const TrackedCache&) = delete;
    TrackedCache& operator=(const TrackedCache&) = delete;

    // Null: not here. Else the reply, valid until anything but find() and flying() is called.
    const RespNode* find(std::string_view key, std::string_view command = {});

    // The read to join, if there is one whose key was not changed since it was sent.
    CacheFlight* flying(std::string_view key, std::string_view command = {});
    void begin(CacheFlight& flight);
    // The reply of a flight that was begun. False: not stored, because the key was changed
    // meanwhile, or the reply is an error or too large.
    bool land(CacheFlight& flight, RespView reply);
    // It has no reply.
    void give_up(CacheFlight& flight);

    // All that was read of the key, and all that is on its way.
    void invalidate(std::string_view key);
    void flush();

    // Replies are found until so long after they were stored; zero: for ever. Before any is stored.
    void set_age_max(Duration most) { age_max_ = most; }
    // Time as find() and land() see it.
    void set_time(SteadyTime now) { now_ = now; }

    std::size_t bytes() const { return bytes_; }
    std::size_t entries() const { return entries_; }
    std::uint64_t evictions() const { return evictions_; }

private:
    struct Entry;
    static constexpr std::size_t flight_lists = 256;  // flights are a thousand or so

    Entry*& bucket(std::uint64_t hash) { return buckets_[hash & mask_]; }
    CacheFlight*& flights(std::uint64_t hash) { return flights_[hash % flight_lists]; }
    Entry* look_up(std::uint64_t hash, std::string_view key, std::string_view command);
    void insert(Entry* entry);
    void erase(Entry* entry);
    void evict();

    std::vector<Entry*> buckets_;
    std::uint64_t mask_;
    std::uint64_t seed_;
    SteadyTime now_{};
    Duration age_max_{0};
    Entry* newest_ = nullptr;
    Entry* oldest_ = nullptr;
    Entry* hand_ = nullptr;  // whom SIEVE looks at next; null: the oldest
    std::size_t bytes_max_;
    std::size_t table_bytes_;
    std::size_t bytes_;
    std::size_t entries_ = 0;
    std::uint64_t evictions_ = 0;
    std::array<CacheFlight*, flight_lists> flights_{};
};

}  // namespace holdfast::redis
