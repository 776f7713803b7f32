// Which table holds an id or a day: by remainder, or by month. A query for a range asks exactly the
// tables of its points, negative ids included.

#include <holdfast/ids/sharding.h>

#include <cstdio>
#include <string>
#include <vector>

namespace hf = holdfast;

namespace {

void print(const char* what, const std::vector<std::string>& nodes) {
    std::printf("%s:", what);
    for (const std::string& node : nodes) {
        std::printf(" %s", node.c_str());
    }
    std::printf("\n");
}

hf::LocalTime day(int year, int month, int of_month) {
    hf::LocalTime time;
    time.year = year;
    time.month = month;
    time.day = of_month;
    return time;
}

}  // namespace

int main() {
    // begin route
    const auto tables = hf::ModCycle::make(4, "order_");
    const hf::IntervalStep monthly(hf::IntervalUnit::month);
    const auto months =
        hf::IntervalTimeline::make(day(2026, 1, 1), day(2026, 12, 31), monthly, "order_", "yyyyMM");
    if (!tables.ok() || !months.ok()) {
        return 1;
    }
    std::printf("-1 is in %s\n", tables.value().node_of(-1).c_str());
    const auto ids = hf::RoutingRange<std::int64_t>().from(5).before(7);
    print("5 and 6 are in", tables.value().nodes_of(ids));
    const auto days =
        hf::RoutingRange<hf::LocalTime>().from(day(2026, 2, 14)).before(day(2026, 4, 1));
    const auto quarter = months.value().nodes_of(days);
    // end route
    if (!quarter.ok()) {
        return 1;
    }
    print("14 February to 31 March is in", quarter.value());
    return 0;
}
