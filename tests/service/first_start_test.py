"""What a stranger does first: start with nothing configured, then curl."""

import json
import os
import stat
import subprocess
import unittest

from harness import ServiceTest


class FirstStart(ServiceTest):
    def curl(self, service, path, body=None, *more):
        command = ["curl", "-sS", "-w", "\n%{http_code}", "-H", f"Authorization: Bearer {service.token}"]
        if body is not None:
            command += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
        done = subprocess.run([*command, *more, f"http://127.0.0.1:{service.port}{path}"], capture_output=True, text=True, check=True)
        text, _, status = done.stdout.rpartition("\n")
        return int(status), json.loads(text) if text else None

    def test_nothing_configured_serves_disjoint_ranges_and_a_slot_from_its_acquire_to_its_release(self):
        service = self.service().start()
        first = self.curl(service, "/ranges:reserve", {"key": "orders", "size": 100, "initialOffset": 1})
        second = self.curl(service, "/ranges:reserve", {"key": "orders", "size": 100, "initialOffset": 1})
        self.assertEqual(first, (200, {"start": 1, "end": 101}))
        self.assertEqual(second, (200, {"start": 101, "end": 201}))

        owner = {"namespace": "shop", "ownerKey": "pod-1", "incarnation": "a1"}
        status, lease = self.curl(service, "/slots:acquire", {**owner, "limit": 16, "ttlMs": 30000, "toleranceMs": 1000})
        self.assertEqual(status, 200)
        self.assertEqual((lease["slot"], lease["fence"], lease["reason"], lease["duplicateOwnerKey"]), (0, 1, "free", False))
        held = {**owner, "slot": lease["slot"], "fence": lease["fence"]}
        status, renewed = self.curl(service, "/slots:renew", {**held, "ttlMs": 30000, "toleranceMs": 1000})
        self.assertEqual(status, 200)
        self.assertEqual(renewed["floor"], lease["floor"])
        self.assertGreaterEqual(renewed["ceiling"], lease["ceiling"])
        self.assertEqual(self.curl(service, "/slots:release", {**held, "lastIssued": lease["floor"] - 1}), (204, None))
        status, lost = self.curl(service, "/slots:renew", {**held, "ttlMs": 30000, "toleranceMs": 1000})
        self.assertEqual((status, lost["code"]), (409, "lease_lost"))
        self.assertEqual(service.stop(), 0)

    def test_the_first_start_prints_address_store_and_token_and_later_ones_keep_the_token_to_themselves(self):
        service = self.service().start()
        token = service.token
        self.assertIn(f"http://127.0.0.1:{service.port}", service.text())
        self.assertIn(str(service.data), service.text())
        self.assertIn(token, service.text())
        mode = stat.S_IMODE(os.stat(service.data / "token").st_mode)
        self.assertEqual(mode, 0o600)
        self.assertGreaterEqual(len(token), 43)
        service.reserve("kept", size=5)
        self.assertEqual(service.stop(), 0)
        service.start()
        self.assertEqual(service.token, token)
        self.assertNotIn(token, service.text())
        self.assertEqual(service.reserve("kept", size=5).json(), {"start": 5, "end": 10})

    def test_a_token_that_others_may_read_is_refused(self):
        service = self.service().start()
        service.stop()
        os.chmod(service.data / "token", 0o644)
        done = self.run_program("serve", "--listen", "127.0.0.1:0", "--data", str(service.data))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn("chmod 600", done.stderr)


if __name__ == "__main__":
    unittest.main()
