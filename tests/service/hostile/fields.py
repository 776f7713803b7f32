"""Header fields: syntax, Host, sizes, Expect, Connection."""

from .cases import BODY, HOST, LIVE, MARK, POST, Table

GET = b"GET /actuator/health/liveness HTTP/1.1\r\n"

SYNTAX = Table("header syntax", framing=True)
for name, field in {
    "space before the colon": b"X : y\r\n", "tab before the colon": b"X\t: y\r\n", "no colon": b"X\r\n", "no name": b": y\r\n", "colon alone": b":\r\n",
    "space in the name": b"X y: z\r\n", "parenthesis in the name": b"X(: y\r\n", "quote in the name": b"\"X\": y\r\n", "slash in the name": b"X/Y: z\r\n",
    "bracket in the name": b"X[0]: z\r\n", "umlaut in the name": b"X\xc3\xa4: y\r\n", "NUL in the name": b"X\0: y\r\n", "NUL alone": b"\0: y\r\n",
    "NUL in the value": b"X: a\0b\r\n", "NUL at the end": b"X: a\0\r\n", "bare CR in the value": b"X: a\rb\r\n", "bare CR at the end": b"X: a\r\r\n",
    "DEL in the value": b"X: a\x7f\r\n", "escape in the value": b"X: \x1b[31m\r\n", "bell in the value": b"X: a\x07\r\n", "form feed in the value": b"X: a\fb\r\n",
    "vertical tab in the value": b"X: a\vb\r\n", "folded with a space": b"X: y\r\n z\r\n", "folded with a tab": b"X: y\r\n\tz\r\n",
    "folded empty": b"X: y\r\n \r\n", "LF alone": b"X: y\n", "LF in the value": b"X: a\nY: b\r\n", "LF CR": b"X: y\n\r", "CR alone": b"X: y\rY: z\r\n",
    "a line of spaces": b"   \r\n", "semicolon for colon": b"X; y\r\n", "equals for colon": b"X=y\r\n", "a request line": LIVE.split(b"\r\n")[0] + b"\r\n",
    "comma in the name": b"X,Y: z\r\n", "at sign in the name": b"X@: z\r\n", "DEL in the name": b"X\x7f: z\r\n", "CR in the name": b"X\r: z\r\n",
    "a name with LF before it": b"\nX: z\r\n",
}.items():
    SYNTAX.closed(name, LIVE + field + b"\r\n")
SYNTAX.closed("space before the first field", GET + b" Host: a\r\n\r\n")
SYNTAX.closed("tab before the first field", GET + b"\tHost: a\r\n\r\n")
SYNTAX.closed("the header ends with LF", LIVE + b"\n")
SYNTAX.closed("the header ends with LF, then CR LF", LIVE + b"\n\r\n")
SYNTAX.closed("hidden request behind a bare LF", LIVE + b"X: y\n\n" + LIVE + b"\r\n")
for name, field in {
    "no value": b"X:\r\n", "spaces for a value": b"X:   \r\n", "no space after the colon": b"X:y\r\n", "tab around the value": b"X:\ty\t\r\n",
    "tab in the value": b"X: a\tb\r\n", "UTF-8 in the value": b"X: \xc3\xa4\r\n", "Latin-1 in the value": b"X: \xe4\r\n",
    "all token characters": b"!#$%&'*+-.^_`|~09azAZ: x\r\n", "same name twice": b"X: a\r\nX: b\r\n", "colons in the value": b"X: a:b:c\r\n",
    "a quoted value that does not end": b"X: \"a\r\n", "underscore names": b"Content_Length: 5\r\n", "numbers": b"1: 2\r\n", "marked": b"X: " + MARK + b"\r\n",
    "forwarded": b"X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Host: b\r\nForwarded: for=x;host=b\r\n", "override": b"X-HTTP-Method-Override: POST\r\n",
    "rewrite": b"X-Original-URL: /actuator/prometheus\r\nX-Rewrite-URL: /actuator/prometheus\r\n", "range": b"Range: bytes=0-0, 5-1, -\r\n",
    "conditions": b"If-Match: *\r\nIf-None-Match: *\r\nIf-Modified-Since: x\r\n", "accept nothing": b"Accept: image/png;q=0\r\nAccept-Encoding: *;q=0\r\n",
}.items():
    SYNTAX.kept("fine: " + name, LIVE + field + b"\r\n")

