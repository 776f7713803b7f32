"""Two services on one SQLite file."""

import os
import unittest

from harness import Load, ServiceTest, wait_until

RANGES = int(os.environ.get("HOLDFAST_SHARED_RANGES", "2000"))


class TwoServices(ServiceTest):
    def test_two_services_on_one_file_give_disjoint_ranges_and_different_slots(self):
        one = self.service().start()
        two = self.service().start()
        self.assertNotEqual(one.port, two.port)
        load = Load([one, two])
        try:
            wait_until(lambda: load.count() >= RANGES, f"{RANGES} ranges", seconds=120)
        finally:
            load.stop()
        self.assertEqual(load.overlaps(), [])
        # One may starve the other past a deadline on a busy machine: that is 504 with effect none, never anything else.
        self.assertLessEqual(set(load.other), {504}, load.other)
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
        one = self.service().start()
        two = self.service().start()
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
