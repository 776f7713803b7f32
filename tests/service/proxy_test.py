"""The hostile corpus behind nginx and haproxy: what they forward is what the service serves, and no request gets another one's answer."""

import json
import re
import selectors
import socket
import struct
import time
import unittest

import hostile
from hostile.cases import BODY, Case, TOKEN, with_length
from hostile.wire import parse_answer
from hostile_test import SETTINGS
from harness import ServiceTest, wait_until
from proxies import HaProxy, Nginx

OWN_BODY = b'"h/kkkk","size":1,"initialOffset":1000000000'
OWN_FROM = 2_000_000_000
AT_ONCE = 400
WITNESS = Case("honest", "call", with_length(BODY), [200], True)  # one beside each case, over the same connections to the service
QUIET_SECONDS = 1.5  # the proxies give up on a half request after 1 s


def with_own_numbers(raw, numbers):
    """Each call of a fixed body gets a key and an offset of its own, so that its answer can be told from all others."""
    own = []

    def own_body(_):
        number = next(numbers)
        own.append(OWN_FROM + number)
        return b'"h/%04x","size":1,"initialOffset":%d' % (number, OWN_FROM + number)

    return re.sub(re.escape(OWN_BODY), own_body, raw), own


def send_all(port, raws):
    """What came back to each of them, until nothing moves any more."""
    received = [b""] * len(raws)
    selector = selectors.DefaultSelector()
    for number, raw in enumerate(raws):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.setblocking(False)
        sock.connect_ex(("127.0.0.1", port))
        selector.register(sock, selectors.EVENT_READ | selectors.EVENT_WRITE, [number, raw])
    quiet_since = time.monotonic()
    while selector.get_map() and time.monotonic() - quiet_since < QUIET_SECONDS:
        for key, events in selector.select(0.05):
            number, rest = key.data
            if events & selectors.EVENT_WRITE:
                try:
                    key.data[1] = rest[key.fileobj.send(rest):]
                except BlockingIOError:
                    pass
                except OSError:
                    key.data[1] = b""
                if not key.data[1]:
                    selector.modify(key.fileobj, selectors.EVENT_READ, key.data)
            if events & selectors.EVENT_READ:
                quiet_since = time.monotonic()
                try:
                    got = key.fileobj.recv(65536)
                except BlockingIOError:
                    continue
                except OSError:
                    got = b""
                received[number] += got
                if not got:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    selector.close()
    return received


def starts_of(data):
    """The ranges in the answers of one connection."""
    starts = []
    while data:
        try:
            parsed = parse_answer(data, True)
        except ValueError:
            return starts  # an answer of the proxy to HTTP/0.9, or the body of a HEAD it made up
        if parsed is None:
            return starts
        answer, data = parsed
        if answer.status == 200 and answer.body.startswith(b'{"start":'):
            starts.append(json.loads(answer.body)["start"])
    return starts


class BehindProxies(ServiceTest):
    def setUp(self):
        super().setUp()
        settings = self.folder / "application.yaml"
        settings.write_text(SETTINGS)
        self.running = self.service(arguments=["--config", str(settings)]).start()
        self.scrapes = 0

    def served(self):
        """Requests that the service has answered, but for our own looks at its metrics."""
        text = self.running.call("GET", "/actuator/prometheus", token=TOKEN.decode()).body.decode()
        count = sum(int(float(n)) for n in re.findall(r"^cosid_server_request_seconds_count\{.*\} (\S+)$", text, re.M)) - self.scrapes
        self.scrapes += 1
        return count

    def expect_agreement(self, proxy):
        self.addCleanup(proxy.stop)
        proxy.start()
        numbers = iter(range(1 << 16))
        cases = hostile.cases()
        own_answers = 0
        for begin in range(0, len(cases), AT_ONCE):
            batch = [case for hostile_case in cases[begin:begin + AT_ONCE] for case in (hostile_case, WITNESS)]
            changed = [with_own_numbers(case.raw, numbers) for case in batch]
            for case, (_, own), data in zip(batch, changed, send_all(proxy.port, [raw for raw, _ in changed])):
                starts = [start for start in starts_of(data) if start >= OWN_FROM]
                left = iter(own)  # some are refused by their head: the others answer in order
                self.assertTrue(all(start in left for start in starts), f"{case!r} got another request's answer: {starts}, own {own}")
                if case is WITNESS:
                    self.assertEqual(starts, own, "an honest call among the others was not answered")
                own_answers += len(starts)
            self.assertIsNone(proxy.process.poll(), proxy.log())
        self.assertGreaterEqual(own_answers, len(cases))
        # The proxy writes its log when the answer is through; the service counts before. Both come to rest.
        wait_until(lambda: self.served() == proxy.forwarded(), f"as many served as forwarded: {self.served()} and {proxy.forwarded()}", 10)
        self.assertGreaterEqual(proxy.forwarded(), 1000)
        self.assertIsNone(self.running.process.poll(), self.running.text())
        self.assertEqual(self.running.call("GET", "/actuator/health/liveness", token=None).status, 200)

    def test_nginx_forwards_what_the_service_serves(self):
        self.expect_agreement(Nginx(self.folder / "nginx", [self.running.port]))

    def test_haproxy_forwards_what_the_service_serves(self):
        self.expect_agreement(HaProxy(self.folder / "haproxy", [self.running.port], "  http-reuse always"))


if __name__ == "__main__":
    unittest.main()
