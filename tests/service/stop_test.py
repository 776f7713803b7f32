"""SIGTERM: readiness says so, what is in flight is answered, exit code 0."""

import signal
import unittest

from harness import Load, ServiceTest, wait_until


class Stop(ServiceTest):
    def test_a_stop_under_load_answers_what_is_in_flight_and_exits_with_zero(self):
        service = self.service().start()
        load = Load([service])
        try:
            wait_until(lambda: load.count() >= 200, "200 ranges")
            code = service.stop(signal.SIGTERM)
        finally:
            load.stop()
        self.assertEqual(code, 0, service.text())
        self.assertEqual(load.overlaps(), [])
        self.assertTrue(set(load.other) <= {503}, load.other)
        service.start()
        for key in {key for key, _, _ in load.ranges}:
            self.assertGreaterEqual(service.reserve(key).json()["start"], max(end for k, _, end in load.ranges if k == key))

    def test_an_interrupt_stops_an_idle_service_at_once(self):
        service = self.service().start()
        self.assertEqual(service.stop(signal.SIGINT), 0)

    def test_an_address_in_use_is_refused_with_one_line(self):
        service = self.service().start()
        done = self.run_program("serve", "--listen", f"127.0.0.1:{service.port}", "--data", str(self.folder / "other"))
        self.assertEqual(done.returncode, 3, done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("holdfast: ")]  # beside what the log tells of the lease
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(str(service.port), said[0])


if __name__ == "__main__":
    unittest.main()
