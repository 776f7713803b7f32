"""Settings: one line a mistake, before anything starts; what holds can be shown."""

import json
import time
import unittest

from harness import ServiceTest

GOOD = """\
server:
  port: 0
cosid:
  server:
    auth:
      tokens:
        - a-token-for-these-tests
  stores:
    main:
      type: memory
"""


class Settings(ServiceTest):
    def write(self, text, name="application.yaml"):
        file = self.folder / name
        file.write_text(text)
        return file

    def refused(self, text, *, environment=None, arguments=()):
        """The lines of a start that is refused; no secret in them, and nothing was started or written."""
        self.write(text)
        began = time.monotonic()
        done = self.run_program("serve", "--config", "application.yaml", *arguments, environment={"HOLDFAST_DATA": str(self.folder / "data"), **(environment or {})})
        took = time.monotonic() - began
        self.assertEqual(done.returncode, 2, done.stderr + done.stdout)
        self.assertEqual(done.stdout, "")
        self.assertFalse((self.folder / "data").exists())
        self.assertLess(took, 20)  # an order of magnitude of room: it is some milliseconds
        return done.stderr.strip().splitlines()

    def test_an_unknown_name_is_named_with_its_line_and_the_nearest_known_one(self):
        lines = self.refused(GOOD.replace("tokens:", "tokns:"))
        self.assertTrue(any("application.yaml:6" in line and "cosid.server.auth.tokns" in line and "tokens" in line for line in lines), lines)

    def test_a_wrong_value_is_named_with_what_is_allowed(self):
        lines = self.refused(GOOD + "      timeout: soon\n")
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("application.yaml:11", lines[0])
        self.assertIn("cosid.stores.main.timeout", lines[0])
        self.assertIn("500ms", lines[0])

    def test_a_short_token_is_refused_and_never_shown(self):
        lines = self.refused(GOOD.replace("a-token-for-these-tests", "short-secret"))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("cosid.server.auth.tokens", lines[0])
        self.assertIn("16", lines[0])
        self.assertNotIn("short-secret", lines[0])

    def test_an_unresolved_placeholder_is_refused(self):
        lines = self.refused(GOOD.replace("a-token-for-these-tests", "${NO_SUCH_VARIABLE}"))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("NO_SUCH_VARIABLE", lines[0])

    def test_a_service_without_any_token_is_refused(self):
        lines = self.refused(GOOD.replace("      tokens:\n        - a-token-for-these-tests\n", "      allow-anonymous: false\n"))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("cosid.server.auth", lines[0])

    def test_a_duplicate_setting_is_refused_with_both_lines(self):
        lines = self.refused(GOOD + "      type: memory\n")
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("11", lines[0])
        self.assertIn("10", lines[0])

    def test_an_unknown_store_and_a_wrong_url_are_refused_with_what_there_is(self):
        lines = self.refused(GOOD.replace("type: memory", "type: memori"))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("memory", lines[0])
        lines = self.refused(GOOD.replace("type: memory", "type: jdbc\n      options:\n        url: jdbc:oracle:thin"))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("cosid.stores.main.options.url", lines[0])
        self.assertIn("jdbc:sqlite:", lines[0])
        lines = self.refused(GOOD.replace("type: memory", "type: memory\n      options:\n        sweep: 3"))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("cosid.stores.main.options.sweep", lines[0])

    def test_the_environment_is_checked_as_the_file_is(self):
        lines = self.refused(GOOD, environment={"COSID_SERVER_LIMITS_MAXTTL": "1 fortnight"})
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("COSID_SERVER_LIMITS_MAXTTL", lines[0])
        lines = self.refused(GOOD, environment={"COSID_SERVER_LIMITS_MAXTLT": "1m"})
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("max-ttl", lines[0])

    def test_a_listen_address_that_cannot_be_read_is_refused(self):
        for listen in ("localhost", "127.0.0.1", "127.0.0.1:99999", "[::1", ":", "here:80"):
            lines = self.refused(GOOD, arguments=("--listen", listen))
            self.assertEqual(len(lines), 1, lines)
            self.assertIn("--listen", lines[0])

    def test_a_missing_file_is_refused(self):
        done = self.run_program("serve", "--config", "nowhere.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere.yaml", done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)

    def test_check_says_yes_or_lists_every_mistake(self):
        self.write(GOOD)
        done = self.run_program("config", "check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.write(GOOD.replace("tokens:", "tokns:") + "      timeout: soon\n")
        done = self.run_program("config", "check")
        self.assertEqual(done.returncode, 2)
        self.assertGreaterEqual(len(done.stderr.strip().splitlines()), 2)

    def test_show_tells_each_setting_with_its_place_and_hides_secrets(self):
        self.write(GOOD)
        done = self.run_program("config", "show", "--json", environment={"COSID_SERVER_LIMITS_MAX_TTL": "30m"})
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}
        self.assertEqual(rows["cosid.stores.main.type"], {"name": "cosid.stores.main.type", "value": "memory", "where": "application.yaml:10"})
        self.assertEqual(rows["cosid.server.limits.max-ttl"]["where"], "environment COSID_SERVER_LIMITS_MAX_TTL")
        self.assertEqual(rows["cosid.server.limits.min-ttl"]["where"], "default")
        self.assertNotIn("a-token-for-these-tests", done.stdout)
        table = self.run_program("config", "show")
        self.assertIn("application.yaml:10", table.stdout)
        self.assertNotIn("a-token-for-these-tests", table.stdout)

    def test_a_configured_service_serves_with_its_own_token_and_limits(self):
        self.write(GOOD.replace("stores:", "stores:").replace("  server:\n    auth:", "  server:\n    limits:\n      max-ttl: 1m\n    auth:"))
        service = self.service(arguments=("--config", str(self.folder / "application.yaml")))
        service.start()
        self.assertIn("application.yaml", service.text())
        token = "a-token-for-these-tests"
        body = {"namespace": "n", "ownerKey": "o", "incarnation": "i", "limit": 1, "toleranceMs": 0}
        self.assertEqual(service.call("POST", "/slots:acquire", {**body, "ttlMs": 60001}, token=token).status, 400)
        self.assertEqual(service.call("POST", "/slots:acquire", {**body, "ttlMs": 60000}, token=token).status, 200)
        self.assertFalse((service.data / "token").exists())


if __name__ == "__main__":
    unittest.main()
