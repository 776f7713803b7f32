#include "lease/time_generator.h"

#include "lease/gate.h"
#include "lease/lease_limits.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/ids/limits.h>
#include <holdfast/io/loop.h>

#include <algorithm>
#include <atomic>
#include <string>

namespace holdfast {
namespace {

Error error_of(Refusal refusal) {
    switch (refusal) {
    case Refusal::ahead_of_clock:
        return Error(
            Code::overloaded, Effect::none, "the ids of this tick are used up, or the clock is back"
        );
    case Refusal::before_epoch:
        return Error(Code::invalid_argument, Effect::none, "the clock is before the epoch");
    case Refusal::past_time_field:
        return Error(Code::invalid_argument, Effect::none, "the time field is full");
    case Refusal::suspended:
        return Error(Code::corrupt, Effect::none, "the store has lost an acknowledged write");
    case Refusal::closed:
        return closed_error();
    case Refusal::none:
    case Refusal::no_lease:
        return Error(Code::unreachable, Effect::none, "there is no machine lease");
    case Refusal::window_used_up:
        break;
    }
    return Error(
        Code::unreachable, Effect::none, "the lease is used up, and its renewal is overdue"
    );
}

IdState state_of(Refusal refusal) {
    switch (refusal) {
    case Refusal::none:
        return IdState::issuing;
    case Refusal::suspended:
        return IdState::lost;
    case Refusal::closed:
        return IdState::closed;
    default:
        return IdState::waiting;
    }
}

Error no_such_form(std::string_view what) {
    return Error(Code::unsupported, Effect::none, what);
}

class TimeGenerator final : public IdGenerator {
public:
    TimeGenerator(
        const GeneratorOptions& options,
        Machine& machine,
        std::unique_ptr<IdCodec> codec,
        std::unique_ptr<TextIdCodec> text_codec
    )
        : gate_(machine.gate(options.layout())), share_(gate_.join()), layout_(options.layout()),
          threshold_(static_cast<std::uint64_t>(layout_.sequence_reset_threshold())),
          sequence_max_(static_cast<std::uint64_t>(layout_.sequence_max())),
          sequence_bits_(layout_.sequence_bits()), machine_bits_(layout_.machine_bits()),
          text_only_(layout_.is_text()), codec_(std::move(codec)),
          text_codec_(std::move(text_codec)), strategy_(options.strategy()), name_(options.name()),
          machine_(machine) {}

    const std::string& name() const override { return name_; }
    IdStrategy strategy() const override { return strategy_; }
    GeneratorInfo info() const override;

    Result<std::int64_t> next() override {
        if (text_only_) {
            return no_number();
        }
        const Taken taken = take(1);
        if (taken.count == 0) [[unlikely]] {
            return error_of(taken.refusal);
        }
        return number_of(taken.first, taken.machine);
    }
    Result<std::size_t> next(std::span<std::int64_t> ids) override;
    Result<std::string> next_text() override;
    Result<PeriodicIds> next_of_period(std::span<std::int64_t> /*ids*/) override {
        return no_such_form("only periodic generators have periods");
    }

    Task<std::int64_t> next(Deadline deadline) override;
    Task<Done> fill(std::span<std::int64_t> ids, Deadline deadline) override;
    Task<Done> fill_text(std::span<std::string> texts, Deadline deadline) override;
    Task<PeriodicIds>
    fill_of_period(std::span<std::int64_t> /*ids*/, Deadline /*deadline*/) override {
        co_return no_such_form("only periodic generators have periods");
    }

    Result<std::int64_t> parse(std::string_view text) const override {
        return text_only_ ? no_number() : codec_->parse(text);
    }
    Result<IdParts> parse_parts(std::string_view text) const override {
        if (text_only_) {
            return text_codec_->parse(text);
        }
        auto id = codec_->parse(text);
        if (!id.ok()) {
            return std::move(id).error();
        }
        return decompose(layout_, id.value());
    }

private:
    static Error no_number() { return no_such_form("the ids of this generator are only texts"); }

    Taken take(std::uint64_t count) {
        const Taken taken = gate_.take(count, threshold_);
        if (share_ != nullptr) [[unlikely]] {
            share_->fetch_add(taken.count, std::memory_order_relaxed);
        }
        return taken;
    }
    std::int64_t number_of(std::uint64_t pair, std::uint32_t machine) const {
        const std::uint64_t tick = pair >> sequence_bits_;
        return static_cast<std::int64_t>(
            (tick << machine_bits_ | machine) << sequence_bits_ | (pair & sequence_max_)
        );
    }
    Result<Done> append_text(std::string& out, std::uint64_t pair, std::uint32_t machine) const;
    Task<Taken> take_in_time(std::uint64_t count, Deadline deadline);

