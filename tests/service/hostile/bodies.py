"""Where a body ends: Content-Length, Transfer-Encoding, chunks, trailers; several requests in one write."""

from .cases import AUTH, BODY, CHUNKED, HOST, JSON, LIVE, POST, Table, chunks_of, in_chunks, with_length

LENGTH = Table("Content-Length", framing=True)
for value in ("5, 5", "5,5", "5, 6", "+5", "-1", "-0", "0x5", "5_0", "", " ", "5 5", "5;", "1e1", "5.0", "5.", "00000000000000000005",
              "18446744073709551616", "18446744073709551621", "99999999999999999999", "9" * 40, "five", "5\t5", "\"5\"", "(5)", "5h", "0b101", "0o5",
              "\xb5", "\u0665", "NaN", "5,", ",5", "5\0", "5\v"):
    LENGTH.closed("value " + repr(value), LIVE + b"Content-Length: " + value.encode() + b"\r\n\r\nhello")
LENGTH.closed("twice, the same", LIVE + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello")
LENGTH.closed("twice, different", LIVE + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello")
LENGTH.closed("twice, zero first", LIVE + b"Content-Length: 0\r\ncontent-length: 5\r\n\r\nhello")
LENGTH.closed("three times", LIVE + b"Content-Length: 5\r\nX: y\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello")
LENGTH.closed("space before the colon", LIVE + b"Content-Length : 5\r\n\r\nhello")
LENGTH.closed("folded", LIVE + b"Content-Length:\r\n 5\r\n\r\nhello")
LENGTH.closed("with chunks", LIVE + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n")
LENGTH.closed("chunks first", LIVE + CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n")
LENGTH.closed("zero with chunks", LIVE + b"Content-Length: 0\r\n" + CHUNKED + b"\r\n0\r\n\r\n")
LENGTH.closed("with a coding that is none", LIVE + b"Content-Length: 5\r\nTransfer-Encoding: x\r\n\r\nhello")
LENGTH.closed("with an empty coding", LIVE + b"Content-Length: 5\r\nTransfer-Encoding:\r\n\r\nhello")
LENGTH.closed("with identity", LIVE + b"Content-Length: 5\r\nTransfer-Encoding: identity\r\n\r\nhello")
LENGTH.kept("fine: exact", with_length(BODY))
LENGTH.kept("fine: leading zeros", LIVE + b"Content-Length: 005\r\n\r\nhello")
LENGTH.kept("fine: tabs around", LIVE + b"Content-Length:\t5\t\r\n\r\nhello")
LENGTH.kept("fine: zero", LIVE + b"Content-Length: 0\r\n\r\n")
LENGTH.kept("fine: a GET with a body", LIVE + b"Content-Length: 5\r\n\r\nhello")
LENGTH.kept("fine: name in capitals", LIVE + b"CONTENT-LENGTH:5\r\n\r\nhello")
LENGTH.kept("the body is no request", LIVE + b"Content-Length: %d\r\n\r\n" % len(LIVE + b"\r\n") + LIVE + b"\r\n")
LENGTH.kept("behind length 0 comes a request", LIVE + b"Content-Length: 0\r\n\r\n" + LIVE + b"\r\n", 200, 200)
LENGTH.closed("shorter than the body: the rest is no request", LIVE + b"Content-Length: 5\r\n\r\nhello {}\r\n\r\n", 200, 400)
LENGTH.kept("no length: no body", POST + b"\r\n", 400)
LENGTH.silent("longer than the body", LIVE + b"Content-Length: 6\r\n\r\nhello")

CODING = Table("Transfer-Encoding", framing=True)
for value in (b"", b"chunked, chunked", b"chunked,", b",chunked", b"chunked;q=1", b"chunk ed", b"\"chunked\"", b"chunked, gzip;q=1", b"(chunked)", b"'chunked';",
              b"\x0bchunked", b"\x0cchunked", b"chunked\x00", b"chunked\x0b", b"\xa0chunked", b"chunked\xa0", b"chun\xcc\xb0ked", b"chunked\r\n , x",
              b"chunked\r\nTransfer-Encoding: chunked", b"gzip\r\nTransfer-Encoding: chunked", b"chunked\r\nTransfer-Encoding: identity",
              b"chunked\r\nTransfer-Encoding:", b",", b"chunked chunked", b"chunked:"):
    CODING.closed("malformed: " + repr(value), LIVE + b"Transfer-Encoding: " + value + b"\r\n\r\n0\r\n\r\n")
for value in (b"gzip", b"gzip, chunked", b"chunked, gzip", b"identity", b"identity, chunked", b"chunked, identity", b"xchunked", b"chunkedx", b"x-chunked",
              b"deflate", b"compress, chunked", b"cow", b"'chunked'", b"chunke", b"trailers", b"chunked-x, chunked"):
    CODING.closed("not ours: " + repr(value), LIVE + b"Transfer-Encoding: " + value + b"\r\n\r\n0\r\n\r\n", 501)
CODING.closed("space before the colon", LIVE + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n")
CODING.closed("tab before the colon", LIVE + b"Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n")
CODING.closed("folded", LIVE + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n")
CODING.closed("LF before", LIVE + b"X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
CODING.closed("CR before", LIVE + b"X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
CODING.closed("NUL in the name", LIVE + b"Transfer\0-Encoding: chunked\r\n\r\n0\r\n\r\n")
CODING.kept("fine: in capitals", in_chunks(b"0\r\n\r\n", LIVE).replace(CHUNKED, b"TRANSFER-ENCODING:CHUNKED\r\n"))
CODING.kept("fine: tabs around", in_chunks(b"0\r\n\r\n", LIVE).replace(CHUNKED, b"Transfer-Encoding:\tchunked\t\r\n"))
CODING.closed("underscore is another name: chunks are no body", LIVE + b"Transfer_Encoding: chunked\r\n\r\n0\r\n\r\n", 200, 400)
CODING.closed("TE is not Transfer-Encoding", LIVE + b"TE: chunked, trailers\r\n\r\n0\r\n\r\n", 200, 400)

CHUNKS = Table("chunks", framing=True)
for name, body in {
    "0x size": b"0x5\r\nhello\r\n0\r\n\r\n", "0X size": b"0X5\r\nhello\r\n0\r\n\r\n", "plus": b"+5\r\nhello\r\n0\r\n\r\n", "minus": b"-5\r\nhello\r\n0\r\n\r\n", "minus zero": b"-0\r\n\r\n",
    "space before": b" 5\r\nhello\r\n0\r\n\r\n", "space behind": b"5 \r\nhello\r\n0\r\n\r\n", "tab behind": b"5\t\r\nhello\r\n0\r\n\r\n",
    "space before the extension": b"5 ;x\r\nhello\r\n0\r\n\r\n", "underscore": b"5_\r\nhello\r\n0\r\n\r\n", "empty extension": b"5;\r\nhello\r\n0\r\n\r\n",
    "extension without a value": b"5;a=\r\nhello\r\n0\r\n\r\n", "quoted text without an end": b"5;a=\"b\r\nhello\r\n0\r\n\r\n",
    "text behind quoted text": b"5;a=\"b\"c\r\nhello\r\n0\r\n\r\n", "escaped quote at the end": b"5;a=\"b\\\"\r\nhello\r\n0\r\n\r\n",
    "space in the extension": b"5;a b\r\nhello\r\n0\r\n\r\n", "two semicolons": b"5;;a\r\nhello\r\n0\r\n\r\n", "comma": b"5,5\r\nhello\r\n0\r\n\r\n",
    "no digit": b"g\r\n\r\n", "no size": b"\r\nhello\r\n0\r\n\r\n", "extension alone": b";x\r\nhello\r\n0\r\n\r\n", "LF alone": b"\n", "size ends with LF": b"5\nhello\r\n0\r\n\r\n",
    "extension ends with LF": b"5;x\nhello\r\n0\r\n\r\n", "size ends with CR": b"5\rhello\r\n0\r\n\r\n", "CR in the extension": b"5;\rx\r\nhello\r\n0\r\n\r\n",
    "NUL in the extension": b"5;a\0\r\nhello\r\n0\r\n\r\n", "NUL behind the size": b"5\0\r\nhello\r\n0\r\n\r\n", "17 digits": b"00000000000000005\r\nhello\r\n0\r\n\r\n",
    "2^64 + 5": b"10000000000000005\r\nhello\r\n0\r\n\r\n", "data longer than its size": b"5\r\nhello!\r\n0\r\n\r\n", "data shorter than its size": b"6\r\nhello\r\n0\r\n\r\n",
    "data ends with LF": b"5\r\nhello\n0\r\n\r\n", "data ends with CR": b"5\r\nhello\rx", "data ends with two LF": b"5\r\nhello\n\n0\r\n\r\n", "data without an end": b"5\r\nhello0\r\n\r\n",
    "last chunk ends with LF": b"0\n\r\n", "trailers end with LF": b"0\r\n\n", "size in quotes": b"\"5\"\r\nhello\r\n0\r\n\r\n", "decimal point": b"5.0\r\nhello\r\n0\r\n\r\n",
    "unicode digit": b"\xef\xbc\x95\r\nhello\r\n0\r\n\r\n", "h": b"5h\r\nhello\r\n0\r\n\r\n", "empty line before": b"\r\n5\r\nhello\r\n0\r\n\r\n",
    "trailer without a colon": b"0\r\nX\r\n\r\n", "trailer with a space before": b"0\r\n X: y\r\n\r\n", "trailer with a space before the colon": b"0\r\nX : y\r\n\r\n",
    "trailer ends with LF": b"0\r\nX: y\n\r\n", "trailer without a name": b"0\r\n: y\r\n\r\n", "NUL in a trailer": b"0\r\nX: \0\r\n\r\n", "CR in a trailer": b"0\r\nX: a\rb\r\n\r\n",
    "folded trailer": b"0\r\nX: y\r\n z\r\n\r\n", "Content-Length in the trailers": b"0\r\nContent-Length: 5\r\n\r\n", "Host in the trailers": b"0\r\nhost: b\r\n\r\n",
    "Transfer-Encoding in the trailers": b"0\r\nTransfer-Encoding: chunked\r\n\r\n", "Authorization in the trailers": b"0\r\n" + AUTH + b"\r\n",
    "Content-Type in the trailers": b"0\r\n" + JSON + b"\r\n", "Connection in the trailers": b"0\r\nConnection: close\r\n\r\n",
    "Expect in the trailers": b"0\r\nExpect: 100-continue\r\n\r\n", "Upgrade in the trailers": b"0\r\nUpgrade: h2c\r\n\r\n",
    "a request where the trailers are": b"0\r\nGET / HTTP/1.1\r\n\r\n",
}.items():
    CHUNKS.closed(name, in_chunks(body, LIVE))
for name, size in {"64 KiB and a byte": b"10001", "2^64 - 1": b"ffffffffffffffff", "2^63": b"8000000000000000", "2^32 + 5": b"100000005", "16 digits": b"1000000000000000"}.items():
    CHUNKS.closed("a chunk of " + name, in_chunks(size + b"\r\nhello", LIVE), 413)
for name, body in {
    "one chunk": b"5\r\nhello\r\n0\r\n\r\n", "no chunk": b"0\r\n\r\n", "zeros": b"000000000000000a\r\n0123456789\r\n0\r\n\r\n", "many zeros at the end": b"0000\r\n\r\n", "capitals": b"A\r\n0123456789\r\n0\r\n\r\n",
    "extensions": b"1;ext=\"x y\"\r\na\r\n0;last\r\n\r\n", "more extensions": b"1;a=b;c;d=\"\\\"\";e\r\na\r\n0\r\n\r\n", "trailers": b"1\r\na\r\n0\r\nX: y\r\nZ:\r\n\r\n",
    "CR LF in the data": b"2\r\n\r\n\r\n0\r\n\r\n", "an end in the data": b"5\r\n0\r\n\r\n\r\n0\r\n\r\n",
}.items():
    CHUNKS.kept("fine: " + name, in_chunks(body, LIVE))
for size in (1, 2, 7, len(BODY)):
    CHUNKS.kept(f"fine: a call in chunks of {size}", in_chunks(chunks_of(BODY, size)), framing=size > 2)
CHUNKS.kept("two calls in chunks", in_chunks(chunks_of(BODY, 20)) * 2, 200, 200, framing=False)
CHUNKS.closed("more data behind the last chunk", in_chunks(b"0\r\n\r\n5\r\nhello\r\n", LIVE), 200, 400)
CHUNKS.kept("a request behind the last chunk", in_chunks(b"0\r\n\r\n", LIVE) + LIVE + b"\r\n", 200, 200)
CHUNKS.silent("no last chunk", in_chunks(b"5\r\nhello\r\n", LIVE))
CHUNKS.silent("no end of the trailers", in_chunks(b"0\r\n", LIVE))
CHUNKS.silent("half a chunk", in_chunks(b"5\r\nhel", LIVE))
CHUNKS.silent("half a size", in_chunks(b"5", LIVE))

LARGE = Table("large bodies in chunks")
LARGE.kept("64 KiB in one chunk", in_chunks(b"10000\r\n" + BODY + b" " * (65536 - len(BODY)) + b"\r\n0\r\n\r\n"))
LARGE.closed("64 KiB and a byte in two chunks", in_chunks(b"10000\r\n" + BODY + b" " * (65536 - len(BODY)) + b"\r\n1\r\n \r\n0\r\n\r\n"), 413)
LARGE.closed("64 KiB and a byte in chunks of a byte", in_chunks(b"1\r\n \r\n" * 65537), 413)
LARGE.closed("an extension of 40 KiB", in_chunks(b"5;" + b"x" * 40960), 431)
LARGE.closed("extensions of 33 KiB in all", in_chunks((b"1;" + b"x" * 1000 + b"\r\na\r\n") * 34), 431)
LARGE.closed("1,000 trailers", in_chunks(b"0\r\n" + b"X: y\r\n" * 1000 + b"\r\n"), 431)
LARGE.closed("a trailer of 40 KiB", in_chunks(b"0\r\nX: " + b"y" * 40960), 431)

PIPELINE = Table("pipelines")
CALL = with_length(BODY)
PIPELINE.kept("two calls", CALL * 2, 200, 200)
PIPELINE.kept("fifty calls", CALL * 50, *[200] * 50)
PIPELINE.kept("a hundred health checks", (LIVE + b"\r\n") * 100, *[200] * 100)
PIPELINE.kept("a call, a health check, a call", CALL + LIVE + b"\r\n" + CALL, 200, 200, 200)
PIPELINE.closed("a call, then bytes", CALL + b"\0\1\2", 200, 400, framing=True)
PIPELINE.closed("a call, then a malformed one", CALL + b"GET /  HTTP/1.1\r\n\r\n", 200, 400, framing=True)
PIPELINE.closed("a malformed one, then a call", b"GET /  HTTP/1.1\r\n\r\n" + CALL, 400)
PIPELINE.closed("a call, a smuggling one, a call", CALL + LIVE + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n" + CALL, 200, 400)
PIPELINE.closed("a call that closes, a call", CALL.replace(HOST, HOST + b"Connection: close\r\n") + CALL, 200)
PIPELINE.kept("refused by its token, then a call", b"GET /ranges:reserve HTTP/1.1\r\n" + HOST + b"\r\n" + CALL, 401, 200)
PIPELINE.kept("refused with its body, then a call", with_length(BODY, b"POST /ranges:reserve HTTP/1.1\r\n" + HOST) + CALL, 401, 200)
PIPELINE.kept("refused by its type with its body, then a call", with_length(BODY, POST.replace(b"json", b"xml")) + CALL, 415, 200)
PIPELINE.closed("refused without its body", POST.replace(AUTH, b"") + b"Content-Length: 60\r\n\r\n" + BODY, 401)
PIPELINE.kept("refused in the body, then a call", with_length(b"{}") + CALL, 400, 200)
PIPELINE.kept("HEAD, then a call", b"HEAD /actuator/health/liveness HTTP/1.1\r\n" + HOST + b"\r\n" + CALL, "head", 200)
PIPELINE.kept("unknown path, wrong method, a call", b"GET /x HTTP/1.1\r\n" + HOST + AUTH + b"\r\nDELETE /ranges:seal HTTP/1.1\r\n" + HOST + AUTH + b"\r\n" + CALL, 404, 405, 200)
PIPELINE.kept("seal answers without a body, then a call", with_length(b'{"key":"h/sealed"}', POST.replace(b"reserve", b"seal")) + CALL, 204, 200)
PIPELINE.silent("a call, then half of one", CALL + CALL[:60], 200)
