"""JSON texts as bodies. An accepted text stands in a member that the call does not know, so that the call itself is answered 200."""

from .cases import MARK, Table, with_length


def call(text):
    return with_length(b'{"key":"h/json","size":1,"initialOffset":0,"more":' + text + b"}")


ACCEPTED = Table("JSON that is accepted")
values = [
    b"null", b"true", b"false", b"0", b"-0", b"1", b"-1", b"10", b"123456789", b"0.5", b"-0.5", b"1.0", b"1.25", b"-1.25e2", b"1e1", b"1E1", b"1e+1", b"1e-1", b"1E+10", b"0e1",
    b"0e+1", b"0.0", b"-0.0", b"1e0", b"20e1", b"123.456e78", b"123.456789", b"0.1e-10", b"-0e1", b"9007199254740993", b"9223372036854775807", b"-9223372036854775808",
    b'""', b'"a"', b'" "', b'"\\u0041"', b'"\\u00e4"', b'"\\u20ac"', b'"\\ud83d\\ude00"', b'"\\uD834\\uDd1e"', b'"\\u0000"', b'"\\u001f"', b'"\\u007f"', b'"\\uffff"', b'"\\ufdd0"',
    b'"\\uDBFF\\uDFFF"', b'"\\""', b'"\\\\"', b'"\\/"', b'"\\b\\f\\n\\r\\t"', b'"\\\\u0000"', b'"\\\\n"', b'"\\"\\\\\\/\\b\\f\\n\\r\\t"', b'"\x7f"', b'"\xc3\xa4"', b'"\xe2\x82\xac"',
    b'"\xf0\x9f\x98\x80"', b'"\xf4\x8f\xbf\xbf"', b'"\xef\xbf\xbf"', b'"\xef\xbb\xbf"', b'"\xe2\x80\xa8\xe2\x80\xa9"', b'"/* no comment */"', b'"a\xc2\x80b"', b'"\\u0012"', b'"new\\u000Aline"',
    b'"\\u2064"', b'"\\uaBcD"', b'"[{}]"', b'"' + b"a" * 5000 + b'"', b'"' + b"\\n" * 500 + b'"', b"[]", b"[ ]", b"[null]", b"[1]", b"[1,2]", b"[ 1 , 2 ]", b"[[]]", b"[[],[]]", b"[[1],[2]]",
    b"[1,null,\"a\",true,{}]", b"[\"\"]", b"[\n]", b"[\t1\r\n]", b" [] ", b"[false]", b"[" + b"1," * 999 + b"1]", b"[" * 31 + b"]" * 31, b"{}", b"{ }", b'{"a":1}', b'{"":0}', b'{"a":{}}', b'{"a":[]}',
    b'{"a":1,"b":2}', b'{ "a" : 1 , "b" : 2 }', b'{"a":{"a":1}}', b'{"a\\u0000b":1}', b'{"\xc3\xa4":1}', b'{"a":"b","A":"b"}', b'{"key":1,"size":2}', b"\t\r\n 1", b"1 \t\r\n", b'{"a":' * 15 + b"1" + b"}" * 15,
    b'{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', b"{" + b",".join(b'"n%d":%d' % (i, i) for i in range(300)) + b"}", b'{"min":-1.0e+28,"max":1.0e+28}', b'{"a":null}', b'{"__proto__":{}}', b'{"$ref":"#"}',
]
for value in values:
    ACCEPTED.kept(repr(value[:60]), call(value))
ACCEPTED.kept("space around all", with_length(b' \t\r\n{ "key" : "h/json" , "size" : 1 , "initialOffset" : 0 }\r\n\t '))
ACCEPTED.kept("members in another order", with_length(b'{"initialOffset":0,"size":1,"key":"h/json"}'))
ACCEPTED.kept("names in escapes", with_length(b'{"\\u006bey":"h/json","s\\u0069ze":1,"initialOffset":0}'))
ACCEPTED.kept("a key in escapes", with_length(b'{"key":"h\\/\\u006as\\u006fn","size":1,"initialOffset":0}'))

