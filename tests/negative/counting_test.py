"""The sum that scripts/test prints is honest: what crashes, leaks, is not built or does not end counts as failed."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

COUNT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "count_results"


def count(kind, text):
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        log.write(text)
        log.flush()
        done = subprocess.run([sys.executable, "-B", COUNT, kind, log.name], capture_output=True, text=True, check=True)
    return tuple(int(word) for word in done.stdout.split())


def program(result, *cases):
    lines = []
    for name, end in cases:
        lines.append(f"1: [ RUN      ] Suite.{name}")
        if end:
            lines.append(f"1: [{end}] Suite.{name} (3 ms)")
    return "\n".join([*lines, f"1/1 Test #1: room_test ........{result}    0.01 sec", ""])


PASSED, FAILED = ".   Passed", "***Failed"
OK, BAD = "       OK ", "  FAILED  "


class Ctest(unittest.TestCase):
    def test_each_case_counts(self):
        self.assertEqual((2, 0), count("ctest", program(PASSED, ("a", OK), ("b", OK))))

    def test_a_failed_case_counts_once_though_it_is_named_again_at_the_end(self):
        self.assertEqual((1, 1), count("ctest", program(FAILED, ("a", OK), ("b", BAD)) + "1: [  FAILED  ] Suite.b\n"))

    def test_a_case_that_did_not_end_is_a_failure(self):
        self.assertEqual((1, 1), count("ctest", program("***Exception: SegFault", ("a", OK), ("b", None))))

    def test_a_failure_after_the_last_case_is_a_failure(self):
        self.assertEqual((1, 1), count("ctest", program(FAILED, ("a", OK))))

    def test_a_skipped_case_is_no_success(self):
        self.assertEqual((1, 1), count("ctest", program(PASSED, ("a", OK), ("b", "  SKIPPED "))))

    def test_a_program_without_cases_counts_as_one(self):
        self.assertEqual((1, 0), count("ctest", program(PASSED)))

    def test_a_program_that_was_not_built_is_a_failure(self):
        self.assertEqual((0, 1), count("ctest", "1/1 Test #1: room_test ........***Not Run   0.00 sec\n"))

    def test_a_program_that_takes_too_long_is_a_failure(self):
        self.assertEqual((0, 1), count("ctest", "1/1 Test #1: room_test ........***Timeout 600.01 sec\n"))


class Unittest(unittest.TestCase):
    def test_failures_and_errors_are_taken_from_what_ran(self):
        text = "FAIL: test_a (x.T.test_a)\nERROR: test_b (x.T.test_b)\nRan 5 tests in 1.0s\n\nFAILED (failures=1, errors=1)\n"
        self.assertEqual((3, 2), count("unittest", text))

    def test_sub_tests_of_one_test_fail_once(self):
        text = "FAIL: test_a (x.T.test_a) (n=1)\nFAIL: test_a (x.T.test_a) (n=2)\nRan 2 tests in 1.0s\n\nFAILED (failures=2)\n"
        self.assertEqual((1, 1), count("unittest", text))

    def test_a_class_that_cannot_be_set_up_is_a_failure(self):
        text = "ERROR: setUpClass (x.T)\nRan 0 tests in 0.0s\n\nFAILED (errors=1)\n"
        self.assertEqual((0, 1), count("unittest", text))

    def test_a_run_that_did_not_end_is_a_failure(self):
        self.assertEqual((0, 1), count("unittest", "test_a (x.T.test_a) ... "))


class Checks(unittest.TestCase):
    def test_lines_are_counted(self):
        self.assertEqual((2, 1), count("checks", "ok one 0.1 s\nok two\nsomething\nFAILED three\n"))


if __name__ == "__main__":
    unittest.main()
