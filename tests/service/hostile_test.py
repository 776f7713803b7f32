"""The hostile corpus on the real program: each request gets its answer, each connection its end, and the program lives on."""

import json
import re
import unittest

import hostile
from hostile.cases import CLIENT_TOKEN, MARK, TOKEN
from hostile.wire import Flow, run
from harness import ServiceTest

SETTINGS = f"""
cosid:
  stores:
    main:
      type: memory
  server:
    auth:
      tokens: ["{TOKEN.decode()}"]
      clients:
        - name: client
          token: {CLIENT_TOKEN.decode()}
          namespaces: [mine]
          key-prefixes: [shared/orders-]
"""
SECRETS = (TOKEN, CLIENT_TOKEN, MARK)
INTERNALS = re.compile(rb"(?i)\.cpp|exception|std::|boost|sqlite|errno|0x[0-9a-f]{6}|/tmp/")


def what_is_wrong(flow):
    """Of the answers' form: headers, error bodies, nothing told that should not be."""
    for number, (answer, wanted) in enumerate(zip(flow.answers, flow.case.answers)):
        status, code, has_body = wanted
        if status == 100:
            continue
        if answer.fields.get("cache-control") != "no-store" or answer.fields.get("x-content-type-options") != "nosniff":
            return f"headers {answer.fields}"
        last = number + 1 == len(flow.case.answers)
        closing = answer.fields.get("connection") == "close"
        if not flow.case.ends and not flow.any_state and closing != (last and not flow.case.kept):
            return f"says close: {closing}"
        shown = answer.body + repr(answer.fields).encode()
        if any(secret in shown for secret in SECRETS) or code is not None and INTERNALS.search(shown):
            return f"tells too much: {shown}"
        if status == 405 and "allow" not in answer.fields or status == 401 and not answer.fields.get("www-authenticate", "").startswith("Bearer"):
            return f"a header is missing: {answer.fields}"
        if code is None:
            continue
        if answer.fields.get("content-type") != "application/json":
            return f"type {answer.fields}"
        body = json.loads(answer.body)
        if not {"code", "message"} <= set(body) <= {"code", "message", "earliestExpiresAt"} or body["code"] != code:
            return f"body {body}, wanted {code}"
        if last and any(word not in body["message"] for word in flow.case.words):
            return f"message {body['message']!r} without {flow.case.words}"
    return None


class Hostile(ServiceTest):
    def setUp(self):
        super().setUp()
        settings = self.folder / "application.yaml"
        settings.write_text(SETTINGS)
        self.running = self.service(arguments=["--config", str(settings)]).start()

    def lives(self):
        self.assertIsNone(self.running.process.poll(), self.running.text())
        answer = self.running.call("GET", "/actuator/health/liveness", token=None)
        self.assertEqual((answer.status, answer.json()), (200, {"status": "UP"}))

    def nothing_in_the_log(self):
        # A fence above the store's is worth a warning: the corpus makes up some.
        log = "".join(line for line in self.running.output if "store_rollback_suspected" not in line)
        self.assertNotRegex(log, r"(?i)\b(error|warn|fatal|critical|sanitizer)\b")
        for secret in SECRETS:
            self.assertNotIn(secret.decode(), log)

    def expect_all(self, flows):
        wrong = run(self.running.port, flows, what_is_wrong)
        self.assertEqual(wrong, [], f"{len(wrong)} of {len(flows)}:\n" + "\n".join(wrong[:40]))

    def test_the_corpus_has_what_was_promised(self):
        sizes = {table.group: len(table.cases) for table in hostile.tables()}
        self.assertGreaterEqual(sum(size for group, size in sizes.items() if "JSON" not in group and "members" not in group), 400)
        self.assertGreaterEqual(sum(case.framing for case in hostile.cases()), 150)
        self.assertGreaterEqual(sizes["JSON that is accepted"], 95)
        self.assertGreaterEqual(sizes["JSON that is refused"], 188)
        self.assertGreaterEqual(sizes["JSON that could be read either way"], 35)
        self.assertGreaterEqual(sizes["members of the calls"], 150)
        names = [(case.group, case.name) for case in hostile.cases()]
        self.assertEqual(sorted({name for name in names if names.count(name) > 1}), [])

    def test_every_case_gets_its_answer_and_its_end(self):
        for table in hostile.tables():
            with self.subTest(table.group):
                self.expect_all([Flow(case, [case.raw]) for case in table.cases])
                self.lives()
        self.nothing_in_the_log()

    def test_framing_does_not_hang_on_where_the_bytes_are_cut(self):
        for table in hostile.tables():
            cases = [case for case in table.cases if case.framing]
            if not cases:
                continue
            with self.subTest(table.group):
                # A request that is refused by its head is kept only if its body was there by then.
                self.expect_all([Flow(case, [case.raw[:cut], case.raw[cut:]]) for case in cases for cut in range(1, len(case.raw))])
                self.lives()
        self.nothing_in_the_log()

    def test_bytes_one_by_one_are_read_as_in_one_piece(self):
        chosen = [case for case in hostile.cases() if case.framing and len(case.raw) < 120][::12]
        self.expect_all([Flow(case, [case.raw[i:i + 1] for i in range(len(case.raw))]) for case in chosen])
        self.lives()


if __name__ == "__main__":
    unittest.main()
