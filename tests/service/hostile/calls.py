"""Who may call, and what a call's body is said to be."""

from base64 import b64encode

from .cases import AUTH, BODY, CLIENT_TOKEN, HOST, JSON, MARK, POST, TOKEN, Table, with_length

CALL = b"POST /ranges:reserve HTTP/1.1\r\n" + HOST + JSON
ADMIN = b"GET /actuator/prometheus HTTP/1.1\r\n" + HOST

AUTHORIZATION = Table("Authorization")
for name, fields in {
    "none": b"", "empty": b"Authorization:\r\n", "token alone": b"Authorization: " + TOKEN + b"\r\n", "scheme alone": b"Authorization: Bearer\r\n",
    "scheme and space": b"Authorization: Bearer \r\n", "a prefix": b"Authorization: Bearer " + TOKEN[:-1] + b"\r\n",
    "a byte more": b"Authorization: Bearer " + TOKEN + b"1\r\n", "a byte before": b"Authorization: Bearer x" + TOKEN + b"\r\n",
    "in capitals": b"Authorization: Bearer " + TOKEN.upper() + b"\r\n", "two tokens": b"Authorization: Bearer " + TOKEN + b" " + TOKEN + b"\r\n",
    "a list": b"Authorization: Bearer " + TOKEN + b", Bearer " + TOKEN + b"\r\n", "quotes": b"Authorization: Bearer \"" + TOKEN + b"\"\r\n",
    "comma": b"Authorization: Bearer " + TOKEN + b",\r\n", "tab for space": b"Authorization: Bearer\t" + TOKEN + b"\r\n",
    "colon for space": b"Authorization: Bearer:" + TOKEN + b"\r\n", "no space": b"Authorization: Bearer" + TOKEN + b"\r\n",
    "Basic": b"Authorization: Basic dXNlcjpwYXNz\r\n", "Basic with the token": b"Authorization: Basic " + TOKEN + b"\r\n",
    "Digest": b"Authorization: Digest username=\"a\"\r\n", "Negotiate": b"Authorization: Negotiate YII=\r\n", "another scheme": b"Authorization: Token " + TOKEN + b"\r\n",
    "the field's name as value": b"Authorization: Authorization: Bearer " + TOKEN + b"\r\n", "512 bytes": b"Authorization: Bearer " + b"a" * 512 + b"\r\n",
    "513 bytes": b"Authorization: Bearer " + b"a" * 513 + b"\r\n", "8 KiB": b"Authorization: Bearer " + b"a" * 8192 + b"\r\n",
    "twice, the same": AUTH * 2, "twice, the first is good": AUTH + b"Authorization: Bearer x\r\n", "twice, the second is good": b"authorization: Bearer x\r\n" + AUTH,
    "twice, one empty": b"Authorization:\r\n" + AUTH, "three times": AUTH * 3, "in a cookie": b"Cookie: token=" + TOKEN + b"\r\n",
    "as a proxy's": b"Proxy-Authorization: Bearer " + TOKEN + b"\r\n", "in another field": b"X-Authorization: Bearer " + TOKEN + b"\r\n",
    "UTF-8": b"Authorization: Bearer \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\r\n", "percent": b"Authorization: Bearer %68ostile-token-16\r\n",
    "marked": b"Authorization: Bearer " + MARK * 5 + b"\r\n", "semicolon": b"Authorization: Bearer " + TOKEN + b";x\r\n", "equals": b"Authorization: Bearer=" + TOKEN + b"\r\n",
}.items():
    AUTHORIZATION.kept(name, with_length(BODY, CALL + fields), 401)
    AUTHORIZATION.kept(name + ", on an admin page", ADMIN + fields + b"\r\n", 401)
for name, fields in {"lower case": b"authorization: bearer ", "upper case": b"AUTHORIZATION: BEARER ", "two spaces": b"Authorization: Bearer  ", "no space": b"Authorization:Bearer "}.items():
    AUTHORIZATION.kept("fine: " + name, with_length(BODY, CALL + fields + TOKEN + b"\r\n"))
AUTHORIZATION.kept("token in the query", with_length(BODY, CALL.replace(b"reserve", b"reserve?access_token=" + TOKEN)), 401)
AUTHORIZATION.kept("the body is not looked at without a token", with_length(MARK + b"{{{", CALL), 401)
AUTHORIZATION.kept("the type is not looked at without a token", with_length(BODY, CALL.replace(b"json", b"xml")), 401)

CLIENT = b"POST /%s HTTP/1.1\r\n" + HOST + JSON + b"Authorization: Bearer " + CLIENT_TOKEN + b"\r\n"
SCOPE = Table("a client's token")
for key, status in {"mine": 200, "mine/a": 200, "shared/orders-1": 200, "shared/orders": 403, "shared/orders/x": 403, "shared/Orders-1": 403, "Mine/a": 403,
                    "mine2": 403, "other": 403, "other/mine": 403, "x/shared/orders-1": 403, MARK.decode() + "/a": 403}.items():
    SCOPE.kept("reserve " + key, with_length(b'{"key":"%s","size":1,"initialOffset":0}' % key.encode(), CLIENT % b"ranges:reserve"), status)
    SCOPE.kept("seal " + key, with_length(b'{"key":"%s/s"}' % key.encode(), CLIENT % b"ranges:seal"), 204 if status == 200 else 403)
