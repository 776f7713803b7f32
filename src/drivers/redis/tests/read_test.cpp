#include <holdfast/redis/errors.h>
#include <holdfast/redis/limits.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/read.h>
#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace holdfast::redis {
namespace {

class Reply {
public:
    explicit Reply(std::string bytes) : bytes_(std::move(bytes)) {
        EXPECT_EQ(parser_.parse(bytes_), RespStatus::complete) << bytes_;
    }
    RespView view() const { return parser_.reply(); }

private:
    std::string bytes_;
    RespParser parser_;
};

template <class T>
void expect_corrupt(const Result<T>& result) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code(), Code::corrupt);
    EXPECT_EQ(result.error().effect(), Effect::unknown);
}

TEST(Read, an_integer_is_a_number_or_a_text_of_nothing_else) {
    EXPECT_EQ(read_integer(Reply(":-5\r\n").view()).value(), -5);
    EXPECT_EQ(read_integer(Reply("$2\r\n42\r\n").view()).value(), 42);
    EXPECT_EQ(
        read_integer(Reply("$20\r\n-9223372036854775808\r\n").view()).value(),
        std::numeric_limits<std::int64_t>::min()
    );
    expect_corrupt(read_integer(Reply("$3\r\n42 \r\n").view()));
    expect_corrupt(read_integer(Reply("$19\r\n9223372036854775808\r\n").view()));
    expect_corrupt(read_integer(Reply("$0\r\n\r\n").view()));
    expect_corrupt(read_integer(Reply("$-1\r\n").view()));
    expect_corrupt(read_unsigned(Reply(":-1\r\n").view()));
}

TEST(Read, a_real_number_is_read_from_both_protocols_with_its_infinities) {
    EXPECT_EQ(read_real(Reply("$3\r\n1.5\r\n").view()).value(), 1.5);
    EXPECT_EQ(read_real(Reply(",1.5\r\n").view()).value(), 1.5);
    EXPECT_EQ(read_real(Reply(":3\r\n").view()).value(), 3);
    EXPECT_EQ(read_real(Reply("$3\r\ninf\r\n").view()).value(), HUGE_VAL);
    EXPECT_EQ(read_real(Reply(",-inf\r\n").view()).value(), -HUGE_VAL);
    EXPECT_TRUE(std::isnan(read_real(Reply(",nan\r\n").view()).value()));
    EXPECT_EQ(read_real(Reply("$5\r\n1e+20\r\n").view()).value(), 1e20);
    expect_corrupt(read_real(Reply("$4\r\n1.5x\r\n").view()));
}

TEST(Read, a_boolean_is_zero_or_one) {
    EXPECT_TRUE(read_boolean(Reply(":1\r\n").view()).value());
    EXPECT_FALSE(read_boolean(Reply(":0\r\n").view()).value());
    EXPECT_TRUE(read_boolean(Reply("#t\r\n").view()).value());
    EXPECT_FALSE(read_boolean(Reply("#f\r\n").view()).value());
    expect_corrupt(read_boolean(Reply(":2\r\n").view()));
    expect_corrupt(read_boolean(Reply("+1\r\n").view()));
}

TEST(Read, a_text_is_bulk_simple_or_verbatim_and_never_null) {
    EXPECT_EQ(read_text(Reply("+OK\r\n").view()).value(), "OK");
    EXPECT_EQ(read_text(Reply("$2\r\n\r\n\r\n").view()).value(), "\r\n");
    EXPECT_EQ(read_text(Reply("=6\r\ntxt:ab\r\n").view()).value(), "ab");
    expect_corrupt(read_text(Reply("$-1\r\n").view()));
    expect_corrupt(read_text(Reply(":1\r\n").view()));
    EXPECT_FALSE(read_optional_text(Reply("_\r\n").view()).value().has_value());
    EXPECT_FALSE(read_optional_text(Reply("*-1\r\n").view()).value().has_value());
}

TEST(Read, ok_is_the_word_ok_alone) {
    EXPECT_TRUE(read_ok(Reply("+OK\r\n").view()).ok());
    expect_corrupt(read_ok(Reply("+QUEUED\r\n").view()));
    EXPECT_TRUE(read_ok_or_null(Reply("+OK\r\n").view()).value());
    EXPECT_FALSE(read_ok_or_null(Reply("$-1\r\n").view()).value());
    expect_corrupt(read_ok_or_null(Reply(":1\r\n").view()));
}

