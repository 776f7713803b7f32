"""Two instances on one data folder behind haproxy, restarted one after the other under load: no call is lost, no number given twice."""

import http.client
import signal
import threading
import time
import unittest

from harness import ServiceTest, free_port, wait_until
from proxies import HaProxy

RESTARTS = 8
THREADS = 8
STOP_GRACE_SECONDS = 30
TOKEN = "rolling-token-16"
# On a machine with other work to do, the two writers of one file may wait for each other longer than the usual second.
SETTINGS = f"""
cosid:
  stores:
    main:
      type: jdbc
      timeout: 20s
      options:
        url: jdbc:sqlite:./holdfast.db
  server:
    stop-grace: {STOP_GRACE_SECONDS}s
    auth:
      tokens: [{TOKEN}]
"""


class CheckedHaProxy(HaProxy):
    """As docs/capabilities/service.md shows it: asks readiness, and sends a call again that found its instance gone."""

    server_options = "check inter 100ms fall 1 rise 1"
    client_timeout = "20s"

    def configuration(self):
        checked = "\nbackend back\n  option httpchk GET /actuator/health/readiness\n  option http-buffer-request\n  option redispatch 1\n  retries 5\n  retry-on conn-failure empty-response\n"
        return super().configuration().replace("\nbackend back\n", checked)


class Clients:
    """Reserve until told to stop. They send again after 503 and after a refused connection, and after nothing else."""

    def __init__(self, port):
        self.port = port
        self.ranges, self.failed, self.tried_again, self.lock, self.stopping = [], [], 0, threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self._work, args=(number,), daemon=True) for number in range(THREADS)]
        for thread in self.threads:
            thread.start()

    def _work(self, number):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while not self.stopping.is_set():
            problem = self._reserve(connection, f"rolling/k{number % 4}")
            if problem:
                with self.lock:
                    self.failed.append(problem)
                connection.close()
        connection.close()

    def _reserve(self, connection, key):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                connection.request("POST", "/ranges:reserve", f'{{"key":"{key}","size":3,"initialOffset":0}}',
                                   {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
                answer = connection.getresponse()
                body = answer.read()
            except ConnectionRefusedError:
                answer = None
                connection.close()
            except (OSError, http.client.HTTPException) as error:
                return repr(error)
            if answer is not None and answer.status == 200:
                start = int(body.split(b":")[1].split(b",")[0])
                with self.lock:
                    self.ranges.append((key, start))
                return None
            if answer is not None and answer.status != 503:
                return f"{answer.status} {body!r}"
            with self.lock:
                self.tried_again += 1
            time.sleep(0.01)  # between two tries
        return "no answer in 30 s"

    def count(self):
        with self.lock:
            return len(self.ranges)

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)


class Rolling(ServiceTest):
    def test_restarts_one_after_the_other_lose_no_call_and_repeat_no_number(self):
        settings = self.folder / "application.yaml"
        settings.write_text(SETTINGS)
        services = [self.service(port=free_port(), arguments=["--config", str(settings)]).start() for _ in range(2)]
        proxy = CheckedHaProxy(self.folder / "haproxy", [service.port for service in services])
        self.addCleanup(proxy.stop)
        proxy.start()
        clients = Clients(proxy.port)
        try:
            wait_until(lambda: clients.count() >= 200, "200 ranges")
            for turn in range(RESTARTS):
                service = services[turn % 2]
                begun = time.monotonic()
                code = service.stop(signal.SIGTERM)
                self.assertEqual(code, 0, service.text())
                self.assertLess(time.monotonic() - begun, STOP_GRACE_SECONDS)
                self.assertNotIn("cut_off", service.text())
                seen = clients.count()
                wait_until(lambda: clients.count() >= seen + 50, "the other instance to answer")
                service.start()
                wait_until(lambda: service.call("GET", "/actuator/health/readiness", token=None).status == 200, "readiness")
                before = self.calls_of(service)
                wait_until(lambda: self.calls_of(service) >= before + 20, "the proxy to use the new instance")
        finally:
            clients.stop()
        self.assertEqual(clients.failed, [], f"of {clients.count()}; {proxy.log()[-3000:]}")
        self.assertEqual(len(set(clients.ranges)), len(clients.ranges))
        print(f"{len(clients.ranges)} ranges over {RESTARTS} restarts, {clients.tried_again} tried again")

    def calls_of(self, service):
        """Calls of the store that this instance has answered since its start."""
        text = service.call("GET", "/actuator/prometheus", token=TOKEN).body.decode()
        return sum(int(line.split()[-1].split(".")[0]) for line in text.splitlines()
                   if line.startswith('cosid_server_request_seconds_count{route="/ranges:reserve",status="200"}'))


if __name__ == "__main__":
    unittest.main()
