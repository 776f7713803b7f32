"""Clients that send slowly, read nothing, or come in floods: they are cut off, and everybody else goes on being served."""

import resource
import select
import time
import unittest

from crowd import Crowd, Process, metric, percentile, request, reserve
from harness import Load, ServiceTest, wait_until
from stressed import TOKEN, StressedService

LIMIT = 1  # second, of each setting below
ROOM = 20  # times: the order of magnitude that a loaded machine may take longer
ROUND = 0.25  # seconds between two bytes of a client that trickles
IDLE_KIB_MAX = 16
LIVENESS = request(TOKEN, "GET", "/actuator/health/liveness")


class Watched(Load):
    """The load with the time of each answer."""

    def __init__(self, service):
        self.times = []
        super().__init__([service], threads=2)

    def _work(self, number, keys):
        service = self.targets[0]
        connection = service.connect()
        count = 0
        while not self.stopping.is_set():
            count += 1
            began = time.monotonic()
            answer = service.reserve(f"load/k{(number + count) % keys}", connection=connection)
            with self.lock:
                self.times.append(time.monotonic() - began)
                if answer.status == 200:
                    got = answer.json()
                    self.ranges.append((f"load/k{(number + count) % keys}", got["start"], got["end"]))
                else:
                    self.other[answer.status] = self.other.get(answer.status, 0) + 1
            time.sleep(0.005)  # a rate that leaves the machine to the slow ones
        connection.close()


class SlowClients(ServiceTest):
    def stressed(self, **more):
        service = StressedService(self.folder / "data", **more)
        self.addCleanup(service.stop, 9)
        return service.start()

    def limited(self):
        times = {name: f"{LIMIT}s" for name in ("header-time", "body-time", "write-time", "idle-time")}
        return self.stressed(server={"http": times})

    def beside_normal_clients(self, service, slow):
        """Runs `slow` while normal clients ask; they are all answered."""
        load = Watched(service)
        try:
            wait_until(lambda: load.count() >= 100, "the normal clients' answers")
            alone = len(load.times)
            slow()
            wait_until(lambda: len(load.times) >= alone + 100, "the normal clients' answers meanwhile")
        finally:
            load.stop()
        self.assertEqual((load.other, load.overlaps()), ({}, []))
        self.assertEqual(len(load.ranges), len(load.times), "an answer to each")
        meanwhile = load.times[alone:]
        print(f"  normal clients: p99 alone {percentile(load.times[:alone], .99) * 1e3:.1f} ms, beside them {percentile(meanwhile, .99) * 1e3:.1f} ms "
              f"({len(meanwhile)} answers)")

    def trickle(self, service, name, count, first, piece):
        """Sends `first`, then `piece` again and again, until every connection has ended."""
        with Crowd(service.port, count) as crowd:
            for member in crowd.members:
                member.opened = time.monotonic()  # the time begins with the first byte, or a moment later
                member.send(first)
            due = time.monotonic() + ROUND
            end = time.monotonic() + LIMIT * ROOM
            while crowd.open():
                self.assertLess(time.monotonic(), end, f"{len(crowd.open())} connections are still open")
                crowd.turn(0.02)
                if time.monotonic() >= due:
                    due += ROUND
                    for member in crowd.open():
                        member.send(piece)
            times = [member.ended_after for member in crowd.members]
            print(f"{count} {name}: limit {LIMIT} s, ended after p50 {percentile(times, .5):.2f} s, at worst {max(times):.2f} s")
            self.assertGreaterEqual(min(times), LIMIT * 0.8)
            answered = [member for member in crowd.members if member.answers]
            self.assertEqual({(m.answers[0].status, m.answers[0].json()["code"]) for m in answered}, {(408, "request_timeout")})
            # A byte that was under way when the connection closed may turn the end into a reset, which drops the answer.
            self.assertTrue(all(m.answers or m.ended == "reset" for m in crowd.members))
            self.assertGreater(len(answered), count / 2)

    def test_heads_that_trickle_are_answered_408_within_the_limit(self):
        service = self.limited()
        self.beside_normal_clients(service, lambda: self.trickle(service, "heads that trickle", 1000, b"GET / HTTP/1.1\r\nX: ", b"x"))
        self.assertEqual(metric(service, "cosid_server_malformed_requests_total"), 1000)

    def test_bodies_that_trickle_are_answered_408_within_the_limit(self):
        service = self.limited()
        whole = reserve(TOKEN, "never")
        head = whole[:whole.index(b"\r\n\r\n") + 4]
        self.beside_normal_clients(service, lambda: self.trickle(service, "bodies that trickle", 500, head + b"{", b" "))
        self.assertEqual(service.reserve("never").json()["start"], 0)

    def test_clients_that_do_not_read_are_reset_within_the_limit(self):
        service = self.limited()

        def slow():
            asked = request(TOKEN, "GET", "/actuator/prometheus") * 1000
            with Crowd(service.port, 25, receive_buffer=4096) as crowd:
                poll = select.poll()
                for member in crowd.members:
                    member.send(asked)
                    poll.register(member.socket, 0)  # errors alone: nothing is ever read
                times, began = [], time.monotonic()
                while len(times) < len(crowd.members):
                    self.assertLess(time.monotonic() - began, LIMIT * ROOM, f"{len(times)} of {len(crowd.members)} were reset")
                    for descriptor, _ in poll.poll(20):
                        poll.unregister(descriptor)
                        times.append(time.monotonic() - began)
                    for member in crowd.members:
                        member.push()
            print(f"25 that do not read: limit {LIMIT} s without progress, reset after p50 {percentile(times, .5):.2f} s, at worst {max(times):.2f} s")
            self.assertGreaterEqual(min(times), LIMIT * 0.8)

        self.beside_normal_clients(service, slow)

    def test_connections_without_a_request_are_closed_within_the_limit(self):
        service = self.limited()
        with Crowd(service.port, 500) as crowd:
            for member in crowd.members:
                member.opened = time.monotonic()
            crowd.until(lambda: not crowd.open(), "the idle connections to end", LIMIT * ROOM)
            self.assertEqual({(member.ended, len(member.answers)) for member in crowd.members}, {("end", 0)})
            self.assertGreaterEqual(min(member.ended_after for member in crowd.members), LIMIT * 0.8)
            print(f"500 idle: limit {LIMIT} s, ended at worst after {max(member.ended_after for member in crowd.members):.2f} s")

    def test_an_idle_connection_costs_at_most_16_kib(self):
        service = self.stressed(server={"http": {"idle-time": "10m"}})
        process = Process(service.process.pid)
        with Crowd(service.port, 50) as crowd:  # what the first connections bring with them is not theirs
            crowd.ask(lambda _: reserve(TOKEN, "idle"))
        wait_until(lambda: metric(service, "cosid_server_connections_open") == 1, "the first connections to end")
        before = process.resident_kib()
        with Crowd(service.port, 1000) as crowd:
            answers = crowd.ask(lambda _: reserve(TOKEN, "idle")) + crowd.ask(lambda _: LIVENESS)
            self.assertEqual({answer.status for answer in answers}, {200})
            self.assertEqual(metric(service, "cosid_server_connections_open"), 1001)
            each = (process.resident_kib() - before) / 1000
        print(f"1000 idle connections: {before} KiB before, {each:.2f} KiB each")
        self.assertLessEqual(each, IDLE_KIB_MAX)


