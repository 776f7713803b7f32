"""Ids as users get them: over HTTP and from the command line, over restarts, kills and two services on one store."""

import http.client
import json
import re
import subprocess
import threading
import time
import unittest

from harness import PROGRAM, ServiceTest, clean_environment, free_port, wait_until

ADMIN, SHOP, STRANGER = "an-admin-token-of-tests", "a-shop-token-of-tests", "a-strangers-token-of-tests"

WHOLE = """\
server.port: 0
cosid:
  namespace: shop
  stores:
    main:
      type: jdbc
      options: {url: "jdbc:sqlite:@FOLDER@/whole.db"}
  machine:
    leased: {owner-key: web-7, limit: 8, ttl: 30s, tolerance: 2s}
  generators:
    default: {strategy: snowflake}
    safe: {strategy: snowflake, js-safe: true}
    text: {strategy: string}
    friendly: {strategy: snowflake, converter: {type: snowflake-friendly}}
    orders: {strategy: segment, offset: 100, converter: {type: decimal, pad: true, width: 8, prefix: O-}}
    bill: {strategy: periodic, period: year}
    off: {strategy: segment, enabled: false}
    huge: {strategy: segment, offset: 9223372036854775000, step: 100}
    last: {strategy: segment, offset: 9223372036854775800, step: 1000}
  server:
    ids: {enabled: true}
    limits: {max-count: 500}
    auth:
      tokens: [an-admin-token-of-tests]
      clients:
      - {name: shop, token: a-shop-token-of-tests, namespaces: [shop]}
      - {name: stranger, token: a-strangers-token-of-tests, namespaces: [elsewhere], key-prefixes: [shop/]}
"""


def parts(number):
    return {"time": 1577203200000 + (number >> 22), "machine": number >> 12 & 1023, "sequence": number & 4095}


class Draw:
    """Threads that take batches of ids from services until told to stop, and remember what was answered."""

    def __init__(self, services, path="/ids?count=100", threads=4):
        self.ids, self.other, self.lock, self.stopping = [], {}, threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self._work, args=(services[i % len(services)], path), daemon=True) for i in range(threads)]
        for thread in self.threads:
            thread.start()

    def _work(self, service, path):
        connection, port = None, None
        while not self.stopping.is_set():
            if connection is None or port != service.port:
                port, connection = service.port, service.connect()
            try:
                answer = service.call("GET", path, connection=connection)
                got = answer.json()["ids"] if answer.status == 200 else []
            except (OSError, http.client.HTTPException, ValueError):
                connection.close()
                connection = None
                time.sleep(0.002)  # between two tries to reach a service that is down
                continue
            with self.lock:
                self.ids += got
                if answer.status != 200:
                    self.other[answer.status] = self.other.get(answer.status, 0) + 1
        if connection is not None:
            connection.close()

    def count(self):
        with self.lock:
            return len(self.ids)

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(30)
        return self


