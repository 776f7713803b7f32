// Friendly texts and text ids against what CosId 3.2.1 answered.

#include "codecs/digits.h"
#include "tests/vector_answers.h"

#include <holdfast/ids/codec.h>

#include <random>

namespace holdfast {
namespace {

using testing::Answer;
using testing::CosIdExceptions;
using testing::CosIdVector;
using testing::difference;

TimeZone zone(std::string_view name) {
    return TimeZone::find(name).value();
}

IdLayout layout_named(const std::string& name) {
    return name == "s"       ? IdLayout::seconds()
           : name == "js_ms" ? IdLayout::js_safe_milliseconds()
           : name == "js_s"  ? IdLayout::js_safe_seconds()
           : name == "ms"    ? IdLayout::milliseconds()
                             : IdLayout::milliseconds().epoch(WallTime{});
}

std::string same_state(
    const CosIdVector& vector, const IdLayout& layout, const IdCodec& codec, std::int64_t id
) {
    const JsonObject theirs = *vector.out()->object();
    const auto parts = decompose(layout, id);
    std::string text;
    if (!parts.ok() || !codec.append(text, id, {}).ok()) {
        return "refused";
    }
    const TimeZone named = zone(vector.text("zone"));
    const LocalTime local = named.local(time_of(layout, parts.value()));
    const bool same = theirs.integer_or_text("id").value() == id &&
                      TimeZone::utc().instant(local).value() ==
                          testing::wall_time(std::string(theirs.text("timestamp").value())) &&
                      theirs.integer("machineId").value() == parts.value().machine &&
                      theirs.integer_or_text("sequence").value() == parts.value().sequence &&
                      theirs.text("friendlyId").value() == text;
    return same ? "" : text;
}

std::string state_holds(const CosIdVector& vector) {
    if (vector.call().starts_with("SnowflakeFriendlyIdConverter.INSTANCE")) {
        const auto codec =
            make_codec(CodecOptions(TextBase::friendly).layout(IdLayout::milliseconds()));
        return difference(vector, testing::answer_of(*codec.value(), vector));
    }
    const IdLayout layout = layout_named(vector.text("layout"));
    const auto codec = make_codec(CodecOptions(TextBase::friendly)
                                      .layout(layout)
                                      .zone(zone(vector.text("zone")))
                                      .pad(vector.in().boolean("padStart").value()));
    if (!vector.in().text("friendlyId").ok()) {
        return same_state(vector, layout, *codec.value(), vector.integer("id"));
    }
    const auto id = codec.value()->parse(vector.in().text("friendlyId").value());
    if (!id.ok()) {
        return vector.threw() ? "" : std::string(id.error().what());
    }
    return vector.threw() ? std::to_string(id.value())
                          : same_state(vector, layout, *codec.value(), id.value());
}

constexpr std::string_view strict = "only what was printed is read back";
constexpr std::string_view bits =
    "a part that is negative or beyond its bits is neither printed nor read";

void add(CosIdExceptions& to, std::initializer_list<std::int64_t> numbers, std::string_view why) {
    for (const std::int64_t number : numbers) {
        to.emplace(number, why);
    }
}

TEST(CosIdVectors, friendly_snowflake) {
    CosIdExceptions exceptions;
    add(exceptions, {1172, 1173}, "a negative id is none of ours");
    add(exceptions, {1179, 1180, 1181, 1184}, strict);
    add(exceptions, {1191, 1192}, "the calendar has no 30 February, and a day no hour 24");
    testing::check_cosid_vectors({"snowflake_state"}, exceptions, state_holds);
}

std::string repeated_hour_holds(const CosIdVector& vector) {
    if (vector.in().text("parser").ok()) {
        const auto codec = make_text_codec(CodecOptions(TextBase::friendly)
                                               .layout(IdLayout::text())
                                               .zone(zone("America/New_York"))
                                               .pad(false));
        std::string text;
        EXPECT_TRUE(codec.value()->append(text, IdParts{vector.integer("timestamp"), 1, 1}, {}).ok()
        );
        const auto back = codec.value()->parse(text);
        const JsonObject theirs = *vector.out()->object();
        const bool same = theirs.text("text").value() == text &&
                          theirs.integer_or_text("back").value() == back.value().time;
        return same ? "" : text;
    }
    const auto codec = make_codec(CodecOptions(TextBase::friendly)
                                      .layout(IdLayout::milliseconds())
                                      .zone(zone(vector.text("zone"))));
    if (vector.in().text("friendlyId").ok()) {
        const auto id = codec.value()->parse(vector.text("friendlyId"));
        return id.ok() ? std::to_string(id.value()) : std::string(id.error().what());
    }
    std::string text;
    EXPECT_TRUE(codec.value()->append(text, vector.integer("id"), {}).ok());
    const JsonObject theirs = *vector.out()->object();
    const bool same = theirs.text("friendlyId").value() == text &&
                      theirs.integer_or_text("back").value() == codec.value()->parse(text).value();
    return same ? "" : text;
}

TEST(CosIdVectors, friendly_in_hours_that_a_zone_repeats_or_skips) {
    testing::check_cosid_vectors(
        {"friendly_dst"},
        {{1200, "a local time that the zone skipped is refused"}},
        repeated_hour_holds
    );
}

// The codec of a parser's name: radix62, radix36, friendly ZONE [padded].
std::unique_ptr<TextIdCodec> parser_named(std::string_view name) {
    CodecOptions options(
        name == "radix62"   ? TextBase::radix62
        : name == "radix36" ? TextBase::radix36
                            : TextBase::friendly
    );
    options = std::move(options).layout(IdLayout::text());
    if (name.starts_with("friendly ")) {
        name.remove_prefix(9);
        const bool padded = name.ends_with(" padded");
        name.remove_suffix(padded ? 7 : 0);
        options = std::move(options).zone(zone(name)).pad(padded);
    }
    return make_text_codec(options).value();
}

Answer text_of(const TextIdCodec& codec, const IdParts& parts) {
    std::string text = "kept";
    const auto done = codec.append(text, parts, {});
    if (!done.ok()) {
        EXPECT_EQ(text, "kept");
        return Answer(done.error());
    }
    return Answer(text.substr(4));
}

IdParts parts_in(JsonObject object) {
    return {
        object.integer_or_text("timestamp").value(),
        object.integer_or_text("machineId").value(),
        object.integer_or_text("sequence").value()
    };
}

std::string all_parsers_hold(const CosIdVector& vector) {
    std::string differences;
    for (const JsonValue theirs : vector.out()->children()) {
        const auto codec = parser_named(theirs.name());
        const Answer ours = text_of(*codec, parts_in(vector.in()));
        const auto back = codec->parse(ours.text);
        if (ours.text != theirs.text() || !back.ok() || back.value() != parts_in(vector.in())) {
            differences += ours.text + " ";
        }
    }
    return differences;
}

std::string text_holds(const CosIdVector& vector) {
    if (vector.call() == "asString by all parsers") {
        return all_parsers_hold(vector);
    }
    const auto codec = parser_named(vector.in().text("parser").value());
    if (!vector.in().text("text").ok()) {
        return difference(vector, text_of(*codec, parts_in(vector.in())));
    }
    const auto parts = codec->parse(vector.in().text("text").value());
    if (!parts.ok() || vector.threw()) {
        return vector.threw() && !parts.ok() ? ""
               : parts.ok()                  ? "read"
                                             : std::string(parts.error().what());
    }
    return parts.value() == parts_in(*vector.out()->object()) ? "" : "other parts";
}

TEST(CosIdVectors, text_ids) {
    CosIdExceptions exceptions;
    add(exceptions, {1765, 1767, 1768}, strict);
    add(exceptions,
        {1431, 1432, 1433, 1434, 1435, 1436, 1437, 1438, 1461, 1462, 1463, 1464, 1465, 1466, 1470,
         1471, 1491, 1492, 1493, 1494, 1495, 1496, 1497, 1498, 1499, 1500, 1501, 1502, 1503, 1504,
         1505, 1506, 1507, 1509, 1527, 1528, 1529, 1530, 1531, 1532, 1533, 1534, 1535, 1536, 1537,
         1538, 1539, 1540, 1541, 1542, 1543, 1544, 1545, 1546, 1563, 1564, 1565, 1566, 1567, 1568,
         1569, 1570, 1571, 1572, 1573, 1574, 1575, 1576, 1577, 1578, 1579, 1581, 1599, 1600, 1601,
         1602, 1603, 1604, 1605, 1606, 1607, 1608, 1609, 1610, 1611, 1612, 1613, 1614, 1615, 1616,
         1617, 1618, 1635, 1636, 1637, 1638, 1639, 1640, 1641, 1642, 1643, 1644, 1645, 1646, 1647,
         1648, 1649, 1650, 1651, 1653, 1671, 1672, 1673, 1674, 1675, 1676, 1677, 1678, 1679, 1680,
         1681, 1682, 1683, 1684, 1685, 1686, 1687, 1688, 1689, 1690, 1756, 1761, 1766},
        bits);
    testing::check_cosid_vectors({"cosid_text"}, exceptions, text_holds);
}

std::string text_length_holds(const CosIdVector& vector) {
    const auto bit = [&vector](std::string_view name) {
        return static_cast<int>(vector.integer(name));
    };
    const auto codec =
        make_text_codec(CodecOptions(TextBase::radix62)
                            .layout(IdLayout::text().bits(
                                bit("timestampBit"), bit("machineBit"), bit("sequenceBit")
                            )));
    if (!codec.ok()) {
        return vector.threw() ? "" : std::string(codec.error().what());
    }
    const Answer text = text_of(*codec.value(), IdParts{1, vector.integer("machineId"), 1});
    return difference(vector, text.refused ? text : Answer(std::to_string(text.text.size())));
}

std::string text_defaults_hold(const CosIdVector& vector) {
    const std::string_view call = vector.call();
    if (call.starts_with("RadixCosIdGenerator default bits")) {
        const IdLayout layout = IdLayout::text();
        const JsonObject theirs = *vector.out()->object();
        const bool same =
            theirs.integer("timestampBit").value() == layout.time_bits() &&
            theirs.integer("machineBit").value() == layout.machine_bits() &&
            theirs.integer("sequenceBit").value() == layout.sequence_bits() &&
            theirs.integer("sequenceResetThreshold").value() == layout.sequence_reset_threshold();
        return same ? "" : "other bits";
    }
    if (call.ends_with("text length")) {
        return text_length_holds(vector);
    }
    if (call.ends_with("getMachineId()")) {
        const Answer text =
            text_of(*parser_named("radix62"), IdParts{0, vector.integer("machineId"), 0});
        return difference(
            vector, text.refused ? text : Answer(std::to_string(vector.integer("machineId")))
        );
    }
    // A number of a text generator: unsupported here too.
    return difference(vector, testing::answer_of(compose(IdLayout::text(), IdParts{0, 0, 0})));
}

TEST(CosIdVectors, defaults_of_text_ids) {
    constexpr std::string_view sum = "a text has at most 80 bits, and 62 of time";
    testing::check_cosid_vectors(
        {"cosid_defaults"},
        {{1211, sum}, {1212, sum}, {1215, sum}, {1216, sum}, {1217, sum}},
        text_defaults_hold
    );
}

TEST(CosIdVectors, digits_of_bits) {
    constexpr std::string_view shift = "there 64 bits are shifted out of their number";
    testing::check_cosid_vectors(
        {"max_char_size"},
        {{1284, shift}, {1349, shift}, {1414, shift}},
        [](const CosIdVector& vector) {
            return difference(
                vector,
                Answer(std::to_string(digits_of_bits(
                    static_cast<unsigned>(vector.integer("radix")),
                    static_cast<int>(vector.integer("bits"))
                )))
            );
        }
    );
}

TEST(CosIdVectors, byte_order_of_text_ids) {
    testing::check_cosid_vectors({"cosid_order"}, {}, [](const CosIdVector& vector) {
        std::mt19937_64 random(7);
        const IdLayout layout = IdLayout::text();
        std::int64_t mismatches = 0;
        for (const char* name : {"radix62", "radix36"}) {
            const auto codec = parser_named(name);
            for (int pair = 0; pair < 2'000; ++pair) {
                const auto parts = [&random, &layout] {
                    const auto part = [&random](std::int64_t max) {
                        return static_cast<std::int64_t>(
                            random() & static_cast<std::uint64_t>(max)
                        );
                    };
                    // Often equal in their first parts: the others decide then.
                    return IdParts{
                        random() % 2 == 0 ? 7 : part(layout.time_max()),
                        random() % 2 == 0 ? 7 : part(layout.machine_max()),
                        part(layout.sequence_max())
                    };
                };
                const IdParts a = parts();
                const IdParts b = parts();
                const bool by_text = text_of(*codec, a).text < text_of(*codec, b).text;
                mismatches += by_text == (a < b) ? 0 : 1;
            }
        }
        const JsonObject theirs = *vector.out()->object();
        return theirs.integer("mismatches62").value() == mismatches ? "" : "another order";
    });
}

}  // namespace
}  // namespace holdfast
