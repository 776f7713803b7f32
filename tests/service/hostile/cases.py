"""A hostile case: bytes for one connection, the answers that must come, and what becomes of the connection."""

TOKEN = b"hostile-token-16"
CLIENT_TOKEN = b"client-token-16b"  # namespaces: [mine], key-prefixes: [shared/orders-]
MARK = b"eCh0"  # stands in requests; no answer may hold it

CODES = {
    400: "bad_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "body_too_large",
    414: "uri_too_long", 415: "unsupported_media_type", 417: "expectation_failed", 431: "headers_too_large", 501: "not_implemented",
    505: "version_not_supported",
}

HOST = b"Host: a\r\n"
AUTH = b"Authorization: Bearer " + TOKEN + b"\r\n"
JSON = b"Content-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
BODY = b'{"key":"h/kkkk","size":1,"initialOffset":1000000000}'  # proxy_test gives each a key and an offset of its own
LIVE = b"GET /actuator/health/liveness HTTP/1.1\r\n" + HOST
POST = b"POST /ranges:reserve HTTP/1.1\r\n" + HOST + AUTH + JSON


class Case:
    """answers: status numbers, or "409 lease_lost"; "head": 200 without its body. ends: we end our side after sending."""

    def __init__(self, group, name, raw, answers, kept, framing=False, ends=False, words=()):
        self.group, self.name, self.raw, self.kept, self.framing, self.ends = group, name, raw, kept, framing, ends
        self.answers = [expected(answer) for answer in answers]
        self.words = words  # each must stand in the message of the last answer

    def __repr__(self):
        return f"{self.group}: {self.name}"


def expected(answer):
    """(status, code or None, has a body)"""
    if answer == "head":
        return 200, None, False
    if isinstance(answer, str):
        status, code = answer.split()
        return int(status), code, True
    return answer, CODES.get(answer), True


class Table:
    def __init__(self, group, framing=False):
        self.group, self.framing, self.cases = group, framing, []

    def _add(self, name, raw, answers, kept, **more):
        more.setdefault("framing", self.framing)
        self.cases.append(Case(self.group, name, raw, answers, kept, **more))

    def kept(self, name, raw, *answers, **more):
        self._add(name, raw, answers or (200,), True, **more)

    def closed(self, name, raw, *answers, **more):
        self._add(name, raw, answers or (400,), False, **more)

    def silent(self, name, raw, *answers):
        """We end our side in the middle: no (further) answer comes, and the other side ends too."""
        self._add(name, raw, answers, False, ends=True)


def with_length(body, head=POST):
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


def in_chunks(chunks, head=POST):
    return head + CHUNKED + b"\r\n" + chunks


def chunks_of(body, size):
    return b"".join(b"%x\r\n" % len(body[i:i + size]) + body[i:i + size] + b"\r\n" for i in range(0, len(body), size)) + b"0\r\n\r\n"
