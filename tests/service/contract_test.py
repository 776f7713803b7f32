"""The HTTP contract as clients see it: answers byte for byte, refusals, metrics, connections."""

import http.client
import json
import pathlib
import re
import socket
import unittest

from harness import ServiceTest

GOLDEN = pathlib.Path(__file__).parent / "golden"


def exchange(port, request):
    """Sends bytes, reads until the other side closes or the answer is whole."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sock:
        sock.sendall(request)
        response = http.client.HTTPResponse(sock)
        response.begin()
        body = response.read()
        return response, body


class Contract(ServiceTest):
    def setUp(self):
        super().setUp()
        self.running = self.service().start()

    def post(self, path, body, **more):
        return self.running.call("POST", path, body, **more)

    def test_answers_are_those_of_the_golden_file(self):
        lines = []
        times = re.compile(rb'("(?:expiresAt|floor|ceiling|storeNow|earliestExpiresAt)":)\d+')
        now = re.compile(rb'("ids":\[)("?)[0-9A-Za-z]{11,}"?')  # an id that begins with the time
        lease = {"namespace": "shop", "ownerKey": "pod-1", "incarnation": "a1"}
        held = {**lease, "slot": 0, "fence": 1, "ttlMs": 30000, "toleranceMs": 1000}
        steps = [
            ("POST", "/ranges:reserve", {"key": "orders", "size": 100, "initialOffset": 1}),
            ("POST", "/ranges:reserve", {"key": "orders", "size": 100, "initialOffset": 1}),
            ("POST", "/ranges:reserve", {"key": "last", "size": 1, "initialOffset": 2**63 - 1}),
            ("POST", "/ranges:reserve", {"key": "a{b}", "size": 1, "initialOffset": 0}),
            ("POST", "/ranges:reserve", {"key": "a", "size": 0, "initialOffset": 0}),
            ("POST", "/ranges:seal", {"key": "orders"}),
            ("POST", "/ranges:reserve", {"key": "orders", "size": 100, "initialOffset": 1}),
            ("POST", "/slots:acquire", {**lease, "limit": 1, "ttlMs": 30000, "toleranceMs": 1000}),
            ("POST", "/slots:acquire", {**lease, "limit": 1, "ttlMs": 30000, "toleranceMs": 1000}),
            ("POST", "/slots:acquire", {**lease, "ownerKey": "pod-2", "incarnation": "b", "limit": 1, "ttlMs": 30000, "toleranceMs": 1000}),
            ("POST", "/slots:acquire", {**lease, "limit": 2, "ttlMs": 30000, "toleranceMs": 1000}),
            ("POST", "/slots:renew", held),
            ("POST", "/slots:renew", {**held, "fence": 2}),
            ("POST", "/slots:release", {**held, "lastIssued": -1}),
            ("GET", "/ids", None),
            ("GET", "/ids?count=0", None),
            ("GET", "/ids?count=1001", None),
            ("GET", "/ids/strings", None),
            ("GET", "/ids/segment?count=3", None),
            ("GET", "/ids/segment/strings?count=2", None),
            ("GET", "/ids/segment/periodic", None),
            ("GET", "/ids/nobody", None),
            ("GET", "/ids/strings/strings", None),
            ("POST", "/ids", {}),
            ("POST", "/nowhere", {}),
            ("GET", "/ranges:reserve", None),
            ("GET", "/actuator/health", None),
            ("GET", "/actuator/health/liveness", None),
            ("GET", "/actuator/health/readiness", None),
        ]
        for method, path, body in steps:
            answer = self.running.call(method, path, body)
            self.assertEqual(answer.headers["Cache-Control"], "no-store")
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            shown = answer.body if "segment" in path else now.sub(rb"\1\2<id>\2", answer.body)
            shown = times.sub(rb"\1<time>", shown).decode()
            lines.append(f"{method} {path} {json.dumps(body)}\n  {answer.status} {answer.headers.get('Content-Type', '-')} {shown}\n")
        no_token = self.running.call("POST", "/ranges:reserve", {"key": "a", "size": 1, "initialOffset": 0}, token=None)
        lines.append(f"without a token\n  {no_token.status} {no_token.headers['WWW-Authenticate']} {no_token.body.decode()}\n")
        got = "".join(lines)
        golden = GOLDEN / "answers.txt"
        self.assertEqual(got, golden.read_text(), f"if this is meant, write it to {golden.name}:\n{got}")

    def test_metric_names_are_those_of_the_golden_file(self):
        self.running.reserve("a")
        self.post("/slots:acquire", {"namespace": "n", "ownerKey": "o", "incarnation": "i", "limit": 1, "ttlMs": 1000, "toleranceMs": 0})
        answer = self.running.call("GET", "/actuator/prometheus")
        self.assertEqual(answer.status, 200)
        names = sorted(set(re.findall(r"^# TYPE (\S+ \S+)$", answer.body.decode(), re.M)))
        golden = GOLDEN / "metric_names.txt"
        got = "\n".join(names) + "\n"
        self.assertEqual(got, golden.read_text(), f"if this is meant, write it to {golden.name}:\n{got}")
        counted = re.findall(r'^cosid_server_request_seconds_count\{route="/ranges:reserve".*$', answer.body.decode(), re.M)
        self.assertEqual(counted, ['cosid_server_request_seconds_count{route="/ranges:reserve",status="200"} 1'])

    def store_calls(self):
        metrics = self.running.call("GET", "/actuator/prometheus").body.decode()
        return re.findall(r'^cosid_server_store_call_seconds_count\{.*\} [1-9].*$', metrics, re.M)

    def test_a_client_without_a_token_learns_nothing_and_costs_no_store_call(self):
        before = self.store_calls()  # the service's own, for its lease and its first ranges
        for path in ("/ranges:reserve", "/slots:acquire", "/ids", "/ids/segment", "/actuator/prometheus", "/nowhere", "/v3/api-docs"):
            for token in (None, "x" * 8000, self.running.token[:-1], self.running.token + "1", ""):
                answer = self.running.call("POST", path, {"key": "a"}, token=token)
                self.assertEqual((answer.status, answer.json()["code"]), (401, "unauthorized"), (path, token))
        self.assertEqual(self.store_calls(), before)

    def test_paths_that_could_be_read_in_two_ways_are_refused(self):
        for path in ("//actuator/prometheus", "/actuator/%70rometheus%2f", "/actuator/health/../prometheus", "/actuator;x/prometheus",
                     "/actuator/health%2f..%2fprometheus", "/actuator/prometheus%00", "/a\\b", "/%zz", "/%ff"):
            answer = self.running.call("GET", path)
            self.assertEqual(answer.status, 400, path)
        self.assertEqual(self.running.call("GET", "/actuator/%70rometheus").status, 200)
        self.assertEqual(self.running.call("GET", "/ACTUATOR/prometheus").status, 404)

    def test_head_has_the_headers_of_get_and_no_body(self):
        answer = self.running.call("HEAD", "/actuator/health", token=None)
        self.assertEqual((answer.status, answer.body), (200, b""))
        self.assertEqual(answer.headers["Content-Length"], str(len('{"status":"UP"}')))

    def test_many_requests_of_one_connection_are_answered_in_order(self):
        token = self.running.token
        body = b'{"key":"p","size":1,"initialOffset":0}'
        one = (f"POST /ranges:reserve HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
               f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        with socket.create_connection(("127.0.0.1", self.running.port), timeout=30) as sock:
            sock.sendall(one * 50)
            reader = sock.makefile("rb")
            for number in range(50):
                self.assertEqual(reader.readline(), b"HTTP/1.1 200 OK\r\n")
                length = 0
                while (line := reader.readline()) != b"\r\n":
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                self.assertEqual(json.loads(reader.read(length)), {"start": number, "end": number + 1})

    def test_what_smuggles_is_refused_and_the_connection_closed(self):
        head = b"POST /ranges:reserve HTTP/1.1\r\nHost: x\r\n"
        for rest in (b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
                     b"Content-Length: +5\r\n\r\n", b"Content-Length: 0x5\r\n\r\n", b"Content-Length : 5\r\n\r\n",
                     b" folded: x\r\n\r\n", b"A: b\n\r\n\r\n"):
            response, body = exchange(self.running.port, head + rest)
            self.assertEqual(response.status, 400, rest)
            self.assertEqual(response.getheader("Connection"), "close", rest)
            self.assertEqual(json.loads(body)["code"], "bad_request")

    def test_bodies_over_the_limit_are_refused_by_length_and_by_chunks(self):
        answer = self.post("/ranges:reserve", b"x" * 65537)
        self.assertEqual((answer.status, answer.json()["code"]), (413, "body_too_large"))
        head = (f"POST /ranges:reserve HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.running.token}\r\n"
                "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n").encode()
        response, _ = exchange(self.running.port, head + b"10000\r\n" + b" " * 65536 + b"\r\n" + b"1\r\n \r\n")
        self.assertEqual(response.status, 413)

    def test_a_body_in_chunks_is_a_body(self):
        head = (f"POST /ranges:reserve HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.running.token}\r\n"
                "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n").encode()
        body = b'{"key":"chunks","size":1,"initialOffset":0}'
        chunks = b"".join(b"1\r\n" + body[i:i + 1] + b"\r\n" for i in range(len(body))) + b"0\r\n\r\n"
        response, answer = exchange(self.running.port, head + chunks)
        self.assertEqual((response.status, json.loads(answer)), (200, {"start": 0, "end": 1}))

    def test_one_hundred_continue_comes_after_the_token_was_looked_at(self):
        length = len(b'{"key":"c","size":1,"initialOffset":0}')
        with socket.create_connection(("127.0.0.1", self.running.port), timeout=30) as sock:
            sock.sendall((f"POST /ranges:reserve HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.running.token}\r\n"
                          f"Content-Type: application/json\r\nContent-Length: {length}\r\nExpect: 100-continue\r\n\r\n").encode())
            reader = sock.makefile("rb")
            self.assertEqual(reader.readline(), b"HTTP/1.1 100 Continue\r\n")
            self.assertEqual(reader.readline(), b"\r\n")
            sock.sendall(b'{"key":"c","size":1,"initialOffset":0}')
            self.assertEqual(reader.readline(), b"HTTP/1.1 200 OK\r\n")
        response, _ = exchange(self.running.port, b"POST /ranges:reserve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                               b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        self.assertEqual(response.status, 401)


if __name__ == "__main__":
    unittest.main()
