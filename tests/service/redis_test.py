"""holdfast redis: what it prints, what programs read, and its exit codes, on servers of its own."""

import json
import re
import subprocess
import time

from harness import ServiceTest

SECONDS_MAX = 30


class Redis(ServiceTest):
    def server(self, *options):
        """The URI of a server on a unix socket that nobody else finds."""
        path = self.folder / "redis.sock"
        process = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", path, "--dir", self.folder, "--save", "", *options],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait, SECONDS_MAX)
        self.addCleanup(process.terminate)
        deadline = time.monotonic() + SECONDS_MAX
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        return f"redis-socket://{path}"

    def failed(self, code, *arguments):
        done = self.run_program("redis", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        return done.stderr

    def test_a_server_that_answers(self):
        uri = self.server()
        done = self.run_program("redis", "ping", "-n", "3", uri)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(re.findall(rf"^PONG from {re.escape(uri)} in [\d.]+ ms", done.stdout, re.M)), 3)
        rows = [json.loads(line) for line in self.run_program("redis", "ping", "-n", "2", "--json", uri).stdout.splitlines()]
        self.assertEqual([row["dialled"] for row in rows], [True, False])

    def test_settings_that_lose_writes_are_told_with_their_remedy(self):
        uri = self.server("--appendonly", "yes", "--appendfsync", "everysec")
        done = self.run_program("redis", "info", uri)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("fsync_not_always: appendfsync everysec\n", done.stdout)
        self.assertIn("remedy:   Set appendfsync always", done.stdout)
        strict = self.run_program("redis", "info", "--strict", "--json", uri)
        self.assertEqual(strict.returncode, 1)
        told = json.loads(strict.stdout)
        self.assertEqual([finding["fault"] for finding in told["findings"]], ["fsync_not_always"])
        self.assertEqual(told["info"]["redis_mode"], "standalone")

    def test_a_strict_look_at_a_server_that_keeps_everything_is_satisfied(self):
        uri = self.server("--appendonly", "yes", "--appendfsync", "always")
        done = self.run_program("redis", "info", "--strict", uri)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("nothing that is known here loses a write", done.stdout)

    def test_a_bench_counts_and_leaves_nothing_behind(self):
        uri = self.server()
        done = self.run_program("redis", "bench", "--seconds", "1", "--callers", "16", "--json", uri)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        row = json.loads(done.stdout)
        self.assertGreater(row["calls"], 16)
        self.assertEqual(row["failed"], 0)
        self.assertLessEqual(row["p50Microseconds"], row["p99Microseconds"])
        keyspace = json.loads(self.run_program("redis", "info", "--json", uri).stdout)["info"]
        self.assertNotIn("db0", keyspace)

    def test_a_password_comes_from_a_file_or_the_environment_and_is_never_shown(self):
        uri = self.server("--requirepass", "a-secret-word")
        told = self.failed(2, "ping", uri)
        self.assertIn("denied, effect none", told)
        word = self.folder / "word"
        word.write_text("a-secret-word\n")
        self.assertEqual(self.run_program("redis", "ping", "--password-file", str(word), uri).returncode, 0)
        word.write_text("another-word\n")
        self.assertNotIn("another-word", self.failed(2, "ping", "--password-file", str(word), uri))
        self.assertIn("environment variable", self.failed(2, "ping", "--password-env", "NOT_SET", uri))

    def test_what_cannot_be_is_one_line_and_a_code(self):
        self.assertIn("unreachable, effect none", self.failed(3, "ping", "--timeout", "200", f"redis-socket://{self.folder}/none.sock"))
        self.assertIn("unsupported", self.failed(2, "ping", "redis://a,b?cluster=true"))
        self.assertIn("unsupported", self.failed(2, "info", "redis-sentinel://a#primary"))
        self.assertIn("URI", self.failed(2, "ping", "http://127.0.0.1"))
        self.assertIn("/none.pem", self.failed(2, "ping", "--ca", "/none.pem", "rediss://127.0.0.1"))
