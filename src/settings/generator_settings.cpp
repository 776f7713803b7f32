#include "generator_settings.h"

#include <holdfast/base/check.h>

#include <array>

namespace holdfast {
namespace {

using enum IdStrategy;

IdStrategy strategy_of(const std::string& word) {
    for (const IdStrategy strategy : {snowflake, string, segment}) {
        if (word == name_of(strategy)) {
            return strategy;
        }
    }
    return periodic;
}

// Options that only some strategies have: elsewhere they would have no effect.
struct Belongs {
    const char* option;
    std::array<IdStrategy, 2> to;
};
constexpr std::array belongs{
    Belongs{"timestamp-unit", {snowflake, string}},
    Belongs{"epoch", {snowflake, string}},
    Belongs{"timestamp-bits", {snowflake, string}},
    Belongs{"machine-bits", {snowflake, string}},
    Belongs{"sequence-bits", {snowflake, string}},
    Belongs{"sequence-reset-threshold", {snowflake, string}},
    Belongs{"js-safe", {snowflake, snowflake}},
    Belongs{"store", {segment, periodic}},
    Belongs{"step", {segment, periodic}},
    Belongs{"offset", {segment, periodic}},
    Belongs{"mode", {segment, periodic}},
    Belongs{"order", {segment, periodic}},
    Belongs{"safe-distance", {segment, periodic}},
    Belongs{"period", {periodic, periodic}},
    Belongs{"zone", {periodic, periodic}},
    Belongs{"converter.group-prefix", {periodic, periodic}},
};

class GeneratorReader {
public:
    GeneratorReader(const Config& config, const std::string& name, std::vector<ConfigProblem>& out)
        : config_(config), name_(name), problems_(out) {}

    std::optional<GeneratorOptions> read() {
        if (!has("strategy")) {
            ConfigProblem problem = refused(
                config_,
                generator_setting(name_, ""),
                "is missing; allowed: one of snowflake, string, segment, periodic"
            );
            problem.setting = generator_setting(name_, "strategy");
            problems_.push_back(std::move(problem));
            return std::nullopt;
        }
        strategy_ = strategy_of(config_.text(full("strategy")));
        const std::size_t before = problems_.size();
        refuse_foreign();
        if (problems_.size() != before) {
            return std::nullopt;
        }
        GeneratorOptions options = of_strategy().enabled(config_.boolean(full("enabled")));
        if (has("converter")) {
            options = std::move(options).codec(converter());
        }
        return options;
    }

private:
    std::string full(const std::string& option) const { return generator_setting(name_, option); }
    bool has(const std::string& option) const { return config_.has(full(option)); }
    bool is(const std::string& option, bool otherwise) const {
        return has(option) ? config_.boolean(full(option)) : otherwise;
    }
    std::int64_t number(const std::string& option, std::int64_t otherwise) const {
        return has(option) ? config_.integer(full(option)) : otherwise;
    }
    std::string word(const std::string& option, const std::string& otherwise) const {
        return has(option) ? config_.text(full(option)) : otherwise;
    }
    TimeZone zone(const std::string& option) const {
        if (!has(option)) {
            return TimeZone::utc();
        }
        auto found = TimeZone::find(config_.text(full(option)));
        check(found.ok(), "a time zone that the schema let through");
        return std::move(found).value();
    }

    void refuse_foreign() {
        for (const Belongs& one : belongs) {
            if (!has(one.option) || one.to[0] == strategy_ || one.to[1] == strategy_) {
                continue;
            }
            std::string text = "has no effect on the strategy ";
            text.append(name_of(strategy_)).append("; allowed: with ").append(name_of(one.to[0]));
            if (one.to[0] != one.to[1]) {
                text.append(" or ").append(name_of(one.to[1]));
            }
            problems_.push_back(refused(config_, full(one.option), text));
        }
    }

    GeneratorOptions of_strategy() const {
        switch (strategy_) {
        case snowflake:
            return GeneratorOptions::snowflake(name_, layout());
        case string:
            return GeneratorOptions::string(name_, layout());
        case segment:
            return GeneratorOptions::segment(name_, ranges());
        case periodic:
            break;
        }
        return GeneratorOptions::periodic(name_, period(), ranges());
    }

