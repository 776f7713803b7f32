"""kill -9 under load: what was acknowledged stays taken, and the data folder opens every time."""

import os
import unittest

from harness import Load, ServiceTest, wait_until

KILLS = int(os.environ.get("HOLDFAST_KILLS", "50"))


class Kill(ServiceTest):
    def test_no_acknowledged_range_overlaps_another_over_kills_of_the_service(self):
        service = self.service().start()
        load = Load([service])
        try:
            for _ in range(KILLS):
                before = load.count()
                wait_until(lambda: load.count() >= before + 20, "20 more acknowledged ranges")
                service.kill()
                service.start()
        finally:
            load.stop()
        self.assertEqual(load.overlaps(), [])
        self.assertGreaterEqual(len(load.ranges), KILLS * 20)
        print(f"kills {KILLS}, acknowledged ranges {len(load.ranges)}, overlaps 0, other answers {load.other}")
        # The next numbers lie behind all that was acknowledged.
        for key in {key for key, _, _ in load.ranges}:
            highest = max(end for k, _, end in load.ranges if k == key)
            self.assertGreaterEqual(service.reserve(key).json()["start"], highest)

    def test_the_checker_would_see_an_overlap(self):
        load = Load([], threads=0)
        load.ranges = [("a", 1, 5), ("b", 4, 9), ("a", 4, 6)]
        self.assertEqual(load.overlaps(), [(("a", 1, 5), ("a", 4, 6))])


if __name__ == "__main__":
    unittest.main()