class Flood(ServiceTest):
    most = 200

    def stressed(self, **more):
        service = StressedService(self.folder / "data", **more)
        self.addCleanup(service.stop, 9)
        return service.start()

    def check_that_nothing_spins(self, service, what):
        process, seconds = Process(service.process.pid), 2
        before, end = process.cpu_seconds(), time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.1)  # the figure is what the process does while nobody asks
        used = (process.cpu_seconds() - before) / seconds
        print(f"{what}: {used:.1%} of a core while idle")
        self.assertLess(used, 0.5)  # a loop that spins takes all of it

    def check_that_all_is_well_again(self, service, count):
        def fresh():
            with Crowd(service.port, count) as crowd:
                return [answer.status for answer in crowd.ask(lambda _: reserve(TOKEN, "after"))] == [200] * count

        wait_until(fresh, "new connections to be served")
        self.assertEqual(service.stop(), 0)

    def test_connections_over_the_bound_are_refused_with_503_and_closed(self):
        service = self.stressed(server={"connections-max": self.most})
        with Crowd(service.port, self.most) as inside:
            inside.ask(lambda _: LIVENESS)
            with Crowd(service.port, 500) as flood:
                flood.until(lambda: not flood.open(), "the flood to be refused")
                for member in flood.members:
                    self.assertTrue(member.ended == "reset" or [answer.status for answer in member.answers] == [503], member.answers)
                answered = [answer for answer in flood.answers() if answer.headers.get("retry-after") == "1" and answer.json()["code"] == "busy"]
                print(f"flood of {self.most} + 500: {len(answered)} were told 503 busy, {500 - len(answered)} reset")
                self.check_that_nothing_spins(service, "flooded")
                self.assertEqual({answer.status for answer in inside.ask(lambda _: LIVENESS)}, {200})
        wait_until(lambda: self.try_metric(service, "cosid_server_connections_refused_total") == 500, "the metric of refused connections")
        self.check_that_all_is_well_again(service, self.most - 1)

    def try_metric(self, service, name):
        try:
            return metric(service, name)
        except OSError:  # the last of the crowd may still hold the places
            return None

    def test_running_out_of_descriptors_is_survived(self):
        service = self.stressed()
        resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, (256, 256))
        process = Process(service.process.pid)
        with Crowd(service.port, 50) as inside:
            inside.ask(lambda _: reserve(TOKEN, "inside"))
            with Crowd(service.port, 400) as flood:  # the system itself completes these connections; most wait to be accepted
                wait_until(lambda: process.descriptors() >= 250, "the descriptors to run out")
                self.check_that_nothing_spins(service, "without descriptors")
                self.assertEqual({answer.status for answer in inside.ask(lambda _: reserve(TOKEN, "inside"))}, {200})
                self.assertIsNone(service.process.poll())
                print(f"descriptors: {process.descriptors()} of 256 in use, {len(flood.open())} connections stand")
        self.check_that_all_is_well_again(service, 100)


if __name__ == "__main__":
    unittest.main()
