"""A start that is refused: exit code 2 at once, one line that names the setting and what is allowed, no secret, nothing written."""

import time
import unittest

from harness import ServiceTest

AUTH = "cosid.server.auth"
BASE = {
    "cosid.stores.main.type": "memory",
    f"{AUTH}.tokens": "a-token-for-these-tests",
}
JDBC = {"cosid.stores.main.type": "jdbc"}
CLIENT = {f"{AUTH}.clients[0].name": "shop", f"{AUTH}.clients[0].token": "hunter-0123456789", f"{AUTH}.clients[0].namespaces": "shop"}

# What is set over BASE (None: taken away), the setting that the line names, and a word of what is allowed.
CASES = [
    ({f"{AUTH}.tokens": None}, f"{AUTH}.tokens", "allow-anonymous"),
    ({f"{AUTH}.tokens": "hunter-89012345"}, f"{AUTH}.tokens", "16"),
    ({f"{AUTH}.tokens": "hunter-${NOT_SET}-0123456789"}, f"{AUTH}.tokens", "NOT_SET"),
    ({f"{AUTH}.tokens": "hunter-" + 506 * "x"}, f"{AUTH}.tokens", "512"),
    ({f"{AUTH}.tokens": "hunter 0123456789"}, f"{AUTH}.tokens", "printable"),
    ({f"{AUTH}.tokens": "hunter-0123456789,hunter-0123456789"}, f"{AUTH}.tokens[1]", "tokens[0]"),
    ({f"{AUTH}.token": "hunter-0123456789"}, f"{AUTH}.token", "tokens"),
    ({f"{AUTH}.allow-anonymous": "perhaps"}, f"{AUTH}.allow-anonymous", "true"),
    ({**CLIENT, f"{AUTH}.clients[0].name": None}, f"{AUTH}.clients[0].name", "missing"),
    ({**CLIENT, f"{AUTH}.clients[0].token": None}, f"{AUTH}.clients[0].token", "missing"),
    ({**CLIENT, f"{AUTH}.clients[0].namespaces": None}, f"{AUTH}.clients[0].namespaces", "key-prefixes"),
    ({**CLIENT, f"{AUTH}.clients[0].namespaces": "sh{op}"}, f"{AUTH}.clients[0].namespaces", "A-Z"),
    ({**CLIENT, f"{AUTH}.clients[0].key-prefixes": "//"}, f"{AUTH}.clients[0].key-prefixes", "A-Z"),
    ({**CLIENT, f"{AUTH}.clients[0].name": "the shop"}, f"{AUTH}.clients[0].name", "A-Z"),
    ({**CLIENT, f"{AUTH}.clients[0].token": "hunter"}, f"{AUTH}.clients[0].token", "16"),
    ({**CLIENT, f"{AUTH}.clients[0].token": "a-token-for-these-tests"}, f"{AUTH}.clients[0].token", "tokens[0]"),
    ({f"{AUTH}.admin-paths": "actuator"}, f"{AUTH}.admin-paths", "/actuator"),
    ({f"{AUTH}.public-paths": "/a//b"}, f"{AUTH}.public-paths", "/actuator"),
    ({"cosid.server.limits.min-ttl": "0"}, "cosid.server.limits.min-ttl", "100ms"),
    ({"cosid.server.limits.max-ttl": "2h"}, "cosid.server.limits.max-ttl", "1h"),
    ({"cosid.server.limits.min-ttl": "1m", "cosid.server.limits.max-ttl": "1s"}, "cosid.server.limits.m", "allowed"),
    ({"cosid.server.limits.max-tolerance": "2m"}, "cosid.server.limits.max-tolerance", "1m"),
    ({"cosid.server.limits.max-slot-limit": "65537"}, "cosid.server.limits.max-slot-limit", "65536"),
    ({"cosid.server.limits.max-reserve": "0"}, "cosid.server.limits.max-reserve", "1000000000000"),
    ({"cosid.server.limits.max-keys-per-namespace": "-1"}, "cosid.server.limits.max-keys-per-namespace", "0"),
    ({"cosid.server.limits.max-namespaces-per-client": "many"}, "cosid.server.limits.max-namespaces-per-client", "0"),
    ({"cosid.server.limits.key-idle-timeout": "1w"}, "cosid.server.limits.key-idle-timeout", "1h"),
    ({"cosid.server.blocking.threads": "0"}, "cosid.server.blocking.threads", "1"),
    ({"cosid.server.blocking.queue-capacity": "-1"}, "cosid.server.blocking.queue-capacity", "0"),
    ({"cosid.server.connections-max": "0"}, "cosid.server.connections-max", "1"),
    ({"cosid.server.loops": "1000"}, "cosid.server.loops", "256"),
    ({"cosid.server.stop-grace": "1 day"}, "cosid.server.stop-grace", "10m"),
    ({"cosid.server.log.format": "xml"}, "cosid.server.log.format", "json"),
    ({"cosid.server.log.level": "trace"}, "cosid.server.log.level", "debug"),
    ({"cosid.server.insecure": "maybe"}, "cosid.server.insecure", "true"),
    ({"cosid.server.store": "other"}, "cosid.server.store", "main"),
    ({"cosid.namespace": "a/b"}, "cosid.namespace", "A-Z"),
    ({"cosid.stores.main.type": None, "cosid.stores.main.timeout": "1s"}, "cosid.stores.main.type", "jdbc"),
    ({"cosid.stores.main.type": "oracle"}, "cosid.stores.main.type", "jdbc"),
    ({"cosid.stores.main.timeout": "0"}, "cosid.stores.main.timeout", "1ms"),
    ({"cosid.stores.main.timout": "1s"}, "cosid.stores.main.timout", "timeout"),
    ({"cosid.stores.main.options.uri": "redis://hunter@x"}, "cosid.stores.main.options.uri", "no options"),
    ({"cosid.stores.second.type": "memory"}, "cosid.server.store", "second"),
    ({**JDBC}, "cosid.stores.main.options.url", "jdbc:sqlite:"),
    ({**JDBC, "cosid.stores.main.options.url": "jdbc:oracle:hunter"}, "cosid.stores.main.options.url", "jdbc:sqlite:"),
    ({**JDBC, "cosid.stores.main.options.url": "jdbc:sqlite:x.db", "cosid.stores.main.options.pool": "3"}, "cosid.stores.main.options.pool", "url"),
    ({"cosid.generators.default.strategy": "snowflake"}, "cosid.generators.default.strategy", "needs a machine"),
    ({"cosid.machine.leased.ttl": "2h"}, "cosid.machine.leased.ttl", "1h"),
    ({"cosid.server.ids.enabled": "true"}, "cosid.server.ids.enabled", "at least one generator"),
    ({"cosid.generators.strings.strategy": "segment"}, "cosid.generators.strings", "path of the service"),
    ({"cosid.generators.a.strategy": "segment", "cosid.generators.a.store": "other"}, "cosid.generators.a.store", "main"),
    ({"cosid.servre.port": "1"}, "cosid.servre", "server"),
    ({"server.port": "65536"}, "server.port", "65535"),
    ({"server.address": "localhost"}, "server.address", "127.0.0.1"),
]