class Unconfigured(ServiceTest):
    def test_a_service_that_was_told_nothing_issues_ids(self):
        service = self.service().start()
        self.assertIn("ids: default (snowflake), segment (segment)", service.text())
        self.assertRegex(service.text(), r"try: curl .*/ids\?count=5")
        before = time.time() * 1000
        ids = service.call("GET", "/ids?count=1000").json()["ids"]
        self.assertEqual((len(ids), len(set(ids)), ids), (1000, 1000, sorted(ids)))
        self.assertLess(abs(parts(ids[0])["time"] - before), 60_000)
        self.assertEqual({parts(one)["machine"] for one in ids}, {0})
        self.assertEqual(service.call("GET", "/ids/segment?count=5").json(), {"ids": [0, 1, 2, 3, 4]})
        self.assertEqual(service.call("GET", "/ids/segment/strings").json(), {"ids": ["00000000005"]})
        self.assertEqual(service.stop(), 0)
        service.start()
        self.assertGreater(service.call("GET", "/ids").json()["ids"][0], ids[-1])
        self.assertGreater(service.call("GET", "/ids/segment").json()["ids"][0], 5)

    def test_a_stop_gives_the_slot_back_and_the_next_start_has_it_at_once(self):
        service = self.service().start()
        for _ in range(3):
            lease = service.call("GET", "/actuator/cosid").json()["leases"][0]
            self.assertEqual((lease["slot"], lease["state"]), (0, "leased"))
            last = service.call("GET", "/ids").json()["ids"][0]
            self.assertEqual(service.stop(), 0)
            service.start()
            self.assertGreater(service.call("GET", "/ids").json()["ids"][0], last)

    def test_two_services_on_one_file_have_slots_of_their_own_and_no_id_twice(self):
        one, two = self.service().start(), self.service().start()
        slots = [service.call("GET", "/actuator/cosid").json()["leases"][0]["slot"] for service in (one, two)]
        self.assertEqual(sorted(slots), [0, 1])
        for path in ("/ids?count=100", "/ids/segment?count=100", "/ids/strings?count=100"):
            draw = Draw([one, two], path)
            wait_until(lambda: draw.count() >= 20_000, "20,000 ids of both")
            draw.stop()
            self.assertEqual(len(set(draw.ids)), len(draw.ids), path)
            self.assertTrue(set(draw.other) <= {503}, draw.other)
            print(f"{path}: {len(draw.ids)} ids of two services, 0 twice")

    def test_kills_and_restarts_under_load_never_repeat_an_id(self):
        service = self.service().start()
        for path in ("/ids?count=50", "/ids/segment?count=50"):
            draw, slots = Draw([service], path), set()
            try:
                for _ in range(8):
                    before = draw.count()
                    wait_until(lambda: draw.count() >= before + 500, "500 more ids")
                    slots.add(service.call("GET", "/actuator/cosid").json()["leases"][0]["slot"])
                    service.kill()
                    service.start()
            finally:
                draw.stop()
            self.assertEqual(len(set(draw.ids)), len(draw.ids), path)
            print(f"{path}: {len(draw.ids)} ids over 8 kills, 0 twice, slots {sorted(slots)}")

    def test_the_command_line_issues_beside_the_service_and_reads_what_was_issued(self):
        service = self.service().start()
        data = {"HOLDFAST_DATA": str(service.data)}
        served = service.call("GET", "/ids?count=100").json()["ids"]
        done = self.run_program("ids", "next", "-n", "100", environment=data)
        self.assertEqual(done.returncode, 0, done.stderr)
        own = [int(line) for line in done.stdout.split()]
        self.assertEqual(len({*served, *own}), 200)
        said = self.run_program("ids", "parse", "--json", str(own[0]), environment=data)
        self.assertEqual(said.returncode, 0, said.stderr)
        read = json.loads(said.stdout)
        self.assertEqual({"id": own[0], "timeMs": parts(own[0])["time"], "machine": parts(own[0])["machine"],
                          "sequence": parts(own[0])["sequence"]}, {name: read[name] for name in ("id", "timeMs", "machine", "sequence")})
        leases = self.run_program("ids", "leases", "--url", f"http://127.0.0.1:{service.port}", "--json", environment=data)
        self.assertEqual(leases.returncode, 0, leases.stderr)
        self.assertEqual([(row["slot"], row["state"]) for row in map(json.loads, leases.stdout.splitlines())], [(0, "leased")])
        self.assertEqual(service.call("GET", "/actuator/cosid").json()["leases"][0]["duplicateOwnerKey"], False)