    // What next() needs comes first.
    Gate& gate_;
    std::atomic<std::uint64_t>* const share_;  // null: the rest of what the gate counts is ours
    const IdLayout layout_;
    const std::uint64_t threshold_;
    const std::uint64_t sequence_max_;
    const int sequence_bits_;
    const int machine_bits_;
    const bool text_only_;
    const std::unique_ptr<IdCodec> codec_;           // of numbers
    const std::unique_ptr<TextIdCodec> text_codec_;  // of texts
    const IdStrategy strategy_;
    const std::string name_;
    Machine& machine_;
};

GeneratorInfo TimeGenerator::info() const {
    const Gate::Reading now = gate_.reading();
    GeneratorInfo info;
    info.name = name_;
    info.strategy = strategy_;
    info.state = state_of(now.refusal);
    info.layout = layout_;
    info.years_left = layout_.years_left(machine_.now());
    if (now.last.has_value() && !text_only_) {
        info.last = number_of(*now.last, now.machine);
    }
    info.issued = share_ == nullptr ? now.issued : share_->load(std::memory_order_relaxed);
    return info;
}

Result<std::size_t> TimeGenerator::next(std::span<std::int64_t> ids) {
    if (text_only_) {
        return no_number();
    }
    if (ids.empty()) {
        return std::size_t{0};
    }
    const Taken taken = take(ids.size());
    if (taken.count == 0) {
        return error_of(taken.refusal);
    }
    for (std::size_t i = 0; i < taken.count; ++i) {
        ids[i] = number_of(taken.first + i, taken.machine);
    }
    return static_cast<std::size_t>(taken.count);
}

Result<Done>
TimeGenerator::append_text(std::string& out, std::uint64_t pair, std::uint32_t machine) const {
    const TextContext context;  // ids of time have their own
    if (!text_only_) {
        return codec_->append(out, number_of(pair, machine), context);
    }
    const IdParts parts{
        static_cast<std::int64_t>(pair >> sequence_bits_),
        machine,
        static_cast<std::int64_t>(pair & sequence_max_)
    };
    return text_codec_->append(out, parts, context);
}

Result<std::string> TimeGenerator::next_text() {
    const Taken taken = take(1);
    if (taken.count == 0) {
        return error_of(taken.refusal);
    }
    std::string text;
    auto appended = append_text(text, taken.first, taken.machine);
    if (!appended.ok()) {
        return std::move(appended).error();
    }
    return text;
}

// Waits where waiting may help: for the clock, and for a lease.
Task<Taken> TimeGenerator::take_in_time(std::uint64_t count, Deadline deadline) {
    const Scope& scope = co_await this_scope();
    deadline = fault("ids.21") ? Deadline::at(SteadyTime::max()) : deadline;
    for (;;) {
        const Taken taken = take(count);
        if (taken.count > 0) {
            co_return taken;
        }
        Error error = error_of(taken.refusal);
        if (error.code() != Code::overloaded && error.code() != Code::unreachable) {
            co_return error;
        }
        const SteadyTime now = scope.loop().now();
        if (deadline.passed(now)) {
            co_return Error(Code::timed_out, Effect::none, error.what());
        }
        // A new lease or another anchor may end a long wait for the clock sooner.
        const Duration wait = taken.refusal == Refusal::ahead_of_clock
                                  ? std::min(taken.wait, limits::lease_look)
                                  : limits::lease_look;
        auto slept = co_await sleep(now + std::min(wait, deadline.left(now)));
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
    }
}

Task<std::int64_t> TimeGenerator::next(Deadline deadline) {
    if (text_only_) {
        co_return no_number();
    }
    const Taken at_once = take(1);
    if (at_once.count > 0) {
        co_return number_of(at_once.first, at_once.machine);
    }
    Result<Taken> taken = co_await take_in_time(1, deadline);
    if (!taken.ok()) {
        co_return std::move(taken).error();
    }
    co_return number_of(taken.value().first, taken.value().machine);
}

Task<Done> TimeGenerator::fill(std::span<std::int64_t> ids, Deadline deadline) {
    if (text_only_) {
        co_return no_number();
    }
    while (!ids.empty()) {
        Result<Taken> taken = co_await take_in_time(ids.size(), deadline);
        if (!taken.ok()) {
            co_return std::move(taken).error();
        }
        const Taken& got = taken.value();
        for (std::size_t i = 0; i < got.count; ++i) {
            ids[i] = number_of(got.first + i, got.machine);
        }
        ids = ids.subspan(got.count);
    }
    co_return Done();
}

Task<Done> TimeGenerator::fill_text(std::span<std::string> texts, Deadline deadline) {
    while (!texts.empty()) {
        Result<Taken> taken = co_await take_in_time(texts.size(), deadline);
        if (!taken.ok()) {
            co_return std::move(taken).error();
        }
        const Taken& got = taken.value();
        for (std::size_t i = 0; i < got.count; ++i) {
            texts[i].clear();
            auto appended = append_text(texts[i], got.first + i, got.machine);
            if (!appended.ok()) {
                co_return appended;
            }
        }
        texts = texts.subspan(got.count);
    }
    co_return Done();
}

// Nobody would look at it in time once it runs.
Result<Done> check_end(const GeneratorOptions& options, Machine& machine) {
    const double years = options.layout().years_left(machine.now());
    if (years < limits::years_left_min) {
        return Error(
            Code::invalid_argument,
            Effect::none,
            "the time field of the layout is full, or will be within a year"
        );
    }
    if (years < limits::years_left_warned) {
        machine.log().warn(
            "time_field_ends",
            "the time field of a generator will be full in a few years: plan another layout",
            {{"generator", options.name()}, {"years_left", years}}
        );
    }
    return Done();
}

// The store does not know it, and ids of two layouts in one namespace may be equal.
void tell_layout(const GeneratorOptions& options, Log& log) {
    const IdLayout& layout = options.layout();
    log.info(
        "id_layout",
        "ids of this generator differ from those of others with the same layout only",
        {{"generator", options.name()},
         {"unit_ms", layout.unit_length()},
         {"epoch_ms", layout.epoch().time_since_epoch().count()},
         {"time_bits", layout.time_bits()},
         {"machine_bits", layout.machine_bits()},
         {"sequence_bits", layout.sequence_bits()}}
    );
}

Result<Done> check_strategy(const GeneratorOptions& options) {
    const bool text = options.strategy() == IdStrategy::string;
    if (!text && options.strategy() != IdStrategy::snowflake) {
        return Error(Code::invalid_argument, Effect::none, "a strategy without a machine");
    }
    if (options.layout().is_text() != text) {
        return Error(
            Code::invalid_argument, Effect::none, "the layout does not fit the generator's strategy"
        );
    }
    return options.layout().check();
}

// The codec knows the layout of the ids it prints.
Result<CodecOptions> codec_of(const GeneratorOptions& options) {
    CodecOptions codec = options.codec().value_or(CodecOptions(TextBase::radix62));
    if (codec.layout().has_value() && *codec.layout() != options.layout()) {
        return Error(
            Code::invalid_argument,
            Effect::none,
            "the codec is of another layout than the generator"
        );
    }
    if (codec.group_prefix().has_value()) {
        return Error(
            Code::invalid_argument, Effect::none, "only periodic generators have a group to print"
        );
    }
    return std::move(codec).layout(options.layout());
}

}  // namespace

Result<std::unique_ptr<IdGenerator>>
make_time_generator(const GeneratorOptions& options, Machine& machine) {
    auto sound = check_strategy(options);
    if (sound.ok()) {
        sound = check_end(options, machine);
    }
    if (!sound.ok()) {
        return std::move(sound).error();
    }
    auto codec = codec_of(options);
    if (!codec.ok()) {
        return std::move(codec).error();
    }
    std::unique_ptr<IdCodec> numbers;
    std::unique_ptr<TextIdCodec> texts;
    if (options.strategy() == IdStrategy::string) {
        auto made = make_text_codec(std::move(codec).value());
        if (!made.ok()) {
            return std::move(made).error();
        }
        texts = std::move(made).value();
    } else {
        auto made = make_codec(std::move(codec).value());
        if (!made.ok()) {
            return std::move(made).error();
        }
        numbers = std::move(made).value();
    }
    tell_layout(options, machine.log());
    return std::unique_ptr<IdGenerator>(
        std::make_unique<TimeGenerator>(options, machine, std::move(numbers), std::move(texts))
    );
}

}  // namespace holdfast