class Refusals(ServiceTest):
    def test_there_are_enough_of_them(self):
        self.assertGreaterEqual(len(CASES), 40)

    def test_each_is_one_line_with_the_setting_and_what_is_allowed(self):
        for number, (changes, setting, word) in enumerate(CASES):
            values = {name: value for name, value in {**BASE, **changes}.items() if value is not None}
            file = self.folder / "application.yaml"
            file.write_text("".join(f"{name}: \"{value}\"\n" for name, value in values.items()))
            with self.subTest(number=number, setting=setting):
                began = time.monotonic()
                done = self.run_program("serve", "--config", str(file), environment={"HOLDFAST_DATA": str(self.folder / "data")})
                took = time.monotonic() - began
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                lines = done.stderr.splitlines()
                self.assertTrue(lines and len(lines) <= 2, done.stderr)
                self.assertTrue(any(setting in line and word in line for line in lines), done.stderr)
                self.assertNotIn("hunter", done.stderr)
                self.assertLess(took, 10)
                self.assertEqual([entry.name for entry in self.folder.iterdir()], ["application.yaml"])


class Explain(ServiceTest):
    def test_a_setting_is_explained_with_its_value_and_its_place(self):
        (self.folder / "application.yaml").write_text(
            "cosid:\n  server:\n    auth:\n      tokens: [hunter-0123456789]\n    limits:\n      max-ttl: 1m\n  stores:\n    main:\n      type: memory\n")
        done = self.run_program("config", "explain", "COSID.server.limits.maxTtl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[0], "cosid.server.limits.max-ttl")
        for part in ("longest lease", "default  1h", "1m (application.yaml:6)", "allowed"):
            self.assertIn(part, done.stdout)
        tokens = self.run_program("config", "explain", "cosid.server.auth.tokens")
        self.assertEqual(tokens.returncode, 0)
        self.assertNotIn("hunter", tokens.stdout)
        group = self.run_program("config", "explain", "cosid.server.limits")
        self.assertIn("cosid.server.limits.key-idle-timeout", group.stdout)

    def test_an_unknown_setting_is_answered_with_the_nearest(self):
        done = self.run_program("config", "explain", "cosid.server.limits.max-tll")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cosid.server.limits.max-ttl", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
