// Layouts and numbers of snowflake ids against what CosId 3.2.1 answered.

#include "tests/vectors.h"

#include <holdfast/ids/layout.h>

namespace holdfast {
namespace {

using testing::CosIdVector;

std::string text_of(const Result<std::int64_t>& result) {
    return result.ok() ? std::to_string(result.value()) : std::string(result.error().what());
}

bool refused_as_there(const CosIdVector& vector, bool ok) {
    return vector.threw() != ok;
}

// The layout that a constructor's words name, without its bits.
IdLayout named_layout(std::string_view call) {
    if (call.starts_with("SafeJavaScriptSnowflakeId.ofSecond")) {
        return IdLayout::js_safe_seconds();
    }
    if (call.starts_with("SafeJavaScriptSnowflakeId")) {
        return IdLayout::js_safe_milliseconds();
    }
    return call.starts_with("new SecondSnowflakeId") ? IdLayout::seconds()
                                                     : IdLayout::milliseconds();
}

std::string compare(std::string_view name, std::int64_t ours, std::int64_t theirs) {
    return ours == theirs ? "" : std::string(name) + " is " + std::to_string(ours);
}

std::string compare_layout(const IdLayout& layout, JsonObject theirs) {
    const auto number = [&theirs](std::string_view name) {
        return theirs.integer_or_text(name).value();
    };
    std::string differences =
        compare("epoch", layout.epoch_tick(), number("epoch")) +
        compare("time bits", layout.time_bits(), number("timestampBit")) +
        compare("machine bits", layout.machine_bits(), number("machineBit")) +
        compare("sequence bits", layout.sequence_bits(), number("sequenceBit")) +
        compare("last time", layout.time_max(), number("maxTimestamp")) +
        compare("last machine", layout.machine_max(), number("maxMachineId")) +
        compare("last sequence", layout.sequence_max(), number("maxSequence"));
    return differences;
}

std::string compare_constructed(const CosIdVector& vector, const IdLayout& layout) {
    const auto checked = layout.check();
    if (!refused_as_there(vector, checked.ok())) {
        return checked.ok() ? "accepted" : std::string(checked.error().what());
    }
    return vector.threw() ? "" : compare_layout(layout, *vector.out()->object());
}

std::string compare_machine(const CosIdVector& vector) {
    const auto id =
        compose(named_layout(vector.call()), IdParts{0, vector.integer("machineId"), 0});
    if (!refused_as_there(vector, id.ok())) {
        return text_of(id);
    }
    const bool same = vector.threw() || vector.out()->integer() == vector.integer("machineId");
    return same ? "" : "another machine";
}

std::string defaults_hold(const CosIdVector& vector) {
    const std::string_view call = vector.call();
    const auto out = vector.out();
    if (call == "CosId.COSID_EPOCH") {
        return compare("epoch", cosid_epoch.time_since_epoch().count(), *out->integer_or_text());
    }
    if (call == "CosId.COSID_EPOCH_SECOND") {
        return compare("epoch", IdLayout::seconds().epoch_tick(), *out->integer_or_text());
    }
    if (call.starts_with("CosId.COSID_EPOCH_DATE")) {
        return out->text() == "2019-12-24T16:00" ? "" : "another date";
    }
    if (call == "SnowflakeId.TOTAL_BIT") {
        const bool same = IdLayout::milliseconds().bits(41, 10, 12).check().ok() &&
                          !IdLayout::milliseconds().bits(41, 10, 13).check().ok();
        return same ? compare("bits", 63, *out->integer()) : "another sum of bits";
    }
    if (call == "SafeJavaScriptSnowflakeId.JAVA_SCRIPT_MAX_SAFE_NUMBER") {
        const IdLayout layout = IdLayout::js_safe_milliseconds();
        const IdParts last{layout.time_max(), layout.machine_max(), layout.sequence_max()};
        return text_of(compose(layout, last)) == out->text() ? "" : "another largest number";
    }
    if (call.starts_with("SafeJavaScriptSnowflakeId.isSafeJavaScript")) {
        const bool ours = decompose(IdLayout::js_safe_milliseconds(), vector.integer("id")).ok();
        return ours == out->boolean() ? "" : (ours ? "safe" : "not safe");
    }
    const IdLayout layout = named_layout(call);
    const auto machine_bits = vector.in().integer("machineBit");
    return compare_constructed(
        vector,
        machine_bits.ok()
            ? IdLayout(layout).bits(
                  layout.time_bits(), static_cast<int>(machine_bits.value()), layout.sequence_bits()
              )
            : layout
    );
}

TEST(CosIdVectors, defaults_of_snowflake) {
    testing::check_cosid_vectors(
        {"snowflake_defaults"},
        {{632, "a negative id is never answered"}, {635, "2^53-1 is itself safe"}},
        defaults_hold
    );
}

std::string bits_hold(const CosIdVector& vector) {
    if (vector.call().ends_with(".getMachineId()")) {
        return compare_machine(vector);
    }
    IdLayout layout = named_layout(vector.call());
    return compare_constructed(
        vector,
        std::move(layout).bits(
            static_cast<int>(vector.integer("timestampBit")),
            static_cast<int>(vector.integer("machineBit")),
            static_cast<int>(vector.integer("sequenceBit"))
        )
    );
}

TEST(CosIdVectors, bits_of_snowflake) {
    constexpr std::string_view bounds = "every number of bits is checked at its two bounds";
    testing::check_cosid_vectors(
        {"snowflake_bits"},
        {{667, bounds}, {672, bounds}, {673, bounds}, {674, bounds}, {676, bounds}, {677, bounds}},
        bits_hold
    );
}

std::string id_holds(const CosIdVector& vector) {
    std::vector<int> widths;
    for (const JsonValue width : vector.in().array("bits").value()) {
        widths.push_back(static_cast<int>(*width.integer()));
    }
    const bool seconds = vector.text("unit") == "second";
    const std::int64_t length = seconds ? 1'000 : 1;
    const IdLayout layout = IdLayout::milliseconds()
                                .unit(seconds ? TickUnit::second : TickUnit::millisecond)
                                .epoch(WallTime(Duration(vector.integer("epoch") * length)))
                                .bits(widths.at(0), widths.at(1), widths.at(2));
    if (const auto checked = layout.check(); !checked.ok()) {
        return std::string(checked.error().what());
    }
    const IdParts parts{
        vector.integer("timestamp") - layout.epoch_tick(),
        vector.integer("machine"),
        vector.integer("sequence")
    };
    const auto id = compose(layout, parts);
    if (!id.ok() || vector.threw()) {
        return vector.threw() && !id.ok() ? "" : text_of(id);
    }
    if (decompose(layout, id.value()).value() != parts) {
        return "other parts";
    }
    const auto object = vector.out()->object();
    const auto theirs =
        object ? object->find("id")->integer_or_text() : vector.out()->integer_or_text();
    return id.value() == theirs ? "" : text_of(id);
}

TEST(CosIdVectors, ids_of_snowflake) {
    constexpr std::string_view before = "a time before the epoch is an error, never a negative id";
    testing::check_cosid_vectors(
        {"snowflake_id"},
        {{718, before},
         {719, before},
         {720, before},
         {733, before},
         {734, before},
         {735, before},
         {748, before},
         {749, before},
         {750, before},
         {763, before},
         {764, before},
         {765, before},
         {766, "an epoch of milliseconds is no epoch of seconds"},
         {779, before},
         {780, before}},
        id_holds
    );
}

}  // namespace
}  // namespace holdfast
