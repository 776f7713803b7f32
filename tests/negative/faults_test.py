"""Faults brought back into a copy of the program: the end-to-end tests that guard each promise must fail then, and pass without."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import tree  # noqa: E402  (a module of tools/)

BUILD_SECONDS_MAX = 600
TEST_SECONDS_MAX = 300


def setUpModule():
    global folder, copy
    folder = tempfile.TemporaryDirectory(prefix="holdfast-faults-")
    copy = pathlib.Path(folder.name) / "holdfast"
    for path in tree.files("*"):
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    subprocess.run(["cmake", "--preset", "release"], cwd=copy, check=True, capture_output=True, timeout=BUILD_SECONDS_MAX)


def tearDownModule():
    folder.cleanup()


def build():
    done = subprocess.run(["cmake", "--build", "build/release", "--target", "holdfast"], cwd=copy, capture_output=True, text=True,
                          timeout=BUILD_SECONDS_MAX, check=False)
    return done.returncode, done.stdout[-4000:] + done.stderr[-4000:]


def run_test(name):
    environment = {**os.environ, "HOLDFAST_BIN": str(copy / "build/release/bin/holdfast"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-m", "unittest", name], cwd=copy / "tests/service", env=environment, capture_output=True,
                          text=True, timeout=TEST_SECONDS_MAX, check=False)
    return done.returncode, done.stdout + done.stderr


class Faults(unittest.TestCase):
    def with_fault(self, name, right, wrong):
        """Builds the program with `right` replaced in one file; it is put back after the test."""
        path = copy / name
        text = path.read_text()
        self.assertEqual(text.count(right), 1, f"{name} has changed: bring this control up to date")
        self.addCleanup(path.write_text, text)
        path.write_text(text.replace(right, wrong))
        status, output = build()
        self.assertEqual(status, 0, output)

    def caught(self, test, *words):
        status, output = run_test(test)
        self.assertNotEqual(status, 0, f"{test} did not notice:\n{output[-2000:]}")
        for word in words:
            self.assertIn(word, output)

    def test_without_a_fault_the_tests_pass(self):
        status, output = build()
        self.assertEqual(status, 0, output)
        for test in ("kill_test", "two_services_test", "contract_test"):
            status, output = run_test(test)
            self.assertEqual(status, 0, output)

    def test_an_answer_before_its_commit_is_caught_by_kills(self):
        self.with_fault(
            "src/store/sql/group_commit.cpp",
            "    if (perform(calls)) {\n        commit(calls);\n    }\n",
            "    if (perform(calls)) {\n        Calls sent = calls;\n        for (auto& call : sent) {\n"
            "            GroupedCall::go_home(std::move(call));\n        }\n        commit(calls);\n        return;\n    }\n")
        self.caught("kill_test", "AssertionError")

    def test_a_read_before_the_write_lock_is_caught_by_two_services(self):
        self.with_fault("src/drivers/sql/sqlite_connection.cpp", 'prepared("BEGIN IMMEDIATE")', 'prepared("BEGIN DEFERRED")')
        self.caught("two_services_test", "AssertionError")

    def test_a_service_that_takes_any_token_is_caught_by_the_contract(self):
        self.with_fault(
            "src/server/admit.cpp",
            "    if (twice || !found.has_value()) {\n        refuse_caller(request, access, response);\n        return false;\n    }\n"
            "    caller = *found;\n",
            "    caller = found.value_or(0);\n")
        self.caught("contract_test", "AssertionError")


if __name__ == "__main__":
    unittest.main()
