"""A service with settings of the test's own: small bounds, short times."""

import json

from harness import Service

TOKEN = "0123456789abcdef0123456789abcdef"


class StressedService(Service):
    token = TOKEN  # of the settings, not of the data folder

    def __init__(self, data, server=None, timeout="1s"):
        data.mkdir()
        self.database = data / "holdfast.db"
        settings = {"cosid": {
            "stores": {"main": {"type": "jdbc", "timeout": timeout, "options": {"url": f"jdbc:sqlite:{self.database}"}}},
            "server": {"auth": {"tokens": [TOKEN]}, "log": {"level": "error"}, **(server or {})}}}
        file = data / "application.yaml"
        file.write_text(json.dumps(settings))  # JSON is YAML
        super().__init__(data, arguments=["--config", str(file)])
