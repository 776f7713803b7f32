// Every command: its bytes, how it travels, and its reader on what a server answered.

#include "tests/commands_golden_text.h"
#include "tests/commands_samples.h"

#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>
#include <support/cases.h>

namespace holdfast::redis::testing {
namespace {

constexpr std::string_view golden_commands =
#include "tests/golden/commands.inc"
    ;

// Recorded from Redis 7.0 by commands_live_test.cpp, with HOLDFAST_GOLDEN.
constexpr std::string_view golden_replies =
#include "tests/golden/replies.inc"
    ;

TEST(Commands, each_has_the_bytes_and_travels_as_the_golden_file_says) {
    const Samples samples = all_samples();
    std::string got;
    for (const Sample& sample : samples.all()) {
        got += "== " + sample.label + "\n-- travels\n" + travels(sample.any) + "\n-- bytes\n" +
               escaped(sample.any.bytes()) + "\n";
    }
    if (!wrote_golden("commands.inc", got)) {
        EXPECT_EQ("\n" + got, golden_commands);
    }
}

TEST(Commands, each_says_the_number_of_its_words) {
    const Samples samples = all_samples();
    for (const Sample& sample : samples.all()) {
        EXPECT_EQ(words_of(sample.any).size(), sample.any.words()) << sample.label;
    }
}

// Replies by the label of their sample: RESP2, RESP3.
class Recorded {
public:
    Recorded() {
        for (const auto& one : holdfast::testing::golden_cases(golden_replies)) {
            cases_[one.name] = {bytes(one.section("resp2")), bytes(one.section("resp3"))};
        }
    }
    const std::map<std::string, std::array<std::string, 2>>& all() const { return cases_; }

private:
    static std::string bytes(std::string_view line) {
        return unescaped(line.substr(0, line.find('\n')));
    }
    std::map<std::string, std::array<std::string, 2>> cases_;
};

class Parsed {
public:
    explicit Parsed(const std::string& bytes) : bytes_(bytes) {
        good = parser_.parse(bytes_) == RespStatus::complete && parser_.consumed() == bytes_.size();
    }
    RespView view() const { return parser_.reply(); }
    bool good = false;

private:
    std::string bytes_;
    RespParser parser_;
};

TEST(Commands, what_a_server_answered_is_read_alike_from_both_protocols) {
    const Samples samples = all_samples();
    const Recorded recorded;
    for (const Sample& sample : samples.all()) {
        if (sample.stage == Stage::none) {
            Parsed reply{std::string(sample.written)};
            ASSERT_TRUE(reply.good) << sample.label;
            EXPECT_FALSE(sample.reads(reply.view()).has_value()) << sample.label;
            continue;
        }
        if (!sample.recorded) {
            continue;
        }
        const auto found = recorded.all().find(sample.label);
        ASSERT_NE(found, recorded.all().end()) << "no recorded reply: " << sample.label;
        Parsed two(found->second[0]);
        Parsed three(found->second[1]);
        ASSERT_TRUE(two.good && three.good) << sample.label;
        if (!sample.refusal.empty()) {
            EXPECT_TRUE(two.view().text().starts_with(sample.refusal)) << sample.label;
            continue;
        }
        EXPECT_FALSE(sample.reads(two.view()).has_value()) << sample.label;
        EXPECT_FALSE(sample.reads(three.view()).has_value()) << sample.label;
        if (!sample.varies) {
            EXPECT_TRUE(sample.same(two.view(), three.view())) << sample.label;
        }
    }
}

TEST(Commands, every_recorded_reply_has_a_sample) {
    const Samples samples = all_samples();
    const Recorded recorded;
    for (const auto& [label, replies] : recorded.all()) {
        EXPECT_TRUE(std::ranges::any_of(samples.all(), [&](const Sample& sample) {
            return sample.label == label;
        })) << label;
    }
}

// A server that lies: any reader meets any reply and any part of one.
TEST(Commands, a_reply_of_another_command_is_read_or_is_corrupt_with_unknown_effect) {
    const Samples samples = all_samples();
    const Recorded recorded;
    std::size_t read = 0;
    std::size_t refused = 0;
    for (const auto& [label, replies] : recorded.all()) {
        for (const std::string& bytes : replies) {
            Parsed reply(bytes);
            ASSERT_TRUE(reply.good);
            const std::span<const RespNode> nodes = reply.view().nodes();
            const std::size_t step = nodes.size() / 50 + 1;
            for (std::size_t i = 0; i < nodes.size(); i += step) {
                for (const Sample& sample : samples.all()) {
                    const std::optional<Error> error = sample.reads(RespView(&nodes[i]));
                    if (!error) {
                        ++read;
                        continue;
                    }
                    ++refused;
                    ASSERT_EQ(error->code(), Code::corrupt) << sample.label << " on " << label;
                    ASSERT_EQ(error->effect(), Effect::unknown) << sample.label;
                }
            }
        }
    }
    EXPECT_GT(read, 1000U);
    EXPECT_GT(refused, 1000U);
}

}  // namespace
}  // namespace holdfast::redis::testing
