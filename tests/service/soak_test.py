"""Minutes of steady work: memory, descriptors and threads stay where they were. HOLDFAST_SOAK_SECONDS and _RATE set how much."""

import os
import time
import unittest

from crowd import Crowd, Process, overlaps, request, reserve
from harness import ServiceTest, wait_until
from stressed import TOKEN, StressedService

SECONDS = int(os.environ.get("HOLDFAST_SOAK_SECONDS", "180"))
RATE = int(os.environ.get("HOLDFAST_SOAK_RATE", "2000"))  # requests a second
CONNECTIONS = 20
GROWTH_KIB_MAX = 1024  # from the first third to the end
EVERY = CONNECTIONS / RATE


def slope(samples):
    """KiB a minute, by least squares over (second, KiB)."""
    n = len(samples)
    mean_x, mean_y = sum(x for x, _ in samples) / n, sum(y for _, y in samples) / n
    return 60 * sum((x - mean_x) * (y - mean_y) for x, y in samples) / max(sum((x - mean_x) ** 2 for x, _ in samples), 1e-9)


class Soak(ServiceTest):
    def turn(self, crowd, number):
        """One request on each connection; the asked, what must come back, and what came."""
        keys = [f"soak/k{(number + i) % 16}" for i in range(CONNECTIONS)]
        asked = [(reserve(TOKEN, key, 1 + number % 7), 200) for key in keys]
        asked[-1] = (request(TOKEN, "GET", "/actuator/health/readiness"), 200)
        asked[-2] = (request(TOKEN, "POST", "/ranges:reserve", {"key": "soak/k0", "size": 0, "initialOffset": 0}), 400)
        answers = crowd.ask(lambda i: asked[i][0])
        self.assertEqual([answer.status for answer in answers], [status for _, status in asked])
        for key, answer in zip(keys, answers[:-2]):
            got = answer.json()
            self.ranges.append((key, got["start"], got["end"]))
        for member in crowd.members:
            member.answers.clear()

    def test_memory_descriptors_and_threads_stay_flat(self):
        service = StressedService(self.folder / "data")
        self.addCleanup(service.stop, 9)
        service.start()
        process = Process(service.process.pid)
        self.ranges, samples, number, reconnects = [], [], 0, 0
        self.assertEqual(service.reserve("soak/first").status, 200)
        with Crowd(service.port, CONNECTIONS) as crowd:
            for _ in range(10):
                self.turn(crowd, 0)
        wait_until(lambda: process.descriptors() <= self.idle_descriptors(service, process), "the connections to end")
        descriptors, threads = process.descriptors(), process.threads()
        with Crowd(service.port, CONNECTIONS) as crowd:
            began = time.monotonic()
            due, sample_due, first, last = began, began, None, None
            while (now := time.monotonic()) < began + SECONDS:
                if now < due:
                    time.sleep(due - now)  # the pace of the load
                    continue
                due = max(due + EVERY, now - 1)  # what the machine held up is made up for, a second of it at most
                self.turn(crowd, number)
                number += 1
                leaving = crowd.members.pop(number % CONNECTIONS)
                crowd.selector.unregister(leaving.socket)
                leaving.socket.close()
                crowd.add()
                reconnects += 1
                if now >= sample_due:
                    sample_due += 1
                    samples.append((now - began, process.resident_kib()))
                    self.assertEqual(process.threads(), threads)
                if first is None and now >= began + SECONDS / 3:
                    first = process.resident_kib()
            last = process.resident_kib()
        later = [sample for sample in samples if sample[0] >= SECONDS / 3]
        print(f"soak: {SECONDS} s, {number * CONNECTIONS} requests ({number * CONNECTIONS / SECONDS:.0f}/s), {reconnects} reconnects, "
              f"{len(self.ranges)} ranges; resident {first} KiB after a third, {last} KiB at the end, slope {slope(later):+.1f} KiB a minute")
        self.assertLessEqual(last - first, GROWTH_KIB_MAX)
        self.assertEqual(overlaps(self.ranges), [])
        wait_until(lambda: process.descriptors() <= descriptors, "the descriptors to come back")
        self.assertEqual(process.threads(), threads)
        self.assertEqual(service.stop(), 0)

    def idle_descriptors(self, service, process):
        from_metric = service.call("GET", "/actuator/prometheus").body.decode()
        open_now = next(float(line.split()[1]) for line in from_metric.splitlines() if line.startswith("cosid_server_connections_open "))
        return process.descriptors() if open_now == 1 else 0

    def test_the_slope_is_the_one_of_the_line(self):
        self.assertAlmostEqual(slope([(0, 100), (30, 101), (60, 102)]), 2)


if __name__ == "__main__":
    unittest.main()