LEASE = b'"ownerKey":"o","incarnation":"i"'
for space, allowed in {"mine": True, "Mine": False, "other": False, "shared": False, "min": False, "mine2": False}.items():
    lease = b'{"namespace":"%s",%s' % (space.encode(), LEASE)
    SCOPE.kept("acquire " + space, with_length(lease + b',"limit":2,"ttlMs":60000,"toleranceMs":0}', CLIENT % b"slots:acquire"), 200 if allowed else 403)
    for slot, fence in ((0, 0), (0, 99), (1, 1)):
        rest = b',"slot":%d,"fence":%d' % (slot, fence)
        SCOPE.kept(f"renew {space} {slot} {fence}", with_length(lease.replace(b'"o"', b'"guess"') + rest + b',"ttlMs":60000,"toleranceMs":0}', CLIENT % b"slots:renew"),
                   "409 lease_lost" if allowed else 403)
        SCOPE.kept(f"release {space} {slot} {fence}", with_length(lease.replace(b'"o"', b'"guess"') + rest + b',"lastIssued":0}', CLIENT % b"slots:release"),
                   "409 lease_lost" if allowed else 403)
for path, status in {"/actuator/prometheus": 403, "/actuator/%70rometheus": 403, "/ACTUATOR/prometheus": 404, "/actuator/prometheus/": 403, "/actuator/nothing": 403,
                     "/actuator": 403, "/nowhere": 404, "/actuator/health": 200}.items():
    SCOPE.kept("GET " + path, b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"Authorization: Bearer " + CLIENT_TOKEN + b"\r\n\r\n", status)
for path in ("//actuator/prometheus", "/actuator/health/../prometheus", "/actuator;x/prometheus", "/actuator/prometheus;x", "/actuator/prometheus%00",
             "/actuator%2Fprometheus", "/actuator/.%2e/actuator/prometheus", "/x/../actuator/prometheus", "/actuator/health/%2e%2e/prometheus"):
    SCOPE.closed("GET " + path, b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"Authorization: Bearer " + CLIENT_TOKEN + b"\r\n\r\n")

