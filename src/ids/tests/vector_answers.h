#pragma once
// Our answers in the form of CosId's: a text, or the reason why there is none.

#include "tests/vectors.h"

#include <holdfast/ids/codec.h>

#include <cstdio>
#include <string>

namespace holdfast::testing {

struct Answer {
    std::string text;
    bool refused = false;

    Answer(std::string value)
        : text(std::move(value)) {}  // NOLINT(google-explicit-constructor): a text is an answer
    explicit Answer(const Error& error) : text(error.what()), refused(true) {}
};

inline Answer answer_of(const Result<std::int64_t>& id) {
    return id.ok() ? Answer(std::to_string(id.value())) : Answer(id.error());
}

// Asks the codec for what the vector has: an id, or a text.
inline Answer
answer_of(const IdCodec& codec, const CosIdVector& vector, std::string_view group = {}) {
    if (vector.in().text("text").ok()) {
        return answer_of(codec.parse(vector.in().text("text").value()));
    }
    TextContext context;
    context.group = group;
    std::string text = "kept";
    const auto done = codec.append(text, vector.integer("id"), context);
    if (!done.ok()) {
        EXPECT_EQ(text, "kept") << "an error has appended something";
        return Answer(done.error());
    }
    return Answer(text.substr(4));
}

// Empty: the vector's answer is ours.
inline std::string difference(const CosIdVector& vector, const Answer& ours) {
    if (vector.threw()) {
        return ours.refused ? "" : "answered " + ours.text;
    }
    if (ours.refused) {
        return "refused: " + ours.text;
    }
    const auto text = vector.out()->text();
    const bool same =
        text.has_value() ? *text == ours.text : vector.out()->number_token() == ours.text;
    return same ? "" : "answered " + ours.text;
}

// 2026-01-01T08:00[:00[.123]], as Java prints local times; read as if it were of UTC.
inline WallTime wall_time(const std::string& text) {
    LocalTime local;
    char fraction[10] = "";
    const int read = std::sscanf(
        text.c_str(),
        "%d-%d-%dT%d:%d:%d.%9[0-9]",
        &local.year,
        &local.month,
        &local.day,
        &local.hour,
        &local.minute,
        &local.second,
        fraction
    );
    EXPECT_GE(read, 5) << text;
    std::string digits = fraction;
    digits.resize(3, '0');
    local.millisecond = std::stoi(digits);
    const auto instant = TimeZone::utc().instant(local);
    EXPECT_TRUE(instant.ok()) << text;
    return instant.value();
}

}  // namespace holdfast::testing
