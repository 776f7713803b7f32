"""Starts the program as a child in a folder of its own, talks HTTP to it, and stops it by process id, also when a test fails."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

PROGRAM = os.environ.get("HOLDFAST_BIN", str(pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/holdfast"))
WAIT_SECONDS = 30  # for a condition on a loaded machine; nothing here measures time


def wait_until(condition, what, seconds=WAIT_SECONDS):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.01)


def clean_environment(**more):
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE")}
    return {**kept, **more}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body!r}"


class Service:
    """`holdfast serve` with a data folder (or a settings file) of its own."""

    def __init__(self, data, arguments=(), environment=None, cwd=None, port=0):
        self.wanted_port = port  # 0: any that is free
        self.data, self.arguments = pathlib.Path(data), list(arguments)
        self.environment = clean_environment(HOLDFAST_DATA=str(data), **(environment or {}))
        self.cwd = cwd
        self.process, self.port, self.output = None, None, []

    def start(self):
        self.output = []
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", f"127.0.0.1:{self.wanted_port}", *self.arguments], env=self.environment, cwd=self.cwd or self.data.parent,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        wait_until(lambda: self.port_printed() or self.process.poll() is not None, "the service to start")
        if self.process.poll() is not None:
            self.reader.join()
            raise AssertionError(f"the service ended with {self.process.returncode}: {self.text()}")
        self.port = self.port_printed()
        return self

    def _read(self):
        for line in self.process.stdout:
            self.output.append(line)

    def text(self):
        return "".join(self.output)

    def port_printed(self):
        found = re.search(r"https?://[^ ]*:(\d+)", self.text())
        return int(found.group(1)) if found else None

    @property
    def token(self):
        return (self.data / "token").read_text().strip()

    def stop(self, number=signal.SIGTERM):
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            code = self.process.wait(WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the service did not stop: {self.text()}")
        finally:
            self.reader.join()
            self.process.stdout.close()
        self.process = None
        return code

    def kill(self):
        return self.stop(signal.SIGKILL)

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_SECONDS)

    def call(self, method, path, body=None, token=..., headers=None, connection=None):
        sent = {"Authorization": f"Bearer {self.token if token is ... else token}"} if token is not None else {}
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = body if isinstance(body, (bytes, str)) else json.dumps(body)
        sent.update(headers or {})
        own = connection or self.connect()
        try:
            own.request(method, path, body=body, headers=sent)
            got = own.getresponse()
            return Answer(got.status, got.headers, got.read())
        finally:
            if connection is None:
                own.close()

    def reserve(self, key, size=10, offset=0, **more):
        return self.call("POST", "/ranges:reserve", {"key": key, "size": size, "initialOffset": offset}, **more)


class ServiceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-service-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def service(self, name="data", **more):
        service = Service(self.folder / name, **more)
        self.addCleanup(service.stop, signal.SIGKILL)
        return service

    def run_program(self, *arguments, environment=None, cwd=None, timeout=WAIT_SECONDS):
        return subprocess.run([PROGRAM, *arguments], env=clean_environment(**(environment or {})), cwd=cwd or self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)


class Load:
    """Threads that reserve from the given services until told to stop, and remember what was acknowledged."""

    def __init__(self, targets, keys=4, threads=8):
        self.ranges, self.other, self.lock = [], {}, threading.Lock()
        self.stopping = threading.Event()
        self.targets = targets
        self.threads = [threading.Thread(target=self._work, args=(i, keys), daemon=True) for i in range(threads)]
        for thread in self.threads:
            thread.start()

    def _work(self, number, keys):
        count = 0
        service = self.targets[number % len(self.targets)]
        connection, port = None, None
        while not self.stopping.is_set():
            count += 1
            if connection is None or port != service.port:
                port = service.port
                connection = service.connect()
            key = f"load/k{(number + count) % keys}"
            try:
                answer = service.reserve(key, size=1 + count % 7, connection=connection)
            except (OSError, http.client.HTTPException, ValueError):
                connection.close()
                connection = None
                time.sleep(0.002)  # between two tries to reach a service that is down
                continue
            with self.lock:
                if answer.status == 200:
                    got = answer.json()
                    self.ranges.append((key, got["start"], got["end"]))
                else:
                    self.other[answer.status] = self.other.get(answer.status, 0) + 1
        if connection is not None:
            connection.close()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(WAIT_SECONDS)
        return self

    def count(self):
        with self.lock:
            return len(self.ranges)

    def overlaps(self):
        """Pairs of acknowledged ranges of one key that share a number."""
        found = []
        ordered = sorted(self.ranges)
        for before, after in zip(ordered, ordered[1:]):
            if before[0] == after[0] and after[1] < before[2]:
                found.append((before, after))
        return found


@contextlib.contextmanager
def small_disk(folder, kilobytes):
    """A tmpfs of that size. Needs root or sudo, as the scripts do."""
    folder.mkdir(parents=True, exist_ok=True)
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    subprocess.run([*sudo, "mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=0777", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*sudo, "umount", "-l", str(folder)], check=True)


@contextlib.contextmanager
def read_only(folder):
    """The folder mounted over itself, read-only: root ignores file modes, but not that."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    subprocess.run([*sudo, "mount", "--bind", str(folder), str(folder)], check=True)
    try:
        subprocess.run([*sudo, "mount", "-o", "remount,bind,ro", str(folder)], check=True)
        yield folder
    finally:
        subprocess.run([*sudo, "umount", "-l", str(folder)], check=True)
