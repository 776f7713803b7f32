#!/usr/bin/env python3
"""Reservations over HTTP on the memory store beside nginx `return 200`: both run at once, wrk asks them in turns.

The service has all it has in use: a token is checked, limits are counted, metrics are kept. nginx has as many worker
processes as the service has loops and answers a constant. See README.md for what the bar means."""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

from http_servers import Holdfast, Nginx, TOKEN
from plot import write_turns

BAR = 0.9
CLIENT_BOUND = 0.9  # of a core: above it wrk itself is the limit, and the rate says little about the server
FOREIGN_MAX = 0.10  # of the machine used by others: above it a figure is only rough
HERTZ = os.sysconf("SC_CLK_TCK")
WRK_SCRIPT = f"""
wrk.method = "POST"
wrk.body = '{{"key":"bench/orders","size":100,"initialOffset":0}}'
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer {TOKEN}"
done = function(summary, latency)
  io.write(string.format("HF %d %d %d %d %d %d %d\\n", summary.requests, summary.duration, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
"""


class Machine:
    """Processor seconds of the whole machine: busy and stolen."""

    def __init__(self):
        ticks = [int(word) / HERTZ for word in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        self.all, self.steal = sum(ticks), ticks[7]
        self.busy = self.all - ticks[3] - ticks[4] - ticks[7]


def turn(server, script, connections, seconds):
    before, machine = server.cpu_seconds(), Machine()
    children = os.times()
    done = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, server.url("/ranges:reserve")],
                          capture_output=True, text=True, check=True)
    after, later, used = server.cpu_seconds(), Machine(), os.times()
    found = re.search(r"^HF (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
    requests, micros, not_2xx, errors, p50, p99, slowest = map(int, found.groups())
    if requests == 0:
        raise RuntimeError(f"{server.name} answered nothing: {done.stdout}{done.stderr}")
    wrk_cpu = used.children_user + used.children_system - children.children_user - children.children_system
    whole = max(later.all - machine.all, 1e-9)
    own = after - before + wrk_cpu
    return {"per_second": requests / (micros / 1e6), "cpu_us_each": (after - before) * 1e6 / requests, "requests": requests,
            "not_2xx": not_2xx, "errors": errors, "p50_us": p50, "p99_us": p99, "max_us": slowest,
            "client_cores": wrk_cpu / (micros / 1e6),
            "foreign": max(0.0, later.busy - machine.busy - own) / whole, "steal": (later.steal - machine.steal) / whole}


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def measure(servers, script, connections, rounds, seconds):
    rows = {server.name: [] for server in servers}
    for server in servers:
        turn(server, script, connections, seconds)  # warm
    for _ in range(rounds):
        for server in servers:
            rows[server.name].append(turn(server, script, connections, seconds))
    return rows


def report(rows, connections, loops, judged):
    """Prints one case; its JSON object, and whether its bar holds."""
    ours, peers = rows["holdfast"], rows["nginx"]
    ratio = spread([a["per_second"] / b["per_second"] for a, b in zip(ours, peers)])
    cpu_ratio = spread([b["cpu_us_each"] / a["cpu_us_each"] for a, b in zip(ours, peers)])
    print(f"http reserve, {connections} connections, {loops} loop(s) ({len(ours)} turns)")
    out = {"bench": "http", "case": f"reserve, {connections} connections", "turns": len(ours), "loops": loops}
    for name, turns in (("holdfast", ours), ("nginx", peers)):
        rate = spread([t["per_second"] for t in turns])
        sums = {key: sum(t[key] for t in turns) for key in ("requests", "not_2xx", "errors")}
        medians = {key: statistics.median(t[key] for t in turns) for key in ("cpu_us_each", "p50_us", "p99_us", "client_cores")}
        print(f"  {name:9} {rate['median']:9.0f}/s [{rate['min']:.0f}..{rate['max']:.0f}]  {medians['cpu_us_each']:.2f} us CPU each  "
              f"p50 {medians['p50_us']:.0f} us  p99 {medians['p99_us']:.0f} us  not 2xx {sums['not_2xx']}  errors {sums['errors']}  "
              f"wrk {medians['client_cores']:.2f} cores")
        out["ours" if name == "holdfast" else "peer"] = {"name": name, "per_second": rate, "counters": {**sums, **medians}}
    print(f"  ratio {ratio['median']:.3f} [{ratio['min']:.3f}..{ratio['max']:.3f}], by CPU {cpu_ratio['median']:.3f} "
          f"[{cpu_ratio['min']:.3f}..{cpu_ratio['max']:.3f}]")
    foreign, steal = (max(t[key] for t in ours + peers) for key in ("foreign", "steal"))
    print(f"  other processes {foreign:.0%}, steal {steal:.0%} of the machine at worst{': the figures are rough' if foreign > FOREIGN_MAX else ''}")
    if max(t["client_cores"] for t in ours + peers) > CLIENT_BOUND:
        print("  wrk used a whole core in some turn: the ratio by CPU says more than the one of rates")
    failed = sum(t["not_2xx"] + t["errors"] for t in ours)
    holds = ratio["median"] >= BAR and failed == 0
    print(f"  bar ratio >= {BAR} and every answer 2xx: {('holds' if holds else 'MISSED') if judged else 'not judged'}")
    out.update(ratio=ratio, cpu_ratio=cpu_ratio, foreign_share_max=foreign, steal_share_max=steal,
               bars=[{"what": "ratio", "sign": ">=", "limit": BAR, "figure": ratio["median"], "holds": holds if judged else None}])
    return out, holds


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--check", action="store_true", help="say which bars hold; exit 1 if one does not")
    arguments.add_argument("--quick", action="store_true", help="one short turn of each side, no judgement")
    arguments.add_argument("--rounds", type=int, default=11, help="turns of each side (11)")
    arguments.add_argument("--seconds", type=int, default=2, help="of a turn (2)")
    arguments.add_argument("--connections", type=int, nargs="+", default=[8, 64])
    arguments.add_argument("--plot", metavar="FOLDER", help="the turns of each case as a table, which bench/plot.py draws")
    arguments.add_argument("--loops", type=int, default=1, help="of the service, and worker processes of nginx (1: one thread of wrk cannot busy more)")
    options = arguments.parse_args()
    if options.quick:
        options.rounds, options.seconds, options.check = 1, 1, False
    for program in ("nginx", "wrk"):
        if not shutil.which(program):
            sys.exit(f"{program} is not installed: scripts/bench installs it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as an exception, so that the servers are ended
    lines, missed = [], []
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as name:
        folder = pathlib.Path(name)
        script = folder / "reserve.lua"
        script.write_text(WRK_SCRIPT)
        with Holdfast(folder / "holdfast", options.loops) as holdfast, Nginx(folder / "nginx", holdfast.loops()) as nginx:
            for connections in options.connections:
                rows = measure([holdfast, nginx], script, connections, options.rounds, options.seconds)
                out, holds = report(rows, connections, holdfast.loops(), options.check)
                lines.append(out)
                if options.plot:
                    write_turns(options.plot, f"http {out['case']}", *([t["per_second"] for t in rows[side]] for side in ("holdfast", "nginx")))
                if options.check and not holds:
                    missed.append(f"missed: {out['case']}: ratio {out['ratio']['median']:.3f}")
    for line in lines:
        print(json.dumps(line))
    print("\n".join(missed), end="\n" if missed else "")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
