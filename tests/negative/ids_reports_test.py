"""Every reported fault of id generators (ids_reports.txt) has its test, and each test notices the fault when it is put back.

HOLDFAST_SIM_BIN: the folder of ids_faults_test, the tests of ids compiled with the broken variants (default build/release/bin).
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
program = pathlib.Path(os.environ.get("HOLDFAST_SIM_BIN", root / "build/release/bin")) / "ids_faults_test"
TEST_SECONDS_MAX = 120

ROWS = set(range(1, 53)) - {8, 10, 11, 14, 36}


def table():
    """(row, test or "absent", fault, what was wrong) of each line."""
    lines = []
    for line in (here / "ids_reports.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            row, test, fault, what = (part.strip() for part in line.split("|"))
            lines.append((int(row), test, fault, what))
    return lines


def of_program(test):
    return test != "absent" and "/" not in test


def run(tests, fault=""):
    return subprocess.run([program, f"--gtest_filter={':'.join(tests)}"], capture_output=True, text=True, errors="replace",
                          timeout=TEST_SECONDS_MAX, check=False, env={**os.environ, "HOLDFAST_FAULT": fault})


def sources():
    for folder in ("src/ids/tests", "src/ground/config/tests"):
        yield from (root / folder).glob("*_test.cpp")


def rows_named(test):
    """The numbers behind the word "row" in the test, its comment, and the first comment of its file."""
    suite, name = test.split(".")
    for source in sources():
        text = source.read_text()
        found = re.search(rf"(?:^//[^\n]*\n)*^TEST(?:_F)?\({suite}, {name}\) {{\n.*?^}}", text, re.M | re.S)
        if found:
            words = re.match(r"(?://.*\n)*", text).group() + found.group()
            return {int(number) for some in re.findall(r"[Rr]ows?[ _]((?:\d+(?:, | and |_and_|_)?)+)", words)
                    for number in re.findall(r"\d+", some)}
    raise AssertionError(f"there is no test {test}")


class Table(unittest.TestCase):
    def test_every_row_stands_in_it_and_has_a_test_or_a_reason(self):
        lines = table()
        self.assertEqual({row for row, *_ in lines}, ROWS)
        for row in sorted(ROWS):
            kinds = {"absent" if test == "absent" else "further" if fault == "-" else "proved"
                     for one, test, fault, _ in lines if one == row}
            with self.subTest(row):
                self.assertTrue(kinds == {"absent"} or "proved" in kinds, kinds)

    def test_every_test_says_which_row_it_keeps(self):
        for row, test, *_ in table():
            with self.subTest(f"{row}: {test}"):
                if of_program(test):
                    self.assertIn(row, rows_named(test))
                elif test != "absent":
                    file, name = test.split(" ")
                    suite, case = name.split(".")
                    self.assertRegex((root / file).read_text(), rf"(?s)class {suite}\(.*def {case}\(")

    def test_every_switch_of_a_row_is_turned_on_by_a_line(self):
        switches = set()
        for source in [*(root / "src").rglob("*.cpp"), *(root / "src").rglob("*.h")]:
            switches.update(re.findall(r'\bfault\(\s*"([^"]+)"\s*\)', source.read_text()))
        turned_on = {fault for _, test, fault, _ in table() if of_program(test)} - {"-", "patch"}
        self.assertEqual(turned_on - switches, set())
        self.assertEqual({name for name in switches if name.startswith("ids.")} - turned_on, set())


class Faults(unittest.TestCase):
    def test_without_a_fault_the_tests_pass(self):
        tests = sorted({test for _, test, *_ in table() if of_program(test)})
        done = run(tests)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-2000:])
        for test in tests:
            self.assertIn(f"[       OK ] {test} ", done.stdout)

    def test_each_is_noticed_by_the_test_of_its_row(self):
        noticed = 0
        for row, test, fault, what in table():
            if not of_program(test) or fault in ("-", "patch"):
                continue
            with self.subTest(f"{row}: {what}"):
                done = run([test], fault)
                self.assertIn(f"[ RUN      ] {test}\n", done.stdout)
                self.assertNotEqual(done.returncode, 0, f"{test} did not notice {fault}")
                noticed += 1
        print(f"{noticed} faults of id generators noticed")


class SharedNodes(unittest.TestCase):
    """Row 3 by a patch: that nobody can change what all share is held by types."""

    HEADER = "include/holdfast/ids/sharding.h"
    RIGHT = "const std::vector<std::string>& nodes() const { return nodes_; }"
    WRONG = "std::vector<std::string>& nodes() const { return const_cast<std::vector<std::string>&>(nodes_); }"

    def compiles(self, ids):
        includes = [ids / "include", *(root / "src").rglob("include")]
        done = subprocess.run(["clang++-19", "-std=c++20", "-fsyntax-only", *(f"-I{folder}" for folder in includes),
                               "-iquote", root / "src/ids", root / "src/ids/tests/sharding_test.cpp"],
                              capture_output=True, text=True, timeout=TEST_SECONDS_MAX, check=False)
        return done.returncode == 0, done.stderr

    def test_nodes_that_callers_can_change_do_not_compile(self):
        with tempfile.TemporaryDirectory(prefix="holdfast-reports-") as folder:
            ids = pathlib.Path(folder)
            header = ids / self.HEADER
            header.parent.mkdir(parents=True)
            shutil.copy(root / "src/ids" / self.HEADER, header)
            done, said = self.compiles(ids)
            self.assertTrue(done, said)
            text = header.read_text()
            self.assertEqual(text.count(self.RIGHT), 2, "sharding.h has changed: bring this control up to date")
            header.write_text(text.replace(self.RIGHT, self.WRONG))
            done, said = self.compiles(ids)
            self.assertFalse(done, "callers can change the nodes that all share")
            self.assertIn("callers share what nodes() answers", said)


if __name__ == "__main__":
    unittest.main()
