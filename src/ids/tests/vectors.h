#pragma once
// What CosId 3.2.1 answered (vectors/README.md), by section, and the exceptions we make on purpose.

#include <holdfast/codec/json.h>

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::testing {

// One line of the file. Copy it freely; it is valid as long as the program runs.
class CosIdVector {
public:
    CosIdVector(std::int64_t number, std::string_view section, JsonObject line)
        : section_(section), line_(line), number_(number) {}

    std::int64_t number() const { return number_; }
    std::string_view section() const { return section_; }
    std::string_view call() const { return line_.text("call").value(); }  // the call in words
    JsonObject in() const { return line_.object("in").value(); }
    // What it returned; nothing if it threw.
    std::optional<JsonValue> out() const { return line_.find("out"); }
    bool threw() const { return line_.find("err").has_value(); }

    // Of `in`, as text or number; the test fails without it.
    std::string text(std::string_view name) const {
        const auto found = in().text(name);
        EXPECT_TRUE(found.ok()) << number_ << " has no text " << name;
        return found.ok() ? std::string(found.value()) : std::string();
    }
    std::int64_t integer(std::string_view name) const {
        const auto found = in().integer_or_text(name);
        EXPECT_TRUE(found.ok()) << number_ << " has no number " << name;
        return found.ok() ? found.value() : 0;
    }

private:
    std::string_view section_;
    JsonObject line_;
    std::int64_t number_;
};

// All lines of the sections, in the order of the file. Fails if a section is empty.
inline std::vector<CosIdVector> cosid_vectors(std::initializer_list<std::string_view> sections) {
    struct Line {
        std::string text;
        JsonDocument document;
    };
    static const std::vector<std::unique_ptr<Line>>& lines = *new auto([] {
        std::vector<std::unique_ptr<Line>> read;
        std::ifstream file(IDS_TEST_DATA "/cosid-3.2.1.jsonl");
        for (std::string text; std::getline(file, text);) {
            read.push_back(std::make_unique<Line>());
            read.back()->text = std::move(text);
        }
        return read;
    }());
    static const std::vector<CosIdVector> all = [] {
        std::vector<CosIdVector> vectors;
        for (const auto& line : lines) {
            const auto parsed = line->document.parse_object(std::string_view(line->text));
            EXPECT_TRUE(parsed.ok()) << line->text;
            if (parsed.ok()) {
                vectors.emplace_back(
                    parsed.value().integer("n").value(),
                    parsed.value().text("section").value(),
                    parsed.value()
                );
            }
        }
        EXPECT_EQ(vectors.size(), 2'226u);
        return vectors;
    }();
    std::vector<CosIdVector> found;
    for (const std::string_view section : sections) {
        const std::size_t before = found.size();
        for (const CosIdVector& vector : all) {
            if (vector.section() == section) {
                found.push_back(vector);
            }
        }
        EXPECT_GT(found.size(), before) << "no vector of the section " << section;
    }
    return found;
}

// Where we differ on purpose: the number of the vector, and why.
using CosIdExceptions = std::map<std::int64_t, std::string_view>;

// Asks `holds` of each vector of the sections: "" if we answer as CosId did, else what we answered.
// A vector that does not hold must be an exception, and an exception must not hold.
inline void check_cosid_vectors(
    std::initializer_list<std::string_view> sections,
    const CosIdExceptions& exceptions,
    const std::function<std::string(const CosIdVector&)>& holds
) {
    std::size_t used = 0;
    for (const CosIdVector& vector : cosid_vectors(sections)) {
        const std::string difference = holds(vector);
        const auto exception = exceptions.find(vector.number());
        if (exception == exceptions.end()) {
            EXPECT_EQ(difference, "")
                << vector.section() << " " << vector.number() << ": " << vector.call();
            continue;
        }
        ++used;
        EXPECT_NE(difference, "") << vector.number() << " is listed as an exception ("
                                  << exception->second << ") and holds";
    }
    EXPECT_EQ(used, exceptions.size()) << "an exception names a vector of no section of this test";
}

}  // namespace holdfast::testing
