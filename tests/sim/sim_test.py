"""The simulation: worlds of the shipped code hold, and every broken variant is caught.

HOLDFAST_SIM_BIN: the folder of holdfast_sim and holdfast_sim_faults (default build/release/bin).
HOLDFAST_SIM_SEEDS: worlds of the shipped code (default 2000). HOLDFAST_SIM_FIRST: the first of them (default 1).
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import unittest

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
folder = pathlib.Path(os.environ.get("HOLDFAST_SIM_BIN", root / "build/release/bin"))
seeds = int(os.environ.get("HOLDFAST_SIM_SEEDS", "2000"))
first = int(os.environ.get("HOLDFAST_SIM_FIRST", "1"))
seeds_in_one_run = 250


def run(program, *arguments):
    return subprocess.run([folder / program, *arguments], capture_output=True, text=True, check=False)


def side_by_side(calls):
    """The results of the calls, in their order, as many at once as there are cores."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda call: run(*call), calls))


def table():
    """name -> what stands in the second column of faults.txt"""
    rows = {}
    for line in (here / "faults.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, where, _ = line.split(maxsplit=2)
            rows[name] = where
    return rows


def totals(output):
    """The sums of one run: {'seeds': 100, ..}"""
    sums = {}
    for line in output.splitlines():
        if not line.startswith("seed "):
            for name, number in re.findall(r"([a-z][a-z ]*[a-z]) (\d+)(?=,|$)", line):
                sums[name] = int(number)
    return sums


class Simulation(unittest.TestCase):
    def test_the_shipped_code_gives_no_id_twice_and_everybody_issues_when_the_faults_end(self):
        last = first + seeds - 1
        runs = [(start, min(start + seeds_in_one_run - 1, last)) for start in range(first, last + 1, seeds_in_one_run)]
        sums = {}
        for (start, end), done in zip(runs, side_by_side(("holdfast_sim", "--seeds", f"{a}..{b}") for a, b in runs)):
            self.assertEqual(done.returncode, 0, f"seeds {start}..{end}:\n{done.stdout}{done.stderr}")
            for name, number in totals(done.stdout).items():
                sums[name] = sums.get(name, 0) + number
        self.assertEqual(sums["seeds"], seeds)
        self.assertEqual(sums["bad"] + sums["alarms"], 0)
        print("simulation:", ", ".join(f"{name} {number:,}" for name, number in sums.items()))
        for name in ("leases lost", "crashes", "pauses", "clock jumps", "store restarts", "late", "executed twice", "lost"):
            self.assertGreater(sums[name], seeds // 10, f"{name}: the worlds are too friendly")

    def test_a_seed_takes_the_same_course_each_time(self):
        done = run("holdfast_sim", "--seeds", "1..20", "--twice")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(totals(done.stdout)["seeds"], 20)

    def test_a_trace_tells_what_happened_and_changes_nothing(self):
        silent, told = run("holdfast_sim", "--seed", "3"), run("holdfast_sim", "--seed", "3", "--trace")
        self.assertGreater(len(told.stdout.splitlines()), 500)
        for part in ("crashes", "stands still", "the store restarts", "acquire: slot", "lease leased ->", "the faults end"):
            self.assertIn(part, told.stdout)
        hashes = [re.search("trace hash ([0-9a-f]{16})", one.stdout).group(1) for one in (silent, told)]
        self.assertEqual(hashes[0], hashes[1])

    def test_wrong_usage_is_refused(self):
        for arguments in (("--seeds", "9..1"), ("--seed", "x"), ("--seed",), ("--fault", "renew-any"), ("worlds",)):
            self.assertEqual(run("holdfast_sim", *arguments).returncode, 2, arguments)


class BrokenVariants(unittest.TestCase):
    def test_the_table_names_every_switch_of_the_code(self):
        names = set()
        for where in ("src", "tests/sim"):
            for source in [*(root / where).rglob("*.cpp"), *(root / where).rglob("*.h")]:
                names.update(re.findall(r'\bfault\(\s*"([a-z-]+)"\s*\)', source.read_text()))
        self.assertEqual(names, set(table()))

    def test_none_is_on_unless_asked_for(self):
        done = run("holdfast_sim_faults", "--seeds", "1..20")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(totals(done.stdout)["alarms"], 0)

    def test_each_is_caught(self):
        rows = [(name, where) for name, where in table().items() if ".." in where]
        calls = [("holdfast_sim_faults", "--fault", name, "--first", "--seeds", where) for name, where in rows]
        for (name, where), done in zip(rows, side_by_side(calls)):
            with self.subTest(name):
                self.assertEqual(done.returncode, 1, f"{name} is not caught by seeds {where}:\n{done.stdout}{done.stderr}")
                caught = re.search(r"^seed (\d+): (?!repeat)(.*)$", done.stdout, re.M)
                print(f"caught {name}: seed {caught.group(1)}: {caught.group(2)[:100]}")

    def test_silence_in_the_quiet_time_is_heard(self):
        done = run("holdfast_sim_faults", "--fault", "store-stays-down", "--seeds", "1..2")
        self.assertGreater(totals(done.stdout)["alarms"], 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
