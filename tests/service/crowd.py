"""Many connections in one thread: sockets that send raw bytes when they can, and keep what came and how it ended."""

import contextlib
import json
import pathlib
import re
import resource
import selectors
import socket
import sqlite3
import time

from harness import WAIT_SECONDS, Answer

DESCRIPTORS = 8192


def allow_descriptors():
    """This process holds thousands of sockets; the soft limit of a shell is often 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def request(token, method, path, body=None, **headers):
    """The bytes of one request."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


def reserve(token, key, size=10):
    return request(token, "POST", "/ranges:reserve", {"key": key, "size": size, "initialOffset": 0})


def take_answer(buffer):
    """Cuts the first whole answer off the front of the buffer; None while there is none."""
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    lines = buffer[:end].decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    length = int(headers.get("content-length", 0))
    if len(buffer) < end + 4 + length:
        return None
    body = bytes(buffer[end + 4:end + 4 + length])
    del buffer[:end + 4 + length]
    return Answer(int(lines[0].split()[1]), headers, body)


class Member:
    """One connection. `ended`: None, "end" or "reset"; `ended_after`: seconds since it was opened."""

    def __init__(self, port, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(WAIT_SECONDS)
        self.opened = time.monotonic()
        self.socket.connect(("127.0.0.1", port))
        self.socket.setblocking(False)
        self.received, self.answers, self.unsent = bytearray(), [], b""
        self.ended, self.ended_after, self.sent_at, self.took = None, None, self.opened, None

    def send(self, data):
        self.sent_at = time.monotonic()
        self.unsent += data
        self.push()

    def push(self):
        try:
            while self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent):]
        except BlockingIOError:
            pass
        except OSError:
            self.unsent = b""  # the end itself is seen by reading: an answer may have come before it

    def read(self):
        try:
            while piece := self.socket.recv(65536):
                self.received += piece
                while answer := take_answer(self.received):
                    self.answers.append(answer)
                    self.took = time.monotonic() - self.sent_at
            self._end("end")
        except BlockingIOError:
            pass
        except OSError:
            self._end("reset")

    def _end(self, how):
        self.ended, self.ended_after = how, time.monotonic() - self.opened


class Crowd:
    """Connections that are served together. Close it: `with Crowd(port, 1000) as crowd`."""

    def __init__(self, port, count, **more):
        allow_descriptors()
        self.port, self.selector, self.members = port, selectors.DefaultSelector(), []
        try:
            for _ in range(count):
                self.add(**more)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for member in self.members:
            member.socket.close()
        self.members = []
        self.selector.close()

    def add(self, **more):
        member = Member(self.port, **more)
        self.members.append(member)
        self.selector.register(member.socket, selectors.EVENT_READ, member)
        return member

    def open(self):
        return [member for member in self.members if member.ended is None]

    def answers(self):
        return [answer for member in self.members for answer in member.answers]

    def turn(self, seconds):
        """Reads what has come, and sends on, for at most so long."""
        for key, _ in self.selector.select(seconds):
            member = key.data
            member.read()
            if member.ended is not None:
                self.selector.unregister(member.socket)
        for member in self.members:
            if member.unsent and member.ended is None:
                member.push()

    def until(self, condition, what, seconds=WAIT_SECONDS):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s for {what}")
            self.turn(0.02)

    def ask(self, data_of, members=None):
        """Each sends one request and gets its answer (or its end). The answers."""
        asked = [(member, len(member.answers)) for member in (self.members if members is None else members)]
        for number, (member, _) in enumerate(asked):
            member.send(data_of(number))
        self.until(lambda: all(len(m.answers) > before or m.ended for m, before in asked), "an answer to each")
        return [member.answers[-1] for member, before in asked if len(member.answers) > before]


def metric(service, name, **labels):
    """The sum of the lines of one metric that carry these labels."""
    wanted = [f'{key}="{value}"' for key, value in labels.items()]
    text = service.call("GET", "/actuator/prometheus").body.decode()
    lines = re.findall(rf"^{name}(\{{[^}}]*\}})? ([0-9.eE+-]+)$", text, re.M)
    return sum(float(value) for found, value in lines if all(label in found for label in wanted))


class Process:
    """What the system says about a process of ours."""

    def __init__(self, pid):
        self.folder = pathlib.Path(f"/proc/{pid}")

    def _status(self, name):
        return int(re.search(rf"^{name}:\s+(\d+)", (self.folder / "status").read_text(), re.M).group(1))

    def resident_kib(self):
        return self._status("VmRSS")

    def threads(self):
        return self._status("Threads")

    def descriptors(self):
        return len(list((self.folder / "fd").iterdir()))

    def cpu_seconds(self):
        return sum(int((task / "schedstat").read_text().split()[0]) for task in (self.folder / "task").iterdir()) / 1e9


@contextlib.contextmanager
def hanging_store(file):
    """The store of the service hangs: somebody else holds the right to write. Left early by calling what is yielded."""
    holder = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    def let_go():
        if holder.in_transaction:
            holder.execute("ROLLBACK")

    try:
        yield let_go
    finally:
        let_go()
        holder.close()


def overlaps(ranges):
    """Pairs of (key, start, end) of one key that share a number."""
    ordered = sorted(ranges)
    return [(a, b) for a, b in zip(ordered, ordered[1:]) if a[0] == b[0] and a[2] > b[1]]


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0
