"""More calls than the service takes, a store that hangs, and kill -9 of both ends meanwhile. Figures of time are printed, not judged."""

import os
import pathlib
import subprocess
import sys
import time

import unittest

from crowd import Crowd, hanging_store, metric, overlaps, percentile, request, reserve
from harness import ServiceTest, clean_environment, wait_until
from stressed import TOKEN, StressedService

CLIENT = pathlib.Path(__file__).with_name("reserving_client.py")
CROWD = int(os.environ.get("HOLDFAST_CROWD", "1000"))
KILLS = int(os.environ.get("HOLDFAST_STRESS_KILLS", "20"))
TIMEOUTS = int(os.environ.get("HOLDFAST_TIMEOUTS", "3000"))


class Stress(ServiceTest):
    def stressed(self, **more):
        service = StressedService(self.folder / "data", **more)
        self.addCleanup(service.stop, 9)
        return service.start()

    def check_busy(self, answers):
        for answer in answers:
            self.assertEqual((answer.status, answer.json()["code"]), (503, "busy"))
            self.assertEqual((answer.headers["retry-after"], answer.headers["holdfast-effect"]), ("1", "none"))

    def test_a_hanging_store_holds_no_more_calls_than_are_admitted_and_everything_else_is_refused_at_once(self):
        admitted = 8 + 56
        service = self.stressed(server={"loops": 1, "blocking": {"threads": 8, "queue-capacity": 56}}, timeout="50s")
        alive, most, refused = [], 0, 0
        with Crowd(service.port, CROWD) as crowd, hanging_store(service.database) as let_go:
            for number, member in enumerate(crowd.members):
                member.send(reserve(TOKEN, f"crowd/k{number % 4}"))
            probe = crowd.add()

            def refusals():
                return [m for m in crowd.members if m is not probe and m.answers]

            def look():
                nonlocal most
                most = max(most, metric(service, "cosid_server_calls_in_flight"))
                crowd.ask(lambda _: request(TOKEN, "GET", "/actuator/health/liveness"), [probe])
                alive.append((probe.answers[-1].status, probe.took))

            crowd.until(lambda: look() or len(refusals()) >= CROWD - admitted, "all but the admitted calls to be refused")
            for _ in range(3):  # the refused ask again, on the connections that they still have
                refused += len(refusals())
                again = crowd.ask(lambda number: reserve(TOKEN, f"crowd/k{number % 4}"), refusals())
                self.check_busy(again)
                look()
            refused += len(refusals())
            self.assertEqual(len(refusals()), CROWD - admitted)
            self.check_busy(answer for member in refusals() for answer in member.answers)
            self.assertEqual(most, admitted)
            self.assertEqual({status for status, _ in alive}, {200})
            self.assertEqual(metric(service, "cosid_server_call_rejections_total", reason="busy"), refused)
            times = [member.took for member in refusals()]
            print(f"overload: {CROWD} connections, {admitted} admitted, {refused} refused, refusal p50 {percentile(times, .5) * 1e3:.0f} ms "
                  f"p99 {percentile(times, .99) * 1e3:.0f} ms, liveness at worst {max(t for _, t in alive) * 1e3:.0f} ms")

            waiting = [m for m in crowd.members if m is not probe and not m.answers]
            self.assertEqual(len(waiting), admitted)
            let_go()
            crowd.until(lambda: all(m.answers for m in waiting), "the waiting calls to be answered")
            self.assertEqual({m.answers[0].status for m in waiting}, {200})
            got = [{"key": f"crowd/k{crowd.members.index(m) % 4}", **m.answers[0].json()} for m in waiting]
            for first in range(0, CROWD, admitted):  # everybody is served again, as many at once as are admitted
                part = [m for m in crowd.members if m is not probe][first:first + admitted]
                answers = crowd.ask(lambda _: reserve(TOKEN, "crowd/k0"), part)
                self.assertEqual({a.status for a in answers}, {200})
                got += [{"key": "crowd/k0", **a.json()} for a in answers]
            self.assertEqual(overlaps([(r["key"], r["start"], r["end"]) for r in got]), [])
        wait_until(lambda: metric(service, "cosid_server_calls_in_flight") == 0, "no call to be under way")
        self.assertEqual(service.stop(), 0)

    def test_thousands_of_timeouts_say_effect_none_and_leave_every_place_free(self):
        admitted = 16 + 240
        service = self.stressed(server={"loops": 1, "blocking": {"threads": 16, "queue-capacity": 240}}, timeout="300ms")
        with Crowd(service.port, admitted) as crowd:
            times, count = [], 0
            with hanging_store(service.database):
                while count < TIMEOUTS:  # each round fills every place: one that leaked would be a 503
                    answers = crowd.ask(lambda number: reserve(TOKEN, f"late/k{number % 4}"))
                    self.assertEqual(len(answers), admitted)
                    self.assertEqual({(a.status, a.json()["code"], a.headers["holdfast-effect"]) for a in answers}, {(504, "store_timeout", "none")})
                    times += [member.took for member in crowd.members]
                    count += len(answers)
            print(f"timeouts: {count} of 300 ms, p50 {percentile(times, .5) * 1e3:.0f} ms, p99 {percentile(times, .99) * 1e3:.0f} ms, "
                  f"at worst {max(times) * 1e3:.0f} ms")
            self.assertLess(max(times), 5)
            wait_until(lambda: metric(service, "cosid_server_calls_in_flight") == 0, "no call to be under way")
            answers = crowd.ask(lambda _: reserve(TOKEN, "late/after", 1))
            self.assertEqual({a.status for a in answers}, {200})
            # None of the calls that timed out was carried out later: the numbers begin at the beginning, without a hole.
            self.assertEqual(sorted(a.json()["start"] for a in answers), list(range(admitted)))
            self.assertEqual(service.reserve("late/k0").json()["start"], 0)
        self.assertEqual(metric(service, "cosid_server_call_rejections_total", reason="busy"), 0)

    def test_no_acknowledged_range_overlaps_another_over_overload_and_kills_of_clients_and_service(self):
        service = self.stressed(server={"blocking": {"threads": 2, "queue-capacity": 2}}, timeout="500ms")
        port_file = self.folder / "port"
        clients, files = [], []

        def publish():
            (self.folder / "port.new").write_text(str(service.port))
            (self.folder / "port.new").rename(port_file)

        def begin():
            files.append(self.folder / f"client-{len(files)}")
            client = subprocess.Popen([sys.executable, "-B", str(CLIENT), str(port_file), TOKEN, str(files[-1])], env=clean_environment())
            self.addCleanup(client.wait)
            self.addCleanup(client.kill)
            clients.append(client)
            wait_until(files[-1].exists, "the client to run")

        def acknowledged():
            return sum(file.read_bytes().count(b"\n200 ") for file in files if file.exists())

        publish()
        for _ in range(3):
            begin()
        for _ in range(KILLS):
            before = acknowledged()
            wait_until(lambda: acknowledged() >= before + 20, "20 more acknowledged ranges")
            with hanging_store(service.database) as let_go:
                wait_until(lambda: metric(service, "cosid_server_calls_in_flight") >= 4, "a full service")
                clients[0].kill()
                clients.pop(0).wait()
                begin()
                if len(files) % 2 == 0:
                    let_go()  # half of the kills meet the commits of what waited
                service.kill()
            service.start()
            publish()
        for client in clients:
            client.kill()
            client.wait()
        ranges, ends = [], {}
        for file in files:
            for line in file.read_text().split("\n")[1:]:
                words = line.split()
                if words and words[0] == "200":
                    if len(words) == 4 and line.endswith(";"):  # else the client was killed within its line
                        ranges.append((words[1], int(words[2]), int(words[3].rstrip(";"))))
                elif words:
                    ends[words[0]] = ends.get(words[0], 0) + 1
        self.assertEqual(overlaps(ranges), [])
        self.assertLessEqual(set(ends), {"503", "504", "unknown"})
        for key in {key for key, _, _ in ranges}:
            following = service.reserve(key).json()["start"]
            self.assertGreaterEqual(following, sum(end - start for k, start, end in ranges if k == key))
            self.assertGreaterEqual(following, max(end for k, _, end in ranges if k == key))
        print(f"kills: {KILLS} of the service, {KILLS} of clients, {len(ranges)} acknowledged ranges, overlaps 0, other ends {ends}")

    def test_the_checker_of_ranges_would_see_an_overlap(self):
        self.assertEqual(overlaps([("a", 1, 5), ("b", 4, 9), ("a", 4, 6), ("a", 6, 7)]), [(("a", 1, 5), ("a", 4, 6))])


if __name__ == "__main__":
    unittest.main()
