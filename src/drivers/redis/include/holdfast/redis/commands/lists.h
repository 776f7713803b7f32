#pragma once
// Lists: texts in an order, pushed and popped at both ends.
//
// The blocking ones answer null when their time is over; a wait of zero has no end. They travel on
// connections of their own. What they took is lost if the answer is: use BLMOVE to a list of one's
// own where that matters.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

enum class ListEnd : std::uint8_t { left, right };

// From which key something was taken, and what.
template <class Item>
struct Popped {
    std::string key;
    std::vector<Item> items;

    friend bool operator==(const Popped&, const Popped&) = default;
};

// The key and the element.
using PoppedOne = std::pair<std::string, std::string>;

class LposOptions {
public:
    // Which match: 1 the first, -1 the last.
    LposOptions& rank(std::int64_t rank) {
        rank_ = rank;
        return *this;
    }
    // How many elements to look at.
    LposOptions& length_max(std::uint64_t length) {
        length_max_ = length;
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::optional<std::int64_t> rank_;
    std::optional<std::uint64_t> length_max_;
};

Command<std::optional<std::string>>
blmove(std::string_view from, std::string_view to, ListEnd taken, ListEnd put, Duration wait);
Command<std::optional<Popped<std::string>>>
blmpop(Words keys, ListEnd end, Duration wait, std::uint64_t count = 1);
Command<std::optional<PoppedOne>> blpop(Words keys, Duration wait);
Command<std::optional<PoppedOne>> brpop(Words keys, Duration wait);
Command<std::optional<std::string>> lindex(std::string_view key, std::int64_t index);
// -1: no such pivot; 0: no such key; else the new length.
Command<std::int64_t>
linsert_before(std::string_view key, std::string_view pivot, std::string_view element);
Command<std::int64_t>
linsert_after(std::string_view key, std::string_view pivot, std::string_view element);
Command<std::int64_t> llen(std::string_view key);
Command<std::optional<std::string>>
lmove(std::string_view from, std::string_view to, ListEnd taken, ListEnd put);
// From the first of these keys that holds something.
Command<std::optional<Popped<std::string>>> lmpop(Words keys, ListEnd end, std::uint64_t count = 1);
Command<std::optional<std::string>> lpop(std::string_view key);
Command<std::vector<std::string>> lpop(std::string_view key, std::uint64_t count);
Command<std::optional<std::int64_t>>
lpos(std::string_view key, std::string_view element, const LposOptions& options = {});
// The first `count` matches; 0: all.
Command<std::vector<std::int64_t>> lpos_all(
    std::string_view key,
    std::string_view element,
    std::uint64_t count,
    const LposOptions& options = {}
);
Command<std::int64_t> lpush(std::string_view key, Words elements);   // the new length
Command<std::int64_t> lpushx(std::string_view key, Words elements);  // 0: no such key
// Negative positions count from the end; `last` belongs to it.
Command<std::vector<std::string>>
lrange(std::string_view key, std::int64_t first, std::int64_t last);
// Removes the first `count` that are equal; a negative count starts at the end; 0: all.
Command<std::int64_t> lrem(std::string_view key, std::int64_t count, std::string_view element);
Command<Done> lset(std::string_view key, std::int64_t index, std::string_view element);
Command<Done> ltrim(std::string_view key, std::int64_t first, std::int64_t last);
Command<std::optional<std::string>> rpop(std::string_view key);
Command<std::vector<std::string>> rpop(std::string_view key, std::uint64_t count);
Command<std::int64_t> rpush(std::string_view key, Words elements);
Command<std::int64_t> rpushx(std::string_view key, Words elements);

}  // namespace holdfast::redis
