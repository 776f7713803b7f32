"""Request lines, methods, targets, versions; what is no HTTP/1 at all."""

from .cases import AUTH, HOST, LIVE, MARK, Table

VERSIONS = Table("versions", framing=True)
for version in ("HTTP/1.10", "HTTP/1.1x", "HTTP/1.2", "HTTP/1", "HTTP/1.", "HTTP/.1", "HTTP/0.9", "HTTP/3.0", "HTTP/9.9", "http/1.1", "Http/1.1",
                "HTTP/11", "HTTP/1,1", "HTTPS/1.1", "HTTP /1.1", "HTTP/ 1.1", "HTTP/1 .1", "HTTP/01.1", "HTTP/1.01", "HTTP/+1.1", "HTTP/-1.1",
                "HTTP/1.1.1", "HTTP/2.x", "HTTP/20.0", "HTTP/2.10", "FTP/1.1", "ICE/1.0", "RTSP/1.0", "SIP/2.0", "HTTP", "/1.1", "1.1"):
    VERSIONS.closed(version, b"GET / " + version.encode() + b"\r\n" + HOST + b"\r\n")
VERSIONS.closed("HTTP/2.0", b"GET / HTTP/2.0\r\n" + HOST + b"\r\n", 505)
VERSIONS.closed("HTTP/2", b"GET / HTTP/2\r\n" + HOST + b"\r\n", 505)
VERSIONS.closed("HTTP/2.9", b"GET / HTTP/2.9\r\n" + HOST + b"\r\n", 505)
VERSIONS.closed("1.0 without Host is answered and closed", b"GET /actuator/health/liveness HTTP/1.0\r\n\r\n", 200)
VERSIONS.closed("1.0 cannot be kept alive", b"GET /actuator/health/liveness HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200)
VERSIONS.closed("1.0 with chunks", b"GET /actuator/health/liveness HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
VERSIONS.closed("1.0 with two Hosts", b"GET /actuator/health/liveness HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n")
VERSIONS.closed("what follows 1.0 is not read", b"GET /actuator/health/liveness HTTP/1.0\r\n\r\n" + LIVE + b"\r\n", 200)

LINES = Table("request lines", framing=True)
for name, line in {
    "no version": b"GET /", "no version, a space": b"GET / ", "no target": b"GET HTTP/1.1", "method alone": b"GET", "method and space": b"GET ",
    "two spaces before the target": b"GET  / HTTP/1.1", "two spaces after the target": b"GET /  HTTP/1.1", "space at the end": b"GET / HTTP/1.1 ",
    "tab at the end": b"GET / HTTP/1.1\t", "tab before the target": b"GET\t/ HTTP/1.1", "tab after the target": b"GET /\tHTTP/1.1",
    "form feed before the target": b"GET\f/ HTTP/1.1", "vertical tab before the version": b"GET /\vHTTP/1.1", "space before the method": b" GET / HTTP/1.1",
    "tab before the method": b"\tGET / HTTP/1.1", "space in the method": b"GE T / HTTP/1.1", "space in the target": b"GET /a b HTTP/1.1",
    "parenthesis in the method": b"G(T / HTTP/1.1", "quote in the method": b"\"GET\" / HTTP/1.1", "colon in the method": b"GET: / HTTP/1.1",
    "slash in the method": b"GE/T / HTTP/1.1", "comma in the method": b"GET, / HTTP/1.1", "umlaut in the method": b"G\xc3\x84T / HTTP/1.1",
    "NUL in the method": b"G\0T / HTTP/1.1", "NUL in the target": b"GET /\0 HTTP/1.1", "NUL in the version": b"GET / HTTP/1.\0001",
    "DEL in the target": b"GET /\x7f HTTP/1.1", "escape in the target": b"GET /\x1b HTTP/1.1", "bare CR in the line": b"GET /\r HTTP/1.1",
    "CR instead of space": b"GET\r/ HTTP/1.1", "CR before the end": b"GET / HTTP/1.1\r", "a line of another request": b"GET / HTTP/1.1 GET / HTTP/1.1",
    "an answer": b"HTTP/1.1 200 OK", "byte order mark": b"\xef\xbb\xbfGET / HTTP/1.1", "a field where the line should be": b"Host: a",
    "no-break space before the target": b"GET\xc2\xa0/ HTTP/1.1", "empty target": b"GET  HTTP/1.1", "quoted target": b"GET \"/\" HTTP/1.1",
}.items():
    LINES.closed(name, line + b"\r\n" + HOST + b"\r\n")
LINES.closed("the line ends with LF", b"GET / HTTP/1.1\n" + HOST + b"\r\n")
LINES.closed("all lines end with LF", b"GET / HTTP/1.1\nHost: a\n\n")
LINES.closed("the line ends with LF CR", b"GET / HTTP/1.1\n\r" + HOST + b"\r\n")
LINES.closed("two empty lines before", b"\r\n\r\n" + LIVE + b"\r\n")
LINES.closed("an empty line of LF before", b"\n" + LIVE + b"\r\n")
LINES.closed("two CR before", b"\r\r" + LIVE + b"\r\n")
LINES.closed("a NUL before", b"\0" + LIVE + b"\r\n")
LINES.kept("one empty line before", b"\r\n" + LIVE + b"\r\n")
LINES.kept("an empty line between two", LIVE + b"\r\n\r\n" + LIVE + b"\r\n", 200, 200)

OTHER = Table("other protocols")
OTHER.closed("HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0", framing=True)
OTHER.closed("HTTP/2 preface with a Host", b"PRI * HTTP/2.0\r\n" + HOST + b"\r\nSM\r\n\r\n")
OTHER.closed("TLS 1.3 hello", b"\x16\x03\x01\x00\x2a\x01\x00\x00\x26\x03\x03" + bytes(range(32)) + b"\0\0\2\x13\1\1\0", framing=True)
OTHER.closed("TLS 1.0 hello", b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00")
OTHER.closed("SSL 2 hello", b"\x80\x2e\x01\x03\x01\x00\x15\x00\x00\x00\x10")
OTHER.closed("SSH", b"SSH-2.0-Client_1\r\n")
OTHER.closed("SMTP", b"EHLO a\r\n")
OTHER.closed("Redis array", b"*1\r\n$4\r\nPING\r\n")
OTHER.closed("Redis inline", b"PING\r\n")
OTHER.closed("PROXY protocol 1", b"PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n" + LIVE + b"\r\n")
OTHER.closed("PROXY protocol 2", b"\r\n\r\n\0\r\nQUIT\n!\x11\x00\x0c")
OTHER.closed("SOCKS 5", b"\x05\x01\x00")
OTHER.closed("HTTP/0.9", b"GET /actuator/health/liveness\r\n")
OTHER.closed("a JSON text", b'{"key":"a"}\r\n')
OTHER.closed("random bytes", bytes((i * 73 + 129) % 256 for i in range(200)))
OTHER.closed("500 NUL", bytes(500))
OTHER.kept("h2c upgrade is not taken", LIVE + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n")
OTHER.kept("h2c upgrade with prior words", LIVE + b"Connection: Upgrade\r\nUpgrade: h2c, websocket\r\n\r\n")
OTHER.kept("websocket upgrade is not taken", LIVE + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
           b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
OTHER.kept("TLS upgrade is not taken", LIVE + b"Connection: Upgrade\r\nUpgrade: TLS/1.2\r\n\r\n")
OTHER.kept("Upgrade without Connection", LIVE + b"Upgrade: h2c\r\n\r\n")
OTHER.silent("nothing at all", b"")
OTHER.silent("half a line", b"GET /actuator/hea")
OTHER.silent("half a header", LIVE + b"X: y")
OTHER.silent("a header without its end", LIVE)
OTHER.silent("CR of the end", LIVE + b"\r")
OTHER.silent("an empty line alone", b"\r\n")

METHODS = Table("methods")
for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "Post", "post", "PROPFIND", "M-SEARCH", "X", "GETT", "G", "BREW",
               "!#$%&'*+-.^_`|~", "A" * 200):
    METHODS.kept(method[:20] + " on a call", method.encode() + b" /ranges:reserve HTTP/1.1\r\n" + HOST + AUTH + b"\r\n", 405)
    METHODS.kept(method[:20] + " on health", method.encode() + b" /actuator/health/liveness HTTP/1.1\r\n" + HOST + b"\r\n", 405)
METHODS.kept("GET on a call", b"GET /ranges:reserve HTTP/1.1\r\n" + HOST + AUTH + b"\r\n", 405)
METHODS.kept("HEAD on health", b"HEAD /actuator/health/liveness HTTP/1.1\r\n" + HOST + b"\r\n", "head")
METHODS.kept("POST on health", b"POST /actuator/health/liveness HTTP/1.1\r\n" + HOST + b"\r\n", 405)
METHODS.kept("PUT without a token", b"PUT /ranges:reserve HTTP/1.1\r\n" + HOST + b"\r\n", 401)
METHODS.kept("OPTIONS *", b"OPTIONS * HTTP/1.1\r\n" + HOST + AUTH + b"\r\n", 404)
METHODS.closed("GET *", b"GET * HTTP/1.1\r\n" + HOST + b"\r\n")
METHODS.closed("CONNECT without a token", b"CONNECT a:443 HTTP/1.1\r\n" + HOST + b"\r\n", 401)
METHODS.closed("what follows a CONNECT is not read", b"CONNECT a:443 HTTP/1.1\r\n" + HOST + b"\r\n" + LIVE + b"\r\n", 401)
METHODS.closed("CONNECT with a path", b"CONNECT /ranges:reserve HTTP/1.1\r\n" + HOST + AUTH + b"\r\n", 405)
METHODS.closed("CONNECT to a URL", b"CONNECT http://a/ HTTP/1.1\r\n" + HOST + b"\r\n")
METHODS.closed("CONNECT with a user", b"CONNECT u@a:1 HTTP/1.1\r\n" + HOST + b"\r\n")

TARGETS = Table("targets")
for target in ("http://a/actuator/health", "http://b/actuator/health", "https://a/", "HTTP://a/", "http:/a", "//a/b", "//actuator/prometheus",
               "/actuator//prometheus", "/actuator/prometheus//", "/a//", "actuator/prometheus", "a:443", "?a", ".", "/.", "/..", "/./a", "/a/..",
               "/a/.", "/actuator/health/../prometheus", "/actuator/./prometheus", "/actuator/health/%2e%2e/prometheus",
               "/actuator/health/.%2E/prometheus", "/actuator/%2e/prometheus", "/%2e", "/actuator%2Fprometheus", "/actuator%2fprometheus",
               "/actuator/%2fprometheus", "/actuator%5Cprometheus", "/actuator\\prometheus", "/actuator;x/prometheus", "/actuator/prometheus;",
               "/actuator/prometheus;v=1", "/actuator/prometheus%3Bv", "/;/actuator/prometheus", "/actuator/prometheus%00", "/actuator/prometheus%0a",
               "/actuator/prometheus%0d%0aX:y", "/actuator/prometheus%7f", "/actuator%252Fprometheus", "/actuator/%2570rometheus", "/a%25", "/a%",
               "/a%2", "/a%2?g", "/a%zz", "/a%+1", "/a%u0041", "/a#b", "/a?b#c", "/a|b", "/a{b}", "/a\"b", "/a<b>", "/a^b", "/a`b", "/%C3",
               "/%C0%AF", "/%E0%80%AF", "/%ED%A0%80", "/%F4%90%80%80", "/%FF", "/%ff%fe", "/actuator/..;/prometheus", "/..%2factuator",
               "/%2e%2e%2factuator", "/actuator/health/..%5cprometheus", "/actuator/health/....//prometheus"):
    TARGETS.closed(target, b"GET " + target.encode() + b" HTTP/1.1\r\n" + HOST + AUTH + b"\r\n")
TARGETS.closed("raw UTF-8 in the path", b"GET /\xc3\xa4 HTTP/1.1\r\n" + HOST + b"\r\n")
TARGETS.closed("raw UTF-8 in the query", b"GET /actuator/health?\xc3\xa4 HTTP/1.1\r\n" + HOST + b"\r\n")
for target in ("/nowhere", "/ACTUATOR/prometheus", "/Actuator/Health", "/actuator/prometheus/", "/actuator/health/liveness/", "/ranges", "/ranges:",
               "/ranges:reserve/", "/ranges:Reserve", "/ranges:reserve:seal", "/ranges:reserve%20", "/%20ranges:reserve", "/ranges/reserve", "/slots",
               "/a...b", "/.c", "/d.", "/%C3%A4", "/%e2%82%ac", "/" + MARK.decode(), "/~", "/*", "/a,b", "/index.html", "/favicon.icon", "/.env",
               "/wp-login.php", "/actuator/env", "/actuator/heapdump", "/actuator/shutdown", "/admin", "/cgi-bin/a"):
    TARGETS.kept(target, b"GET " + target.encode() + b" HTTP/1.1\r\n" + HOST + AUTH + b"\r\n", 404)
    public = target.startswith("/actuator/health/")
    TARGETS.kept(target + " without a token", b"GET " + target.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n", 404 if public else 401)
for target in ("/actuator/%68ealth/liveness", "/actuator/health/liveness?", "/actuator/health/liveness?a=b&a=c", "/actuator/health/livene%73s",
               "/actuator/health/liveness?x=/../%2f;y//#"[:-1], "/actuator/health/liveness?access_token=x"):
    TARGETS.kept(target, b"GET " + target.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n")
