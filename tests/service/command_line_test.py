"""Help texts, exit codes, and the conformance kit from the command line."""

import json
import pathlib
import re
import subprocess
import unittest

from harness import ServiceTest

COMMANDS = ([], ["serve"], ["config"], ["config", "check"], ["config", "show"], ["config", "explain"], ["ids"], ["ids", "next"],
            ["ids", "parse"], ["ids", "describe"], ["ids", "leases"], ["redis"], ["redis", "ping"], ["redis", "info"], ["redis", "bench"], ["tck"])
GOLDEN = pathlib.Path(__file__).parent / "golden"


class CommandLine(ServiceTest):
    def test_help_texts_are_those_of_the_golden_file(self):
        shown = ""
        for command in COMMANDS:
            done = self.run_program(*command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn("Example: holdfast", done.stdout)
            shown += f"$ holdfast {' '.join([*command, '--help'])}\n{done.stdout}\n"
        golden = GOLDEN / "help.txt"
        self.assertEqual(shown, golden.read_text(), f"if this is meant, write it to {golden.name}:\n{shown}")

    def test_the_shell_completes_every_command_and_option_of_the_help_texts(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "apps/holdfast/completion/holdfast.bash"
        for command in COMMANDS:
            text = self.run_program(*command, "--help").stdout
            wanted = set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", text, re.M))
            if "Subcommands:" in text:
                wanted |= set(re.findall(r"^  ([a-z]+)", text.split("Subcommands:")[1], re.M))
            words = " ".join(["holdfast", *command, "''"])
            ask = (f"source {script}; COMP_WORDS=({words}); COMP_CWORD={len(command) + 1}; _holdfast; "
                   "printf '%s\\n' \"${COMPREPLY[@]}\"")
            done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
            self.assertLessEqual(wanted, set(done.stdout.split()), command)

    def test_wrong_usage_is_one_line_and_code_two(self):
        for arguments in ([], ["serv"], ["serve", "--no-such"], ["config"], ["ids"], ["ids", "next", "-n", "0"], ["ids", "parse", "--layout", "x", "1"], ["tck"], ["tck", "--store", "mongodb://x"]):
            done = self.run_program(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("holdfast: "), done.stderr)

    def test_version(self):
        done = self.run_program("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^holdfast \d+\.\d+\.\d+\n$")

    def test_the_kit_runs_on_memory_and_on_a_file(self):
        for store in ("memory:", f"sqlite:{self.folder / 'kit.db'}", f"jdbc:sqlite:{self.folder / 'kit.db'}"):
            done = self.run_program("tck", "--store", store, "--sequences", "20", timeout=300)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            last = done.stdout.strip().splitlines()[-1]
            found = re.fullmatch(r"(\d+) passed, 0 failed, (\d+) skipped", last)
            self.assertTrue(found, last)
            self.assertGreaterEqual(int(found.group(1)), 90)
            self.assertIn("holdfast-tck-", done.stdout)

    def test_the_kit_can_be_narrowed_and_read_by_programs(self):
        done = self.run_program("tck", "--store", "memory:", "--only", "seal", "--json", timeout=300)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(done.returncode, 0)
        self.assertTrue(rows)
        self.assertTrue(all("seal" in row["promise"] or "seal" in row["group"] for row in rows))
        self.assertEqual(self.run_program("tck", "--store", "memory:", "--only", "no such promise").returncode, 2)

    def test_a_store_that_cannot_be_opened_is_code_three(self):
        done = self.run_program("tck", "--store", "sqlite:/no/such/folder/x.db")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
