#include "plan.h"

namespace holdfast::sim {
namespace {

GeneratorOptions segment(Chance& chance) {
    SegmentOptions options =
        SegmentOptions().step(chance.number(5, 60)).offset(chance.number(0, 3));
    switch (chance.number(0, 5)) {
    case 0:
        options = std::move(options).mode(SegmentMode::plain);
        break;
    case 1:
        options = std::move(options).mode(SegmentMode::direct);
        break;
    case 2:
        options = std::move(options).order(SegmentOrder::relaxed);
        break;
    default:
        break;
    }
    return GeneratorOptions::segment("segment", std::move(options));
}

}  // namespace

// Consecutive seeds differ in the hardness of their faults: a fourth of all have none.
Plan draw_plan(std::uint64_t seed, Chance& chance) {
    Plan plan;
    plan.faults = static_cast<double>(seed % 4) / 3.0;
    plan.processes = static_cast<std::size_t>(chance.number(3, 6));
    plan.slots = static_cast<std::uint32_t>(chance.number(2, 4));
    plan.shared_owner = chance.hits(0.25);
    plan.call_timeout = chance.hits(0.5) ? Duration(250) : Duration(1'000);

    GroupPlan first;
    first.name = "sim";
    first.generators.push_back(GeneratorOptions::snowflake("flake"));
    first.generators.push_back(GeneratorOptions::string("text"));
    first.generators.push_back(segment(chance));
    if (chance.hits(0.3)) {
        first.generators.push_back(GeneratorOptions::periodic(
            "periodic",
            PeriodOptions().period(Period::hour),
            SegmentOptions().step(chance.number(5, 30))
        ));
    }
    auto seconds = GeneratorOptions::snowflake("seconds", IdLayout::seconds());
    // In a third of the worlds on the same lease, in a third on one of its own, in a third not at
    // all.
    const std::int64_t where = chance.number(0, 2);
    plan.groups.push_back(std::move(first));
    if (where == 1) {
        plan.groups.push_back(GroupPlan{"sim.seconds", {}});
    }
    if (where != 2) {
        plan.groups.back().generators.push_back(std::move(seconds));
    }
    return plan;
}

}  // namespace holdfast::sim
