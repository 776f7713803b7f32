"""The members of the five calls: missing, of another type, at and beyond the ends of their ranges, twice, more than wanted."""

import itertools
import json

from .cases import AUTH, HOST, JSON, MARK, Table, with_length

BIG = 2**63 - 1
STORED = 2**53 - 1  # exact in every store's numbers
NUMBER, TEXT, SPACE, INCARNATION, KEY = "number", "text", "space", "incarnation", "key"
# path: members in order, each (kind, lowest, highest, a good value); what a good call answers
LEASE = {"namespace": (SPACE, 1, 100, "schema"), "slot": (NUMBER, 0, 65535, 3), "ownerKey": (SPACE, 1, 100, "o"), "incarnation": (INCARNATION, 1, 64, "i"),
         "fence": (NUMBER, 0, STORED, 7)}
CALLS = {
    "/ranges:reserve": ({"key": (KEY, 1, 200, "s/k"), "size": (NUMBER, 1, 10**12, 1), "initialOffset": (NUMBER, 0, BIG, 0)}, 200),
    "/ranges:seal": ({"key": (KEY, 1, 200, "s/k")}, 204),
    "/slots:acquire": ({"namespace": (SPACE, 1, 100, "schema"), "ownerKey": (SPACE, 1, 100, "o"), "incarnation": (INCARNATION, 1, 64, "i"), "limit": (NUMBER, 1, 65536, 16),
                        "ttlMs": (NUMBER, 100, 3600000, 1000), "toleranceMs": (NUMBER, 0, 60000, 0)}, 200),
    "/slots:renew": ({**LEASE, "ttlMs": (NUMBER, 100, 3600000, 1000), "toleranceMs": (NUMBER, 0, 60000, 0)}, "409 lease_lost"),
    "/slots:release": ({**LEASE, "lastIssued": (NUMBER, -1, STORED, 5)}, "409 lease_lost"),
}
unique = itertools.count()


def head(path):
    return f"POST {path} HTTP/1.1\r\n".encode() + HOST + AUTH + JSON


def raw(path, members):
    """members: name to JSON text; keys and namespaces get a name of their own where the case does not give one."""
    own = {"key": f'"s/k{next(unique)}"', "namespace": f'"n{next(unique)}"' if path == "/slots:acquire" else '"schema"'}
    good = {name: own.get(name, json.dumps(field[3])) for name, field in CALLS[path][0].items()}
    good.update(members)
    text = ",".join(f'"{name}":{value}' for name, value in good.items() if value is not None)
    return with_length(("{" + text + "}").encode(), head(path))


SCHEMA = Table("members of the calls")
WRONG_NUMBERS = ("null", '"1"', "true", "[]", "{}", "[1]", "1.0", "1.5", "1e3", "1E0", "-0", "9223372036854775808", "-9223372036854775809", "99999999999999999999", "18446744073709551617", '""')
WRONG_TEXTS = ("null", "1", "true", "[]", "{}", '["a"]', '""', '" "', '"a b"', '"a{b}"', '"a|b"', '"a\\r\\nSET x 1"', '"*"', '"\\u00e4"', '"\\u0000"', '"a\\u0000"', '"a\\n"', '"a,b"', '"a;b"', '"a\\\\b"', '"a\'b"', '"a\\"b"', '"a%2fb"',
               '"a#b"', '"a?b"', '"a+b"', '"a=b"', '"a\\u007f"', '"\\u202ea"')
for path, (fields, good) in CALLS.items():
    SCHEMA.kept(path + " good", raw(path, {}), good)
    SCHEMA.kept(path + " and a member nobody knows", raw(path, {"zz": json.dumps({"a": [MARK.decode()]})}), good)
    SCHEMA.kept(path + " names in capitals are other names", raw(path, {name: None for name in fields} | {name.upper(): json.dumps(f[3]) for name, f in fields.items()}), 400,
                words=[next(iter(fields))])
    SCHEMA.kept(path + " empty object", with_length(b"{}", head(path)), 400, words=[next(iter(fields))])
    for name, (kind, low, high, value) in fields.items():
        SCHEMA.kept(f"{path} without {name}", raw(path, {name: None}), 400, words=[name])
        SCHEMA.kept(f"{path} {name} twice", raw(path, {name: json.dumps(value) + f',"{name}":' + json.dumps(value)}), 400)
        if kind == NUMBER:
            wrong = [*WRONG_NUMBERS, str(low - 1), str(-10**18), str(-2**63)] + ([str(high + 1), str(10**18), str(BIG)] if high < BIG else [])
            ends = {low, high}
        else:
            extra = {KEY: ('"/a"', '"a/"', '"a//b"', '"."', '".."', '"a/.."', '"a/./b"', '"/"'), SPACE: ('"a/b"', '"."', '".."'), INCARNATION: ('"a.b"', '"a:b"', '"a@b"', '"a/b"')}[kind]
            wrong = [*WRONG_TEXTS, *extra, json.dumps("a" * (high + 1)), json.dumps("a" * 10240)]
            ends = ()
            for fine in {KEY: ("a", "A.Z_0-9:x/y@z", "a/b/c/d", "...", "-", "@", "x" * 191), SPACE: ("a", "A.Z_0-9:y@z", "...", "-"), INCARNATION: ("a", "A_0-9", "-", "x" * 64)}[kind]:
                text = fine if name == "incarnation" or name == "ownerKey" else f"{fine}{next(unique):x}"
                SCHEMA.kept(f"{path} {name} fine {fine[:30]}", raw(path, {name: json.dumps(text)}), good)
            SCHEMA.kept(f"{path} {name} at its full length", raw(path, {name: json.dumps(("x" * high if kind == INCARNATION else f"{next(unique):x}".rjust(high, "x")))}), good)
        for text in wrong:
            SCHEMA.kept(f"{path} {name} {text[:40]} ({len(text)})", raw(path, {name: text}), 400, words=[name])
        for end in ends:
            answer = "422 range_exhausted" if (name, end) == ("initialOffset", BIG) and path == "/ranges:reserve" else good
            SCHEMA.kept(f"{path} {name} at its end {end}", raw(path, {name: str(end)}), answer)

PREFERRED = Table("preferredSlot")
for value, status in {"0": 200, "15": 200, "null": 200, "16": 400, "-1": 400, "1.0": 400, '"1"': 400, "65536": 400, "2147483648": 400, "true": 400, "[]": 400, "1e0": 400}.items():
    PREFERRED.kept(value, raw("/slots:acquire", {"preferredSlot": value}), status, words=["preferredSlot"] if status == 400 else ())
MISMATCH = Table("a namespace keeps its limit and tolerance")
MISMATCH.kept("first", raw("/slots:acquire", {"namespace": '"kept"'}) + raw("/slots:acquire", {"namespace": '"kept"', "limit": "17"})
              + raw("/slots:acquire", {"namespace": '"kept"', "toleranceMs": "1"}) + raw("/slots:acquire", {"namespace": '"kept"'}),
              200, "409 namespace_mismatch", "409 namespace_mismatch", 200)