HOSTS = Table("Host", framing=True)
for name, fields in {
    "missing": b"", "another field instead": b"X: y\r\n", "twice, the same": b"Host: a\r\nHost: a\r\n", "twice, different": b"Host: a\r\nhost: b\r\n",
    "empty": b"Host:\r\n", "spaces": b"Host:   \r\n", "space inside": b"Host: a b\r\n", "list": b"Host: a,b\r\n", "path": b"Host: a/b\r\n",
    "user": b"Host: u@a\r\n", "port of letters": b"Host: a:80x\r\n", "port of six digits": b"Host: a:800000\r\n", "negative port": b"Host: a:-1\r\n",
    "port alone": b"Host: :80\r\n", "two ports": b"Host: a:1:2\r\n", "open bracket": b"Host: [::1\r\n", "empty brackets": b"Host: []\r\n",
    "text behind the bracket": b"Host: [::1]x\r\n", "URL": b"Host: http://a\r\n", "query": b"Host: a?b\r\n", "hash": b"Host: a#b\r\n",
    "percent": b"Host: a%20b\r\n", "quotes": b"Host: \"a\"\r\n", "backslash": b"Host: a\\b\r\n", "umlaut": b"Host: \xc3\xa4\r\n",
    "tab inside": b"Host: a\tb\r\n", "semicolon": b"Host: a;b\r\n", "IPv6 without brackets": b"Host: ::1\r\n", "space before the colon": b"Host : a\r\n",
}.items():
    HOSTS.closed(name, GET + fields + b"\r\n")
for value in (b"a", b"a.b-c_d~e:8688", b"127.0.0.1:1", b"[2001:db8::1]:80", b"[::1]", b"a:", b"A.EXAMPLE."):
    HOSTS.kept("fine: " + value.decode(), GET + b"Host: " + value + b"\r\n\r\n")
HOSTS.kept("fine: name in capitals", GET + b"HOST:a\r\n\r\n")

SIZES = Table("sizes")
line = len(b"GET / HTTP/1.1")
SIZES.kept("line of 8 KiB", b"GET /" + b"a" * (8192 - line) + b" HTTP/1.1\r\n" + HOST + b"\r\n", 401)
SIZES.closed("line of 8 KiB and a byte", b"GET /" + b"a" * (8193 - line) + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414)
SIZES.closed("line of 10 KiB", b"GET /" + b"a" * 10240 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414)
SIZES.closed("line of 10 KiB without an end", b"GET /" + b"a" * 10240, 414)
SIZES.closed("query of 10 KiB", b"GET /?" + b"a" * 10240 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414)
SIZES.closed("method of 10 KiB", b"A" * 10240 + b" / HTTP/1.1\r\n" + HOST + b"\r\n", 414)
SIZES.closed("version of 10 KiB", b"GET / HTTP/1." + b"1" * 10240 + b"\r\n" + HOST + b"\r\n", 414)
SIZES.kept("100 fields", LIVE + b"X: y\r\n" * 99 + b"\r\n")
SIZES.closed("101 fields", LIVE + b"X: y\r\n" * 100 + b"\r\n", 431)
SIZES.closed("200 fields", LIVE + b"X: y\r\n" * 199 + b"\r\n", 431)
SIZES.closed("5,000 fields", LIVE + b"X: y\r\n" * 4999 + b"\r\n", 431)
SIZES.kept("header of 32 KiB", LIVE + b"X: " + b"a" * (32768 - 9 - 5 - 2) + b"\r\n\r\n")
SIZES.closed("header of 32 KiB and a byte", LIVE + b"X: " + b"a" * (32768 - 9 - 5 - 1) + b"\r\n\r\n", 431)
SIZES.closed("one field of 40 KiB", LIVE + b"X: " + b"a" * 40960 + b"\r\n\r\n", 431)
SIZES.closed("one field of 40 KiB without an end", LIVE + b"X: " + b"a" * 40960, 431)
SIZES.closed("name of 40 KiB", LIVE + b"a" * 40960 + b": y\r\n\r\n", 431)
SIZES.closed("50 fields of 1 KiB", LIVE + (b"X: " + b"a" * 1019 + b"\r\n") * 50 + b"\r\n", 431)
SIZES.closed("Host of 40 KiB", GET + b"Host: " + b"a" * 40960 + b"\r\n\r\n", 431)
SIZES.closed("token of 40 KiB", LIVE + b"Authorization: Bearer " + b"a" * 40960 + b"\r\n\r\n", 431)
SIZES.kept("body of 64 KiB", POST + b"Content-Length: 65536\r\n\r\n" + BODY + b" " * (65536 - len(BODY)))
SIZES.closed("body of 64 KiB and a byte", POST + b"Content-Length: 65537\r\n\r\n" + BODY + b" " * (65537 - len(BODY)), 413)
SIZES.closed("body of 100 KiB", POST + b"Content-Length: 102400\r\n\r\n" + b" " * 102400, 413)
SIZES.closed("announced body of a TiB", POST + b"Content-Length: 1099511627776\r\n\r\n", 413)
SIZES.closed("announced body of 2^63 - 1", POST + b"Content-Length: 9223372036854775807\r\n\r\n", 413)
SIZES.closed("a large body of a GET", LIVE + b"Content-Length: 65537\r\n\r\n", 413)

