"""The two servers of http_bench.py: children with a folder and a free port of their own, ended by process id in any case."""

import os
import pathlib
import re
import socket
import subprocess
import time
import urllib.request

PROGRAM = os.environ.get("HOLDFAST_BIN", str(pathlib.Path(__file__).resolve().parents[1] / "build/bench/bin/holdfast"))
TOKEN = "0123456789abcdef0123456789abcdef"
START_SECONDS = 20
STOP_SECONDS = 15

SETTINGS = """\
server:
  address: 127.0.0.1
  port: {port}
cosid:
  server:
    loops: {loops}
    auth:
      tokens: [{token}]
    log:
      level: warn
  stores:
    main:
      type: memory
"""

NGINX = """\
worker_processes {workers};
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} reuseport;
    location / {{ default_type application/json; return 200 '{{"start":1,"end":101}}'; }}
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def processor_seconds(pid):
    """Of all threads of a process, those that have ended left out; exact to the nanosecond, unlike the ticks of stat."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except FileNotFoundError:
            continue
    return total / 1e9


class Server:
    def __init__(self, name, folder):
        self.name, self.folder, self.port = name, folder, free_port()
        self.process = None
        folder.mkdir()

    def start(self, command):
        self.log = open(self.folder / "output.log", "w", encoding="utf-8")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, cwd=self.folder)
        try:
            self.wait_for_first_answer()
        except BaseException:  # also an interrupt: nobody else knows of the child yet
            self.stop()
            raise

    def wait_for_first_answer(self):
        end = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"{self.name} did not start: {(self.folder / 'output.log').read_text()}")
            time.sleep(0.02)

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def answers(self):
        body = b'{"key":"bench/orders","size":100,"initialOffset":0}'
        request = urllib.request.Request(
            self.url("/ranges:reserve"), body, {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"})
        try:
            with urllib.request.urlopen(request, timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def pids(self):
        return [self.process.pid]

    def cpu_seconds(self):
        return sum(processor_seconds(pid) for pid in self.pids())

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Holdfast(Server):
    def __init__(self, folder, loops):
        super().__init__("holdfast", folder)
        if not os.access(PROGRAM, os.X_OK):
            raise SystemExit(f"{PROGRAM} is not there: scripts/bench builds it, or set HOLDFAST_BIN")
        settings = folder / "application.yaml"
        settings.write_text(SETTINGS.format(port=self.port, loops=loops, token=TOKEN))
        self.start([PROGRAM, "serve", "--config", str(settings)])

    def loops(self):
        names = [(task / "comm").read_text() for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()]
        return sum(1 for name in names if re.match(r"hf-loop-\d", name))


class Nginx(Server):
    def __init__(self, folder, workers):
        super().__init__("nginx", folder)
        settings = folder / "nginx.conf"
        settings.write_text(NGINX.format(port=self.port, workers=workers, folder=folder))
        self.start(["nginx", "-p", str(folder), "-c", str(settings)])

    def pids(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]
