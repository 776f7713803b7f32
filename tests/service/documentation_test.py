"""The page about the service tells the truth: its curl lines and its sample are run as they stand."""

import pathlib
import re
import subprocess
import sys
import unittest

from harness import ServiceTest, clean_environment

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/capabilities/service.md").read_text()


def block(language, containing):
    return next(text for text in re.findall(rf"```{language}\n(.*?)```", PAGE, re.S) if containing in text)


class Page(ServiceTest):
    tokens = {"HOLDFAST_SERVICE_TOKEN": "0123456789abcdef", "ORDERS_TOKEN": "fedcba9876543210"}

    def test_the_curl_lines_get_the_answers_beside_them(self):
        service = self.service().start()
        script = block("sh", "call()").replace("~/.local/share/holdfast", str(service.data)).replace("127.0.0.1:8688", f"127.0.0.1:{service.port}")
        done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, env=clean_environment(), timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r'^\{"ids":\[(\d{18},){4}\d{18}\]\}\{"start":0,"end":1000\}')
        self.assertIn('"slot":0,"ownerKey":"host-1","incarnation":"k3J9x0","fence":1,', done.stdout)
        self.assertIn('"reason":"free","duplicateOwnerKey":false}', done.stdout)
        self.assertEqual(done.stdout.count('"fence":1'), 2, "acquire and renew")
        self.assertNotIn('"code"', done.stdout)

    def clients(self, service):
        return clean_environment(HOLDFAST_URL=f"http://127.0.0.1:{service.port}", HOLDFAST_TOKEN=service.token)

    def test_the_curl_client_gets_a_range(self):
        service = self.service().start()
        done = subprocess.run(["bash", "-euc", block("sh", "--retry")], capture_output=True, text=True, env=self.clients(service), timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, '{"start":0,"end":1000}'), done.stderr)

    def python_client(self, service, more=""):
        code = block("python", "def call(") + more
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=self.clients(service), timeout=60)

    def test_the_python_client_gets_a_range(self):
        done = self.python_client(self.service().start())
        self.assertEqual((done.returncode, done.stdout), (0, "0 1000\n"), done.stderr)

    def test_the_python_client_does_not_send_again_what_was_refused(self):
        service = self.service().start()
        self.assertEqual(service.call("POST", "/ranges:seal", {"key": "orders/number"}).status, 204)
        done = self.python_client(service)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Refused: ('range_sealed', ", done.stderr)

    def test_the_python_client_comes_through_when_the_service_returns_and_knows_the_effect_when_it_does_not(self):
        service = self.service().start()
        lost = f"""
import signal
os.kill({service.process.pid}, signal.SIGSTOP)
import threading
threading.Timer(3, os.kill, ({service.process.pid}, signal.SIGCONT)).start()
print(call("/ranges:reserve", {{"key": "late", "size": 5, "initialOffset": 0}})["start"] % 5)
URL = "http://127.0.0.1:1"
try:
    call("/ranges:seal", {{"key": "late"}}, 0.5)
except Failed as failed:
    print(failed.effect)
"""
        done = self.python_client(service, lost)
        self.assertEqual((done.returncode, done.stdout), (0, "0 1000\n0\nnone\n"), done.stderr)

    def test_the_sample_settings_are_right(self):
        (self.folder / "application.yaml").write_text(block("yaml", "auth:"))
        done = self.run_program("config", "check", environment=self.tokens)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("sqlite ./data/holdfast.db", done.stdout)

    def test_the_sample_settings_of_ids_are_right(self):
        (self.folder / "application.yaml").write_text(block("yaml", "generators:"))
        beside = {"COSID_SERVER_AUTH_TOKENS_0": "0123456789abcdef", "COSID_STORES_MAIN_TYPE": "memory"}
        done = self.run_program("config", "check", environment=beside)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_setting_of_the_page_is_one(self):
        (self.folder / "application.yaml").write_text(block("yaml", "auth:"))
        shown = self.run_program("config", "show", environment=self.tokens).stdout
        for name in re.findall(r"`((?:cosid|server)\.[a-z.-]+?)(?:\[\])?`", PAGE.split("| setting |")[1]):
            if "NAME" not in name:
                self.assertIn(name, shown)


if __name__ == "__main__":
    unittest.main()
