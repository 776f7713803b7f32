"""nginx and haproxy in front of the service, each with a configuration of its own in a temporary folder, on a free port."""

import pathlib
import re
import signal
import socket
import subprocess

from harness import WAIT_SECONDS, clean_environment, free_port, wait_until

PATHS = clean_environment()["PATH"] + ":/usr/sbin:/sbin"


class Proxy:
    """`forwarded()`: how many answers the proxy's own log says it got from the service."""

    def __init__(self, folder, targets, settings=""):
        self.folder, self.targets, self.settings = pathlib.Path(folder), targets, settings
        self.port, self.process = free_port(), None
        self.folder.mkdir()

    def start(self):
        file = self.folder / "proxy.conf"
        file.write_text(self.configuration())
        with open(self.folder / "output", "wb") as output:
            self.process = subprocess.Popen(self.command(file), env=clean_environment(PATH=PATHS), cwd=self.folder, stdin=subprocess.DEVNULL,
                                            stdout=output, stderr=subprocess.STDOUT)
        wait_until(lambda: self.listens() or self.process.poll() is not None, "the proxy to listen")
        if self.process.poll() is not None:
            raise AssertionError(f"the proxy ended with {self.process.returncode}: {self.log()}")
        return self

    def listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def log(self):
        return (self.folder / "output").read_text(errors="replace")


class Nginx(Proxy):
    def command(self, file):
        return ["nginx", "-p", str(self.folder), "-e", str(self.folder / "error.log"), "-c", str(file)]

    def configuration(self):
        folders = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        servers = "".join(f"server 127.0.0.1:{port};" for port in self.targets)
        return f"""
daemon off; master_process off; pid {self.folder}/pid; error_log {self.folder}/error.log;
events {{ worker_connections 8192; }}
http {{
  {folders}
  log_format counted '$upstream_header_time|$upstream_status|$status|$request';
  access_log {self.folder}/access.log counted;
  client_header_timeout 1s; client_body_timeout 1s; large_client_header_buffers 8 64k; client_max_body_size 1m;
  upstream service {{ {servers} keepalive 16; }}
  server {{
    listen 127.0.0.1:{self.port};
    location / {{ proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; {self.settings} }}
  }}
}}
"""

    def forwarded(self):
        lines = (self.folder / "access.log").read_text(errors="replace").splitlines()
        return sum(part.strip() not in ("", "-") for line in lines for part in re.split("[,:]", line.split("|")[0]))


class HaProxy(Proxy):
    def command(self, file):
        return ["haproxy", "-db", "-f", str(file)]

    def configuration(self):
        servers = "\n".join(f"  server s{number} 127.0.0.1:{port} {self.server_options}" for number, port in enumerate(self.targets))
        return f"""
global
  log stdout format raw local0
  nbthread 1
  maxconn 2000
defaults
  mode http
  log global
  log-format "|%Tr|%s|%ST|%tsc|%HM|"
  timeout connect 5s
  timeout client {self.client_timeout}
  timeout server 20s
  timeout http-request 1s
  timeout http-keep-alive 10s
{self.settings}
frontend front
  bind 127.0.0.1:{self.port}
  default_backend back
backend back
{servers}
"""

    server_options = ""
    client_timeout = "1s"

    def forwarded(self):
        lines = [line.split("|") for line in self.log().splitlines() if line.startswith("|")]
        return sum(len(line) > 3 and line[1] not in ("", "-1") and line[2] != "<NOSRV>" for line in lines)