REFUSED = Table("JSON that is refused")
values = [
    # numbers
    b"01", b"00", b"-01", b"-", b"--1", b"+1", b"-+1", b"1.", b"-1.", b".5", b"-.5", b".", b"1.e1", b"0.e1", b"1e", b"1e+", b"1e-", b"1E", b"1e1.5", b"1e1e1", b"1.2.3", b"1..2", b"0x1", b"0X1", b"0b1",
    b"0o1", b"1_000", b"1,000", b"1 000", b"1a", b"1f", b"1L", b"1n", b"NaN", b"-NaN", b"nan", b"Infinity", b"-Infinity", b"+Infinity", b"Inf", b"-inf", b"1/2", b"1+2", b"1-2", b"$1", b"1%", b"0e", b"0e+", b"0.1.2", b"0.3e",
    b"0.3e+", b"1.0e", b"1.0e-", b"2.e3", b"2.e+3", b"2.e-3", b"9.e+", b"1eE2", b"-1x", b"-foo", b"- 1", b"-012", b"-1.0.", b"1e1_0", b"\xef\xbc\x91", b"\xd9\xa1", b"0x", b"\\u0031", b"e1", b"-e1", b"1ee1", b"++1", b".e1",
    b"012", b"1.5.", b"-0x1", b"08", b"0.", b"1'000",
    # words
    b"nul", b"nulll", b"Null", b"NULL", b"tru", b"truee", b"True", b"TRUE", b"fals", b"falsee", b"False", b"nil", b"None", b"undefined", b"yes", b"on", b"t", b"n", b"f", b"tRue", b"n ull", b"true false", b"truefalse", b"nan(1)",
    b"\xc3\xa4", b"a", b"*", b"", b" ", b"\xe2\x81\xa0", b"@", b"<null>", b"#", b"=", b";", b"?", b"\\", b"(1)",
    # texts
    b'"', b'"a', b'a"', b"'a'", b"`a`", b'"\\"', b'"\\', b'"\\x41"', b'"\\a"', b'"\\v"', b'"\\0"', b"\"\\'\"", b'"\\U0041"', b'"\\ "', b'"\\\xc3\xa4"', b'"\\u"', b'"\\u0"', b'"\\u00"', b'"\\u004"', b'"\\u00g1"', b'"\\u 041"',
    b'"\\u-041"', b'"\\u{41}"', b'"\\uD800\\u"', b'"\\uD800\\u1"', b'"\\uD800\\u1x"', b'"\\uD800\\', b'"\n"', b'"\r"', b'"\t"', b'"\0"', b'"\x01"', b'"\x1f"', b'"a\x1bb"', b'"a\nb"', b'"a\r\nb"', b'"\\\n"', b'"a""b"', b'"a" "b"', b'"a"b',
    b'"\\e"', b'"\\\t"', b'"\\8"', b"\"a'", b'\xe2\x80\x9ca\xe2\x80\x9d', b'"\\"a', b'\\u0022a"', b'"\\u00A"', b'"\\ud83d\\ude0"', b'R"(a)"', b'"""a"""', b'b"a"', b'"\\x0"',
    # arrays
    b"[", b"]", b"[1", b"[1,", b"[1,]", b"[,1]", b"[,]", b"[1,,2]", b"[1,2,]", b"[1 2]", b"[1;2]", b"[1:2]", b"[1}", b"[)", b"[[", b"[[]", b"[]]", b"[1]]", b"[1],", b"[],[]", b"[][]", b"[1,\"", b'["a"', b'["a",', b'["a":1]', b"['a']", b"[a]", b"[*]",
    b"[\0]", b"[1\0]", b"[\v1]", b"[\f1]", b"[\xa01]", b"[\xe2\x80\x8b1]", b"[...]", b"[1..2]", b"[ , ]", b"[\n1,\n,\n2]", b"[-]", b"[/]", b"[1/**/]", b"[//\n1]", b"[\xef\xbb\xbf1]", b"[" * 100, b"[" * 10000,
    # objects
    b"{", b"{{", b'{"a"', b'{"a":', b'{"a":1', b'{"a":1,', b'{"a":1,}', b'{,"a":1}', b'{"a":1,,"b":2}', b'{"a" 1}', b'{"a":1 "b":2}', b'{"a"=1}', b'{"a"=>1}', b"{a:1}", b"{'a':1}", b"{1:1}", b"{null:1}", b"{true:1}", b"{[]:1}", b"{{}:1}", b'{"a"}',
    b'{"a","b"}', b'{"a",1}', b'{"a"::1}', b'{"a":}', b'{:1}', b'{:}', b"{,}", b"{1}", b'{"a":1]', b'{"a":1}}', b'{"a":1;"b":2}', b'{"a":1/**/}', b'{/**/"a":1}', b'{"a":1//\n}', b'{"a":1#\n}', b'{"a":a}', b'{"a\0":1}', b'{"a\n":1}', b'{\0"a":1}',
    b'{"a":1}x', b'{"a":1}1', b'{"a":1}"b"', b'{"a":1}null', b'{"\\u00":1}', b'{"a":1 , }', b'{"a"\0:1}', b"{;}", b'{"a":"b}', b'{"a":b"}', b'{"a:1}', b'{a":1}', b"{...}", b'{"a":1,"a":2}', b'{"a":1,"\\u0061":2}', b'{"":1,"":2}', b'{"a":{"b":1,"b":1}}',
    b'[{"a":1,"a":1}]',
]
for value in values:
    REFUSED.kept(f"{value[:60]!r} ({len(value)})", call(value), 400)
