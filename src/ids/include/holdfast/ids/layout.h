#pragma once
// How a time-based id is laid out: time since an epoch, machine, sequence, from the high bits down.
// Source of the defaults: CosId 3.2.1 and 5.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>

#include <cstdint>

namespace holdfast {

enum class TickUnit : std::uint8_t { millisecond, second };

// 2019-12-24T16:00:00Z.
inline constexpr WallTime cosid_epoch{Duration{1'577'203'200'000}};

// A value. `check()` says whether its numbers fit together; everything below needs one that passed.
class IdLayout {
public:
    static IdLayout milliseconds();          // 41/10/12
    static IdLayout seconds();               // 31/10/22
    static IdLayout js_safe_milliseconds();  // 41/3/9
    static IdLayout js_safe_seconds();       // 31/3/19
    static IdLayout text();                  // 44/20/16 of Unix milliseconds: 80 bits, text only

    IdLayout unit(TickUnit unit) &&;
    IdLayout epoch(WallTime epoch) &&;  // whole seconds where the unit is one; not before 1970
    IdLayout bits(int time, int machine, int sequence) &&;
    // A new tick goes on with the sequence below this and starts at 0 from it on.
    // Default: 2^(sequence bits - 1) - 1, so that ids at low rates are not all even.
    IdLayout sequence_reset_threshold(std::int64_t threshold) &&;
    IdLayout js_safe(bool wanted) &&;  // the sum of bits is at most 53

    // invalid_argument, none: each number of bits, their sum (63; 53 js-safe; 80 of text), epoch,
    // threshold; what() names which.
    Result<Done> check() const;

    TickUnit unit() const { return unit_; }
    Duration unit_length() const {
        return unit_ == TickUnit::second ? Duration{1'000} : Duration{1};
    }
    WallTime epoch() const { return epoch_; }
    int time_bits() const { return time_bits_; }
    int machine_bits() const { return machine_bits_; }
    int sequence_bits() const { return sequence_bits_; }
    bool is_text() const { return text_; }
    bool is_js_safe() const { return js_safe_; }

    std::int64_t time_max() const { return (std::int64_t{1} << time_bits_) - 1; }
    std::int64_t machine_max() const { return (std::int64_t{1} << machine_bits_) - 1; }
    std::int64_t sequence_max() const { return (std::int64_t{1} << sequence_bits_) - 1; }
    std::int64_t sequence_reset_threshold() const { return sequence_reset_threshold_; }

    // Ticks are counted from 1970, so that those of one unit compare whatever the epoch.
    std::int64_t tick_of(WallTime time) const;  // the tick that holds the time
    WallTime time_of(std::int64_t tick) const;  // its first millisecond
    std::int64_t epoch_tick() const { return tick_of(epoch_); }
    std::int64_t last_tick() const { return epoch_tick() + time_max(); }
    // Until the time field is full; below zero after that.
    double years_left(WallTime now) const;

    friend bool operator==(const IdLayout&, const IdLayout&) = default;

private:
    WallTime epoch_ = cosid_epoch;
    std::int64_t sequence_reset_threshold_ = 2'047;
    int time_bits_ = 41;
    int machine_bits_ = 10;
    int sequence_bits_ = 12;
    TickUnit unit_ = TickUnit::millisecond;
    bool text_ = false;
    bool js_safe_ = false;
};

struct IdParts {
    std::int64_t time = 0;  // ticks since the layout's epoch
    std::int64_t machine = 0;
    std::int64_t sequence = 0;
    friend auto operator<=>(const IdParts&, const IdParts&) = default;
};

// invalid_argument, none: a part is negative or wider than its bits (never shifted into its
// neighbour), or the layout is of text.
Result<std::int64_t> compose(const IdLayout& layout, const IdParts& parts);
// invalid_argument, none: the id is negative or wider than the layout.
Result<IdParts> decompose(const IdLayout& layout, std::int64_t id);
// The first millisecond of the id's tick.
WallTime time_of(const IdLayout& layout, const IdParts& parts);

}  // namespace holdfast
