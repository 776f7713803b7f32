#include "counted_names.h"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::size_t places_min = 8;
constexpr std::uint64_t pending_max = (1U << 23) - 1;  // above any number of calls in flight

std::uint64_t stored(std::uint64_t name) {
    return name == 0 ? 1 : name;
}

}  // namespace

// The steady clock counts from the start of the host: no 40-bit number of milliseconds runs over.
std::uint64_t CountedNames::ticks(SteadyTime now) const {
    const auto since = std::chrono::duration_cast<Duration>(now.time_since_epoch()).count();
    return std::max(last_used_, static_cast<std::uint64_t>(std::max<std::int64_t>(since, 0)));
}

bool CountedNames::expired(const Entry& entry, const CountRule& rule, std::uint64_t now) {
    return rule.idle.count() > 0 && entry.pending == 0 &&
           now - entry.used_at >= static_cast<std::uint64_t>(rule.idle.count());
}

Entered CountedNames::enter(const CountRule& rule, std::uint64_t name, SteadyTime time) {
    if (rule.names_max == 0) {
        return Entered::known;
    }
    const std::uint64_t now = ticks(time);
    last_used_ = now;
    Entry* found = find(stored(name));
    if (found != nullptr && found->kept == 1 && !expired(*found, rule, now)) {
        found->used_at = now;
        return Entered::known;
    }
    if (found != nullptr && found->pending > 0) {  // another call of the name is under way
        if (found->pending == pending_max) {
            return Entered::full;
        }
        found->used_at = now;
        ++found->pending;
        return Entered::fresh;
    }
    if (found != nullptr) {
        erase(found);
    }
    if (size_ >= rule.names_max) {
        sweep(rule, now);
    }
    if (size_ >= rule.names_max) {
        return Entered::full;
    }
    make_room(rule, now);
    Entry entry;
    entry.name = stored(name);
    entry.used_at = now;
    entry.pending = 1;
    insert(entry);
    return Entered::fresh;
}

void CountedNames::settle(std::uint64_t name, bool used) {
    Entry* found = find(stored(name));
    if (found == nullptr) {
        return;
    }
    if (found->pending > 0) {
        --found->pending;
    }
    if (used) {
        found->kept = 1;
    }
    if (found->pending == 0 && found->kept == 0) {
        erase(found);
    }
}

bool CountedNames::idle(const CountRule& rule, SteadyTime time) const {
    const std::uint64_t now = ticks(time);
    return std::ranges::all_of(table_, [&](const Entry& entry) {
        return entry.name == 0 || expired(entry, rule, now);
    });
}

CountedNames::Entry* CountedNames::find(std::uint64_t name) {
    if (table_.empty()) {
        return nullptr;
    }
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = name & mask; table_[at].name != 0; at = (at + 1) & mask) {
        if (table_[at].name == name) {
            return &table_[at];
        }
    }
    return nullptr;
}

void CountedNames::insert(const Entry& entry) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = entry.name & mask;
    while (table_[at].name != 0) {
        at = (at + 1) & mask;
    }
    table_[at] = entry;
    ++size_;
}

// Moves back what would not be found over the empty place.
void CountedNames::erase(Entry* entry) {
    const std::size_t mask = table_.size() - 1;
    auto hole = static_cast<std::size_t>(entry - table_.data());
    for (std::size_t at = (hole + 1) & mask; table_[at].name != 0; at = (at + 1) & mask) {
        const std::size_t home = table_[at].name & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table_[hole] = table_[at];
            hole = at;
        }
    }
    table_[hole] = Entry();
    --size_;
}

// Costs a look at each place, and so happens only when something may have expired: a refused caller
// cannot make it happen more often than names expire.
void CountedNames::sweep(const CountRule& rule, std::uint64_t now) {
    if (rule.idle.count() == 0 || now < sweep_due_) {
        return;
    }
    std::vector<Entry> old = std::move(table_);
    table_ = std::vector<Entry>(old.size());
    size_ = 0;
    std::uint64_t oldest = now;
    for (const Entry& entry : old) {
        if (entry.name != 0 && !expired(entry, rule, now)) {
            oldest = std::min<std::uint64_t>(oldest, entry.used_at);
            insert(entry);
        }
    }
    sweep_due_ = oldest + static_cast<std::uint64_t>(rule.idle.count());
}

void CountedNames::make_room(const CountRule& rule, std::uint64_t now) {
    if (table_.empty()) {
        table_ = std::vector<Entry>(places_min);
        return;
    }
    if ((size_ + 1) * 4 <= table_.size() * 3) {
        return;
    }
    sweep(rule, now);
    if ((size_ + 1) * 4 <= table_.size() * 3) {
        return;
    }
    const std::vector<Entry> old = std::move(table_);
    table_ = std::vector<Entry>(old.size() * 2);
    size_ = 0;
    for (const Entry& entry : old) {
        if (entry.name != 0) {
            insert(entry);
        }
    }
}

}  // namespace holdfast