    IdLayout preset() const {
        const bool seconds = word("timestamp-unit", "millisecond") == "second";
        if (strategy_ == string) {
            return seconds ? IdLayout::text().unit(TickUnit::second) : IdLayout::text();
        }
        if (is("js-safe", false)) {
            return seconds ? IdLayout::js_safe_seconds() : IdLayout::js_safe_milliseconds();
        }
        return seconds ? IdLayout::seconds() : IdLayout::milliseconds();
    }
    IdLayout layout() const {
        IdLayout layout = preset();
        const auto bits = [this](const char* option, int otherwise) {
            return static_cast<int>(number(option, otherwise));
        };
        if (has("timestamp-bits") || has("machine-bits") || has("sequence-bits")) {
            const int time = bits("timestamp-bits", layout.time_bits());
            const int machine = bits("machine-bits", layout.machine_bits());
            const int sequence = bits("sequence-bits", layout.sequence_bits());
            layout = std::move(layout).bits(time, machine, sequence);
        }
        if (has("epoch")) {
            layout = std::move(layout).epoch(WallTime(Duration(config_.integer(full("epoch")))));
        }
        if (has("sequence-reset-threshold")) {
            layout = std::move(layout).sequence_reset_threshold(
                config_.integer(full("sequence-reset-threshold"))
            );
        }
        return layout;
    }

    SegmentOptions ranges() const {
        const SegmentOptions usual;
        const std::string mode = word("mode", "chain");
        return SegmentOptions()
            .step(number("step", usual.step()))
            .offset(number("offset", usual.offset()))
            .safe_distance(number("safe-distance", usual.safe_distance()))
            .mode(
                mode == "chain"   ? SegmentMode::chain
                : mode == "plain" ? SegmentMode::plain
                                  : SegmentMode::direct
            )
            .order(
                word("order", "process") == "relaxed" ? SegmentOrder::relaxed
                                                      : SegmentOrder::process
            );
    }
    PeriodOptions period() const {
        const std::string word_of_it = word("period", "month");
        Period period = Period::month;
        if (word_of_it == "year") {
            period = Period::year;
        } else if (word_of_it == "day") {
            period = Period::day;
        } else if (word_of_it == "hour") {
            period = Period::hour;
        }
        return PeriodOptions().period(period).zone(zone("zone"));
    }

    CodecOptions converter() const {
        const std::string type = word("converter.type", "radix62");
        TextBase base = TextBase::radix62;
        if (type == "radix36") {
            base = TextBase::radix36;
        } else if (type == "decimal" || type == "to-string") {
            base = TextBase::decimal;
        } else if (type == "snowflake-friendly") {
            base = TextBase::friendly;
        }
        CodecOptions codec = CodecOptions(base)
                                 .prefix(word("converter.prefix", ""))
                                 .suffix(word("converter.suffix", ""))
                                 .zone(zone("converter.zone"));
        if (has("converter.pad") || (strategy_ == string && base == TextBase::friendly)) {
            codec = std::move(codec).pad(is("converter.pad", true));
        }
        if (has("converter.width")) {
            codec = std::move(codec).width(static_cast<int>(number("converter.width", 0)));
        }
        if (strategy_ == snowflake || strategy_ == string) {
            codec = std::move(codec).layout(layout());
        }
        if (wants("converter.group-prefix")) {
            codec = std::move(codec).group_prefix(affix("converter.group-prefix"));
        }
        if (wants("converter.date-prefix")) {
            PrefixOptions date = affix("converter.date-prefix");
            if (has("converter.date-prefix.pattern")) {
                date = std::move(date).pattern(word("converter.date-prefix.pattern", ""));
            }
            codec = std::move(codec).date_prefix(std::move(date));
        }
        return codec;
    }
    bool wants(const std::string& group) const {
        return has(group) && is(group + ".enabled", true);
    }
    PrefixOptions affix(const std::string& group) const {
        PrefixOptions options;
        if (has(group + ".delimiter")) {
            options = std::move(options).delimiter(word(group + ".delimiter", ""));
        }
        return std::move(options).before_prefix(is(group + ".before-prefix", true));
    }

    const Config& config_;
    const std::string& name_;
    std::vector<ConfigProblem>& problems_;
    IdStrategy strategy_ = snowflake;
};

}  // namespace

std::string generator_setting(const std::string& generator, const std::string& option) {
    const std::string group = SettingPath::parse("cosid.generators")->with_word(generator).text();
    return option.empty() ? group : group + "." + option;
}

std::optional<GeneratorOptions> read_generator(
    const Config& config, const std::string& name, std::vector<ConfigProblem>& problems
) {
    return GeneratorReader(config, name, problems).read();
}

}  // namespace holdfast
