// What open_id_runtime refuses before it asks anything of a store.

#include <holdfast/ids/id_runtime.h>
#include <holdfast/ids/limits.h>
#include <holdfast/store/limits.h>
#include <holdfast/store/names.h>

#include <algorithm>
#include <set>

namespace holdfast {
namespace {

constexpr std::string_view reserved_name = "strings";  // a path of the service: /ids/strings

bool is_time_based(const GeneratorOptions& generator) {
    return generator.strategy() == IdStrategy::snowflake ||
           generator.strategy() == IdStrategy::string;
}

class OptionCheck {
public:
    OptionCheck(const IdRuntimeOptions& options, const std::vector<std::string>& stores)
        : options_(options), stores_(stores) {}

    Result<Done> run() {
        machine();
        for (const GeneratorOptions& generator : options_.generators()) {
            whose_ = generator.name();
            name(generator);
            needs(generator);
            is_time_based(generator) ? layout(generator) : ranges(generator);
            converter(generator);
        }
        if (problem_.has_value()) {
            return std::move(*problem_);
        }
        return Done();
    }

private:
    // The first problem is the answer.
    void require(bool holds, std::string_view option, std::string_view what) {
        if (!holds && !problem_.has_value()) {
            ErrorContext context;
            context.server_text = whose_;
            context.command = option;
            problem_.emplace(
                Error(Code::invalid_argument, Effect::none, what).with(std::move(context))
            );
        }
    }
    template <class T>
    void require(const Result<T>& result, std::string_view option) {
        require(result.ok(), option, result.ok() ? "" : result.error().what());
    }
    bool knows_store(const std::string& name) const {
        return name.empty() ? !stores_.empty() : std::ranges::count(stores_, name) == 1;
    }
    std::uint32_t machines() const { return machine_limit(options_); }

    void machine() {
        if (const auto* leased = std::get_if<LeasedMachine>(&options_.machine())) {
            durations(*leased);
            slots(*leased);
            require(
                knows_store(options_.machine_store()),
                "store",
                "the machine's store is none of the configured ones"
            );
        } else if (const auto* manual = std::get_if<ManualMachine>(&options_.machine())) {
            require(
                manual->id < machines(),
                "id",
                "the machine's number does not fit into the ids of a generator"
            );
        }
    }
    void durations(const LeasedMachine& leased) {
        require(
            leased.ttl() >= limits::ttl_min && leased.ttl() <= limits::ttl_max,
            "ttl",
            "the lease's ttl is from 100ms to 1h"
        );
        require(
            leased.tolerance() >= Duration::zero() && leased.tolerance() <= limits::tolerance_max,
            "tolerance",
            "the tolerance is from 0ms to 1m"
        );
        require(
            leased.renew_interval() >= limits::renew_interval_min &&
                leased.renew_interval() <= leased.ttl() / 2,
            "renew-interval",
            "the renew interval is at least 10ms and at most half of the ttl: a renewal that fails "
            "must be tried again in time"
        );
        require(
            leased.call_timeout() >= Duration(1) &&
                leased.call_timeout() <= limits::machine_call_timeout_max,
            "call-timeout",
            "the time of one call is from 1ms to 1m"
        );
        require(
            leased.max_ahead() >= Duration::zero() && leased.max_ahead() <= limits::max_ahead_max,
            "max-ahead",
            "max-ahead is from 0ms to 1m"
        );
    }
    void slots(const LeasedMachine& leased) {
        const std::uint32_t most = machines();
        require(
            leased.limit().value_or(most) >= 1 &&
                leased.limit().value_or(most) <= limits::slot_limit_max,
            "limit",
            "the limit of slots is from 1 to 65536"
        );
        require(
            leased.limit().value_or(most) <= most,
            "limit",
            "the limit of slots is above 2^(machine bits) of a generator: a slot would not fit "
            "into "
            "its ids"
        );
        require(
            !leased.preferred().has_value() ||
                leased.preferred()->value() < leased.limit().value_or(most),
            "preferred-slot",
            "the preferred slot is not below the limit of slots"
        );
    }

    void name(const GeneratorOptions& generator) {
        require(
            Namespace::parse(generator.name()).ok() &&
                generator.name().size() <= limits::generator_name_bytes_max,
            "name",
            "a generator's name is 1 to 64 of A-Z a-z 0-9 . _ - : @, not . or .."
        );
        require(
            generator.name() != reserved_name,
            "name",
            "no generator may be named strings: that is a path of the service"
        );
        require(
            names_.insert(generator.name()).second, "name", "two generators have the same name"
        );
    }
    void needs(const GeneratorOptions& generator) {
        if (is_time_based(generator)) {
            require(
                !generator.enabled() || !std::holds_alternative<std::monostate>(options_.machine()),
                "strategy",
                "the strategy needs a machine, and none is configured"
            );
        } else {
            require(
                !generator.enabled() || knows_store(generator.store()),
                "store",
                "the generator's store is none of the configured ones"
            );
        }
    }
    void layout(const GeneratorOptions& generator) {
        const bool text = generator.strategy() == IdStrategy::string;
        require(
            generator.layout().is_text() == text,
            "layout",
            text ? "a string generator needs a layout of text"
                 : "a snowflake generator needs a layout of numbers"
        );
        require(generator.layout().check(), "layout");
    }
    void ranges(const GeneratorOptions& generator) {
        const SegmentOptions& segment = generator.segment();
        require(
            segment.step() >= 1 && segment.step() <= limits::reserve_size_max,
            "step",
            "the step is from 1 to 1000000000000"
        );
        require(segment.offset() >= 0, "offset", "the offset is from 0 to 9223372036854775807");
        require(
            segment.safe_distance() >= 1 && segment.safe_distance() <= limits::safe_distance_max,
            "safe-distance",
            "the safe distance is from 1 to 1000"
        );
    }
    void converter(const GeneratorOptions& generator) {
        if (!generator.codec().has_value() || problem_.has_value()) {
            return;  // a codec is checked against a layout that was found right
        }
        CodecOptions codec = *generator.codec();
        if (is_time_based(generator) && !codec.layout().has_value()) {
            codec = std::move(codec).layout(generator.layout());
        }
        if (generator.strategy() == IdStrategy::string) {
            require(make_text_codec(std::move(codec)), "converter");
        } else {
            require(make_codec(std::move(codec)), "converter");
        }
    }

    const IdRuntimeOptions& options_;
    const std::vector<std::string>& stores_;
    std::string whose_;  // empty: the machine
    std::set<std::string> names_;
    std::optional<Error> problem_;
};

}  // namespace

std::uint32_t machine_limit(const IdRuntimeOptions& options) {
    std::int64_t most = limits::slot_limit_max;
    for (const GeneratorOptions& generator : options.generators()) {
        if (is_time_based(generator) && generator.layout().check().ok()) {
            most = std::min(most, generator.layout().machine_max() + 1);
        }
    }
    return static_cast<std::uint32_t>(most);
}

Result<Done>
check_id_options(const IdRuntimeOptions& options, const std::vector<std::string>& stores) {
    return OptionCheck(options, stores).run();
}

}  // namespace holdfast
