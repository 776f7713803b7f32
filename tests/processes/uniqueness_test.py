"""Nothing is given out twice, whatever happens to the processes: they are killed, paused, forked, and their clocks jump.

Rows U1, U2, U3, U7, U13 and U14 of the test plan, on one SQLite file that all processes open, and on a memory store behind the
service. HOLDFAST_SIZE multiplies the numbers of faults and the times (1: as in CI)."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/service"))
from harness import Service, clean_environment, wait_until  # noqa: E402

BUILD = pathlib.Path(os.environ.get("HOLDFAST_SIM_BIN", str(ROOT / "build/release/bin")))
SIZE = float(os.environ.get("HOLDFAST_SIZE", "1"))
SEED = int(os.environ.get("HOLDFAST_SEED", "0")) or random.randrange(1 << 32)
TTL_MS = 300
TOKEN = "uniqueness-of-everything"


def count(number):
    return max(1, int(number * SIZE))


class Worker:
    """One process that issues and writes down. Its file outlives it."""

    def __init__(self, scene, mode, number, faulty=None, skewed=False, **options):
        self.file = scene.folder / f"{mode}-{number}.records"
        self.number, self.stopped = number, False
        words = [str(BUILD / ("id_worker_faults" if faulty else "id_worker")), mode, "--owner", f"worker-{number}",
                 "--file", str(self.file), *scene.store_words()]
        if faulty:
            words += ["--fault", faulty]
        for name, value in {"ttl": TTL_MS, "tolerance": 50, "slots": 4, **options}.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        self.words, self.environment = words, scene.skewed_environment(number) if skewed else clean_environment()
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return self

    def send(self, number):
        self.process.send_signal(number)

    def end(self, number=signal.SIGTERM):
        if self.process is not None:
            self.send(signal.SIGCONT)
            self.send(number)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def written(self):
        return self.file.stat().st_size if self.file.exists() else 0


class Scene(unittest.TestCase):
    """What both stores have in common; the subclasses say which store."""

    faulty = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-uniqueness-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.chance = random.Random(SEED)
        self.workers = []
        self.addCleanup(self.end_all)
        self.open_store()

    def end_all(self):
        for worker in self.workers:
            worker.end()

    def workers_of(self, mode, how_many, **options):
        fresh = [Worker(self, mode, f"{len(self.workers) + i}", **options).start() for i in range(how_many)]
        self.workers += fresh
        return fresh

    # Clocks: one file a process, in milliseconds, written in place.
    def skewed_environment(self, name):
        file = self.folder / f"skew-{name}"
        file.write_text("0" + "\0" * 40)
        return clean_environment(LD_PRELOAD=str(BUILD / "libclockskew.so"), CLOCKSKEW_FILE=str(file))

    def set_skew(self, name, milliseconds):
        with open(self.folder / f"skew-{name}", "r+b") as file:
            file.write(f"{milliseconds}\0".encode().ljust(32, b"\0"))

    def verdict(self):
        files = [str(worker.file) for worker in self.workers if worker.file.exists()]
        done = subprocess.run([str(BUILD / "id_worker"), "check", *files], capture_output=True, text=True, check=False)
        return json.loads(done.stdout)

    def nothing_twice(self, row, least, **facts):
        self.end_all()
        verdict = self.verdict()
        print(f"{row} on {self.store_name}: numbers {verdict['numbers']}, repeated {verdict['repeated']}, seed {SEED}, "
              + ", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
        self.assertEqual(verdict["repeated"], 0)
        self.assertGreaterEqual(verdict["numbers"], least)

    def run_for(self, seconds):
        time.sleep(seconds)  # the length of the load, not a wait for something


class Rows:
    """One method a row; run on each store."""

    def test_u1_concurrency_alone(self):
        self.workers_of("time", 6)
        self.workers_of("range", 4)
        self.workers_of("time", 2, seconds=1, ttl=3000)
        self.run_for(8 * SIZE)
        self.nothing_twice("U1", 100_000)

    def test_u2_clients_are_killed(self):
        workers = self.workers_of("time", 6)
        kills = count(60)
        for _ in range(kills):
            victim = self.chance.choice(workers)
            victim.end(signal.SIGKILL)
            victim.start()
            time.sleep(self.chance.uniform(0.05, 0.25))
        wait_until(lambda: all(w.written() for w in workers), "each worker to have issued")
        self.nothing_twice("U2", 20_000, kills=kills)

    def test_u3_clients_are_paused(self):
        workers = self.workers_of("time", 6)
        pauses = count(60)
        for _ in range(pauses):
            victim = self.chance.choice(workers)
            victim.send(signal.SIGSTOP)
            time.sleep(self.chance.uniform(0, 3 * TTL_MS / 1000) / 2)
            other = self.chance.choice(workers)
            other.send(signal.SIGSTOP)
            time.sleep(self.chance.uniform(0, 3 * TTL_MS / 1000) / 2)
            victim.send(signal.SIGCONT)
            other.send(signal.SIGCONT)
        self.nothing_twice("U3", 20_000, pauses=2 * pauses)

    def test_u7_clocks_jump(self):
        workers = self.workers_of("time", 5, skewed=True, slots=256)
        wait_until(lambda: all(w.written() for w in workers), "each worker to have issued")
        jumps = count(40)
        for _ in range(jumps):
            name = self.chance.choice([*(w.number for w in workers), "store"])
            jump = self.chance.choice([0, 0, self.chance.randint(-3_600_000, 3_600_000), self.chance.randint(-400, 400)])
            if name != "store" or self.store_is_skewed:
                self.set_skew(name, jump)
            time.sleep(self.chance.uniform(0.05, 0.3))
            if self.chance.random() < 0.2:
                victim = self.chance.choice(workers)
                victim.end(signal.SIGKILL)
                victim.start()
        self.nothing_twice("U7", 20_000, jumps=jumps)

    def test_u13_numbers_at_the_borders_of_64_bits_are_exact(self):
        service, token = self.service_of_store()
        cases = 0
        last = 2**63 - 1
        for border in (2**53, 2**63 - 1 - 300):
            for start in range(border - 25, border + 25):
                key = f"border/{start}"
                got = service.reserve(key, 7, start, token=token).json()
                self.assertEqual(got, {"start": start, "end": start + 7})
                got = service.reserve(key, 3, 0, token=token).json()
                self.assertEqual(got, {"start": start + 7, "end": start + 10})
                cases += 2
        for left in range(1, 51):  # what does not fit is refused, and what fits still does
            key = f"end/{left}"
            self.assertEqual(service.reserve(key, left + 1, last - left, token=token).status, 422)
            self.assertEqual(service.reserve(key, left, last - left, token=token).json(), {"start": last - left, "end": last})
            self.assertEqual(service.reserve(key, 1, 0, token=token).status, 422)
            cases += 3
        print(f"U13 on {self.store_name}: cases {cases}")

    def test_u14_a_forked_child_hears_closed_and_its_parent_goes_on(self):
        forks = count(8)
        for i in range(forks):
            worker = Worker(self, "fork", f"{i}")
            self.workers.append(worker)
            done = subprocess.run(worker.words, env=worker.environment, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stdout, "child: 0 wrong answers; parent went on\n")
        self.nothing_twice("U14", forks * 500, forks=forks)


class OnSqlite(Rows, Scene):
    store_name = "sqlite"
    store_is_skewed = False  # each process has a store of its own in the file, with its own clock

    def open_store(self):
        pass

    def service_of_store(self):
        service = Service(self.folder / "data").start()
        self.addCleanup(service.stop)
        return service, service.token

    def store_words(self):
        return ["--store", f"sqlite:{self.folder / 'store.db'}"]

    # Controls: with the fault the same load must give something out twice, or the test above proves nothing. Broken variants that
    # kills alone do not show on good clocks (a token that is used again, a release by anyone) are caught by the simulation.

    def repeats_within(self, seconds, one_round):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            one_round()
            if self.verdict()["repeated"] > 0:
                return True
        return False

    def test_control_u1_a_counter_without_an_atomic_add_repeats(self):
        self.workers_of("range", 8, bare_counter=self.folder / "counter-")
        self.assertTrue(self.repeats_within(60, lambda: time.sleep(0.5)))

    def paused_round(self, workers):
        victim = self.chance.choice(workers)
        victim.send(signal.SIGSTOP)
        time.sleep(self.chance.uniform(0.2, 0.9))
        victim.send(signal.SIGCONT)
        time.sleep(0.05)

    def test_control_u3_a_floor_from_the_clock_repeats_when_holders_are_paused(self):
        workers = self.workers_of("time", 6, faulty="floor-from-clock", ttl=200, tolerance=5000, slots=2, pause=1)
        self.assertTrue(self.repeats_within(90, lambda: self.paused_round(workers)))

    def test_control_u7_a_floor_from_the_clock_at_an_expiry_repeats_when_clocks_jump(self):
        workers = self.workers_of("time", 6, faulty="expire-next-floor-is-clock", skewed=True, ttl=200, tolerance=5000, slots=2, pause=1)
        wait_until(lambda: any(w.written() for w in workers), "someone to have issued")

        def one_round():
            self.set_skew(self.chance.choice(workers).number, self.chance.randint(0, 4000))
            self.paused_round(workers)

        self.assertTrue(self.repeats_within(90, one_round))


class OnMemoryBehindTheService(Rows, Scene):
    store_name = "memory behind the service"
    store_is_skewed = True

    def open_store(self):
        settings = self.folder / "application.yaml"
        settings.write_text("cosid:\n  stores: {main: {type: memory}}\n  server: {auth: {tokens: [" + TOKEN + "]}, insecure: true}\n")
        environment = self.skewed_environment("store")
        self.service = Service(self.folder / "data", ["--config", str(settings)], environment)
        self.service.start()
        self.addCleanup(self.service.stop)

    def service_of_store(self):
        return self.service, TOKEN

    def store_words(self):
        return ["--store", f"http:{self.service.port}", "--token", TOKEN]


if __name__ == "__main__":
    unittest.main()
