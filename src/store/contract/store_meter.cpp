#include "store_meter.h"

#include <holdfast/store/metric_names.h>

#include <initializer_list>
#include <string>

namespace holdfast {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Operation::count)> operation_names =
    {"reserve", "seal", "acquire", "renew", "release", "probe"};
constexpr std::array<std::string_view, static_cast<std::size_t>(Outcome::count)> outcome_names = {
    "range",
    "sealed",
    "exhausted",
    "unsupported",
    "acquired",
    "mismatch",
    "renewed",
    "released",
    "lost",
    "up",
    "error_none",
    "error_unknown"
};

struct Possible {
    Operation operation;
    std::initializer_list<Outcome> answers;
};

}  // namespace

StoreMeter::StoreMeter(const Loop& loop, Metrics& metrics) : loop_(&loop) {
    const Possible all[] = {
        {Operation::reserve, {Outcome::range, Outcome::sealed, Outcome::exhausted}},
        {Operation::seal, {Outcome::sealed, Outcome::unsupported}},
        {Operation::acquire, {Outcome::acquired, Outcome::exhausted, Outcome::mismatch}},
        {Operation::renew, {Outcome::renewed, Outcome::lost}},
        {Operation::release, {Outcome::released, Outcome::lost}},
        {Operation::probe, {Outcome::up}},
    };
    for (const Possible& possible : all) {
        const auto row = static_cast<std::size_t>(possible.operation);
        const std::string operation(operation_names[row]);
        const auto add = [&](Outcome outcome) {
            const auto column = static_cast<std::size_t>(outcome);
            calls_[row][column] = &metrics.histogram(
                store_metrics::call, {operation, std::string(outcome_names[column])}
            );
        };
        for (const Outcome outcome : possible.answers) {
            add(outcome);
        }
        add(Outcome::error_none);
        add(Outcome::error_unknown);
    }
}

void StoreMeter::called(Operation operation, Outcome outcome, double seconds) {
    calls_[static_cast<std::size_t>(operation)][static_cast<std::size_t>(outcome)]->record(seconds);
}

}  // namespace holdfast
