#!/usr/bin/env python3
"""The service by itself, on the memory store: answer times under half of its load, and memory at rest and per idle connection."""

import argparse
import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile

from http_bench import Machine, WRK_SCRIPT, turn
from http_servers import PROGRAM, TOKEN, Holdfast, Nginx
from plot import write_turns

P99_MAX = 5  # times the p50
IDLE_MIB_MAX = 25
CONNECTION_KIB_MAX = 16
CONNECTIONS = 16
PAUSED_MAX = 0.05  # of the time: above it the figures are rough
IDLE = 1000
OPEN_LOOP = pathlib.Path(os.environ.get("HOLDFAST_OPEN_LOOP", pathlib.Path(PROGRAM).with_name("open_loop")))
BODY = '{"key":"bench/orders","size":100,"initialOffset":0}'
REQUEST = (f"POST /ranges:reserve HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
           f"Content-Length: {len(BODY)}\r\n\r\n{BODY}")


def resident_kib(server):
    return int(re.search(r"^VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{server.process.pid}/status").read_text(), re.M).group(1))


def half_load(server, rate, seconds):
    done = subprocess.run([OPEN_LOOP, str(server.port), str(CONNECTIONS), f"{rate:.0f}", str(seconds)], input=REQUEST, capture_output=True,
                          text=True, check=True)
    return dict(zip(("requests", "not_2xx", "p50_us", "p99_us", "max_us", "paused_share"), map(float, done.stdout.split())))


def idle_connections(server):
    """Resident KiB before, and for each of the connections that have asked once and stay."""
    def ask_once():
        made = socket.create_connection(("127.0.0.1", server.port))
        made.sendall(REQUEST.encode())
        made.recv(4096)
        return made

    for made in [ask_once() for _ in range(20)]:  # what the first ones bring with them
        made.close()
    before = resident_kib(server)
    made = [ask_once() for _ in range(IDLE)]
    each = (resident_kib(server) - before) / IDLE
    for one in made:
        one.close()
    return before, each


def show(case, figures, bars, judged, turns, machine):
    """Prints one case and its JSON line's object; whether its bars hold."""
    before, after = machine
    whole = max(after.all - before.all, 1e-9)
    steal = (after.steal - before.steal) / whole
    print(case)
    for name, value in figures.items():
        print(f"  {name:32} {value:12.2f}")
    marks = [{"what": what, "sign": "<=", "limit": limit, "figure": figures[what], "holds": figures[what] <= limit if judged else None}
             for what, limit in bars.items()]
    for mark in marks:
        print(f"  bar {mark['what']} <= {mark['limit']}: {'not judged' if not judged else 'holds' if mark['holds'] else 'MISSED'}")
    return {"bench": "service", "case": case, "turns": turns, "ours": None, "counters": figures,
            "foreign_share_max": 0.0, "steal_share_max": steal, "bars": marks}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true", help="say which bars hold; exit 1 if one does not")
    arguments.add_argument("--quick", action="store_true", help="one short turn, no judgement")
    arguments.add_argument("--rounds", type=int, default=7, help="turns (7)")
    arguments.add_argument("--seconds", type=int, default=2, help="of a turn (2)")
    arguments.add_argument("--plot", metavar="FOLDER", help="the turns of each case as a table, which bench/plot.py draws")
    options = arguments.parse_args()
    if options.quick:
        options.rounds, options.seconds, options.check = 1, 1, False
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    lines = []
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as name:
        folder = pathlib.Path(name)
        script = folder / "reserve.lua"
        script.write_text(WRK_SCRIPT)
        machine = Machine()
        with Holdfast(folder / "rest", 0) as server:
            rest, each = idle_connections(server)
        lines.append(show("memory", {"idle MiB": rest / 1024, "idle connection KiB": each},
                          {"idle MiB": IDLE_MIB_MAX, "idle connection KiB": CONNECTION_KIB_MAX}, options.check, 1, (machine, Machine())))
        machine = Machine()
        with Holdfast(folder / "load", 1) as server, Nginx(folder / "nginx", 1) as nginx:
            turns = []
            for _ in range(options.rounds):
                full = turn(server, script, CONNECTIONS, options.seconds)
                half = half_load(server, full["per_second"] / 2, options.seconds)
                beside = half_load(nginx, full["per_second"] / 2, options.seconds)  # what this machine does to anybody at that rate
                turns.append({"full per second": full["per_second"], **half, "p99 over p50": half["p99_us"] / half["p50_us"],
                              "p99 over p50 of nginx": beside["p99_us"] / beside["p50_us"]})
        figures = {key: statistics.median(one[key] for one in turns) for key in turns[0]}
        figures["not_2xx"] = sum(one["not_2xx"] for one in turns)
        lines.append(show(f"half load, {CONNECTIONS} connections", figures, {"p99 over p50": P99_MAX, "not_2xx": 0}, options.check, len(turns),
                          (machine, Machine())))
        if figures["paused_share"] > PAUSED_MAX:
            print("  others had the sender's processor for a part of the time: the figures are rough")
        if options.plot:
            write_turns(options.plot, "service p99 over p50 under half load", [one["p99 over p50"] for one in turns])
    for line in lines:
        print(json.dumps(line))
    missed = [f"missed: {line['case']}: {bar['what']} {bar['figure']:.3f}" for line in lines for bar in line["bars"] if bar["holds"] is False]
    print("\n".join(missed), end="\n" if missed else "")
    sys.exit(1 if missed else 0)


main()
