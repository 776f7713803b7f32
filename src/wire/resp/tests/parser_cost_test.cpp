// What replies cost: nothing on the heap in steady state, memory by what came, work by the bytes.
#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {
long allocations = 0;
long bytes_allocated = 0;
}  // namespace

#ifndef HOLDFAST_SANITIZED  // a sanitizer brings its own
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++allocations;
    bytes_allocated += static_cast<long>(bytes);
    if (void* memory = std::malloc(bytes)) {
        return memory;
    }
    std::abort();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
#endif

namespace holdfast {
namespace {

std::string array_of(std::size_t values) {
    std::string bytes = "*" + std::to_string(values) + "\r\n";
    for (std::size_t i = 0; i < values; ++i) {
        bytes += "$5\r\nhello\r\n";
    }
    return bytes;
}

TEST(ParserCost, steady_state_allocates_nothing) {
    const std::string replies[] = {
        "$32\r\n" + std::string(32, 'x') + "\r\n",
        "+OK\r\n",
        ":1\r\n",
        array_of(1000),
        "|1\r\n+a\r\n:1\r\n%1\r\n+k\r\n$?\r\n;3\r\nabc\r\n;0\r\n"
    };
    RespParser parser;
    const auto round = [&] {
        for (const std::string& reply : replies) {
            ASSERT_EQ(
                parser.parse(std::string_view(reply).substr(0, reply.size() / 2)),
                RespStatus::incomplete
            );
            ASSERT_EQ(parser.parse(reply), RespStatus::complete);
        }
    };
    round();
    const long before = allocations;
    for (int i = 0; i < 100; ++i) {
        round();
    }
    EXPECT_EQ(allocations, before);
}

TEST(ParserCost, fault_39_memory_follows_the_bytes_that_came) {
    for (const char* const bytes :
         {"*4294900000\r\n",
          "%2147000000\r\n",
          "~4000000000\r\n",
          ">4000000000\r\n",
          "$4000000000\r\n",
          "=4000000000\r\n",
          "|2000000000\r\n",
          "$?\r\n;4000000000\r\n"}) {
        RespParser parser;
        const long before = bytes_allocated;
        ASSERT_EQ(parser.parse(bytes), RespStatus::incomplete);
        EXPECT_LE(bytes_allocated - before, 1024) << bytes;
    }
}

TEST(ParserCost, a_value_takes_no_more_than_one_node) {
    std::string nulls = "*10000\r\n";
    for (int i = 0; i < 9'999; ++i) {
        nulls += "_\r\n";
    }
    RespParser parser;
    const long before = bytes_allocated;
    ASSERT_EQ(parser.parse(nulls), RespStatus::incomplete);
    // growing by doubling allocates twice what is needed in the end, and the end may be half empty
    EXPECT_LE(bytes_allocated - before, static_cast<long>(4 * 10'000 * sizeof(RespNode)));
}

TEST(ParserCost, what_a_huge_reply_needed_is_given_back) {
#ifndef HOLDFAST_SANITIZED
    RespParser parser;
    const std::string huge = array_of(100'000);
    ASSERT_EQ(parser.parse(huge), RespStatus::complete);
    ASSERT_EQ(parser.parse("+OK\r\n"), RespStatus::complete);
    const long before = allocations;
    ASSERT_EQ(parser.parse(array_of(10)), RespStatus::complete);
    EXPECT_GT(allocations, before);  // it begins anew with little
#endif
}

}  // namespace
}  // namespace holdfast
