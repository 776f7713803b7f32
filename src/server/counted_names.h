#pragma once
// How many names somebody uses: 64-bit keyed hashes of them, each forgotten when it was not used
// for a while. The arithmetic alone: no lock, no clock.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast {

enum class Entered : std::uint8_t {
    known,  // counted already, or counted by nobody: there is nothing to settle
    fresh,  // counted for now: settle() says whether it stays
    full,   // not counted: there is no room
};

// 0: no limit, nothing is remembered. 0 ms: nothing is forgotten.
struct CountRule {
    std::size_t names_max = 0;
    Duration idle{0};
};

// At most `names_max` names at 16 bytes in a table that is between three eighths and three quarters
// full: 43 bytes a name. Times may not go back; they are kept for 34 years from the first.
class CountedNames {
public:
    Entered enter(const CountRule& rule, std::uint64_t name, SteadyTime now);
    // What became of one fresh entry. A name whose uses all failed does not count.
    void settle(std::uint64_t name, bool used);
    // Whether every name has been forgotten.
    bool idle(const CountRule& rule, SteadyTime now) const;

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return table_.capacity() * sizeof(Entry); }

private:
    struct Entry {
        std::uint64_t name = 0;  // 0: an empty place
        std::uint64_t used_at : 40 = 0;
        std::uint64_t pending : 23 = 0;  // entries not settled yet
        std::uint64_t kept : 1 = 0;
    };
    static bool expired(const Entry& entry, const CountRule& rule, std::uint64_t now);
    Entry* find(std::uint64_t name);
    void insert(const Entry& entry);
    void erase(Entry* entry);
    void sweep(const CountRule& rule, std::uint64_t now);
    void make_room(const CountRule& rule, std::uint64_t now);
    std::uint64_t ticks(SteadyTime now) const;

    std::vector<Entry> table_;  // a power of two places, probed one after the other
    std::size_t size_ = 0;
    std::uint64_t last_used_ = 0;
    std::uint64_t sweep_due_ = 0;  // nothing can have expired before
};

}  // namespace holdfast
