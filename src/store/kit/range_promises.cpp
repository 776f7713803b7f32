// Ranges: each number once, the end of the numbers, and seals.
#include "groups.h"
#include "trial.h"

#include <limits>

namespace holdfast {
namespace {

constexpr std::string_view ranges = "ranges";
constexpr std::string_view exhausted = "exhausted ranges";
constexpr std::string_view seals = "seals";
constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t inexact = std::int64_t{1} << 53;  // doubles skip odd numbers from here
constexpr std::int64_t largest = limits::reserve_size_max;

void expect_range(Trial& t, ReserveRequest request, std::int64_t start, std::int64_t end) {
    const Range range = t.take(std::move(request));
    t.expect_equal(range.start, start, "start");
    t.expect_equal(range.end, end, "end");
}

constexpr Promise table[] = {
    {ranges,
     "the first range starts at the initial offset",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 10, 1000), 1000, 1010);
     }},
    {ranges,
     "the first range starts at zero when no offset is asked",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 10), 0, 10);
     }},
    {ranges,
     "the next range starts where the last ended",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 10, 5), 5, 15);
         expect_range(t, ReserveRequest(t.key(), 10, 5), 15, 25);
     }},
    {ranges,
     "the initial offset of an existing key is ignored",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 10, 100), 100, 110);
         expect_range(t, ReserveRequest(t.key(), 10, 5000), 110, 120);
         expect_range(t, ReserveRequest(t.key(), 10, 0), 120, 130);
     }},
    {ranges,
     "each call has its own size",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 1), 0, 1);
         expect_range(t, ReserveRequest(t.key(), 1000), 1, 1001);
         expect_range(t, ReserveRequest(t.key(), 7), 1001, 1008);
     }},
    {ranges,
     "a hundred ranges leave no gap and do not overlap",
     Needs::nothing,
     [](Trial& t) {
         std::int64_t next = 0;
         for (int i = 1; i <= 100; ++i) {
             expect_range(t, ReserveRequest(t.key(), i), next, next + i);
             next += i;
         }
     }},
    {ranges,
     "two keys count apart",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key("/a"), 10, 7), 7, 17);
         expect_range(t, ReserveRequest(t.key("/b"), 10, 3), 3, 13);
         expect_range(t, ReserveRequest(t.key("/a"), 10), 17, 27);
     }},
    {ranges,
     "steps of one across 2 to the 53 are exact",
     Needs::nothing,
     [](Trial& t) {
         for (std::int64_t next = inexact - 3; next < inexact + 4; ++next) {
             expect_range(t, ReserveRequest(t.key(), 1, inexact - 3), next, next + 1);
         }
     }},
    {ranges,
     "an odd initial offset above 2 to the 53 stays odd",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 2, inexact + 1), inexact + 1, inexact + 3);
         expect_range(t, ReserveRequest(t.key(), 2), inexact + 3, inexact + 5);
     }},
    {ranges,
     "a large step across 2 to the 53 is exact",
     Needs::nothing,
     [](Trial& t) {
         const std::int64_t start = inexact - 1;
         expect_range(t, ReserveRequest(t.key(), largest, start), start, start + largest);
         expect_range(t, ReserveRequest(t.key(), largest), start + largest, start + 2 * largest);
     }},
    {ranges,
     "numbers around 2 to the 31 and 2 to the 32 are exact",
     Needs::nothing,
     [](Trial& t) {
         const std::int64_t start = (std::int64_t{1} << 31) - 1;
         expect_range(t, ReserveRequest(t.key(), start + 2, start), start, 2 * start + 2);
         expect_range(t, ReserveRequest(t.key(), 1), 2 * start + 2, 2 * start + 3);
     }},
    {ranges,
     "a key goes on after the store was closed",
     Needs::reopening,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 10, 100), 100, 110);
         t.reopen();
         expect_range(t, ReserveRequest(t.key(), 10, 100), 110, 120);
     }},
    {ranges,
     "a key above 2 to the 53 goes on after the store was closed",
     Needs::reopening,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 1, inexact), inexact, inexact + 1);
         t.reopen();
         expect_range(t, ReserveRequest(t.key(), 1), inexact + 1, inexact + 2);
     }},

    {exhausted,
     "a range may end at the largest number",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 10, last - 10), last - 10, last);
     }},
    {exhausted,
     "a range that would pass the largest number by one is exhausted",
     Needs::nothing,
     [](Trial& t) {
         t.expect_range_exhausted(ReserveRequest(t.key(), 10, last - 9));
     }},
    {exhausted,
     "the largest number itself is never given out",
     Needs::nothing,
     [](Trial& t) {
         t.expect_range_exhausted(ReserveRequest(t.key(), 1, last));
     }},
    {exhausted,
     "the largest size fits below the largest number",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), largest, last - largest), last - largest, last);
     }},
    {exhausted,
     "an exhausted call changes nothing",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 5, last - 10), last - 10, last - 5);
         t.expect_range_exhausted(ReserveRequest(t.key(), 6));
         expect_range(t, ReserveRequest(t.key(), 5), last - 5, last);
     }},
    {exhausted,
     "an exhausted first call leaves no key behind",
     Needs::nothing,
     [](Trial& t) {
         t.expect_range_exhausted(ReserveRequest(t.key(), 10, last - 5));
         expect_range(t, ReserveRequest(t.key(), 10, 42), 42, 52);
     }},
    {exhausted,
     "an exhausted key stays exhausted",
     Needs::nothing,
     [](Trial& t) {
         expect_range(t, ReserveRequest(t.key(), 1, last - 1), last - 1, last);
         for (int i = 0; i < 3; ++i) {
             t.expect_range_exhausted(ReserveRequest(t.key(), 1));
         }
         t.expect_range_exhausted(ReserveRequest(t.key(), largest));
     }},

    {seals,
     "a sealed key gives no more ranges",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(ReserveRequest(t.key(), 10));
         if (t.seal(t.key())) {
             t.expect_sealed(ReserveRequest(t.key(), 10));
             t.expect_sealed(ReserveRequest(t.key(), 1, 1000));
         }
     }},
    {seals,
     "sealing twice is sealing once",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(ReserveRequest(t.key(), 10));
         if (t.seal(t.key()) && t.seal(t.key())) {
             t.expect_sealed(ReserveRequest(t.key(), 10));
         }
     }},
    {seals,
     "a key can be sealed before it is ever used",
     Needs::nothing,
     [](Trial& t) {
         if (t.seal(t.key())) {
             t.expect_sealed(ReserveRequest(t.key(), 10, 100));
         }
     }},
    {seals,
     "sealing one key leaves the others",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(ReserveRequest(t.key("/a"), 10));
         (void)t.take(ReserveRequest(t.key("/b"), 10));
         if (t.seal(t.key("/a"))) {
             expect_range(t, ReserveRequest(t.key("/b"), 10), 10, 20);
             expect_range(t, ReserveRequest(t.key("/c"), 10), 0, 10);
         }
     }},
    {seals,
     "sealing a first segment leaves the keys below it",
     Needs::nothing,
     [](Trial& t) {
         if (t.seal(t.key())) {
             expect_range(t, ReserveRequest(t.key("/a"), 10), 0, 10);
         }
     }},
    {seals,
     "a sealed key says so where it would be exhausted",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(ReserveRequest(t.key(), 1, last - 1));
         if (t.seal(t.key())) {
             t.expect_sealed(ReserveRequest(t.key(), 1));
         }
     }},
    {seals,
     "a seal holds after the store was closed",
     Needs::reopening,
     [](Trial& t) {
         (void)t.take(ReserveRequest(t.key(), 10));
         if (t.seal(t.key())) {
             t.reopen();
             t.expect_sealed(ReserveRequest(t.key(), 10));
         }
     }},
};

}  // namespace

std::span<const Promise> range_promises() {
    return table;
}

}  // namespace holdfast
