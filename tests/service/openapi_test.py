"""The OpenAPI document: whether it is one, and whether the service keeps to it.

The tools come from the package registry into build/venv-openapi, at the versions of openapi_requirements.txt."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from harness import ServiceTest

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = HERE / "openapi_requirements.txt"
VENV = HERE.parents[1] / "build/venv-openapi"
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
          "response_schema_conformance", "negative_data_rejection", "unsupported_method", "allow_header_conformance", "ignored_auth"]


def tools():
    """The folder of the tools, made once for these requirements."""
    stamp = VENV / "made-for.txt"
    if not stamp.exists() or stamp.read_text() != REQUIREMENTS.read_text():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
        subprocess.run([str(VENV / "bin/python3"), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", str(REQUIREMENTS)],
                       check=True)
        stamp.write_text(REQUIREMENTS.read_text())
    return VENV / "bin"


class OpenApiTest(ServiceTest):
    def setUp(self):
        super().setUp()
        self.bin = tools()
        self.running = self.service()
        self.running.start()
        answer = self.running.call("GET", "/v3/api-docs")
        self.assertEqual(answer.status, 200)
        self.document = answer.json()
        self.file = self.folder / "openapi.json"
        self.file.write_bytes(answer.body)

    def tool(self, *arguments):
        return subprocess.run([self.bin / arguments[0], *arguments[1:]], cwd=self.folder, capture_output=True, text=True, timeout=180,
                              env={**os.environ, "NO_COLOR": "1"})

    def test_it_is_openapi_3_1(self):
        self.assertTrue(self.document["openapi"].startswith("3.1."))
        said = self.tool("openapi-spec-validator", "--schema", "3.1", str(self.file))
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        self.document["paths"]["/"]["get"]["responses"] = []  # the validator notices
        self.file.write_text(json.dumps(self.document))
        self.assertNotEqual(self.tool("openapi-spec-validator", "--schema", "3.1", str(self.file)).returncode, 0)

    def test_each_path_of_it_is_there_and_open_as_it_says(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                with self.subTest(path=path):
                    answer = self.running.call(method.upper(), path.replace("{generator}", "default"), body="{}" if method == "post" else None, token=None)
                    self.assertEqual(answer.status == 401, {} not in operation["security"], answer)
                    offered = [value.split()[0] for value in answer.headers.get_all("WWW-Authenticate", [])]
                    schemes = {"token": "Bearer", "page": "Basic"}
                    told = [schemes[name] for way in operation["security"] for name in way]
                    self.assertEqual(offered, told)

    def test_no_generated_call_gets_an_answer_that_the_document_does_not_tell(self):
        said = self.tool("schemathesis", "run", str(self.file), "--url", f"http://127.0.0.1:{self.running.port}",
                         "-H", f"Authorization: Bearer {self.running.token}", "--seed", "1", "--max-examples", "100",
                         "--phases", "examples,coverage,fuzzing", "--workers", "2", "--checks", ",".join(CHECKS), "--warnings", "off",
                         "--continue-on-failure")
        self.assertEqual(said.returncode, 0, said.stdout[-6000:] + said.stderr[-2000:])
        self.assertRegex(said.stdout, r"[0-9]{3,} generated, [0-9]+ passed")
        self.assertEqual(self.running.call("GET", "/actuator/health", token=None).status, 200)


if __name__ == "__main__":
    unittest.main()
