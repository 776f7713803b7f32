"""https: certificates made with the openssl command, curl and Python as clients, SIGHUP for new files."""

import http.client
import json
import shutil
import signal
import ssl
import subprocess
import unittest

from harness import PROGRAM, WAIT_SECONDS, ServiceTest, clean_environment, wait_until

TOKEN = "the-token-of-tls-tests"


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=WAIT_SECONDS)


class Authority:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.file, self.key = folder / f"{name}.crt", folder / f"{name}.key"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                "-keyout", str(self.key), "-out", str(self.file))

    def issue(self, name, names):
        """(certificate, key) signed by this authority."""
        base = self.folder / f"{self.name}-{name}"
        certificate, key, request, extensions = (base.with_suffix(suffix) for suffix in (".crt", ".key", ".csr", ".ext"))
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                "-keyout", str(key), "-out", str(request))
        extensions.write_text(f"subjectAltName={names}\n")
        openssl("x509", "-req", "-in", str(request), "-CA", str(self.file), "-CAkey", str(self.key), "-CAcreateserial", "-days", "1",
                "-extfile", str(extensions), "-out", str(certificate))
        return certificate, key


class Tls(ServiceTest):
    def setUp(self):
        super().setUp()
        self.ca, self.other_ca = Authority(self.folder, "ca"), Authority(self.folder, "other")
        self.certificate, self.key = self.folder / "server.crt", self.folder / "server.key"
        self.use(self.ca.issue("server", "IP:127.0.0.1,DNS:localhost"))
        self.settings = self.folder / "application.yaml"

    def use(self, files):
        shutil.copy(files[0], self.certificate)
        shutil.copy(files[1], self.key)

    def configure(self, more=""):
        self.settings.write_text(f"""\
cosid:
  server:
    auth:
      tokens: [{TOKEN}]
    tls:
      certificate: {self.certificate}
      key: {self.key}
{more}  stores:
    main:
      type: memory
""")

    def begin(self, more=""):
        self.configure(more)
        self.running = self.service(arguments=("--config", str(self.settings))).start()
        return self.running

    def connection(self, authority, client=None):
        context = ssl.create_default_context(cafile=str(authority.file))
        context.set_alpn_protocols(["http/1.1"])
        if client:
            context.load_cert_chain(*client)
        return http.client.HTTPSConnection("127.0.0.1", self.running.port, context=context, timeout=WAIT_SECONDS)

    def reserve(self, connection):
        return self.running.reserve("orders", token=TOKEN, connection=connection)

    def curl(self, *arguments, scheme="https"):
        return subprocess.run(["curl", "-sS", "--max-time", str(WAIT_SECONDS), "-H", f"Authorization: Bearer {TOKEN}", *arguments,
                               f"{scheme}://127.0.0.1:{self.running.port}/actuator/info"], capture_output=True, text=True)

    def hang_up(self, event):
        before = self.running.text().count(event)
        self.running.process.send_signal(signal.SIGHUP)
        wait_until(lambda: self.running.text().count(event) > before, event)

    def metric(self, name):
        connection = self.connection(self.ca)
        page = self.running.call("GET", "/actuator/prometheus", token=TOKEN, connection=connection).body.decode()
        connection.close()
        return next(float(line.split()[1]) for line in page.splitlines() if line.startswith(name + " "))

    def test_curl_and_python_call_over_https(self):
        service = self.begin()
        self.assertIn(f"listens on https://127.0.0.1:{service.port}\n", service.text())
        for version in ("--tlsv1.2", "--tlsv1.3"):
            done = self.curl("--cacert", str(self.ca.file), version, "--tls-max", version[-3:])
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("build", json.loads(done.stdout))
        connection = self.connection(self.ca)
        self.assertEqual(self.reserve(connection).json(), {"start": 0, "end": 10})
        self.assertEqual(connection.sock.selected_alpn_protocol(), "http/1.1")
        self.assertEqual(self.reserve(connection).json(), {"start": 10, "end": 20})
        self.assertEqual(service.stop(), 0)
        self.assertEqual(connection.sock.recv(1), b"")  # an end that was said, not a cut
        connection.close()

    def test_who_does_not_trust_it_or_speaks_plainly_gets_nothing(self):
        self.begin()
        self.assertEqual(self.curl().returncode, 60)  # not one of the system's
        self.assertEqual(self.curl("--cacert", str(self.other_ca.file)).returncode, 60)
        plain = self.curl(scheme="http")
        self.assertNotEqual(plain.returncode, 0)
        self.assertEqual(plain.stdout, "")
        old = self.curl("--cacert", str(self.ca.file), "--tls-max", "1.1", "--ciphers", "ALL:@SECLEVEL=0", "--tlsv1.0")
        self.assertEqual(old.returncode, 35, old.stderr)
        self.assertEqual(self.curl("--cacert", str(self.ca.file)).returncode, 0)
        wait_until(lambda: self.metric("cosid_server_tls_handshakes_failed_total") == 4, "four failed handshakes")

    def test_client_certificates_are_asked_for(self):
        self.begin(f"      client-ca: {self.ca.file}\n")
        own, stranger = self.ca.issue("client", "DNS:client"), self.other_ca.issue("client", "DNS:client")
        trusted = ("--cacert", str(self.ca.file))
        self.assertEqual(self.curl(*trusted, "--cert", str(own[0]), "--key", str(own[1])).returncode, 0)
        self.assertNotEqual(self.curl(*trusted).returncode, 0)
        self.assertNotEqual(self.curl(*trusted, "--cert", str(stranger[0]), "--key", str(stranger[1])).returncode, 0)

    def test_new_files_hold_for_new_connections_and_open_ones_stay(self):
        self.begin()
        before = self.connection(self.ca)
        self.assertEqual(self.reserve(before).status, 200)
        socket = before.sock
        self.use(self.other_ca.issue("server", "IP:127.0.0.1"))
        self.hang_up("certificates_reloaded")
        self.assertEqual(self.reserve(before).status, 200)
        self.assertIs(before.sock, socket)
        after = self.connection(self.other_ca)
        self.assertEqual(self.reserve(after).status, 200)
        with self.assertRaises(ssl.SSLError):
            self.reserve(self.connection(self.ca))
        before.close()
        after.close()

    def test_bad_files_are_logged_and_the_old_ones_stay(self):
        service = self.begin()
        for spoil in (lambda: self.key.write_text("no key"), self.certificate.unlink):
            spoil()
            self.hang_up("settings_refused")
            connection = self.connection(self.ca)
            self.assertEqual(self.reserve(connection).status, 200)
            connection.close()
        self.assertIn(f"cosid.server.tls.certificate: the file cannot be read: {self.certificate}: No such file or directory",
                      service.text())
        self.assertNotIn("certificates_reloaded", service.text())

    def test_tls_that_is_switched_off_needs_a_new_start(self):
        self.begin()
        self.settings.write_text("\n".join(line for line in self.settings.read_text().splitlines() if "server." not in line).replace(
            "    tls:\n", ""))
        self.hang_up("restart_needed")
        self.assertEqual(self.curl("--cacert", str(self.ca.file)).returncode, 0)

    def test_a_start_with_bad_files_names_setting_place_and_file(self):
        self.configure()
        client_key = self.ca.issue("client", "DNS:client")[1]
        shutil.copy(client_key, self.key)
        done = self.run_program("serve", "--config", str(self.settings), "--listen", "127.0.0.1:0")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn(f"{self.settings}:7: cosid.server.tls.key: the key does not belong to the certificate: {self.key}", done.stderr)
        self.key.unlink()
        done = self.run_program("config", "check", "--config", str(self.settings))
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"cosid.server.tls.key: the file cannot be read: {self.key}: No such file or directory", done.stderr)

    def test_no_warning_of_plain_text_behind_tls(self):
        self.configure()
        process = subprocess.Popen([PROGRAM, "serve", "--config", str(self.settings), "--listen", "0.0.0.0:0"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=clean_environment())
        try:
            first = process.stdout.readline()
            process.terminate()
            rest, _ = process.communicate(timeout=WAIT_SECONDS)
        finally:
            process.kill()
        self.assertIn("https://0.0.0.0:", first)
        self.assertEqual(process.returncode, 0, rest)
        self.assertIn("stopping", rest)
        self.assertNotIn("plain_text", rest)


if __name__ == "__main__":
    unittest.main()
