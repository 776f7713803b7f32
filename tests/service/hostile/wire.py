"""Sends cases over many connections at once and compares what comes back. One thread, no timers but one end for all."""

import errno
import re
import selectors
import socket
import struct
import time

PROBE = b"GET /actuator/health/liveness HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"
AT_ONCE = 200
SECONDS_MAX = 60  # for one batch, on a loaded machine with sanitizers


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def __repr__(self):
        return f"{self.status} {self.body[:120]!r}"


def parse_answer(data, has_body):
    """(answer, the bytes behind it), or None while it is not whole."""
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return None
    lines = data[:end].split(b"\r\n")
    found = re.fullmatch(rb"HTTP/1\.1 (\d{3}) [ -~]+", lines[0])
    if not found:
        raise ValueError(f"no status line: {data[:200]!r}")
    fields = []
    for line in lines[1:]:
        name, colon, value = line.partition(b": ")
        if not colon:
            raise ValueError(f"no field: {line!r}")
        fields.append((name.decode().lower(), value.decode()))
    status, length = int(found.group(1)), 0
    if has_body and status >= 200 and status != 204:
        lengths = [value for name, value in fields if name == "content-length"]
        if len(lengths) != 1:
            raise ValueError(f"{len(lengths)} lengths: {data[:200]!r}")
        length = int(lengths[0])
    begin = end + 4
    if len(data) < begin + length:
        return None
    joined = {}
    for name, value in fields:
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    return Answer(status, joined, data[begin:begin + length]), data[begin + length:]


class Flow:
    """One connection: `parts` one after the other, the answers, then the probe if the connection is to be kept."""

    def __init__(self, case, parts, any_state=False):
        self.case, self.parts, self.any_state = case, list(parts), any_state
        self.answers, self.data, self.out = [], b"", b""
        self.probed, self.ended, self.problem = False, False, None
        self.sock = None

    def open(self, port):
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Closing sends a reset: tens of thousands of connections must leave no port waiting.
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.setblocking(False)
        self.sock.connect_ex(("127.0.0.1", port))

    def next_part(self):
        self.out += self.parts.pop(0)

    def sent_all(self):
        return not self.parts and not self.out

    def send(self):
        while self.out:
            try:
                self.out = self.out[self.sock.send(self.out):]
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno == errno.ENOTCONN:
                    return
                self.out, self.parts = b"", []  # the other side has ended; what it said is still to be read
                return
        if self.case.ends and not self.parts and not self.probed:
            self.probed = True
            try:
                self.sock.shutdown(socket.SHUT_WR)
            except OSError:
                pass

    def receive(self):
        """False: the other side has ended."""
        while True:
            try:
                got = self.sock.recv(65536)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not got:
                return False
            self.data += got
            self.take_answers()

    def take_answers(self):
        while self.data:
            number = len(self.answers)
            has_body = self.case.answers[number][2] if number < len(self.case.answers) else True
            parsed = parse_answer(self.data, has_body)
            if parsed is None:
                break
            answer, self.data = parsed
            self.answers.append(answer)
        wanted = len(self.case.answers)
        if self.case.kept and len(self.answers) == wanted and not self.probed and not self.parts:
            self.probed = True
            self.out += PROBE
            self.send()

    def what_is_wrong(self):
        if self.problem:
            return self.problem
        if self.data:
            return f"bytes behind the answers: {self.data[:100]!r}"
        got = [answer.status for answer in self.answers]
        wanted = [status for status, _, _ in self.case.answers]
        if self.case.kept and got != wanted + [200] or not self.case.kept and got != wanted:
            if not (self.any_state and got in (wanted, wanted + [200])):
                return f"answers {got} for {wanted}, {'kept' if self.case.kept else 'closed'}: {self.answers}"
        return None


def run(port, flows, check):
    """Runs all flows; what is wrong with any of them, in words."""
    wrong = []
    for begin in range(0, len(flows), AT_ONCE):
        batch = flows[begin:begin + AT_ONCE]
        run_batch(port, batch)
        for flow in batch:
            flow.sock.close()
            problem = flow.what_is_wrong() or check(flow)
            if problem:
                wrong.append(f"{flow.case!r}: {problem}")
    return wrong


def run_batch(port, batch):
    selector = selectors.DefaultSelector()
    for flow in batch:
        flow.open(port)
        flow.next_part()
        selector.register(flow.sock, selectors.EVENT_READ | selectors.EVENT_WRITE, flow)
    open_flows = len(batch)
    end = time.monotonic() + SECONDS_MAX
    while open_flows:
        moved = False
        for key, events in selector.select(0.02):
            flow = key.data
            moved = moved or bool(flow.out) or bool(events & selectors.EVENT_READ)
            try:
                if events & selectors.EVENT_WRITE:
                    flow.send()
                alive = flow.receive() if events & selectors.EVENT_READ else True
            except ValueError as error:
                flow.problem, alive = str(error), False
            if not alive:
                selector.unregister(flow.sock)
                flow.ended = True
                open_flows -= 1
            else:
                selector.modify(flow.sock, selectors.EVENT_READ | (selectors.EVENT_WRITE if flow.out else 0), flow)
        if not moved and all(not flow.out for flow in batch if not flow.ended):
            # The first parts have all left, and nothing more comes of them: now the second ones.
            for flow in batch:
                if not flow.ended and flow.parts:
                    flow.next_part()
                    flow.send()
                    selector.modify(flow.sock, selectors.EVENT_READ | (selectors.EVENT_WRITE if flow.out else 0), flow)
        if time.monotonic() > end:
            for flow in batch:
                if not flow.ended:
                    flow.problem = f"no end after {SECONDS_MAX} s: {flow.answers}"
            break
    selector.close()
