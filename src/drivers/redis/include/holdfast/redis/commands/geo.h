#pragma once
// Places on earth. All distances are metres.

#include <holdfast/redis/command.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

class GeoPoint {
public:
    GeoPoint(double longitude_degrees, double latitude_degrees)
        : longitude(longitude_degrees), latitude(latitude_degrees) {}

    double longitude;
    double latitude;

    friend bool operator==(const GeoPoint&, const GeoPoint&) = default;
};

class GeoMember {
public:
    GeoMember(std::string member_text, GeoPoint its_point)
        : member(std::move(member_text)), point(its_point) {}

    std::string member;
    GeoPoint point;
};

class GeoaddOptions {
public:
    GeoaddOptions& if_absent() {
        condition_ = "NX";
        return *this;
    }
    GeoaddOptions& if_present() {
        condition_ = "XX";
        return *this;
    }
    // Counts the members that moved too, not the new ones alone.
    GeoaddOptions& count_changed() {
        count_changed_ = true;
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::string_view condition_;
    bool count_changed_ = false;
};

// Around what, how far, in which order. Say how far before you ask.
class GeoSearch {
public:
    static GeoSearch around(GeoPoint point);
    static GeoSearch around_member(std::string_view member);

    GeoSearch& radius_m(double radius);
    GeoSearch& box_m(double width, double height);
    GeoSearch& nearest_first();
    GeoSearch& farthest_first();
    // `any`: the first that are found, which need not be the nearest.
    GeoSearch& count(std::uint64_t count, bool any = false);

    Words words() const { return arguments_; }

private:
    std::vector<std::string> arguments_;
};

struct GeoFound {
    std::string member;
    std::optional<double> distance_m;
    std::optional<std::int64_t> hash;
    std::optional<GeoPoint> point;

    friend bool operator==(const GeoFound&, const GeoFound&) = default;
};

// What geosearch_with() tells beside the member.
class GeoDetails {
public:
    GeoDetails& distance() {
        distance_ = true;
        return *this;
    }
    GeoDetails& hash() {
        hash_ = true;
        return *this;
    }
    GeoDetails& point() {
        point_ = true;
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    bool distance_ = false;
    bool hash_ = false;
    bool point_ = false;
};

Command<std::int64_t>
geoadd(std::string_view key, std::span<const GeoMember> members, const GeoaddOptions& options = {});
Command<std::int64_t> geoadd(std::string_view key, std::string_view member, GeoPoint point);
// Null: one of them is not there.
Command<std::optional<double>>
geodist_m(std::string_view key, std::string_view member, std::string_view other);
Command<std::vector<std::optional<std::string>>> geohash(std::string_view key, Words members);
Command<std::vector<std::optional<GeoPoint>>> geopos(std::string_view key, Words members);
Command<std::vector<std::string>> geosearch(std::string_view key, const GeoSearch& search);
Command<std::vector<GeoFound>>
geosearch_with(std::string_view key, const GeoSearch& search, const GeoDetails& details);
Command<std::int64_t>
geosearchstore(std::string_view to, std::string_view from, const GeoSearch& search);
// Stores the distances in metres as scores.
Command<std::int64_t>
geosearchstore_distances(std::string_view to, std::string_view from, const GeoSearch& search);

}  // namespace holdfast::redis
