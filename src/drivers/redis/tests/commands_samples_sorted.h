#pragma once

#include "tests/commands_catalogue.h"

#include <holdfast/redis/commands/geo.h>
#include <holdfast/redis/commands/sorted_sets.h>

#include <limits>

namespace holdfast::redis::testing {

inline void add_sorted_set_samples(Samples& samples) {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<ScoredMember> two{ScoredMember("a", 1.5), ScoredMember("b", -infinity)};
    SAMPLE(zadd("k", "a", 0.1));
    SAMPLE(zadd("k", two));
    SAMPLE(zadd("k", two, ZaddOptions().if_present().if_greater().count_changed()))
        .given({"ZADD k 1 a"});
    SAMPLE(zadd("k", two, ZaddOptions().if_absent())).given({"ZADD k 1 a"});
    SAMPLE(zadd_incr("k", "a", 2, ZaddOptions().if_less())).given({"ZADD k 1 a"});
    SAMPLE(zadd_incr("k", "a", -2.5)).given({"ZADD k 1 a"});
    SAMPLE(zcard("k")).given({"ZADD k 1 a"});
    SAMPLE(zcount("k", ScoreBound::without(1), ScoreBound::highest())).given({"ZADD k 1 a 2 b"});
    SAMPLE(zincrby("k", 1e300, "a")).given({"ZADD k 1 a"});
    SAMPLE(zlexcount("k", LexBound::with("a"), LexBound::without("c"))).given({"ZADD k 0 a 0 b"});
    SAMPLE(zmscore("k", words("a", "none"))).given({"ZADD k 1.25 a"});
    SAMPLE(zrandmember("k")).given({"ZADD k 1 a"});
    SAMPLE(zrandmember("none"));
    SAMPLE(zrandmember("k", 2)).given({"ZADD k 1 a"});
    SAMPLE(zrandmember_with_scores("k", -2)).given({"ZADD k 1.5 a"});
    SAMPLE(zrange("k", ZRange::places(0, -1))).given({"ZADD k 1 a 2 b 3 c"});
    SAMPLE(zrange("k", ZRange::places(0, 1).reversed())).given({"ZADD k 1 a 2 b 3 c"});
    SAMPLE(zrange("k", ZRange::scores(1, ScoreBound::without(3)).reversed().limit(0, 1)))
        .given({"ZADD k 1 a 2 b 3 c"});
    SAMPLE(zrange("k", ZRange::texts(LexBound::lowest(), LexBound::highest())))
        .given({"ZADD k 0 a 0 b"});
    SAMPLE(zrange_with_scores("k", ZRange::scores(ScoreBound::lowest(), 2.5)))
        .given({"ZADD k -inf a 2.25 b 3 c"});
    SAMPLE(zrange_with_scores("none", ZRange::places(0, -1)));
    SAMPLE(zrangestore("{k}2", "{k}1", ZRange::places(0, 1))).given({"ZADD {k}1 1 a 2 b 3 c"});
    SAMPLE(zrank("k", "b")).given({"ZADD k 1 a 2 b"});
    SAMPLE(zrank("k", "none"));
    SAMPLE(zrem("k", words("a", "none"))).given({"ZADD k 1 a 2 b"});
    SAMPLE(zremrangebylex("k", LexBound::with("a"), LexBound::with("b"))).given({"ZADD k 0 a 0 c"});
    SAMPLE(zremrangebyrank("k", 0, -2)).given({"ZADD k 1 a 2 b"});
    SAMPLE(zremrangebyscore("k", 1, 1.5)).given({"ZADD k 1 a 2 b"});
    SAMPLE(zrevrank("k", "a")).given({"ZADD k 1 a 2 b"});
    SAMPLE(zscan("k", 0)).given({"ZADD k 1.5 a 2 b"});
    SAMPLE(zscore("k", "a")).given({"ZADD k 1.1 a"});
    SAMPLE(zscore("k", "a")).given({"ZADD k inf a"});
    SAMPLE(zscore("k", "none"));
}

inline void add_sorted_sets_samples(Samples& samples) {
    const Duration soon(10);
    const Words both = "k";
    const ZCombine weighted = ZCombine().weights({2, 0.5}).score(ScoreOf::highest);
    SAMPLE(bzmpop_lowest(words("{k}1", "{k}2"), soon, 2)).given({"ZADD {k}2 1 a 2.5 b 3 c"});
    SAMPLE(bzmpop_highest(both, soon));
    SAMPLE(bzpopmax(words("{k}1", "{k}2"), soon)).given({"ZADD {k}2 1 a 2.5 b"});
    SAMPLE(bzpopmin("k", soon)).given({"ZADD k 1 a 2.5 b"});
    SAMPLE(bzpopmin("none", soon));
    SAMPLE(zdiff(words("{k}1", "{k}2"))).given({"ZADD {k}1 1 a 2 b", "ZADD {k}2 5 b"});
    SAMPLE(zdiff_with_scores("k")).given({"ZADD k 1 a 2.5 b"});
    SAMPLE(zdiffstore("{k}3", words("{k}1", "{k}2"))).given({"ZADD {k}1 1 a", "ZADD {k}2 5 b"});
    SAMPLE(zinter(words("{k}1", "{k}2"))).given({"ZADD {k}1 1 a 2 b", "ZADD {k}2 5 b"});
    SAMPLE(zinter_with_scores(words("{k}1", "{k}2"), weighted))
        .given({"ZADD {k}1 1 a 2 b", "ZADD {k}2 5 b"});
    SAMPLE(zintercard(words("{k}1", "{k}2"), 5)).given({"ZADD {k}1 1 a 2 b", "ZADD {k}2 5 b"});
    SAMPLE(zinterstore("{k}3", words("{k}1", "{k}2"), weighted))
        .given({"ZADD {k}1 1 a 2 b", "ZADD {k}2 5 b"});
    SAMPLE(zmpop_lowest(words("{k}1", "{k}2"), 2)).given({"ZADD {k}2 1 a 2.5 b 3 c"});
    SAMPLE(zmpop_highest("none"));
    SAMPLE(zpopmax("k")).given({"ZADD k 1 a 2.5 b"});
    SAMPLE(zpopmin("k", 5)).given({"ZADD k 1 a 2.5 b"});
    SAMPLE(zpopmin("none"));
    SAMPLE(zunion(words("{k}1", "{k}2"))).given({"ZADD {k}1 1 a 2 b", "ZADD {k}2 5 b"});
    SAMPLE(zunion_with_scores(words("{k}1", "{k}2"), ZCombine().score(ScoreOf::lowest)))
        .given({"ZADD {k}1 1 a 2 b", "ZADD {k}2 5 b"});
    SAMPLE(zunionstore("{k}3", words("{k}1", "{k}2"), ZCombine().score(ScoreOf::sum)))
        .given({"ZADD {k}1 1 a 2 b", "ZADD {k}2 5 b"});
    SAMPLE(zunionstore("{k}3", "{k}1")).given({"ZADD {k}1 1 a 2 b"});
}

inline void add_geo_samples(Samples& samples) {
    constexpr std::string_view sicily =
        "GEOADD k 13.361389 38.115556 Palermo 15.087269 37.502669 Catania";
    constexpr std::string_view sicily_1 =
        "GEOADD {k}1 13.361389 38.115556 Palermo 15.087269 37.502669 Catania";
    const std::vector<GeoMember> one{GeoMember("Palermo", GeoPoint(13.361389, 38.115556))};
    const GeoSearch near = GeoSearch::around(GeoPoint(15, 37)).radius_m(200000).nearest_first();
    SAMPLE(geoadd("k", "Palermo", GeoPoint(13.361389, 38.115556)));
    SAMPLE(geoadd("k", one, GeoaddOptions().if_absent())).given({sicily});
    SAMPLE(geoadd("k", one, GeoaddOptions().if_present().count_changed())).given({sicily});
    SAMPLE(geodist_m("k", "Palermo", "Catania")).given({sicily});
    SAMPLE(geodist_m("k", "Palermo", "none")).given({sicily});
    SAMPLE(geohash("k", words("Palermo", "none"))).given({sicily});
    SAMPLE(geopos("k", words("Palermo", "none"))).given({sicily});
    SAMPLE(geosearch("k", near)).given({sicily});
    SAMPLE(geosearch(
               "k",
               GeoSearch::around_member("Palermo").box_m(400000, 400000).farthest_first().count(1)
           ))
        .given({sicily});
    SAMPLE(geosearch("k", GeoSearch::around_member("Palermo").radius_m(1).count(5, true)))
        .given({sicily});
    SAMPLE(geosearch_with("k", near, GeoDetails())).given({sicily});
    SAMPLE(geosearch_with("k", near, GeoDetails().distance().hash().point())).given({sicily});
    SAMPLE(geosearch_with("k", near, GeoDetails().hash())).given({sicily});
    SAMPLE(geosearchstore("{k}2", "{k}1", near)).given({sicily_1});
    SAMPLE(geosearchstore_distances("{k}2", "{k}1", near)).given({sicily_1});
}

}  // namespace holdfast::redis::testing
