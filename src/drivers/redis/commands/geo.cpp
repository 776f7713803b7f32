#include "build.h"
#include "fields.h"

#include <holdfast/redis/commands/geo.h>
#include <holdfast/redis/read.h>

#include <array>
#include <charconv>

namespace holdfast::redis {

namespace {

std::string written(double number) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

Result<GeoPoint> read_point(RespView reply) {
    return read_two<read_real, read_real>(reply).and_then([](std::pair<double, double>&& two) {
        return Result<GeoPoint>(GeoPoint(two.first, two.second));
    });
}

// The kinds of its details tell them apart: the distance is a text, the hash a number, the point an
// array.
Result<GeoFound> read_found(RespView reply) {
    GeoFound found;
    if (!is_list(reply)) {
        return read_text(reply).and_then([&](std::string&& member) {
            found.member = std::move(member);
            return Result<GeoFound>(std::move(found));
        });
    }
    Places places(reply, 1);
    places.take(found.member, read_text);
    while (places.more()) {
        const RespView detail = places.here();
        if (is_list(detail)) {
            places.take(found.point, read_optional<read_point>);
        } else if (detail.type() == RespType::integer) {
            places.take(found.hash, read_optional_integer);
        } else {
            places.take(found.distance_m, read_optional_real);
        }
    }
    return places.give(found);
}

AnyCommand build_store(std::string_view to, std::string_view from, const GeoSearch& search) {
    AnyCommand any = build_on("GEOSEARCHSTORE", Repeat::once, to);
    any.add_key(from).add_words(search.words());
    return any;
}

}  // namespace

void GeoaddOptions::put_into(AnyCommand& command) const {
    if (!condition_.empty()) {
        command.add(condition_);
    }
    if (count_changed_) {
        command.add("CH");
    }
}

void GeoDetails::put_into(AnyCommand& command) const {
    if (distance_) {
        command.add("WITHDIST");
    }
    if (hash_) {
        command.add("WITHHASH");
    }
    if (point_) {
        command.add("WITHCOORD");
    }
}

GeoSearch GeoSearch::around(GeoPoint point) {
    GeoSearch search;
    search.arguments_ = {"FROMLONLAT", written(point.longitude), written(point.latitude)};
    return search;
}

GeoSearch GeoSearch::around_member(std::string_view member) {
    GeoSearch search;
    search.arguments_ = {"FROMMEMBER", std::string(member)};
    return search;
}

GeoSearch& GeoSearch::radius_m(double radius) {
    arguments_.insert(arguments_.end(), {"BYRADIUS", written(radius), "m"});
    return *this;
}

GeoSearch& GeoSearch::box_m(double width, double height) {
    arguments_.insert(arguments_.end(), {"BYBOX", written(width), written(height), "m"});
    return *this;
}

GeoSearch& GeoSearch::nearest_first() {
    arguments_.emplace_back("ASC");
    return *this;
}

GeoSearch& GeoSearch::farthest_first() {
    arguments_.emplace_back("DESC");
    return *this;
}

GeoSearch& GeoSearch::count(std::uint64_t count, bool any) {
    arguments_.insert(arguments_.end(), {"COUNT", std::to_string(count)});
    if (any) {
        arguments_.emplace_back("ANY");
    }
    return *this;
}

Command<std::int64_t>
geoadd(std::string_view key, std::span<const GeoMember> members, const GeoaddOptions& options) {
    AnyCommand any = build_on("GEOADD", Repeat::once, key);
    options.put_into(any);
    for (const GeoMember& member : members) {
        any.add(member.point.longitude).add(member.point.latitude).add(member.member);
    }
    return {std::move(any), read_integer};
}

Command<std::int64_t> geoadd(std::string_view key, std::string_view member, GeoPoint point) {
    return {
        build_on("GEOADD", Repeat::once, key, point.longitude, point.latitude, member), read_integer
    };
}

Command<std::optional<double>>
geodist_m(std::string_view key, std::string_view member, std::string_view other) {
    AnyCommand any = build_on("GEODIST", Repeat::read, key, member, other);
    any.add("m");
    return {std::move(any), read_optional_real};
}

Command<std::vector<std::optional<std::string>>> geohash(std::string_view key, Words members) {
    return {build_on("GEOHASH", Repeat::read, key, members), read_optional_texts};
}

Command<std::vector<std::optional<GeoPoint>>> geopos(std::string_view key, Words members) {
    return {build_on("GEOPOS", Repeat::read, key, members), read_list<read_optional<read_point>>};
}

Command<std::vector<std::string>> geosearch(std::string_view key, const GeoSearch& search) {
    return {build_on("GEOSEARCH", Repeat::read, key, search.words()), read_texts};
}

Command<std::vector<GeoFound>>
geosearch_with(std::string_view key, const GeoSearch& search, const GeoDetails& details) {
    AnyCommand any = build_on("GEOSEARCH", Repeat::read, key, search.words());
    details.put_into(any);
    return {std::move(any), read_list<read_found>};
}

Command<std::int64_t>
geosearchstore(std::string_view to, std::string_view from, const GeoSearch& search) {
    return {build_store(to, from, search), read_integer};
}

Command<std::int64_t>
geosearchstore_distances(std::string_view to, std::string_view from, const GeoSearch& search) {
    AnyCommand any = build_store(to, from, search);
    any.add("STOREDIST");
    return {std::move(any), read_integer};
}

}  // namespace holdfast::redis