bodies = {
    "nothing": b"", "a space": b" ", "line ends": b"\r\n\r\n", "a number": b"5", "a text": b'"key"', "null": b"null", "true": b"true", "an array": b"[]", "an array of a call": b'[{"key":"h/json","size":1,"initialOffset":0}]',
    "two calls": b'{"key":"h/json","size":1,"initialOffset":0}' * 2, "two calls and a comma": b'{"key":"h/json","size":1,"initialOffset":0},{"key":"b"}', "a byte behind": b'{"key":"h/json","size":1,"initialOffset":0}x',
    "a NUL behind": b'{"key":"h/json","size":1,"initialOffset":0}\0', "a bracket behind": b'{"key":"h/json","size":1,"initialOffset":0}]', "a comma behind": b'{"key":"h/json","size":1,"initialOffset":0},',
    "a comment behind": b'{"key":"h/json","size":1,"initialOffset":0}/**/', "a line comment behind": b'{"key":"h/json","size":1,"initialOffset":0}//', "a comment before": b'/**/{"key":"h/json","size":1,"initialOffset":0}',
    "a hash behind": b'{"key":"h/json","size":1,"initialOffset":0}#', "a form feed before": b'\f{"key":"h/json","size":1,"initialOffset":0}', "a no-break space before": b'\xc2\xa0{"key":"h/json","size":1,"initialOffset":0}',
    "UTF-8 byte order mark": b'\xef\xbb\xbf{"key":"h/json","size":1,"initialOffset":0}', "half a byte order mark": b'\xef\xbb{"key":"h/json","size":1,"initialOffset":0}',
    "UTF-16 LE": '{"key":"h/json","size":1,"initialOffset":0}'.encode("utf-16-le"), "UTF-16 BE": '{"key":"h/json","size":1,"initialOffset":0}'.encode("utf-16-be"), "UTF-16": '{"key":"h/json","size":1,"initialOffset":0}'.encode("utf-16"),
    "UTF-32": '{"key":"h/json","size":1,"initialOffset":0}'.encode("utf-32"), "cut in the key": b'{"key":"h/js', "cut behind the key": b'{"key":"h/json"', "cut at the end": b'{"key":"h/json","size":1,"initialOffset":0', "a form": b"key=a&size=1&initialOffset=0",
    "XML": b"<key>a</key>", "YAML": b"key: a\nsize: 1\ninitialOffset: 0\n", "100,000 brackets cut at the limit": b"[" * 60000, "10,000 objects": b'{"a":' * 10000, "closed 5,000 deep": b"[" * 5000 + b"]" * 5000, "marked": MARK, "a line of JSON lines": b'{"key":"a"}\n{"key":"b"}\n',
    "the size twice": b'{"key":"h/json","size":1,"initialOffset":0,"size":2}', "the key twice, the same": b'{"key":"h/json","key":"h/json","size":1,"initialOffset":0}', "the key twice, once in escapes": b'{"key":"h/json","\\u006bey":"b","size":1,"initialOffset":0}',
    "an unknown member twice": b'{"key":"h/json","size":1,"initialOffset":0,"x":1,"x":1}',
}
for name, body in bodies.items():
    REFUSED.kept("body: " + name, with_length(body), 400)

# What JSON leaves open, and how it is read here.
CHOSEN = Table("JSON that could be read either way")
for value in (b"1.5e300", b"1e-400", b"0.1234567890123456789012345678901234567890", b"-1e-999", b"123123e-10000000", b"9223372036854775808", b"-9223372036854775809", b"18446744073709551616", b"1" * 300, b"-" + b"9" * 30,
              b"100000000000000000000", b"0." + b"0" * 500 + b"1"):
    CHOSEN.kept("a number of a member nobody reads: " + value[:40].decode(), call(value))
for value in (b'"\\ud800"', b'"\\udc00"', b'"\\ud800a"', b'"\\udfaa\\ud800"', b'"\\ud800\\ud800"', b'"\\ud800\\n"', b'"\\ud800\\u0041"', b'"\\udbff\\ue000"', b'"\xff"', b'"\xc0\xaf"', b'"\xe0\x80\xaf"', b'"\xed\xa0\x80"', b'"\xed\xbf\xbf"', b'"\xf4\x90\x80\x80"',
              b'"\xf8\x88\x80\x80\x80"', b'"\x80"', b'"\xbf"', b'"\xc3"', b'"\xe2\x82"', b'"\xf0\x9f\x98"', b'"\xc3("', b'"\xe4"', b'"\xfe\xff"', b'{"\xff":1}', b'{"\\ud800":1}', b"[" * 32 + b"]" * 32, b'{"a":' * 32 + b"1" + b"}" * 32,
              b"[" * 500 + b"]" * 500):
    CHOSEN.kept("refused: " + repr(value[:40]), call(value), 400)