EXPECT = Table("Expect")
length = b"Content-Length: %d\r\n" % len(BODY)
EXPECT.kept("body comes along: no 100", POST + length + b"Expect: 100-continue\r\n\r\n" + BODY, 200)
EXPECT.kept("without a body", LIVE + b"Expect: 100-continue\r\n\r\n", 200)
EXPECT.kept("in capitals", POST + length + b"Expect: 100-CONTINUE\r\n\r\n" + BODY, 200)
EXPECT.silent("the body never comes", POST + length + b"Expect: 100-continue\r\n\r\n", 100)
NO_TOKEN = b"POST /ranges:reserve HTTP/1.1\r\n" + HOST
EXPECT.closed("no token: 401 and no 100", NO_TOKEN + length + b"Expect: 100-continue\r\n\r\n", 401)
EXPECT.closed("wrong type: 415 and no 100", NO_TOKEN + b"Authorization: Bearer hostile-token-16\r\nContent-Type: text/plain\r\n" + length
              + b"Expect: 100-continue\r\n\r\n", 415)
EXPECT.closed("too large: 413 and no 100", POST + b"Content-Length: 70000\r\nExpect: 100-continue\r\n\r\n", 413)
for value in (b"x", b"", b"100-continue, x", b"200-ok", b"100-continue;q=1", b"100 continue", b"100-continue\r\nExpect: x"):
    EXPECT.closed("unknown: " + repr(value), LIVE + b"Expect: " + value + b"\r\n\r\n", 417, framing=True)

CONNECTION = Table("Connection", framing=True)
for value in (b"close x", b"clo:se", b"close;", b"\"close\"", b"(close)", b"close, x y"):
    CONNECTION.closed("malformed: " + value.decode(), LIVE + b"Connection: " + value + b"\r\n\r\n")
for value in (b"close", b"CLOSE", b"Upgrade, close", b"close, close", b" close ", b"keep-alive, close", b"x\r\nConnection: close"):
    CONNECTION.closed("close: " + repr(value), LIVE + b"Connection: " + value + b"\r\n\r\n", 200)
    CONNECTION.closed("nothing is read behind close: " + repr(value), LIVE + b"Connection: " + value + b"\r\n\r\n" + LIVE + b"\r\n", 200)
for value in (b"keep-alive", b"closed", b"x-close", b"Host", b"Authorization", b"", b",", b"Transfer-Encoding", b"Content-Length"):
    CONNECTION.kept("kept: " + value.decode(), LIVE + b"Connection: " + value + b"\r\n\r\n")
