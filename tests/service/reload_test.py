"""SIGHUP: other tokens and clients hold from the next request on, connections stay, a mistake changes nothing."""

import base64
import http.client
import signal
import unittest

from harness import ServiceTest, wait_until

OLD, NEW, CLIENT = "the-old-token-of-tests", "the-new-token-of-tests", "the-client-token-of-tests"


def settings(token, more=""):
    return f"""\
cosid:
  server:
    auth:
      tokens: [{token}]
{more}  stores:
    main:
      type: memory
"""


class Reload(ServiceTest):
    def begin(self, text):
        self.file = self.folder / "application.yaml"
        self.file.write_text(text)
        self.running = self.service(arguments=("--config", str(self.file))).start()
        return self.running

    def hang_up(self, event):
        before = self.running.text().count(event)
        self.running.process.send_signal(signal.SIGHUP)
        wait_until(lambda: self.running.text().count(event) > before, event)

    def test_other_tokens_and_clients_hold_on_a_connection_that_stays(self):
        service = self.begin(settings(OLD))
        connection = service.connect()
        self.assertEqual(service.reserve("a/1", token=OLD, connection=connection).status, 200)
        socket = connection.sock
        client = f"      clients:\n        - name: shop\n          token: {CLIENT}\n          namespaces: [shop]\n"
        self.file.write_text(settings(NEW, client))
        self.assertEqual(service.reserve("a/1", token=OLD, connection=connection).status, 200)
        self.hang_up("settings_reloaded")
        self.assertEqual(service.reserve("a/1", token=NEW, connection=connection).status, 200)
        self.assertEqual(service.reserve("shop/1", token=CLIENT, connection=connection).status, 200)
        self.assertEqual(service.reserve("a/1", token=CLIENT, connection=connection).status, 403)
        self.assertEqual(service.call("GET", "/actuator/info", token=NEW, connection=connection).status, 200)
        self.assertIs(connection.sock, socket)
        self.assertEqual(service.reserve("a/1", token=OLD, connection=connection).status, 401)
        connection.close()
        self.assertEqual(service.stop(), 0)

    def test_a_mistake_is_logged_and_changes_nothing(self):
        service = self.begin(settings(OLD))
        self.file.write_text(settings("hunter-2"))
        self.hang_up("settings_refused")
        self.assertEqual(service.reserve("a", token=OLD).status, 200)
        self.assertIn("cosid.server.auth.tokens[0]", service.text())
        self.assertNotIn("hunter-2", service.text())
        self.file.write_text("cosid: [")
        self.hang_up("settings_refused")
        self.file.unlink()
        self.hang_up("settings_refused")
        self.assertEqual(service.reserve("a", token=OLD).status, 200)

    def test_what_needs_a_new_start_is_said(self):
        service = self.begin(settings(OLD))
        self.file.write_text(settings(NEW, "    limits:\n      max-ttl: 1m\n"))
        self.hang_up("restart_needed")
        self.assertEqual(service.reserve("a", token=NEW).status, 200)

    def test_without_settings_the_token_file_is_read_again(self):
        service = self.service().start()
        self.running = service
        old = service.token
        (service.data / "token").write_text(NEW + "\n")
        self.hang_up("settings_reloaded")
        self.assertEqual(service.reserve("a", token=NEW).status, 200)
        self.assertEqual(service.reserve("a", token=old).status, 401)

    def test_a_body_that_is_under_way_is_judged_by_the_tokens_of_its_end(self):
        service = self.begin(settings(OLD))
        body = b'{"key":"a","size":1,"initialOffset":0}'
        waiting = {}
        for token in (OLD, NEW):
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
            connection.putrequest("POST", "/ranges:reserve")
            connection.putheader("Authorization", f"Bearer {OLD}")
            connection.putheader("Content-Type", "application/json")
            connection.putheader("Content-Length", str(len(body)))
            connection.putheader("Expect", "100-continue")
            connection.endheaders()
            self.assertIn(b"100 Continue", connection.sock.recv(100))  # the head was let in
            waiting[token] = connection
        self.file.write_text(settings(NEW))
        self.hang_up("settings_reloaded")
        for connection in waiting.values():
            connection.send(body)
            self.assertEqual(connection.getresponse().status, 401)
            connection.close()


class AdminPages(ServiceTest):
    def test_a_browser_gets_in_with_basic_and_a_call_does_not(self):
        service = self.service().start()
        basic = "Basic " + base64.b64encode(f"anyone:{service.token}".encode()).decode()
        for path in ("/actuator/info", "/actuator/prometheus", "/actuator/cosid"):
            self.assertEqual(service.call("GET", path, token=None, headers={"Authorization": basic}).status, 200, path)
        refused = service.call("GET", "/actuator/info", token=None)
        self.assertEqual(refused.status, 401)
        schemes = [value.split()[0] for value in refused.headers.get_all("WWW-Authenticate")]
        self.assertEqual(schemes, ["Bearer", "Basic"])
        call = service.reserve("a", token=None, headers={"Authorization": basic})
        self.assertEqual((call.status, call.headers.get_all("WWW-Authenticate")), (401, ["Bearer"]))

    def test_info_and_cosid_say_what_runs(self):
        service = self.service().start()
        info = service.call("GET", "/actuator/info").json()
        self.assertEqual(info["store"], {"name": "default", "type": "sqlite"})
        layout = {"timestampUnit": "millisecond", "epoch": 1577203200000, "timestampBits": 41, "machineBits": 10, "sequenceBits": 12}
        self.assertEqual(info["runtime"], {"namespace": "default", "layout": layout})
        self.assertEqual(sorted(info["build"]), ["commit", "compiler", "version"])
        self.assertRegex(info["build"]["commit"], "^([0-9a-f]{12}|unknown)$")
        cosid = service.call("GET", "/actuator/cosid").json()
        self.assertEqual([(one["name"], one["strategy"], one["enabled"]) for one in cosid["generators"]],
                         [("default", "snowflake", True), ("segment", "segment", True)])
        self.assertEqual([(one["namespace"], one["slot"], one["state"]) for one in cosid["leases"]], [("default", 0, "leased")])
        self.assertEqual([one["key"] for one in cosid["ranges"]], ["default/segment"])
        self.assertEqual(service.call("GET", "/actuator/health", token=None).json(), {"status": "UP"})


if __name__ == "__main__":
    unittest.main()
