"""A headless Chromium, driven through chromedriver's HTTP interface (W3C WebDriver)."""

import base64
import contextlib
import json
import pathlib
import subprocess
import tempfile
import urllib.request

from harness import WAIT_SECONDS, free_port, wait_until

ARTEFACTS = pathlib.Path(__file__).resolve().parents[2] / "build/artefacts"
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]


class Browser:
    def __init__(self, port, profile):
        self.root = f"http://127.0.0.1:{port}"
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": [*QUIET, f"--user-data-dir={profile}"]},
                  "goog:loggingPrefs": {"browser": "ALL"}}
        started = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.root += f"/session/{started['sessionId']}"

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=2 * WAIT_SECONDS) as answer:
            return json.load(answer)["value"]

    def close(self):
        self._call("DELETE", "")

    def open(self, url):
        self._call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def look(self, width, height, scheme):
        """A window of that size, and what the page takes for the user's wish: light or dark."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def find(self, css):
        """The first element, waited for."""
        def there():
            found = self._call("POST", "/elements", {"using": "css selector", "value": css})
            return found and next(iter(found[0].values()))
        return wait_until(there, f"an element {css}")

    def click(self, css):
        self._call("POST", f"/element/{self.find(css)}/click", {})

    def type(self, css, text):
        self._call("POST", f"/element/{self.find(css)}/value", {"text": text})

    def complaints(self):
        """The errors of the console: refused styles, scripts and files, failures of scripts."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def keep_picture(self, name):
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        (ARTEFACTS / f"{name}.png").write_bytes(base64.b64decode(self._call("GET", "/screenshot")))


@contextlib.contextmanager
def open_browser():
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="holdfast-browser-", ignore_cleanup_errors=True) as folder:
        profile = pathlib.Path(folder) / "profile"
        driver = subprocess.Popen(["chromedriver", f"--port={port}"], cwd=folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            def ready():
                with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5) as answer:
                    return json.load(answer)["value"]["ready"]
            wait_until(ready, "chromedriver")
            browser = Browser(port, profile)
            try:
                yield browser
            finally:
                browser.close()
        finally:
            driver.terminate()
            driver.wait(WAIT_SECONDS)