PAGES = Table("pages for unrestricted tokens")
for path in ("/v3/api-docs", "/swagger-ui.html", "/swagger-ui/index.html", "/swagger-ui/start.js", "/actuator/info", "/actuator/cosid", "/actuator/prometheus",
             "/%73wagger-ui.html", "/v3/%61pi-docs"):
    PAGES.kept("a client on " + path, b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"Authorization: Bearer " + CLIENT_TOKEN + b"\r\n\r\n", 403)
    PAGES.kept("nobody on " + path, b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n", 401)
    PAGES.kept("a POST to " + path, b"POST " + path.encode() + b" HTTP/1.1\r\n" + HOST + AUTH + b"\r\n", 405)
for path in ("/V3/api-docs", "/v3/api-docs/", "/v3/api-docs/x", "/swagger-ui", "/swagger-ui/", "/swagger-ui/nothing.js", "/Swagger-ui.html", "/swagger-ui.html/", "/actuator/infox",
             "/v3", "/v3/api-docsx"):
    PAGES.kept("no such page " + path, b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + AUTH + b"\r\n", 404)
for path in ("/swagger-ui/../actuator/info", "/swagger-ui//index.html", "/swagger-ui/..%2f..%2fetc%2fpasswd", "/swagger-ui/%2e%2e/v3/api-docs", "/v3;x/api-docs", "//v3/api-docs",
             "/v3/api-docs%00", "/swagger-ui/./index.html", "/swagger-ui/..\\x", "/v3%2Fapi-docs"):
    PAGES.closed("more than one reading: " + path, b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + AUTH + b"\r\n")

BASIC = Table("Basic")
DENIED = b"GET /actuator/nothing HTTP/1.1\r\n" + HOST  # 404 for who may see it


def basic(credentials):
    return b"Authorization: Basic " + b64encode(credentials) + b"\r\n"


for name, fields in {"a user": basic(b"me:" + TOKEN), "no user": basic(b":" + TOKEN), "UTF-8 user": basic(b"\xc3\xa4:" + TOKEN),
                     "lower case": basic(b"me:" + TOKEN).replace(b"Basic", b"basic"), "two spaces": basic(b"me:" + TOKEN).replace(b"Basic ", b"Basic  ")}.items():
    BASIC.kept("fine: " + name, DENIED + fields + b"\r\n", 404)
    BASIC.kept("not for calls: " + name, with_length(BODY, CALL + fields), 401)
    BASIC.kept("not for other paths: " + name, b"GET /nowhere HTTP/1.1\r\n" + HOST + fields + b"\r\n", 401)
    BASIC.kept("not for other methods: " + name, DENIED.replace(b"GET", b"POST") + fields + b"\r\n", 401)
BASIC.kept("a client's token", DENIED + basic(b"me:" + CLIENT_TOKEN) + b"\r\n", 403)
for name, fields in {
    "wrong password": basic(b"me:x" + TOKEN), "a prefix": basic(b"me:" + TOKEN[:-1]), "a byte more": basic(b"me:" + TOKEN + b"1"), "a line end behind": basic(b"me:" + TOKEN + b"\n"),
    "NUL behind": basic(b"me:" + TOKEN + b"\0"), "a colon behind": basic(b"me:" + TOKEN + b":"), "two colons": basic(b"me::" + TOKEN), "no colon": basic(TOKEN),
    "token as user": basic(TOKEN + b":"), "token as user and wrong password": basic(TOKEN + b":x"), "empty": basic(b""), "a colon": basic(b":"), "space before": basic(b"me: " + TOKEN),
    "not encoded": b"Authorization: Basic me:" + TOKEN + b"\r\n", "no base64": b"Authorization: Basic !!!!\r\n", "URL alphabet": b"Authorization: Basic -_-_\r\n",
    "padding missing": basic(b":" + TOKEN).replace(b"=", b""), "padding twice": basic(b":" + TOKEN).replace(b"\r\n", b"====\r\n"), "padding first": b"Authorization: Basic =AAA\r\n",
    "padding alone": b"Authorization: Basic ====\r\n", "a space inside": basic(b"me:" + TOKEN).replace(b"Basic bW", b"Basic bW "), "text behind": basic(b"me:" + TOKEN).replace(b"\r\n", b",x=y\r\n"),
    "2 KiB": basic(b"me:" + b"a" * 1500), "Bearer with base64": basic(b"me:" + TOKEN).replace(b"Basic", b"Bearer"), "twice": basic(b"me:" + TOKEN) * 2, "with Bearer": basic(b"me:" + TOKEN) + AUTH,
    "another user's quotes": basic(b"\"me\":\"" + TOKEN + b"\""), "marked": basic(MARK + b":" + MARK * 5),
}.items():
    BASIC.kept(name, DENIED + fields + b"\r\n", 401)

HEAD = b"POST /ranges:reserve HTTP/1.1\r\n" + HOST + AUTH
TYPES = Table("content types and codings")
for value in (b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x", b"application/xml", b"text/json", b"application/json5",
              b"application/jsonx", b"application/x-json", b"application/vnd.api+json", b"application/ json", b"application /json", b"*/*", b"application/*",
              b"", b"json", b"application/json, text/plain", b"application/json, application/json", b"application/json; charset=utf-16", b"application/json; charset=latin1",
              b"application/json;charset", b"application/json; charset=utf-8; x=y", b"application/json; charset=\"utf-8", b"application/json charset=utf-8",
              b"application/json; charset=utf-7", b"application/octet-stream", b"application/cbor", b"\"application/json\"", b"application/json\xc3\xa4", MARK):
    TYPES.kept("type " + repr(value), with_length(BODY, HEAD + b"Content-Type: " + value + b"\r\n"), 415)
TYPES.kept("no type", with_length(BODY, HEAD), 415)
TYPES.kept("no type and no body", HEAD + b"Content-Length: 0\r\n\r\n", 415)
TYPES.closed("two types", with_length(BODY, HEAD + JSON + JSON), 400, framing=True)
TYPES.closed("two different types", with_length(BODY, HEAD + b"Content-Type: text/plain\r\n" + JSON), 400)
for value in (b"application/json", b"Application/JSON", b"application/json; charset=utf-8", b"application/json;charset=UTF-8", b"application/json; charset=\"utf-8\"",
              b"application/json ; charset=utf-8", b"APPLICATION/JSON;CHARSET=UTF-8", b" application/json\t"):
    TYPES.kept("fine: " + repr(value), with_length(BODY, HEAD + b"Content-Type: " + value + b"\r\n"))
for value in (b"gzip", b"deflate", b"br", b"zstd", b"gzip, gzip", b"identity, gzip", b"x", b"compress", b"identity, identity", b"*", b"gzip;q=0"):
    TYPES.kept("coding " + value.decode(), with_length(BODY, HEAD + JSON + b"Content-Encoding: " + value + b"\r\n"), 415)
BOMB = bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + b"\xec\xc1\x01\r\0\0\0\xc2\xa0\xf7Om\x0e7\xa0\0" * 100
TYPES.kept("a compressed body", with_length(BOMB, HEAD + JSON + b"Content-Encoding: gzip\r\n"), 415)
TYPES.kept("a compressed body that is not said to be", with_length(BOMB, HEAD + JSON), 400)
TYPES.kept("two codings in two fields", with_length(BODY, HEAD + JSON + b"Content-Encoding: identity\r\nContent-Encoding: gzip\r\n"), 415)
TYPES.kept("fine: identity", with_length(BODY, HEAD + JSON + b"Content-Encoding: identity\r\n"))
TYPES.kept("fine: IDENTITY", with_length(BODY, HEAD + JSON + b"Content-Encoding: IDENTITY\r\n"))