TEST(Read, names_with_values_come_in_three_shapes) {
    const std::vector<std::pair<std::string, std::string>> expected{{"a", "1"}, {"b", "2"}};
    const std::string a = "$1\r\na\r\n$1\r\n1\r\n";
    const std::string b = "$1\r\nb\r\n$1\r\n2\r\n";
    EXPECT_EQ(read_pairs(Reply("%2\r\n" + a + b).view()).value(), expected);
    EXPECT_EQ(read_pairs(Reply("*4\r\n" + a + b).view()).value(), expected);
    EXPECT_EQ(read_pairs(Reply("*2\r\n*2\r\n" + a + "*2\r\n" + b).view()).value(), expected);
    EXPECT_TRUE(read_pairs(Reply("*0\r\n").view()).value().empty());
    expect_corrupt(read_pairs(Reply("*1\r\n$1\r\na\r\n").view()));
    expect_corrupt(read_pairs(Reply("*1\r\n*1\r\n$1\r\na\r\n").view()));
    expect_corrupt(read_pairs(Reply("*2\r\n$1\r\na\r\n*0\r\n").view()));
}

TEST(OwnedReply, lives_on_when_what_it_was_made_of_is_gone) {
    OwnedReply copy(Reply("+first\r\n").view());
    {
        const Reply reply("*3\r\n$3\r\nabc\r\n*1\r\n:7\r\n$-1\r\n");
        const OwnedReply owned(reply.view());
        EXPECT_EQ(owned, OwnedReply(reply.view()));
        copy = owned;
    }
    const RespView view = copy.view();
    ASSERT_EQ(view.size(), 3U);
    auto at = view.begin();
    EXPECT_EQ((*at).text(), "abc");
    ++at;
    EXPECT_EQ((*(*at).begin()).number(), 7);
    ++at;
    EXPECT_TRUE((*at).is_null());
    EXPECT_FALSE(copy == OwnedReply(Reply("*0\r\n").view()));
}

Error error_for(const std::string& line, OnError on_error = OnError::nothing_done) {
    AnyCommand command("GET");
    command.set_on_error(on_error);
    return error_of(Reply("-" + line + "\r\n").view(), command);
}

TEST(ServerErrors, each_known_one_has_its_code) {
    const std::pair<Code, std::vector<std::string>> table[] = {
        {Code::invalid_argument,
         {"WRONGTYPE Operation against a key holding the wrong kind of value",
          "ERR syntax error",
          "ERR wrong number of arguments for 'get' command",
          "ERR value is not an integer or out of range",
          "NOSCRIPT No matching script. Please use EVAL.",
          "CROSSSLOT Keys in request don't hash to the same slot",
          "EXECABORT Transaction discarded because of previous errors.",
          "NOGROUP No such key 'k' or consumer group",
          "BUSYGROUP Consumer Group name already exists",
          "BUSYKEY Target key name already exists."}},
        {Code::denied,
         {"NOAUTH Authentication required.",
          "WRONGPASS invalid username-password pair or user is disabled.",
          "NOPERM this user has no permissions to run the 'get' command"}},
        {Code::overloaded,
         {"OOM command not allowed when used memory > 'maxmemory'.",
          "ERR max number of clients reached"}},
        {Code::unreachable,
         {"BUSY Redis is busy running a script.",
          "LOADING Redis is loading the dataset in memory",
          "MASTERDOWN Link with MASTER is down",
          "CLUSTERDOWN Hash slot not served",
          "TRYAGAIN Multiple keys request during rehashing of slot",
          "READONLY You can't write against a read only replica.",
          "NOREPLICAS Not enough good replicas to write.",
          "MISCONF Redis is configured to save RDB snapshots",
          "UNBLOCKED force unblock from blocking operation"}},
        {Code::moved, {"MOVED 3999 127.0.0.1:6381", "ASK 3999 127.0.0.1:6381"}},
        {Code::unsupported,
         {"NOPROTO unsupported protocol version",
          "ERR unknown command 'HELLO', with args beginning with: '3' ",
          "ERR unknown subcommand 'SETINFO'. Try CLIENT HELP."}},
        {Code::internal, {"ERR something new", "SOMETHING else", "", "MOVEDX 1", "OOMPH"}},
    };
    for (const auto& [code, lines] : table) {
        for (const std::string& line : lines) {
            EXPECT_EQ(error_for(line).code(), code) << line;
        }
    }
}

