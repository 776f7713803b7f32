#include <holdfast/codec/json.h>

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace {

using namespace std::string_view_literals;

struct Case {
    std::string_view text;
    const char* why;
};

bool accepted(std::string_view text) {
    const std::string exact(text);  // so that a sanitizer sees a read past the end
    JsonDocument document;
    return document.parse(std::string_view(exact.data(), exact.size())).ok();
}

constexpr Case good[] = {
    {"null", "a literal alone"},
    {"true", "a literal alone"},
    {"false", "a literal alone"},
    {"0", "zero"},
    {"-0", "minus zero is a number, though no integer"},
    {"7", "a digit"},
    {"10", "zero after another digit"},
    {"-1", "negative"},
    {"-9223372036854775808", "least int64"},
    {"9223372036854775807", "largest int64"},
    {"9223372036854775808", "above int64 is still a number"},
    {"18446744073709551616", "above uint64 is still a number"},
    {"123456789012345678901234567890", "longer than any integer"},
    {"0.5", "fraction"},
    {"-0.5", "negative fraction"},
    {"0.0", "fraction of zero"},
    {"1.000000000000000000000000000001", "long fraction"},
    {"1e0", "exponent"},
    {"1E5", "capital exponent"},
    {"1e+5", "plus in the exponent"},
    {"1e-5", "minus in the exponent"},
    {"1e05", "zero leads in the exponent"},
    {"0e0", "zero with exponent"},
    {"12.5e-3", "fraction and exponent"},
    {"1e-400", "too small for a double"},
    {"\"\"", "empty text"},
    {"\"a\"", "text"},
    {"\" \"", "blank in a text"},
    {"\"\\\"\"", "escaped quote"},
    {"\"\\\\\"", "escaped backslash"},
    {"\"\\/\"", "escaped slash"},
    {"\"/\"", "slash"},
    {"\"\\b\\f\\n\\r\\t\"", "short escapes"},
    {"\"\\u0000\"", "escaped NUL"},
    {"\"\\u0041\"", "escaped letter"},
    {"\"\\u00e9\"", "two bytes"},
    {"\"\\u20AC\"", "three bytes, capital digits"},
    {"\"\\ud83d\\ude00\"", "surrogate pair"},
    {"\"\\uD800\\uDC00\"", "first pair"},
    {"\"\\udbff\\udfff\"", "last pair"},
    {"\"\\uffff\"", "noncharacter"},
    {"\"\\ufeff\"", "escaped byte order mark"},
    {"\"\xc2\x80\"", "first of two bytes"},
    {"\"\xdf\xbf\"", "last of two bytes"},
    {"\"\xe0\xa0\x80\"", "first of three bytes"},
    {"\"\xed\x9f\xbf\"", "last before the surrogates"},
    {"\"\xee\x80\x80\"", "first after the surrogates"},
    {"\"\xef\xbf\xbf\"", "last of three bytes"},
    {"\"\xf0\x90\x80\x80\"", "first of four bytes"},
    {"\"\xf4\x8f\xbf\xbf\"", "last of four bytes"},
    {"\"\xe2\x80\xa8\"", "line separator"},
    {"\"\x7f\"", "DEL"},
    {"[]", "empty array"},
    {"[ ]", "blank in an empty array"},
    {"[1]", "one item"},
    {"[1,2,3]", "items"},
    {"[[],[[]]]", "nested arrays"},
    {"[null,true,false,0,\"\",{},[]]", "every kind"},
    {"{}", "empty object"},
    {"{ }", "blank in an empty object"},
    {"{\"a\":1}", "one member"},
    {"{\"a\":1,\"b\":2}", "members"},
    {"{\"\":1}", "empty name"},
    {"{\"a\":{\"a\":{\"a\":1}}}", "the same name at three depths"},
    {"[{\"a\":1},{\"a\":1}]", "the same name in two objects"},
    {"{\"a\":1,\"A\":2}", "names differ by case"},
    {"{\"\\u0061\":1,\"b\":2}", "escaped name"},
    {"{\"a\\u0000\":1,\"a\":2}", "names differ by NUL"},
    {"{\"\xc3\xa9\":1,\"e\xcc\x81\":2}", "names are not normalised"},
    {" 1", "blank before"},
    {"1 ", "blank after"},
    {"\t\r\n {\t\"a\"\r:\n1 , \"b\" : 2 }\n", "all white space everywhere"},
};

constexpr Case bad[] = {
    {"", "nothing"},
    {" ", "white space alone"},
    {"\xef\xbb\xbf", "byte order mark alone"},
    {"\xef\xbb\xbf{}", "byte order mark"},
    {"\xfe\xff\0{\0}"sv, "UTF-16"},
    {"{\0}\0"sv, "UTF-16 without mark"},
    {"nul", "cut literal"},
    {"nulll", "longer literal"},
    {"Null", "capital"},
    {"TRUE", "capitals"},
    {"tru", "cut literal"},
    {"truefalse", "two literals"},
    {"fals", "cut literal"},
    {"undefined", "no literal of JSON"},
    {"NaN", "not a number"},
    {"-NaN", "not a number"},
    {"nan", "not a number"},
    {"Infinity", "infinity"},
    {"-Infinity", "infinity"},
    {"inf", "infinity"},
    {"+1", "plus"},
    {"++1", "two signs"},
    {"--1", "two signs"},
    {"-", "sign alone"},
    {"- 1", "blank after the sign"},
    {"-a", "sign and letter"},
    {"01", "zero leads"},
    {"-01", "zero leads"},
    {"00", "two zeros"},
    {"1.", "no digit after the point"},
    {".5", "no digit before the point"},
    {"-.5", "no digit before the point"},
    {"1.e5", "no digit after the point"},
    {"1..2", "two points"},
    {"1.2.3", "two points"},
    {"1e", "empty exponent"},
    {"1e+", "empty exponent"},
    {"1e-", "empty exponent"},
    {"1e5.5", "fraction in the exponent"},
    {"1ee5", "two exponents"},
    {"e5", "exponent alone"},
    {"0x10", "hexadecimal"},
    {"0b1", "binary"},
    {"0o7", "octal"},
    {"1_000", "separator"},
    {"1,000", "separator"},
    {"1 000", "separator"},
    {"1a", "letter after a number"},
    {"1L", "suffix"},
    {"1\0"sv, "NUL after a number"},
    {"\xef\xbc\x91", "full-width digit"},
    {"\xd9\xa1", "Arabic digit"},
    {"\"", "open text"},
    {"\"a", "open text"},
    {"\"a\\\"", "open text after an escaped quote"},
    {"\"\\", "cut escape"},
    {"\"\\x41\"", "no escape of JSON"},
    {"\"\\a\"", "no escape of JSON"},
    {"\"\\'\"", "no escape of JSON"},
    {"\"\\0\"", "no escape of JSON"},
    {"\"\\U0041\"", "capital U"},
    {"\"\\u\"", "no digits"},
    {"\"\\u004\"", "three digits"},
    {"\"\\u004g\"", "no hexadecimal digit"},
    {"\"\\u 041\"", "blank in the escape"},
    {"\"\\ud800\"", "high surrogate alone"},
    {"\"\\ud800a\"", "high surrogate and a letter"},
    {"\"\\ud800\\n\"", "high surrogate and another escape"},
    {"\"\\ud800\\u0041\"", "high surrogate and an escaped letter"},
    {"\"\\ud800\\ud800\"", "two high surrogates"},
    {"\"\\udbff\\ue000\"", "high surrogate and no surrogate"},
    {"\"\\udc00\"", "low surrogate alone"},
    {"\"\\udfff\"", "low surrogate alone"},
    {"\"\\udc00\\ud800\"", "pair in the wrong order"},
    {"\"\\ud83d\\ude0\"", "cut pair"},
    {"{\"\\ud800\":1}", "surrogate alone in a name"},
    {"\"\x80\"", "continuation byte alone"},
    {"\"\xbf\"", "continuation byte alone"},
    {"\"\xc0\xaf\"", "overlong slash"},
    {"\"\xc1\xbf\"", "overlong"},
    {"\"\xe0\x80\xaf\"", "overlong"},
    {"\"\xe0\x9f\xbf\"", "overlong"},
    {"\"\xf0\x80\x80\xaf\"", "overlong"},
    {"\"\xf0\x8f\xbf\xbf\"", "overlong"},
    {"\"\xed\xa0\x80\"", "surrogate in UTF-8"},
    {"\"\xed\xbf\xbf\"", "surrogate in UTF-8"},
    {"\"\xf4\x90\x80\x80\"", "above the last character"},
    {"\"\xf5\x80\x80\x80\"", "above the last character"},
    {"\"\xf8\x88\x80\x80\x80\"", "five bytes"},
    {"\"\xfe\"", "never in UTF-8"},
    {"\"\xff\"", "never in UTF-8"},
    {"\"\xc3\"", "cut character"},
    {"\"\xe2\x82\"", "cut character"},
    {"\"\xf0\x9f\x98\"", "cut character"},
    {"\"\xc3\x28\"", "no continuation byte"},
    {"\"\xe9\"", "Latin-1"},
    {"{\"\xff\":1}", "bad byte in a name"},
    {"[\xff]", "bad byte between values"},
    {"\"\0\""sv, "NUL as it is"},
    {"\"\x01\"", "control character"},
    {"\"\n\"", "line feed as it is"},
    {"\"\r\"", "carriage return as it is"},
    {"\"\t\"", "tab as it is"},
    {"\"\x1f\"", "control character"},
    {"'a'", "single quotes"},
    {"`a`", "back quotes"},
    {"\xe2\x80\x9c"
     "a\xe2\x80\x9d",
     "typographic quotes"},
    {"a", "word"},
    {"[", "open array"},
    {"[1", "open array"},
    {"[1,", "open array"},
    {"[,", "comma in an open array"},
    {"]", "close alone"},
    {"[]]", "one close too many"},
    {"[1]]", "one close too many"},
    {"[}", "wrong close"},
    {"[1}", "wrong close"},
    {"[1,]", "trailing comma"},
    {"[,1]", "leading comma"},
    {"[1,,2]", "two commas"},
    {"[,]", "comma alone"},
    {"[1 2]", "no comma"},
    {"[1;2]", "semicolon"},
    {"[\"a\":1]", "member in an array"},
    {"[\"a\" \"b\"]", "no comma"},
    {"[1:2]", "colon in an array"},
    {"[\v1]", "vertical tab"},
    {"[\f1]", "form feed"},
    {"[\xc2\xa0"
     "1]",
     "no-break space"},
    {"[\0]"sv, "NUL between values"},
    {"{", "open object"},
    {"{\"a\"", "open object"},
    {"{\"a\":", "open object"},
    {"{\"a\":1", "open object"},
    {"{\"a\":1,", "open object"},
    {"}", "close alone"},
    {"{}}", "one close too many"},
    {"{]", "wrong close"},
    {"{\"a\":1]", "wrong close"},
    {"{\"a\"}", "no value"},
    {"{\"a\":}", "no value"},
    {"{\"a\" 1}", "no colon"},
    {"{\"a\"::1}", "two colons"},
    {"{\"a\"=1}", "equals sign"},
    {"{\"a\",1}", "comma for a colon"},
    {"{:1}", "no name"},
    {"{1:1}", "number as name"},
    {"{null:1}", "literal as name"},
    {"{a:1}", "bare name"},
    {"{'a':1}", "single quotes"},
    {"{[]:1}", "array as name"},
    {"{,}", "comma alone"},
    {"{,\"a\":1}", "leading comma"},
    {"{\"a\":1,}", "trailing comma"},
    {"{\"a\":1,,\"b\":2}", "two commas"},
    {"{\"a\":1 \"b\":2}", "no comma"},
    {"{\"a\":1;\"b\":2}", "semicolon"},
    {"{\"a\":1 2}", "two values"},
    {"{\"a\":\"b\" \"c\"}", "two values"},
    {"{\"a\":1,\"b\"}", "member without value"},
    {"{} {}", "two values"},
    {"{}{}", "two values"},
    {"1 2", "two values"},
    {"{},", "comma after"},
    {"{}\0"sv, "NUL after"},
    {"{}x", "bytes after"},
    {"{}//", "comment after"},
    {"{}#", "comment after"},
    {"/**/{}", "comment"},
    {"{/**/}", "comment"},
    {"[1,//\n2]", "comment"},
    {"[1,#\n2]", "comment"},
    {"<!-- -->[]", "comment"},
    {")]}',\n{}", "guard of some web services"},
    {"{\"a\":1,\"a\":1}", "repeated name"},
    {"{\"a\":1,\"b\":2,\"a\":3}", "repeated name"},
    {"{\"\":1,\"\":2}", "repeated empty name"},
    {"{\"a\":1,\"\\u0061\":2}", "repeated name, once escaped"},
    {"{\"\xc3\xa9\":1,\"\\u00e9\":2}", "repeated name, once escaped"},
    {"{\"x\":{\"a\":1,\"a\":1}}", "repeated name below"},
    {"[[[{\"a\":[],\"a\":{}}]]]", "repeated name below arrays"},
    {"{\"a\":{\"b\":1},\"a\":{\"c\":1}}", "repeated name of objects"},
};

static_assert(std::size(good) + std::size(bad) >= 150);

TEST(JsonSyntax, what_the_grammar_allows_is_accepted) {
    for (const Case& one : good) {
        EXPECT_TRUE(accepted(one.text)) << one.why << ": " << one.text;
    }
}

TEST(JsonSyntax, what_the_grammar_forbids_is_refused) {
    for (const Case& one : bad) {
        EXPECT_FALSE(accepted(one.text)) << one.why << ": " << one.text;
    }
}

TEST(JsonSyntax, a_value_stays_good_or_bad_inside_an_array_and_as_a_member) {
    for (const Case& one : good) {
        EXPECT_TRUE(accepted("[" + std::string(one.text) + "]")) << one.text;
        EXPECT_TRUE(accepted("{\"m\":" + std::string(one.text) + "}")) << one.text;
    }
    for (const Case& one : bad) {
        EXPECT_FALSE(accepted("[0," + std::string(one.text) + ",0]"))
            << one.why << ": " << one.text;
        EXPECT_FALSE(accepted("{\"m\":" + std::string(one.text) + "}")) << one.text;
    }
}

TEST(JsonSyntax, no_beginning_of_a_document_is_a_document) {
    const std::string whole =
        R"({"a":[1,-2.5e3,true,false,null,"x\n\u00e9\ud83d\ude00"],"b":{"c":{}}})";
    ASSERT_TRUE(accepted(whole));
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        EXPECT_FALSE(accepted(whole.substr(0, bytes))) << whole.substr(0, bytes);
    }
}

}  // namespace
}  // namespace holdfast
