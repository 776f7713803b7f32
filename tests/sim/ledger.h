#pragma once
// Every id that was given out and every range that was reserved, and what must hold of them.

#include <holdfast/base/fence.h>
#include <holdfast/base/time.h>
#include <holdfast/store/slot_lease_store.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace holdfast::sim {

using SessionId = std::uint32_t;  // one opening of an IdRuntime

// Numbers of one kind: none may come twice. Consecutive ones are one entry.
struct Span {
    std::int64_t first;
    std::int64_t last;
    SessionId session;
    std::int64_t at_ms;  // since the begin
};

// What one session has issued under one fence, in store milliseconds.
struct Window {
    Slot slot;
    Fence fence;
    SessionId session;
    StoreTime begin;
    StoreTime end;  // exclusive
};

class Ledger {
public:
    void time_ids(const std::string& kind, const Span& span) { add(time_kinds_[kind], span); }
    void range_ids(const std::string& key, const Span& span) { add(keys_[key].issued, span); }
    void reserved(const std::string& key, const Span& range) {
        keys_[key].reserved.push_back(range);
    }
    void window(const std::string& name, const Window& window);
    // What the store has reserved for a fence: its floor and the highest ceiling.
    void granted(const std::string& name, const SlotLease& lease);
    // Something that must never be, seen while it happened.
    void wrong(std::string what);
    // No id came twice, but something should not have been: a broken variant is not proved by it.
    void alarm(std::string what);

    // Sentences; empty: all holds.
    std::vector<std::string> check();
    const std::vector<std::string>& alarms() const { return alarms_; }
    std::uint64_t hash() const { return hash_; }

private:
    struct RangeKeyLog {
        std::vector<Span> issued;
        std::vector<Span> reserved;
    };
    void add(std::vector<Span>& spans, const Span& span);
    void check_unique(const std::string& kind, std::vector<Span>& spans, const char* what);
    void check_inside(const std::string& key, RangeKeyLog& log);
    void check_grant(const std::string& name, const Window& window);
    void check_windows(const std::string& name, std::vector<Window>& windows);

    std::map<std::string, std::vector<Span>> time_kinds_;
    std::map<std::string, RangeKeyLog> keys_;
    std::map<std::string, std::vector<Window>> windows_;
    struct Grant {
        StoreTime floor;
        StoreTime ceiling;
    };
    std::map<std::tuple<std::string, Slot, Fence>, Grant> grants_;
    std::vector<std::string> wrongs_;
    std::vector<std::string> alarms_;
    std::uint64_t hash_ = 14695981039346656037U;
};

}  // namespace holdfast::sim
