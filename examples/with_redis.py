#!/usr/bin/env python3
"""Starts a cluster, or a server with sentinels, runs a command with its URI as last argument, and stops all that it started.

    python3 examples/with_redis.py cluster|sentinel COMMAND..
"""

import contextlib
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

SECONDS_MAX = 60
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def say(port, line):
    """The answer to a command whose words have no blanks; empty: nobody answers."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), SECONDS_MAX) as connection:
        connection.settimeout(SECONDS_MAX)
        connection.sendall(line.encode() + b"\r\n")
        return connection.recv(65_536).decode()
    return ""


def wait_until(what, holds):
    deadline = time.monotonic() + SECONDS_MAX
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.02)


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def stop(process):
    process.terminate()
    try:
        process.wait(timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def start(stack, folder, port, program, *arguments):
    own = folder / str(port)
    own.mkdir()
    process = subprocess.Popen([program, *arguments, "--bind", "127.0.0.1", "--port", str(port), "--dir", str(own)], **QUIET)
    stack.callback(stop, process)

    def answers():
        if process.poll() is not None:
            raise ChildProcessError(f"{program} ended: port {port} may be taken, start again")
        return "PONG" in say(port, "PING")

    wait_until(f"{program} answers", answers)


def server(stack, folder, port, *arguments):
    start(stack, folder, port, "redis-server", "--save", "", "--appendonly", "yes", "--appendfsync", "always", *arguments)


@contextlib.contextmanager
def cluster(folder):
    """Three primaries: the URI."""
    ports = free_ports(6)
    with contextlib.ExitStack() as stack:
        for port, bus in zip(ports[:3], ports[3:]):
            server(stack, folder, port, "--cluster-enabled", "yes", "--cluster-port", str(bus), "--cluster-node-timeout", "1000")
        for number, port in enumerate(ports[:3]):
            say(port, f"CLUSTER ADDSLOTSRANGE {number * 5_462} {min(16_383, number * 5_462 + 5_461)}")
            say(port, f"CLUSTER SET-CONFIG-EPOCH {number + 1}")
            say(ports[0], f"CLUSTER MEET 127.0.0.1 {port} {ports[3 + number]}")
        for port in ports[:3]:
            wait_until("the cluster is whole", lambda port=port: "cluster_state:ok" in say(port, "CLUSTER INFO"))
        yield f"redis://127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}?cluster=true"


@contextlib.contextmanager
def sentinel(folder):
    """A primary with a replica, and three sentinels that watch them by the name orders: the URI."""
    primary, replica, *watching = free_ports(5)
    with contextlib.ExitStack() as stack:
        server(stack, folder, primary, "--repl-diskless-sync-delay", "0")
        server(stack, folder, replica, "--replicaof", "127.0.0.1", str(primary))
        # Sentinels that start earlier see the replica at their next look, up to ten seconds later.
        wait_until("the replica follows", lambda: "state=online" in say(primary, "INFO replication"))
        for port in watching:
            settings = folder / f"sentinel-{port}.conf"
            settings.write_text(f"sentinel monitor orders 127.0.0.1 {primary} 2\n"
                                "sentinel down-after-milliseconds orders 1000\nsentinel failover-timeout orders 5000\n")
            start(stack, folder, port, "redis-server", str(settings), "--sentinel")
        for port in watching:
            wait_until("the sentinels see the replica and its link",
                       lambda port=port: "master-link-status\r\n$2\r\nok" in say(port, "SENTINEL REPLICAS orders"))
        yield "redis-sentinel://" + ",".join(f"127.0.0.1:{port}" for port in watching) + "#orders"


SHAPES = {"cluster": cluster, "sentinel": sentinel}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in SHAPES:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="holdfast-redis-") as folder, SHAPES[sys.argv[1]](pathlib.Path(folder)) as uri:
        return subprocess.run([*sys.argv[2:], uri], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