class Configured(ServiceTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "application.yaml"
        self.file.write_text(WHOLE.replace("@FOLDER@", str(self.folder)))
        self.running = self.service(arguments=("--config", str(self.file)))
        self.running.start()

    def get(self, path, token=ADMIN):
        return self.running.call("GET", path, token=token)

    def test_each_strategy_in_its_form(self):
        self.assertEqual(self.get("/ids/orders?count=2").json(), {"ids": [100, 101]})
        self.assertEqual(self.get("/ids/orders/strings?count=2").json(), {"ids": ["O-00000102", "O-00000103"]})
        texts = self.get("/ids/text/strings?count=300").json()["ids"]
        self.assertEqual((texts, len(set(texts)), {len(text) for text in texts}), (sorted(texts), 300, {15}))
        self.assertRegex(self.get("/ids/friendly/strings").json()["ids"][0], r"^20\d{15}-0-\d+$")
        year = self.get("/ids/bill/periodic?count=3").json()
        self.assertRegex(year["period"], r"^20\d\d$")
        self.assertEqual(year["values"], [0, 1, 2])
        self.assertEqual(self.get("/ids/bill/strings").status, 200)
        for path, word in (("/ids/text", "strings"), ("/ids/bill", "periodic"), ("/ids/orders/periodic", "no periods")):
            answer = self.get(path)
            self.assertEqual((answer.status, answer.json()["code"]), (400, "bad_request"), path)
            self.assertIn(word, answer.json()["message"])
        self.assertLess(max(self.get("/ids/safe?count=100").json()["ids"]), 2**53)

    def test_the_lease_is_told_with_its_owner(self):
        lease = self.get("/actuator/cosid").json()["leases"][0]
        self.assertEqual((lease["namespace"], lease["ownerKey"], lease["slot"]), ("shop", "web-7", 0))

    def test_numbers_above_2_to_the_53_travel_exactly(self):
        body = self.get("/ids/huge?count=3").body
        self.assertEqual(body, b'{"ids":[9223372036854775000,9223372036854775001,9223372036854775002]}')
        rounded = [int(float(digits)) for digits in re.findall(rb"\d+", body)]
        self.assertEqual(len(set(rounded)), 1)  # what a client with doubles would read
        texts = self.get("/ids/huge/strings?count=3").json()["ids"]
        self.assertEqual(len(set(texts)), 3)

    def test_a_key_that_has_no_range_left_is_422(self):
        answer = self.get("/ids/last")
        self.assertEqual((answer.status, answer.json()["code"]), (422, "range_exhausted"), answer)

    def test_a_key_that_was_sealed_is_410_after_the_ranges_in_hand(self):
        sealed = self.running.call("POST", "/ranges:seal", {"key": "shop/orders"}, token=ADMIN)
        self.assertEqual(sealed.status, 204)
        answer = wait_until(lambda: (lambda a: a if a.status != 200 else None)(self.get("/ids/orders?count=500")), "the end of the ranges")
        self.assertEqual((answer.status, answer.json()["code"]), (410, "range_sealed"))

    def test_a_disabled_generator_is_409_and_an_unknown_one_404(self):
        for path in ("/ids/off", "/ids/off/strings"):
            answer = self.get(path)
            self.assertEqual((answer.status, answer.json()["code"]), (409, "generator_disabled"), path)
        for path in ("/ids/nobody", "/ids/nobody/strings", "/ids/nobody/periodic", "/actuator/cosid/nobody"):
            answer = self.get(path)
            self.assertEqual((answer.status, answer.json()["code"]), (404, "unknown_generator"), path)

    def test_who_may_ask_for_ids(self):
        for path in ("/ids", "/ids/strings", "/ids/orders", "/ids/orders/strings", "/ids/bill/periodic"):
            for token, status in ((ADMIN, 200), (SHOP, 200), (STRANGER, 403), ("nobody-knows-this-token", 401), (None, 401)):
                self.assertEqual(self.get(path, token).status, status, (path, token))
        for path in ("/actuator/cosid", "/actuator/cosid/orders?count=2"):
            for token, status in ((ADMIN, 200), (SHOP, 403), (STRANGER, 403), (None, 401)):
                self.assertEqual(self.get(path, token).status, status, (path, token))
        for path in ("/ids%2forders", "/ids/../ids", "/ids//orders", "/ids/orders%00", "/ids;x"):
            self.assertIn(self.get(path, STRANGER).status, (400, 404), path)

    def test_the_count_is_bounded_by_the_settings(self):
        self.assertEqual(len(self.get("/ids?count=500").json()["ids"]), 500)
        for count in ("501", "0", "-1", "1.5", "x", ""):
            answer = self.get(f"/ids?count={count}")
            self.assertEqual((answer.status, answer.json()["message"]), (400, "count: must be from 1 to 500"), count)

    def test_a_request_from_memory_asks_no_store(self):
        def calls():
            text = self.get("/actuator/prometheus").body.decode()
            return {name: float(count) for name, count in re.findall(r"^(cosid_server_store_call_seconds_count\{[^}]*(?:reserve|acquire)[^}]*\}) (\S+)$", text, re.M)}

        before = calls()
        for _ in range(50):
            self.assertEqual(self.get("/ids?count=10").status, 200)
        self.assertEqual(calls(), before)

    def test_describe_tells_of_every_generator(self):
        done = self.run_program("ids", "describe", "--json", "--config", str(self.file))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}
        self.assertEqual(len(rows), 9)
        self.assertEqual((rows["default"]["timestampBits"], rows["default"]["ends"]), (41, "2089-08-30"))
        self.assertGreater(rows["default"]["yearsLeft"], 50)
        self.assertEqual((rows["orders"]["step"], rows["bill"]["period"], rows["off"]["enabled"]), (1000, "year", False))
        self.assertEqual(self.run_program("ids", "describe", "nobody", "--config", str(self.file)).returncode, 1)

    def test_ids_next_takes_every_strategy(self):
        for generator, arguments, pattern in (("orders", (), r"\d+"), ("orders", ("--text",), r"O-\d{8}"), ("text", (), r"[0-9A-Za-z]{15}"),
                                              ("bill", (), r"20\d\d \d+"), ("safe", ("--json",), r'\{"id":\d+\}')):
            done = self.run_program("ids", "next", generator, "-n", "3", "--config", str(self.file), *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = done.stdout.splitlines()
            self.assertEqual(len(set(lines)), 3, done.stdout)
            for line in lines:
                self.assertRegex(line, f"^{pattern}$")
        refused = self.run_program("ids", "next", "off", "--config", str(self.file))
        self.assertEqual((refused.returncode, len(refused.stderr.splitlines())), (1, 1), refused.stderr)
        unknown = self.run_program("ids", "next", "nobody", "--config", str(self.file))
        self.assertEqual((unknown.returncode, len(unknown.stderr.splitlines())), (2, 1), unknown.stderr)


class CommandLine(ServiceTest):
    def parse(self, *arguments, text=None):
        return subprocess.run([PROGRAM, "ids", "parse", *arguments], input=text, capture_output=True, text=True, timeout=30,
                              env=clean_environment(HOLDFAST_DATA=str(self.folder / "data")), cwd=self.folder)

    def test_parse_reads_arguments_and_standard_input(self):
        number = (1_000_000 << 22) | (5 << 12) | 9
        expected = {"id": number, "time": "2019-12-24T16:16:40.000Z", "timeMs": 1577204200000, "machine": 5, "sequence": 9}
        self.assertEqual(json.loads(self.parse("--json", str(number)).stdout), expected)
        done = self.parse("--json", text=f"{number}\n\n{number + 1}\r\n")
        self.assertEqual([json.loads(line)["sequence"] for line in done.stdout.splitlines()], [9, 10])
        words = self.parse(str(number)).stdout
        self.assertEqual(words, f"{number}  time 2019-12-24T16:16:40.000Z  machine 5  sequence 9\n")

    def test_parse_says_no_to_what_is_no_id(self):
        for text in ("9223372036854775808", "-1", "1e5", "12345678901!", "zzzzzzzzzzz", "x"):
            done = self.parse("--", text)
            self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (1, "", 1), (text, done))
        mixed = self.parse(text="1\nx y\n2\n")
        self.assertEqual((mixed.returncode, len(mixed.stdout.splitlines())), (1, 2))

    def test_leases_of_nobody_are_code_three_and_without_a_token_two(self):
        url = f"http://127.0.0.1:{free_port()}"
        there = {"HOLDFAST_TOKEN": "a-token-that-is-sent", "HOLDFAST_DATA": str(self.folder / "none")}
        done = self.run_program("ids", "leases", "--url", url, environment=there)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (3, 1), done.stderr)
        done = self.run_program("ids", "leases", "--url", url, environment={"HOLDFAST_DATA": str(self.folder / "none")})
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        done = self.run_program("ids", "leases", "--url", "ftp://x", environment=there)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)


if __name__ == "__main__":
    unittest.main()
