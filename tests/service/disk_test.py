"""A full disk and a folder that cannot be written: clear answers, nothing acknowledged is lost."""

import os
import unittest

from harness import Load, ServiceTest, read_only, small_disk, wait_until


class Disk(ServiceTest):
    def test_a_full_disk_refuses_and_goes_on_when_there_is_room_again(self):
        with small_disk(self.folder / "disk", 2048) as disk:
            service = self.service("disk/data").start()
            first = service.reserve("a", size=10)
            self.assertEqual(first.status, 200)
            filler = disk / "filler"
            with open(filler, "wb", buffering=0) as out:
                try:
                    while True:
                        out.write(bytes(512))
                except OSError:
                    pass
            acknowledged = [("a", 0, 10)]
            refused = None
            for number in range(2000):  # the store's log may have some room of its own yet
                answer = service.reserve(f"new/key-{number:060d}")
                if answer.status == 200:
                    acknowledged.append((f"new/key-{number:060d}", answer.json()["start"], answer.json()["end"]))
                else:
                    refused = answer
                    break
            self.assertIsNotNone(refused, "the disk never got full")
            self.assertEqual((refused.status, refused.json()["code"]), (500, "store_error"))
            self.assertIn(refused.headers["Holdfast-Effect"], ("none", "unknown"))
            self.assertEqual(service.call("GET", "/actuator/health/liveness", token=None).status, 200)
            os.unlink(filler)
            again = wait_until(lambda: (lambda a: a if a.status == 200 else None)(service.reserve("a", size=10)), "room again")
            self.assertGreaterEqual(again.json()["start"], 10)
            service.kill()
            service.start()
            for key, _, end in acknowledged:
                self.assertGreaterEqual(service.reserve(key, size=1).json()["start"], end)
            service.stop()

    def test_a_read_only_data_folder_is_refused_with_one_line(self):
        service = self.service().start()
        service.reserve("a")
        service.stop()
        with read_only(service.data):
            done = self.run_program("serve", "--listen", "127.0.0.1:0", "--data", str(service.data))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn(str(service.data), done.stderr)
        service.start()
        self.assertEqual(service.reserve("a").json()["start"], 10)

    def test_a_data_folder_that_cannot_be_made_is_refused_with_one_line(self):
        (self.folder / "file").write_text("in the way")
        done = self.run_program("serve", "--listen", "127.0.0.1:0", "--data", str(self.folder / "file" / "data"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_a_file_that_is_no_store_is_refused_and_left_alone(self):
        data = self.folder / "data"
        data.mkdir()
        (data / "holdfast.db").write_bytes(b"somebody's own notes\n" * 100)
        done = self.run_program("serve", "--listen", "127.0.0.1:0", "--data", str(data))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertEqual((data / "holdfast.db").read_bytes(), b"somebody's own notes\n" * 100)


if __name__ == "__main__":
    unittest.main()
