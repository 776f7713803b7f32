#pragma once
// Replies as the protocol's pages show them, and what they mean.

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct ReplyCase {
    std::string_view name;
    std::string bytes;
    std::string text;  // as text_of() writes it
};

inline const std::vector<ReplyCase>& reply_table() {
    static const std::vector<ReplyCase> table{
        {"simple", "+OK\r\n", "+2:OK"},
        {"simple_empty", "+\r\n", "+0:"},
        {"simple_long", "+" + std::string(100, 'x') + "\r\n", "+100:" + std::string(100, 'x')},
        {"simple_with_a_line_feed", "+a\nb\r\n", "+3:a\nb"},
        {"error", "-ERR unknown command\r\n", "-19:ERR unknown command"},
        {"integer", ":1000\r\n", ":1000"},
        {"integer_zero", ":0\r\n", ":0"},
        {"integer_negative", ":-1\r\n", ":-1"},
        {"integer_with_plus", ":+7\r\n", ":7"},
        {"integer_least", ":-9223372036854775808\r\n", ":-9223372036854775808"},
        {"integer_most", ":9223372036854775807\r\n", ":9223372036854775807"},
        {"bulk", "$5\r\nhello\r\n", "$5:hello"},
        {"bulk_empty", "$0\r\n\r\n", "$0:"},
        {"bulk_with_line_ends", "$6\r\n\r\n\r\n\r\n\r\n", "$6:\r\n\r\n\r\n"},
        {"bulk_that_looks_like_replies", "$9\r\n+OK\r\n:1\r\n\r\n", "$9:+OK\r\n:1\r\n"},
        {"bulk_null", "$-1\r\n", "null"},
        {"array_null", "*-1\r\n", "null"},
        {"null", "_\r\n", "null"},
        {"true", "#t\r\n", "true"},
        {"false", "#f\r\n", "false"},
        {"real", ",1.25\r\n", ",4:1.25"},
        {"real_infinite", ",-inf\r\n", ",4:-inf"},
        {"big_number",
         "(3492890328409238509324850943850943825024385\r\n",
         "(43:3492890328409238509324850943850943825024385"},
        {"long_error", "!21\r\nSYNTAX invalid syntax\r\n", "-21:SYNTAX invalid syntax"},
        {"verbatim", "=15\r\ntxt:Some string\r\n", "=11:Some string"},
        {"verbatim_empty", "=4\r\nmkd:\r\n", "=0:"},
        {"array_empty", "*0\r\n", "*0[]"},
        {"array", "*3\r\n:1\r\n$2\r\nab\r\n+x\r\n", "*3[:1 $2:ab +1:x ]"},
        {"array_of_arrays",
         "*2\r\n*2\r\n:1\r\n*0\r\n*1\r\n*1\r\n_\r\n",
         "*2[*2[:1 *0[] ] *1[*1[null ] ] ]"},
        {"array_with_nulls", "*3\r\n$-1\r\n*-1\r\n_\r\n", "*3[null null null ]"},
        {"set", "~2\r\n+a\r\n+b\r\n", "~2[+1:a +1:b ]"},
        {"map", "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n", "%4[+1:a :1 +1:b *1[:2 ] ]"},
        {"map_empty", "%0\r\n", "%0[]"},
        {"push", ">2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n", ">2[+10:invalidate *1[$1:k ] ]"},
        {"attribute", "|1\r\n+ttl\r\n:10\r\n$1\r\nv\r\n", "$1:v"},
        {"attribute_empty", "|0\r\n:1\r\n", ":1"},
        {"attributes_in_a_row", "|1\r\n+a\r\n:1\r\n|1\r\n+b\r\n:2\r\n:3\r\n", ":3"},
        {"attribute_inside", "*2\r\n:1\r\n|1\r\n+ttl\r\n*2\r\n:5\r\n:6\r\n:2\r\n", "*2[:1 :2 ]"},
        {"attribute_of_an_array", "|1\r\n+a\r\n%1\r\n+b\r\n+c\r\n*1\r\n:1\r\n", "*1[:1 ]"},
        {"attribute_inside_an_attribute", "|1\r\n|1\r\n+a\r\n+b\r\n+c\r\n+d\r\n+e\r\n", "+1:e"},
        {"attribute_with_streams",
         "|1\r\n$?\r\n;1\r\na\r\n;0\r\n*?\r\n:1\r\n.\r\n*?\r\n$?\r\n;1\r\nb\r\n;0\r\n.\r\n",
         "*1[$1:b ]"},
        {"attribute_before_a_push", "|1\r\n+a\r\n:1\r\n>1\r\n+x\r\n", ">1[+1:x ]"},
        {"streamed_string", "$?\r\n;4\r\nHell\r\n;5\r\no wor\r\n;1\r\nd\r\n;0\r\n", "$10:Hello word"
        },
        {"streamed_string_empty", "$?\r\n;0\r\n", "$0:"},
        {"streamed_strings_inside",
         "*3\r\n$?\r\n;1\r\na\r\n;0\r\n:1\r\n$?\r\n;2\r\nbc\r\n;1\r\nd\r\n;0\r\n",
         "*3[$1:a :1 $3:bcd ]"},
        {"streamed_array", "*?\r\n:1\r\n$2\r\nab\r\n.\r\n", "*2[:1 $2:ab ]"},
        {"streamed_array_empty", "*?\r\n.\r\n", "*0[]"},
        {"streamed_set", "~?\r\n+a\r\n.\r\n", "~1[+1:a ]"},
        {"streamed_map", "%?\r\n+a\r\n*?\r\n:1\r\n:2\r\n.\r\n.\r\n", "%2[+1:a *2[:1 :2 ] ]"},
        {"all_in_one",
         "*8\r\n#t\r\n,1e5\r\n(12\r\n=5\r\ntxt:x\r\n!3\r\nERR\r\n~1\r\n:1\r\n%1\r\n+k\r\n_\r\n-"
         "E\r\n",
         "*8[true ,3:1e5 (2:12 =1:x -3:ERR ~1[:1 ] %2[+1:k null ] -1:E ]"},
    };
    return table;
}

}  // namespace holdfast
