"""Settings of CosId's server start this one unchanged: samples/."""

import pathlib
import unittest

from harness import ServiceTest

SAMPLES = pathlib.Path(__file__).parent / "samples"
ADMIN = "an-admin-token-of-tests"


class Samples(ServiceTest):
    def start(self, name):
        yaml, env = SAMPLES / f"{name}.yaml", SAMPLES / f"{name}.env"
        arguments, environment = [], {}
        if yaml.exists():
            file = self.folder / f"{name}.yaml"
            file.write_text(yaml.read_text().replace("@DATA@", str(self.folder)))
            arguments = ["--config", str(file)]
        if env.exists():
            lines = env.read_text().replace("@DATA@", str(self.folder)).splitlines()
            environment = dict(line.split("=", 1) for line in lines)
        return self.service(name, arguments=arguments, environment=environment).start()

    def test_each_sample_has_a_test(self):
        self.assertEqual({file.stem for file in SAMPLES.iterdir()} - {"README"}, {"full", "environment", "mixed", "anonymous"})

    def test_a_whole_file(self):
        service = self.start("full")
        self.assertEqual(service.reserve("any/thing", token=ADMIN).status, 200)
        self.assertEqual(service.reserve("any/thing", token="not-a-secret-of-anyone").status, 200)
        self.assertTrue((self.folder / "full.db").exists())
        info = service.call("GET", "/actuator/info", token=ADMIN).json()
        self.assertEqual((info["store"], info["runtime"]["namespace"]), ({"name": "main", "type": "sqlite"}, "orders"))
        lease = service.call("GET", "/actuator/cosid", token=ADMIN).json()["leases"][0]
        self.assertEqual((lease["ownerKey"], lease["slot"]), ("orders-1", 3))
        self.assertEqual(service.call("GET", "/ids/invoice/strings", token=ADMIN).json(), {"ids": ["INV-00000000000"]})

    def test_the_environment_alone(self):
        service = self.start("environment")
        self.assertEqual(service.reserve("any/thing", token=ADMIN).status, 200)
        self.assertEqual(service.reserve("shared/orders-7", token="a-shop-token-of-tests").status, 200)
        self.assertEqual(service.reserve("any/thing", token="a-shop-token-of-tests").status, 403)
        self.assertTrue((self.folder / "environment.db").exists())

    def test_other_spellings_and_the_environment_over_the_file(self):
        service = self.start("mixed")
        acquire = {"namespace": "n", "ownerKey": "o", "incarnation": "i", "limit": 1024, "toleranceMs": 0}
        for ttl, limit, status in ((199, 1, 400), (200, 1025, 400), (200, 1024, 200)):
            answer = service.call("POST", "/slots:acquire", {**acquire, "ttlMs": ttl, "limit": limit}, token=ADMIN)
            self.assertEqual(answer.status, status, (ttl, limit, answer))

    def test_anonymous(self):
        service = self.start("anonymous")
        self.assertEqual(service.reserve("a", token=None).status, 200)
        self.assertIn("allow-anonymous", service.text())


if __name__ == "__main__":
    unittest.main()
