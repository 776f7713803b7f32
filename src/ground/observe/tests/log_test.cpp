#include <holdfast/base/secret.h>
#include <holdfast/observe/limits.h>
#include <holdfast/observe/log.h>

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <optional>
#include <thread>

namespace holdfast {
namespace {

using namespace std::string_view_literals;

// 2024-02-29T23:59:58.007Z
class FixedClock final : public Clock {
public:
    SteadyTime steady_now() const override { return SteadyTime(); }
    WallTime wall_now() const override { return WallTime(Duration(1709251198007)); }
};

struct Book {
    explicit Book(LogFormat format, LogLevel level = LogLevel::debug)
        : log(format, level, clock, lines) {}

    std::string last() const { return lines.lines().empty() ? "" : lines.lines().back(); }

    FixedClock clock;
    LogLines lines;
    Log log;
};

static_assert(!std::is_constructible_v<LogField, LogName, Secret>);
static_assert(!std::is_constructible_v<LogField, LogName, const Secret&>);
static_assert(!std::is_constructible_v<LogField, LogName, const int*>);
static_assert(!std::is_constructible_v<LogField, LogName, std::shared_ptr<int>>);
static_assert(!std::is_constructible_v<LogField, LogName, std::optional<int>>);
static_assert(!std::is_constructible_v<LogField, std::string, int>, "names are literals");
static_assert(!std::is_constructible_v<LogText, std::string>);

TEST(Log, a_text_line_is_exact) {
    Book book(LogFormat::text);
    const std::string node = "127.0.0.1:6379";
    book.log.warn(
        "lease_lost",
        "the lease was lost",
        {{"slot", 5},
         {"fence", std::uint64_t{18446744073709551615u}},
         {"node", node},
         {"ok", false},
         {"ratio", 0.25},
         {"took_ms", Duration(12)},
         {"why", "no answer"},
         {"empty", ""}}
    );
    EXPECT_EQ(
        book.last(),
        "2024-02-29T23:59:58.007Z warn lease_lost: the lease was lost slot=5 "
        "fence=18446744073709551615 node=127.0.0.1:6379 ok=false ratio=0.25 took_ms=12 "
        "why=\"no answer\" empty=\"\""
    );
}

TEST(Log, a_json_line_is_exact) {
    Book book(LogFormat::json);
    book.log.error(
        "store_failed",
        "the store \"failed\"",
        {{"slot", -5},
         {"big", std::int64_t{9007199254740993}},
         {"node", "a\"b"},
         {"ok", true},
         {"ratio", 1.5},
         {"bad", std::numeric_limits<double>::quiet_NaN()}}
    );
    EXPECT_EQ(
        book.last(),
        R"({"time":"2024-02-29T23:59:58.007Z","level":"error","event":"store_failed",)"
        R"("message":"the store \"failed\"","slot":-5,"big":9007199254740993,"node":"a\"b",)"
        R"("ok":true,"ratio":1.5,"bad":null})"
    );
}

TEST(Log, no_value_can_end_a_line_or_open_a_field) {
    constexpr std::string_view attack =
        "x\n2024-02-29T23:59:58.007Z error forged: y admin=true\r\x1b[2J\0\"\\\t"sv;
    for (LogFormat format : {LogFormat::text, LogFormat::json}) {
        Book book(format);
        book.log.info("login", "a login", {{"user", attack}});
        ASSERT_EQ(book.lines.lines().size(), 1u);
        for (char c : book.last()) {
            EXPECT_GE(static_cast<unsigned char>(c), 0x20);
        }
        EXPECT_TRUE(book.lines.contains(
            R"("x\n2024-02-29T23:59:58.007Z error forged: y admin=true\r\u001b[2J\u0000\"\\\t")"
        ));
    }
    Book plain(LogFormat::text);
    plain.log.info("login", "a login", {{"user", "x admin=true"}, {"other", "a=b"}});
    EXPECT_TRUE(plain.lines.contains(R"( user="x admin=true" other="a=b")"));
}

TEST(Log, every_single_byte_is_harmless) {
    Book text(LogFormat::text);
    Book json(LogFormat::json);
    for (int c = 0; c < 256; ++c) {
        const std::string value(1, static_cast<char>(c));
        for (Book* book : {&text, &json}) {
            book->log.info("byte", "a byte", {{"value", value}});
            for (char shown : book->last()) {
                EXPECT_TRUE(shown >= 0x20 && shown < 0x7f) << c;
            }
        }
    }
}

TEST(Log, text_of_other_scripts_stays_and_what_fools_a_terminal_does_not) {
    Book book(LogFormat::json);
    book.log.info(
        "text",
        "a text",
        {{"good", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
         {"c1", "\xc2\x9b"},
         {"line", "\xe2\x80\xa8"},
         {"turn", "\xe2\x80\xae"},
         {"broken", "\xff\xe2\x82"},
         {"surrogate", "\xed\xa0\x80"}}
    );
    EXPECT_TRUE(book.lines.contains("\"good\":\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""));
    EXPECT_TRUE(book.lines.contains(R"("c1":"\u009b","line":"\u2028","turn":"\u202e")"));
    EXPECT_TRUE(book.lines.contains(R"("broken":"\ufffd\ufffd\ufffd")"));
    EXPECT_TRUE(book.lines.contains(R"("surrogate":"\ufffd\ufffd\ufffd")"));
}

TEST(Log, a_long_value_is_cut_at_a_character) {
    Book book(LogFormat::json);
    const std::string exact(log_value_bytes_max, 'x');
    book.log.info("long", "a value", {{"value", exact}});
    EXPECT_TRUE(book.lines.contains("\"" + exact + "\""));
    const std::string longer = std::string(log_value_bytes_max - 1, 'x') + "\xc3\xa9yyy";
    book.log.info("long", "a value", {{"value", longer}});
    EXPECT_TRUE(book.lines.contains("\"" + std::string(log_value_bytes_max - 1, 'x') + "...\""));
}

TEST(Log, records_below_the_level_are_not_written_and_the_level_can_change) {
    Book book(LogFormat::text, LogLevel::warn);
    book.log.debug("a", "a");
    book.log.info("b", "b");
    book.log.warn("c", "c");
    book.log.error("d", "d");
    EXPECT_EQ(book.lines.lines().size(), 2u);
    EXPECT_FALSE(book.log.wants(LogLevel::info));
    book.log.set_level(LogLevel::debug);
    book.log.debug("e", "e");
    EXPECT_EQ(book.lines.lines().size(), 3u);
    book.log.set_level(LogLevel::error);
    book.log.warn("f", "f");
    EXPECT_EQ(book.lines.lines().size(), 3u);
}

TEST(Log, lines_of_many_threads_stay_whole) {
    Book book(LogFormat::json);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&book, t] {
            for (int i = 0; i < 500; ++i) {
                book.log.info("turn", "a turn", {{"thread", t}, {"turn", i}});
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    const auto lines = book.lines.lines();
    EXPECT_EQ(lines.size(), 2000u);
    for (const std::string& line : lines) {
        EXPECT_EQ(line.find("{\"time\""), 0u);
        EXPECT_EQ(line.back(), '}');
        EXPECT_EQ(line.find('\n'), std::string::npos);
    }
    EXPECT_EQ(book.log.lost(), 0u);
}

TEST(Log, standard_error_gets_one_line_for_each_record) {
    const FixedClock clock;
    ::testing::internal::CaptureStderr();
    {
        Log log(LogFormat::text, LogLevel::info, clock);
        log.info("started", "serving", {{"port", std::uint16_t{8688}}});
        log.info("stopped", "{} %v %s \\n stays as it is");
    }
    EXPECT_EQ(
        ::testing::internal::GetCapturedStderr(),
        "2024-02-29T23:59:58.007Z info started: serving port=8688\n"
        "2024-02-29T23:59:58.007Z info stopped: {} %v %s \\n stays as it is\n"
    );
}

}  // namespace
}  // namespace holdfast
