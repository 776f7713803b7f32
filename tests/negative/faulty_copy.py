"""A copy of the tree in which one known fault at a time is put back, and the test that must notice it."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import tree  # noqa: E402  (a module of tools/)

BUILD_SECONDS_MAX = 900
TEST_SECONDS_MAX = 300


class FaultyCopy:
    """Builds one test program of a few rooms, without sanitizers: tests that count allocations run too."""

    def __init__(self, rooms, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory(prefix="holdfast-faults-")
        self.root = pathlib.Path(self.folder.name) / "holdfast"
        for path in tree.files("*"):
            target = self.root / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        subprocess.run(["cmake", "--preset", "release", "-DHOLDFAST_TESTS=ON", "-DCMAKE_CXX_FLAGS=-O0",
                        f"-DHOLDFAST_ONLY_ROOMS={rooms}"],
                       cwd=self.root, check=True, capture_output=True, timeout=BUILD_SECONDS_MAX)

    def close(self):
        self.folder.cleanup()

    def build(self):
        """Raises with the compiler's words if it does not."""
        done = subprocess.run(["cmake", "--build", "build/release", "--target", self.program], cwd=self.root, capture_output=True,
                              text=True, timeout=BUILD_SECONDS_MAX, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout[-4000:] + done.stderr[-4000:])

    def run(self, names):
        """(exit status, output) of the tests of these names; -11 and the like: it crashed."""
        done = subprocess.run([f"build/release/bin/{self.program}", f"--gtest_filter={names}"], cwd=self.root, capture_output=True,
                              text=True, errors="replace", timeout=TEST_SECONDS_MAX, check=False, env={**os.environ})
        return done.returncode, done.stdout + done.stderr

    def with_fault(self, name, changes, names):
        """Output and status of the tests with `changes` (right, wrong) made in the file `name`, which is then put back."""
        path = self.root / name
        text = path.read_text()
        faulty = text
        for right, wrong in changes:
            if faulty.count(right) != 1:
                raise AssertionError(f"{name} has changed: bring this control up to date: {right!r}")
            faulty = faulty.replace(right, wrong)
        path.write_text(faulty)
        try:
            self.build()
            return self.run(names)
        finally:
            path.write_text(text)
