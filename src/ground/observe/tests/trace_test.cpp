#include <holdfast/observe/trace.h>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

const std::string known = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

TEST(Trace, a_header_is_read_and_written_as_it_was) {
    const auto context = TraceContext::parse(known);
    ASSERT_TRUE(context);
    EXPECT_EQ(context->trace_id_text(), "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(context->span_id_text(), "b7ad6b7169203331");
    EXPECT_TRUE(context->sampled());
    EXPECT_EQ(context->traceparent(), known);
}

TEST(Trace, of_the_flags_only_sampled_is_passed_on) {
    const std::string ids = known.substr(0, 53);
    EXPECT_EQ(TraceContext::parse(ids + "00")->traceparent(), ids + "00");
    EXPECT_EQ(TraceContext::parse(ids + "ff")->traceparent(), ids + "01");
    EXPECT_EQ(TraceContext::parse(ids + "fe")->traceparent(), ids + "00");
}

TEST(Trace, a_header_with_any_other_byte_anywhere_is_refused) {
    for (std::size_t at = 0; at < known.size(); ++at) {
        const bool dash = known[at] == '-';
        for (int c = 0; c < 256; ++c) {
            const char byte = static_cast<char>(c);
            const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            std::string header = known;
            header[at] = byte;
            const bool allowed = dash ? byte == '-' : digit;
            EXPECT_EQ(TraceContext::parse(header).has_value(), allowed) << at << " " << c;
        }
    }
}

TEST(Trace, a_cut_header_and_a_longer_one_of_version_00_are_refused) {
    for (std::size_t bytes = 0; bytes < known.size(); ++bytes) {
        EXPECT_FALSE(TraceContext::parse(std::string_view(known).substr(0, bytes))) << bytes;
    }
    for (const char* tail : {"-", "-00", " ", "0", "\n", ","}) {
        EXPECT_FALSE(TraceContext::parse(known + tail)) << tail;
    }
    EXPECT_FALSE(TraceContext::parse(" " + known));
}

TEST(Trace, a_higher_version_is_read_as_00_and_may_carry_more_after_a_dash) {
    const std::string rest = known.substr(2);
    for (const char* version : {"01", "02", "cc", "fe"}) {
        EXPECT_EQ(TraceContext::parse(version + rest)->traceparent(), known);
        EXPECT_TRUE(TraceContext::parse(version + rest + "-"));
        EXPECT_TRUE(TraceContext::parse(version + rest + "-what.the-future=brings"));
        EXPECT_FALSE(TraceContext::parse(version + rest + "x"));
        EXPECT_FALSE(TraceContext::parse(version + rest + "."));
    }
    EXPECT_FALSE(TraceContext::parse("ff" + rest));
}

TEST(Trace, ids_of_zeros_are_refused) {
    EXPECT_FALSE(TraceContext::parse("00-00000000000000000000000000000000-b7ad6b7169203331-01"));
    EXPECT_FALSE(TraceContext::parse("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"));
    EXPECT_TRUE(TraceContext::parse("00-00000000000000000000000000000001-0000000000000001-00"));
}

TEST(Trace, a_child_keeps_the_trace_and_has_a_span_of_its_own) {
    const auto parent = TraceContext::parse(known);
    ASSERT_TRUE(parent);
    const TraceContext child = parent->child([] { return 0x0123456789abcdefu; });
    EXPECT_EQ(child.trace_id(), parent->trace_id());
    EXPECT_EQ(child.span_id_text(), "efcdab8967452301");
    EXPECT_TRUE(child.sampled());
}

TEST(Trace, a_new_trace_takes_all_its_bits_from_the_generator) {
    std::uint64_t next = 0x1111111111111111;
    const auto random = [&next] {
        return std::exchange(next, next + 0x1111111111111111);
    };
    EXPECT_EQ(
        TraceContext::start(random, false).traceparent(),
        "00-11111111111111112222222222222222-3333333333333333-00"
    );
}

TEST(Trace, a_generator_of_zeros_still_gives_valid_ids) {
    const TraceContext context = TraceContext::start([] { return std::uint64_t{0}; }, true);
    EXPECT_TRUE(TraceContext::parse(context.traceparent()));
    EXPECT_TRUE(TraceContext::parse(context.child([] { return std::uint64_t{0}; }).traceparent()));
}

}  // namespace
}  // namespace holdfast
