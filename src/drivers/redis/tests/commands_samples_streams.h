#pragma once

#include "tests/commands_catalogue.h"

#include <holdfast/redis/commands/streams.h>

namespace holdfast::redis::testing {

inline constexpr std::string_view entry_1 = "XADD k 1-1 f v g w";
inline constexpr std::string_view entry_2 = "XADD k 2-0 f v";
inline constexpr std::string_view group = "XGROUP CREATE k g 0";
inline constexpr std::string_view taken = "XREADGROUP GROUP g c1 STREAMS k >";

inline void add_stream_samples(Samples& samples) {
    const std::vector<StreamId> ids{StreamId(1, 1), StreamId(5, 0)};
    const std::pair<std::string, std::string> fields[] = {{"f", "v"}};
    SAMPLE(xadd("k", fields)).varying();
    SAMPLE(xadd("k", fields, XaddOptions().id(StreamId(7, 3))));
    SAMPLE(xadd("k", fields, XaddOptions().id_of_ms(7)));
    SAMPLE(xadd("k", fields, XaddOptions().only_if_stream_exists()));
    SAMPLE(xadd(
               "k",
               fields,
               XaddOptions().id(StreamId(9, 0)).trim(StreamTrim::to_length(100).nearly().limit(50))
           ))
        .given({entry_1});
    SAMPLE(xadd("k", fields, XaddOptions().id(StreamId(1, 0))))
        .given({entry_1})
        .refused("ERR The ID specified in XADD");
    SAMPLE(xdel("k", ids)).given({entry_1, entry_2});
    SAMPLE(xdel("k", StreamId(1, 1))).given({entry_1});
    SAMPLE(xlen("k")).given({entry_1});
    SAMPLE(xrange("k", StreamBound::lowest(), StreamBound::highest())).given({entry_1, entry_2});
    SAMPLE(xrange("k", StreamBound::without(StreamId(1, 1)), StreamBound::at_ms(2), 5))
        .given({entry_1, entry_2});
    SAMPLE(xrevrange("k", StreamBound::highest(), StreamId(1, 1), 1)).given({entry_1, entry_2});
    SAMPLE(xread(pairs("{k}1", "0-0", "{k}2", "0")))
        .given({"XADD {k}1 1-1 f v", "XADD {k}2 2-2 g w"});
    SAMPLE(xread(pairs("k", "$"), XreadOptions().count(5)));
    SAMPLE(xread(pairs("k", "0"), XreadOptions().block(Duration(10)))).given({entry_1});
    SAMPLE(xread(pairs("k", "$"), XreadOptions().count(5).block(Duration(10))));
    SAMPLE(xsetid("k", StreamId(9, 0))).given({entry_1});
    SAMPLE(xsetid("k", StreamId(9, 0), 12, StreamId(8, 0))).given({entry_1});
    SAMPLE(xtrim("k", StreamTrim::to_length(1))).given({entry_1, entry_2});
    SAMPLE(xtrim("k", StreamTrim::before(StreamId(2, 0)).nearly())).given({entry_1, entry_2});
}

inline void add_stream_group_samples(Samples& samples) {
    const std::vector<StreamId> ids{StreamId(1, 1), StreamId(2, 0)};
    SAMPLE(xack("k", "g", ids)).given({entry_1, entry_2, group, taken});
    SAMPLE(xack("k", "g", StreamId(1, 1))).given({entry_1, group, taken});
    SAMPLE(xautoclaim("k", "g", "c2", Duration(0), StreamId()))
        .given({entry_1, entry_2, group, taken, "XDEL k 2-0"});
    SAMPLE(xautoclaim_ids("k", "g", "c2", Duration(0), StreamBound::lowest(), 1))
        .given({entry_1, entry_2, group, taken});
    SAMPLE(xclaim("k", "g", "c2", Duration(0), ids)).given({entry_1, entry_2, group, taken});
    SAMPLE(xclaim(
               "k",
               "g",
               "c2",
               Duration(0),
               ids,
               XclaimOptions().delivered(WallTime(Duration(1000))).deliveries(7).force()
           ))
        .given({entry_1, group});
    SAMPLE(xclaim_ids("k", "g", "c2", Duration(0), ids, XclaimOptions().idle(Duration(500))))
        .given({entry_1, entry_2, group, taken});
    SAMPLE(xgroup_create("k", "g", GroupStart::with_first())).given({entry_1});
    SAMPLE(xgroup_create("k", "g", GroupStart::with_next().entries_read(1), true));
    SAMPLE(xgroup_create("k", "g", GroupStart::with_first()))
        .given({entry_1, group})
        .refused("BUSYGROUP ");
    SAMPLE(xgroup_createconsumer("k", "g", "c1")).given({entry_1, group});
    SAMPLE(xgroup_delconsumer("k", "g", "c1")).given({entry_1, entry_2, group, taken});
    SAMPLE(xgroup_destroy("k", "g")).given({entry_1, group});
    SAMPLE(xgroup_setid("k", "g", GroupStart::after(StreamId(1, 1)).entries_read(1)))
        .given({entry_1, group});
    SAMPLE(xinfo_consumers("k", "g")).given({entry_1, group, taken}).varying();
    SAMPLE(xinfo_groups("k")).given({entry_1, entry_2, group, taken});
    SAMPLE(xinfo_groups("k")).given({entry_1, entry_2, "XDEL k 1-1", "XGROUP CREATE k g 1-1"});
    SAMPLE(xinfo_stream("k")).given({entry_1, entry_2, group});
    SAMPLE(xinfo_stream("k")).given({"XGROUP CREATE k g $ MKSTREAM"});
    SAMPLE(xinfo_stream_full("k")).given({entry_1, entry_2, group, taken}).varying();
    SAMPLE(xinfo_stream_full("k", 0)).given({entry_1, entry_2, group});
    SAMPLE(xpending("k", "g")).given({entry_1, entry_2, group, taken});
    SAMPLE(xpending("k", "g")).given({entry_1, group});
    SAMPLE(xpending("k", "g", XpendingRange(StreamBound::lowest(), StreamBound::highest(), 10)))
        .given({entry_1, group, taken})
        .varying();
    SAMPLE(
        xpending(
            "k",
            "g",
            XpendingRange(StreamId(1, 0), StreamId(1, 9), 10).idle_min(Duration(0)).consumer("none")
        )
    )
        .given({entry_1, group, taken});
    SAMPLE(xreadgroup("g", "c1", pairs("k", ">"))).given({entry_1, entry_2, group});
    SAMPLE(xreadgroup("g", "c1", pairs("k", "0"))).given({entry_1, group, taken, "XDEL k 1-1"});
    SAMPLE(xreadgroup("g", "c1", pairs("k", ">"), XreadOptions().count(1).no_ack()))
        .given({entry_1, entry_2, group});
    SAMPLE(xreadgroup("g", "c1", pairs("k", ">"), XreadOptions().block(Duration(10))))
        .given({entry_1, group, taken});
    SAMPLE(xreadgroup("g", "c1", pairs("k", ">"))).refused("NOGROUP ");
}

}  // namespace holdfast::redis::testing
