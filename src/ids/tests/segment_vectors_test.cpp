// Segments and periods against what CosId 3.2.1 answered. There a range is (offset, offset + step],
// here [offset, offset + step): whoever comes from its data goes on at the stored value plus one,
// so each of our ids is one below.

#include "ranges/period_name.h"
#include "segment_scene.h"
#include "tests/vectors.h"

namespace holdfast::testing {
namespace {

void add(CosIdExceptions& to, std::int64_t first, std::int64_t last, std::string_view why) {
    for (std::int64_t number = first; number <= last; ++number) {
        to.emplace(number, why);
    }
}

bool makes(SegmentOptions options) {
    SegmentScene scene;
    return make_range_generator(
               GeneratorOptions::segment("orders", std::move(options)),
               Namespace::parse("shop").value(),
               scene.store,
               *scene.runtime,
               scene.runtime->clock(),
               scene.metrics,
               scene.log
    )
        .ok();
}

std::string compare_first_ids(const CosIdVector& vector, SegmentMode mode, std::int64_t offset) {
    const auto answer = vector.out()->object();
    SegmentScene scene;
    scene.open(SegmentOptions().step(vector.integer("step")).offset(offset).mode(mode));
    for (const JsonValue id : answer->array("ids").value()) {
        if (scene.next_within(Duration(1'000)).value() + 1 != *id.integer_or_text()) {
            return "another id";
        }
    }
    return "";
}

std::string compare_accepted(const CosIdVector& vector, bool accepted) {
    return accepted == !vector.threw() ? "" : accepted ? "accepted" : "refused";
}

TEST(SegmentVectors, defaults) {
    CosIdExceptions exceptions;
    add(exceptions, 1782, 1782, "the step is 1,000: a chain of tens asks the store too often");
    add(exceptions, 1784, 1784, "several ranges are one reservation: there are no merged segments");
    add(exceptions, 1786, 1786, "what fetches is woken by those who take, not by a period");
    add(exceptions, 1787, 1788, "ranges do not expire; an error is no number");
    add(exceptions, 1789, 1789, "keys are {namespace}/{generator}");
    const SegmentOptions ours;
    const std::map<std::int64_t, std::int64_t> defaults = {
        {1782, ours.step()}, {1783, ours.offset()}, {1785, ours.safe_distance()}
    };
    check_cosid_vectors({"segment_defaults"}, exceptions, [&](const CosIdVector& vector) {
        const auto found = defaults.find(vector.number());
        return found != defaults.end() && vector.out()->integer_or_text() == found->second
                   ? std::string()
                   : std::string("another default");
    });
}

TEST(SegmentVectors, ids_over_a_store) {
    CosIdExceptions exceptions;
    add(exceptions, 1790, 1796, "a segment object: our ranges are [start, end) and have no sequence"
    );
    add(exceptions, 1806, 1809, "the same; past 2^63-1 the store answers exhausted, never a wrap");
    add(exceptions, 1810, 1814, "ranges do not expire, and are not merged by the caller");
    add(exceptions, 1818, 1818, "ranges do not expire");
    check_cosid_vectors({"segment_math"}, exceptions, [](const CosIdVector& vector) {
        const std::int64_t number = vector.number();
        if (number >= 1797 && number <= 1805) {
            return compare_first_ids(vector, SegmentMode::plain, vector.integer("offset"));
        }
        if (number >= 1815 && number <= 1817) {
            return compare_accepted(vector, makes(SegmentOptions().step(vector.integer("step"))));
        }
        return std::string("has none");
    });
}

TEST(SegmentVectors, order_of_ranges) {
    CosIdExceptions exceptions;
    add(exceptions, 1819, 1819, "no range may begin below an earlier one, in a period or not");
    add(exceptions, 1820, 1820, "ids would repeat: the generator stops and says so");
    add(exceptions, 1823, 1823, "the same");
    add(exceptions, 1821, 1821, "a range object; offsets that are equal are refused here too");
    check_cosid_vectors({"segment_order"}, exceptions, [](const CosIdVector& vector) {
        const std::int64_t number = vector.number();
        if (number != 1822 && number != 1824) {
            return std::string("refused");
        }
        SegmentScene scene;
        scene.store.script([&](std::size_t call) {
            return call == 1 && number == 1824 ? CallPlan().answer(Range{5, 15}) : CallPlan();
        });
        scene.open(SegmentOptions().step(10).safe_distance(1));
        std::vector<std::int64_t> ids(11);
        const auto filled = scene.wait(scene.generator->fill(ids, scene.in(Duration(1'000))));
        return compare_accepted(vector, filled.ok());
    });
}

TEST(SegmentVectors, chains) {
    CosIdExceptions exceptions;
    add(exceptions, 1826, 1826, "an empty chain is no segment");
    add(exceptions, 1830, 1830, "the gap counts numbers, not segments");
    check_cosid_vectors({"segment_chain"}, exceptions, [](const CosIdVector& vector) {
        if (vector.number() == 1825) {
            return compare_first_ids(vector, SegmentMode::chain, 0);
        }
        if (vector.number() >= 1827 && vector.number() <= 1829) {
            return compare_accepted(
                vector, makes(SegmentOptions().safe_distance(vector.integer("safeDistance")))
            );
        }
        return std::string("has none");
    });
}

std::string compare_group(const CosIdVector& vector) {
    const auto pattern = vector.in().text("pattern");
    const auto date = vector.in().text("date");
    if (!pattern.ok() || !date.ok()) {
        return "has none";
    }
    const Period period = vector.call().starts_with("YearMonthDay") ? Period::day
                          : vector.call().starts_with("YearMonth")  ? Period::month
                                                                    : Period::year;
    LocalTime local;
    local.year = std::stoi(std::string(date.value().substr(0, 4)));
    local.month = std::stoi(std::string(date.value().substr(5, 2)));
    local.day = std::stoi(std::string(date.value().substr(8, 2)));
    return period_name(period, local) == vector.out()->object()->text("key").value()
               ? ""
               : "another name";
}

TEST(SegmentVectors, periods) {
    CosIdExceptions exceptions;
    for (const CosIdVector& vector : cosid_vectors({"grouped"})) {
        const auto pattern = vector.in().text("pattern");
        const bool ours = pattern.ok() && vector.in().text("date").ok() &&
                          (pattern.value() == "yyyy" || pattern.value() == "yyyy-MM" ||
                           pattern.value() == "yyyy-MM-dd");
        if (!ours) {
            exceptions.emplace(
                vector.number(),
                "periods have one form of name each; the period is read once and ends on time"
            );
        }
    }
    EXPECT_LE(exceptions.size(), 54u);
    check_cosid_vectors({"grouped"}, exceptions, compare_group);
}

}  // namespace
}  // namespace holdfast::testing