TEST(ServerErrors, a_single_command_that_was_refused_has_changed_nothing) {
    for (const std::string line : {"ERR something new", "OOM full", "MOVED 1 a:1", "WRONGTYPE x"}) {
        EXPECT_EQ(error_for(line).effect(), Effect::none) << line;
    }
}

TEST(ServerErrors, a_script_may_have_written_before_its_error) {
    for (const std::string line :
         {"ERR something new", "OOM full", "WRONGTYPE x", "READONLY x", "NOPERM x", "MISCONF x"}) {
        EXPECT_EQ(error_for(line, OnError::maybe_done).effect(), Effect::unknown) << line;
    }
}

TEST(ServerErrors, a_script_that_never_began_has_changed_nothing) {
    for (const std::string line :
         {"NOSCRIPT No matching script.",
          "MOVED 1 a:1",
          "ASK 1 a:1",
          "LOADING x",
          "BUSY x",
          "CLUSTERDOWN x",
          "TRYAGAIN x",
          "EXECABORT x",
          "NOAUTH x",
          "CROSSSLOT x"}) {
        EXPECT_EQ(error_for(line, OnError::maybe_done).effect(), Effect::none) << line;
    }
}

TEST(ServerErrors, what_the_server_said_stands_in_the_context_alone_and_is_cut) {
    const std::string secret(3000, 's');
    const Error error = error_for("WRONGTYPE " + secret);
    EXPECT_EQ(error.what().find('s' + std::string("ss")), std::string_view::npos);
    ASSERT_NE(error.context(), nullptr);
    EXPECT_EQ(error.context()->server_text.size(), server_text_bytes_max);
    EXPECT_EQ(error.context()->command, "GET");
    EXPECT_EQ(server_word(error), "WRONGTYPE");
    EXPECT_EQ(server_word(Error(Code::closed, Effect::none, "closed")), "");
}

TEST(ServerErrors, a_text_is_cut_between_characters) {
    std::string line = "ERR " + std::string(server_text_bytes_max - 6, 'x');
    line += "\xE2\x82\xAC and more";  // the euro sign crosses the limit
    const Error error = error_for(line);
    EXPECT_EQ(error.context()->server_text, line.substr(0, server_text_bytes_max - 2));
}

TEST(Commands, one_may_be_read_otherwise_and_raised_to_repeatable) {
    AnyCommand any("GET", Repeat::once);
    any.add_key("k");
    const auto command = Command<std::optional<std::string>>(std::move(any), read_optional_text)
                             .repeat(Repeat::idempotent)
                             .bulky()
                             .as(read_integer);
    EXPECT_EQ(command.read(Reply("$2\r\n42\r\n").view()).value(), 42);
    EXPECT_EQ(command.any().repeat(), Repeat::idempotent);
    EXPECT_TRUE(command.any().bulky());
}

TEST(Commands, numbers_are_the_shortest_text_that_reads_back_the_same) {
    AnyCommand any("X");
    any.add(0.1).add(1e300).add(-std::numeric_limits<double>::infinity()).add(3.0);
    any.add(std::numeric_limits<std::int64_t>::min())
        .add(std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(
        any.bytes(),
        "$1\r\nX\r\n$3\r\n0.1\r\n$6\r\n1e+300\r\n$4\r\n-inf\r\n$1\r\n3\r\n"
        "$20\r\n-9223372036854775808\r\n$20\r\n18446744073709551615\r\n"
    );
    EXPECT_EQ(any.words(), 7U);
}

TEST(Commands, long_words_move_to_the_heap_and_keep_what_was_before) {
    for (std::size_t size = 60; size < 130; ++size) {
        AnyCommand any("SET");
        const std::string value(size, 'v');
        any.add_key("k").add(value).add("NX");
        const std::string length = std::to_string(size);
        const std::string expected =
            "$3\r\nSET\r\n$1\r\nk\r\n$" + length + "\r\n" + value + "\r\n$2\r\nNX\r\n";
        EXPECT_EQ(any.bytes(), expected);
        const AnyCommand copy = any;
        EXPECT_EQ(copy.bytes(), expected);
        const AnyCommand moved = std::move(any);
        EXPECT_EQ(moved.bytes(), expected);
    }
}

}  // namespace
}  // namespace holdfast::redis
