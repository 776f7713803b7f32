// Ticks and sequences of the gate against what CosId 3.2.1 answered.
#include "lease/gate.h"
#include "tests/vectors.h"

#include <holdfast/ids/codec.h>

namespace holdfast {
namespace {

using testing::CosIdVector;

class HandClock final : public Clock {
public:
    SteadyTime steady_now() const override { return SteadyTime(Duration(ms)); }
    WallTime wall_now() const override { return WallTime(Duration(ms)); }
    std::int64_t ms = 0;
};

// A generator of CosId: a gate whose window has no end, on a clock set by hand. Times are ticks.
class Peer {
public:
    explicit Peer(const IdLayout& layout)
        : layout_(layout), ticks_(clock_, TickClock::Source::wall, TickClock::Reading::exact),
          gate_(layout, ticks_, Duration(10'000)) {}

    // As if it had issued the sequence in that tick, and no other id.
    void start_at(std::int64_t tick, std::int64_t sequence) {
        open(tick);
        while (sequence_ < sequence && next()) {
        }
    }
    void open(std::int64_t tick) {
        set_clock(tick);
        ticks_.restart();
        gate_.open(1, StoreTime(), StoreTime::max());
    }
    void set_clock(std::int64_t tick) { clock_.ms = tick * layout_.unit_length().count(); }

    bool next() {
        const auto threshold = static_cast<std::uint64_t>(layout_.sequence_reset_threshold());
        const Taken taken = gate_.take(1, threshold);
        if (taken.count == 0) {
            return false;
        }
        tick_ = static_cast<std::int64_t>(taken.first >> layout_.sequence_bits()) +
                layout_.epoch_tick();
        sequence_ = static_cast<std::int64_t>(taken.first) & layout_.sequence_max();
        return true;
    }
    std::int64_t tick() const { return tick_; }
    std::int64_t sequence() const { return sequence_; }
    bool full() const { return sequence_ == layout_.sequence_max(); }

    std::string id() const {
        const IdParts parts{tick_ - layout_.epoch_tick(), 1, sequence_};
        if (!layout_.is_text()) {
            return std::to_string(compose(layout_, parts).value());
        }
        std::string text;
        const auto codec = make_text_codec(CodecOptions(TextBase::radix62).layout(layout_)).value();
        EXPECT_TRUE(codec->append(text, parts, TextContext()).ok());
        return text;
    }

private:
    IdLayout layout_;
    HandClock clock_;
    TickClock ticks_;
    Gate gate_;
    std::int64_t tick_ = -1;
    std::int64_t sequence_ = 0;
};

// The reads of their clock, one for each id; those of a wait inside an id are skipped.
class Reads {
public:
    explicit Reads(JsonArray values) {
        for (const JsonValue value : values) {
            reads_.push_back(value.integer_or_text().value());
        }
    }
    std::int64_t next() {
        at_ += at_ + 1 < reads_.size() ? 1 : 0;
        return reads_[at_];
    }
    void skip_to_after(std::int64_t tick) {
        while (at_ + 1 < reads_.size() && reads_[at_] <= tick) {
            ++at_;
        }
    }

private:
    std::vector<std::int64_t> reads_;
    std::size_t at_ = static_cast<std::size_t>(-1);
};

IdLayout layout_of(const CosIdVector& vector) {
    const auto bits = static_cast<int>(vector.integer("sequenceBit"));
    const auto threshold = vector.integer("resetThreshold");
    return vector.section() == "cosid_sequence"
               ? IdLayout::text().bits(44, 20, bits).sequence_reset_threshold(threshold)
               : IdLayout::milliseconds().bits(41, 10, bits).sequence_reset_threshold(threshold);
}

// "" if we issue as they did.
std::string follow(const CosIdVector& vector) {
    Peer peer(layout_of(vector));
    Reads reads(vector.in().array("clockReads").value());
    const bool fresh =
        vector.in().find("lastTimestamp") == std::nullopt || vector.integer("lastTimestamp") < 0;
    fresh ? peer.open(0)
          : peer.start_at(vector.integer("lastTimestamp"), vector.integer("lastSequence"));
    for (const JsonValue expected : vector.out()->children()) {
        const std::int64_t read = reads.next();
        const bool overflows = read == peer.tick() && peer.full();
        peer.set_clock(read);
        const bool issued = peer.next();
        if (overflows) {
            reads.skip_to_after(read);
        }
        const auto theirs = expected.object();
        if (issued != theirs.has_value()) {
            return issued ? "issued " + peer.id() : "refused";
        }
        if (!issued) {
            continue;
        }
        const char* const form = vector.section() == "cosid_sequence" ? "text" : "id";
        if (peer.id() != theirs->text(form).value() ||
            peer.sequence() != theirs->integer_or_text("sequence").value()) {
            return peer.id();
        }
    }
    return "";
}

TEST(TimeVectors, the_threshold_of_a_sequence_follows_its_bits) {
    testing::check_cosid_vectors(
        {"sequence_reset"},
        {{637, "a sequence of no bits is always 0, whatever the threshold: ours is 0"}},
        [](const CosIdVector& vector) -> std::string {
            IdLayout layout = IdLayout::text();
            if (vector.call().starts_with("SnowflakeId")) {
                layout = IdLayout::milliseconds().bits(
                    31, 10, static_cast<int>(vector.integer("sequenceBit"))
                );
            } else if (vector.call().starts_with("Millisecond")) {
                layout = IdLayout::milliseconds();
            } else if (vector.call().starts_with("Second")) {
                layout = IdLayout::seconds();
            }
            const bool same = vector.out()->integer_or_text() == layout.sequence_reset_threshold();
            return same ? "" : std::to_string(layout.sequence_reset_threshold());
        }
    );
}

TEST(TimeVectors, numbers_go_on_in_their_ticks_as_in_cosid) {
    constexpr std::string_view free =
        "a sequence that comes to 0 in a new tick is free there; they wait for the tick after it";
    testing::check_cosid_vectors({"snowflake_sequence"}, {{909, free}, {911, free}}, follow);
}

TEST(TimeVectors, texts_go_on_in_their_ticks_as_in_cosid) {
    testing::check_cosid_vectors(
        {"cosid_sequence"},
        {{1778, "a clock that steps back does not stop us: the last tick goes on"},
         {1779, "a refused id takes no number: theirs leaves 2 out"}},
        follow
    );
}

// "" if we issue, or refuse, as they did with a clock that went back.
std::string follow_back(const CosIdVector& vector) {
    const bool seconds =
        vector.call().find("second") != std::string_view::npos || vector.in().text("unit").ok();
    Peer peer(seconds ? IdLayout::seconds() : IdLayout::milliseconds());
    if (vector.call().starts_with("generate()")) {
        peer.start_at(vector.integer("lastTimestamp"), 3);
        peer.set_clock(vector.integer("now"));
        return peer.next() == vector.threw() ? "issued " + peer.id() : "";
    }
    const auto clock = vector.in().array("clock");
    if (!clock.ok() || vector.call().find("CosId") != std::string_view::npos) {
        return "there is nothing like it";
    }
    Reads reads(clock.value());
    const auto last = vector.in().integer_or_text("lastTimestamp");
    last.ok() ? peer.start_at(last.value(), 3) : peer.open(0);
    peer.set_clock(reads.next());
    const bool first = peer.next();
    if (vector.threw()) {
        return first ? "issued " + peer.id() : "";
    }
    if (const auto answers = vector.out()->array(); answers.has_value()) {
        return first                                         ? "issued " + peer.id()
               : (peer.set_clock(reads.next()), peer.next()) ? peer.id()
                                                             : "";
    }
    const auto theirs = vector.out()->object().value().text("id");
    return first && theirs.value() == peer.id() ? "" : "issued " + peer.id();
}

// Row 33.
TEST(TimeVectors, a_clock_that_steps_back_does_not_stop_us) {
    constexpr std::string_view on = "the last tick goes on while the clock is behind";
    constexpr std::string_view no_class =
        "we have no class that waits for a clock: a task waits, next() answers why not";
    testing::CosIdExceptions exceptions = {
        {912, on},
        {913, on},
        {914, on},
        {915, "a time past the field moves nothing: the clock that is set back is good again"},
        {930, on},
        {931, no_class},
        {1781, "the same text without waiting: it has no such object"},
    };
    for (std::int64_t n = 916; n <= 928; ++n) {
        exceptions[n] = no_class;
    }
    testing::check_cosid_vectors({"clock_backwards"}, exceptions, follow_back);
}

}  // namespace
}  // namespace holdfast
