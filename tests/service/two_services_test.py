"""Two services on one SQLite file."""

import os
import unittest

from harness import Load, ServiceTest, wait_until

RANGES = int(os.environ.get("HOLDFAST_SHARED_RANGES", "2000"))

# A long store timeout: one may starve the other for a while on a busy machine, and that is not what is looked for here.
SETTINGS = """\
server:
  address: 127.0.0.1
cosid:
  stores:
    main:
      type: jdbc
      timeout: 20s
      options:
        url: jdbc:sqlite:{file}
  server:
    auth:
      tokens: [{token}]
"""
TOKEN = "two-services-token"


class TwoServices(ServiceTest):
    def setUp(self):
        super().setUp()
        (self.folder / "data").mkdir()
        (self.folder / "data/token").write_text(TOKEN)  # where the harness looks for it
        self.settings = self.folder / "application.yaml"
        self.settings.write_text(SETTINGS.format(file=self.folder / "data/shared.db", token=TOKEN))

    def shared_service(self):
        return self.service(arguments=("--config", str(self.settings)))

    def test_two_services_on_one_file_give_disjoint_ranges_and_different_slots(self):
        one = self.shared_service().start()
        two = self.shared_service().start()
        self.assertNotEqual(one.port, two.port)
        load = Load([one, two])
        try:
            wait_until(lambda: load.count() >= RANGES, f"{RANGES} ranges", seconds=120)
        finally:
            load.stop()
        self.assertEqual(load.overlaps(), [])
        self.assertEqual(load.other, {})
        slots = []
        for number, service in enumerate([one, two] * 8):
            answer = service.call("POST", "/slots:acquire", {
                "namespace": "shared", "ownerKey": f"pod-{number}", "incarnation": f"i{number}", "limit": 16, "ttlMs": 60000,
                "toleranceMs": 0})
            self.assertEqual(answer.status, 200, answer)
            slots.append(answer.json()["slot"])
        self.assertEqual(sorted(slots), list(range(16)))
        full = one.call("POST", "/slots:acquire", {"namespace": "shared", "ownerKey": "late", "incarnation": "x", "limit": 16,
                                                   "ttlMs": 60000, "toleranceMs": 0})
        self.assertEqual((full.status, full.json()["code"]), (409, "slots_exhausted"))

    def test_one_is_killed_while_the_other_goes_on(self):
        one = self.shared_service().start()
        two = self.shared_service().start()
        load = Load([one, two])
        try:
            for _ in range(5):
                before = load.count()
                wait_until(lambda: load.count() >= before + 50, "50 more ranges")
                one.kill()
                before = load.count()
                wait_until(lambda: load.count() >= before + 20, "20 more from the other")
                one.start()
        finally:
            load.stop()
        self.assertEqual(load.overlaps(), [])


if __name__ == "__main__":
    unittest.main()
