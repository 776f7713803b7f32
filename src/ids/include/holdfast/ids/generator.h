#pragma once
// What all generators have in common: numbers, or texts, or an error that says why not now.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>
#include <holdfast/ids/codec.h>
#include <holdfast/ids/layout.h>
#include <holdfast/io/task.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

enum class IdStrategy : std::uint8_t {
    snowflake,  // 63 bits, ordered by time; needs a machine
    string,     // 80 bits as text, ordered by time; needs a machine
    segment,    // 63 bits from reserved ranges; needs a store
    periodic,   // as segment, starting again in each period
};
std::string_view name_of(IdStrategy strategy);
bool is_time_based(IdStrategy strategy);  // snowflake, string

enum class IdState : std::uint8_t {
    issuing,
    waiting,    // a lease or a range is being fetched; it was never issuing, or ran out
    sealed,     // the range key was ended for ever
    exhausted,  // the range key has reached 2^63-1
    lost,       // the lease is gone and stays so until an operator looks: the store lost a write
    disabled,   // by the settings
    closed,
};
std::string_view name_of(IdState state);

struct GeneratorInfo {
    std::string name;
    IdStrategy strategy = IdStrategy::snowflake;
    IdState state = IdState::waiting;
    std::optional<IdLayout> layout;    // of time-based ones
    std::optional<double> years_left;  // of time-based ones
    std::optional<std::int64_t>
        last;                     // the highest id given out by this process, where it is known
    std::string range_key;        // of segments and periods: the one in use
    std::int64_t prefetched = 0;  // numbers reserved and not yet given out
    std::uint64_t issued = 0;     // numbers given out by this process
    std::uint64_t burnt = 0;      // numbers this process will never give out
};

struct PeriodicIds {
    std::string period;  // 2026-11
    std::size_t count = 0;
};

// Any thread. One object per name, shared by all callers; it lives as long as its IdRuntime.
//
// Errors of all verbs, always with effect none (a number may be burnt, never repeated):
//   overloaded       not now: the sequence of this tick is used up, or the next range is on its way
//   unreachable      no lease or range, and the store does not give one; renewed by itself
//   timed_out        Task forms: the deadline passed while waiting for one of the above
//   denied           for ever: see info().state (sealed, exhausted, disabled)
//   corrupt          the store has lost an acknowledged write: an operator must look
//   unsupported      this strategy has no such form (a number of a string generator)
//   invalid_argument the clock is before the epoch, or past the time field
//   closed           the runtime was closed, or this is a forked child
class IdGenerator {
public:
    virtual ~IdGenerator() = default;

    virtual const std::string& name() const = 0;
    virtual IdStrategy strategy() const = 0;
    virtual GeneratorInfo info() const = 0;

    // Never blocks, takes no lock on its usual way, calls no store.
    virtual Result<std::int64_t> next() = 0;
    // Fills the beginning of `ids` with at least one and says how many; one or few atomic
    // operations for all of them. Rising within one call.
    virtual Result<std::size_t> next(std::span<std::int64_t> ids) = 0;
    // Through the generator's codec.
    virtual Result<std::string> next_text() = 0;
    // Periodic only: all of one period, fewer than asked for at its end.
    virtual Result<PeriodicIds> next_of_period(std::span<std::int64_t> ids) = 0;

    // The same, waiting for the clock or the store up to the deadline. On an error what was taken
    // so far is burnt. `ids` and the generator outlive the task. Loops of the runtime.
    virtual Task<std::int64_t> next(Deadline deadline) = 0;
    virtual Task<Done> fill(std::span<std::int64_t> ids, Deadline deadline) = 0;
    virtual Task<Done> fill_text(std::span<std::string> texts, Deadline deadline) = 0;
    virtual Task<PeriodicIds> fill_of_period(std::span<std::int64_t> ids, Deadline deadline) = 0;

    // What the text says; the date prefix and decorators are checked.
    virtual Result<std::int64_t> parse(std::string_view text) const = 0;
    virtual Result<IdParts> parse_parts(std::string_view text) const = 0;  // time-based ones
};

}  // namespace holdfast
