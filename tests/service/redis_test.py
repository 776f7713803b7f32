"""holdfast redis: what it prints, what programs read, and its exit codes, on servers of its own."""

import json
import re
import socket
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

    def spoken(self, port, *lines):
        """What a server on that port answers to commands without blanks in their words."""
        with socket.create_connection(("127.0.0.1", port), SECONDS_MAX) as connection:
            connection.settimeout(SECONDS_MAX)
            answers = []
            for line in lines:
                connection.sendall(line.encode() + b"\r\n")
                answers.append(connection.recv(65_536).decode())
            return answers

    def started(self, program, *arguments):
        """Its ports: of the server, and one more that is free. Ports are drawn: another draw where they are taken."""
        for _ in range(10):
            with socket.socket() as one, socket.socket() as two:
                one.bind(("127.0.0.1", 0))
                two.bind(("127.0.0.1", 0))
                port, other = one.getsockname()[1], two.getsockname()[1]
            process = subprocess.Popen([word.format(port=port, other=other) for word in [program, *arguments]],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait, SECONDS_MAX)
            self.addCleanup(process.terminate)
            deadline = time.monotonic() + SECONDS_MAX
            while process.poll() is None and time.monotonic() < deadline:
                try:
                    if "PONG" in self.spoken(port, "PING")[0]:
                        return port
                except OSError:
                    time.sleep(0.01)
        self.fail("no server would start")

    def until(self, port, line, what):
        deadline = time.monotonic() + SECONDS_MAX
        while what not in self.spoken(port, line)[0]:
            self.assertLess(time.monotonic(), deadline, f"{line} never said {what}")
            time.sleep(0.02)

    def one_node_cluster(self):
        port = self.started("redis-server", "--bind", "127.0.0.1", "--port", "{port}", "--cluster-port", "{other}", "--cluster-enabled", "yes",
                            "--dir", str(self.folder), "--save", "")
        self.spoken(port, "CLUSTER ADDSLOTSRANGE 0 16383")
        self.until(port, "CLUSTER INFO", "cluster_state:ok")
        return port

    def watched_server(self):
        """The ports of a sentinel and of the server that it watches."""
        server = self.started("redis-server", "--bind", "127.0.0.1", "--port", "{port}", "--dir", str(self.folder), "--save", "")
        settings = self.folder / "sentinel.conf"
        settings.write_text(f"sentinel monitor orders 127.0.0.1 {server} 1\n")
        sentinel = self.started("redis-server", str(settings), "--sentinel", "--bind", "127.0.0.1", "--port", "{port}", "--dir", str(self.folder))
        return sentinel, server

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

    def test_a_cluster_is_asked_node_by_node(self):
        port = self.one_node_cluster()
        uri = f"redis://127.0.0.1:{port}?cluster=true"
        done = self.run_program("redis", "ping", "-n", "2", uri)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(re.findall(rf"^PONG from 127.0.0.1:{port} \(primary, 16384 slots\) in [\d.]+ ms", done.stdout, re.M)), 2)
        row = json.loads(self.run_program("redis", "ping", "--json", uri).stdout)
        self.assertEqual((row["node"], row["role"], row["slots"]), (f"127.0.0.1:{port}", "primary", 16384))
        told = json.loads(self.run_program("redis", "info", "--json", uri).stdout)
        self.assertEqual([node["slots"] for node in told["nodes"]], [16384])
        self.assertEqual(told["primaries"][0]["info"]["redis_mode"], "cluster")
        self.assertIn("no_append_only_file", [finding["fault"] for finding in told["primaries"][0]["findings"]])
        self.assertEqual(self.run_program("redis", "info", "--strict", uri).returncode, 1)
        bench = self.run_program("redis", "bench", "--seconds", "1", "--callers", "16", uri)
        self.assertEqual((bench.returncode, bench.stderr), (0, ""))
        self.assertIn("16 callers on one connection to each node", bench.stdout)

    def test_what_sentinels_watch_is_found_by_its_name(self):
        sentinel, server = self.watched_server()
        uri = f"redis-sentinel://127.0.0.1:{sentinel}#orders"
        done = self.run_program("redis", "ping", uri)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"PONG from 127.0.0.1:{server} (primary) in ", done.stdout)
        told = self.run_program("redis", "info", uri)
        self.assertEqual((told.returncode, told.stderr), (0, ""))
        self.assertRegex(told.stdout, rf"(?m)^primary +127.0.0.1:{server} \(primary\)$")
        self.assertRegex(told.stdout, r"(?m)^no_append_only_file: ")
        self.assertIn("orders2", self.failed(2, "ping", f"redis-sentinel://127.0.0.1:{sentinel}#orders2"))

    def test_what_cannot_be_is_one_line_and_a_code(self):
        self.assertIn("unreachable, effect none", self.failed(3, "ping", "--timeout", "200", f"redis-socket://{self.folder}/none.sock"))
        self.assertIn("database", self.failed(2, "ping", "redis://a,b/1?cluster=true"))
        self.assertIn("unreachable", self.failed(3, "ping", "--timeout", "200", "redis://127.0.0.1:1?cluster=true"))
        self.assertIn("unreachable", self.failed(3, "info", "--timeout", "200", "redis-sentinel://127.0.0.1:1#primary"))
        self.assertIn("URI", self.failed(2, "ping", "http://127.0.0.1"))
        self.assertIn("/none.pem", self.failed(2, "ping", "--ca", "/none.pem", "rediss://127.0.0.1"))
