"""The installed package serves strangers: every example is built against it, by both compilers, and run."""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))

import with_redis  # noqa: E402  (found by the line above)

BUILD = pathlib.Path(os.environ.get("HOLDFAST_INSTALL_FROM", ROOT / "build" / "release"))
COMPILERS = ("clang++-19", "g++-12")
STEP_SECONDS_MAX = 300


def setUpModule():
    global folder, prefix
    folder = tempfile.TemporaryDirectory(prefix="holdfast-install-")
    prefix = pathlib.Path(folder.name) / "prefix"
    status, output = run("cmake", "--install", BUILD, "--prefix", prefix)
    assert status == 0, output


def tearDownModule():
    folder.cleanup()


def run(*command, cwd=None, env=None):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=STEP_SECONDS_MAX, check=False)
    return done.returncode, done.stdout + done.stderr


def configure(source, build, compiler, *options):
    return run("cmake", "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
               f"-DCMAKE_CXX_COMPILER={compiler}", *options)


class Package(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(dir=folder.name))

    def consumer(self, components, code, compiler="clang++-19", options=()):
        """A stranger's project that asks for these components: (status, output) of its configuration, build and run."""
        source = self.work / "source"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(stranger CXX)\n"
            f"find_package(holdfast 0.1 REQUIRED COMPONENTS {' '.join(components)})\n"
            "add_executable(stranger main.cpp)\n"
            f"target_link_libraries(stranger PRIVATE {' '.join('holdfast::' + name for name in components)})\n")
        (source / "main.cpp").write_text(code)
        for command in (lambda: configure(source, self.work / "build", compiler, *options),
                        lambda: run("cmake", "--build", self.work / "build"),
                        lambda: run(self.work / "build" / "stranger", cwd=self.work)):
            status, output = command()
            if status:
                break
        return status, output

    def test_a_missing_component_is_named_together_with_those_that_exist(self):
        status, output = self.consumer(["no_such_room"], "int main() {}\n")
        self.assertNotEqual(0, status)
        self.assertIn("holdfast has no component 'no_such_room'; it has: base", " ".join(output.split()))

    def test_the_tasks_alone_need_no_database(self):
        code = ("#include <holdfast/io/runtime.h>\n"
                "int main() { return holdfast::open_runtime(holdfast::RuntimeOptions().loops(1)).ok() ? 0 : 1; }\n")
        status, output = self.consumer(["io"], code, options=["-DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=TRUE"])
        self.assertEqual(0, status, output)

    def test_every_component_alone_brings_all_that_its_archive_needs(self):
        config = next(prefix.rglob("holdfast-config.cmake")).read_text()
        names = next(line for line in config.splitlines() if line.startswith("set(holdfast_ROOMS "))[:-1].split()[1:]
        self.assertIn("base", names)
        source = self.work / "source"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(  # a folder sees only what it found itself
            "cmake_minimum_required(VERSION 3.25)\nproject(stranger CXX)\n"
            + "".join(f"add_subdirectory({name})\n" for name in names))
        for name in names:
            (source / name).mkdir()
            (source / name / "CMakeLists.txt").write_text(
                f"find_package(holdfast REQUIRED COMPONENTS {name})\n"
                f"file(WRITE ${{CMAKE_BINARY_DIR}}/{name}.cpp \"int main() {{}}\\n\")\n"
                f"add_executable(with_{name} ${{CMAKE_BINARY_DIR}}/{name}.cpp)\n"
                f"target_link_libraries(with_{name} PRIVATE -Wl,--whole-archive holdfast::{name} -Wl,--no-whole-archive)\n")
        status, output = configure(source, self.work / "build", "clang++-19")
        self.assertEqual(0, status, output)
        status, output = run("cmake", "--build", self.work / "build")
        self.assertEqual(0, status, output)


@contextlib.contextmanager
def service(data):
    """A service with nothing configured: the arguments and the environment that reach it."""
    process = subprocess.Popen([BUILD / "bin" / "holdfast", "serve", "--listen", "127.0.0.1:0", "--data", data], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = re.search(r"http://127.0.0.1:(\d+)", process.stdout.readline()).group(1)
        yield ["127.0.0.1", port], {"HOLDFAST_TOKEN": (data / "token").read_text().strip()}
    finally:
        process.terminate()
        process.communicate(timeout=STEP_SECONDS_MAX)


@contextlib.contextmanager
def redis(folder):
    """A Redis server of its own: its URI. It listens on a socket that nobody else can find."""
    folder.mkdir()
    socket_path = folder / "redis.sock"
    process = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", socket_path, "--save", "", "--dir", folder],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + STEP_SECONDS_MAX
        while not socket_path.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        yield f"redis-socket://{socket_path}"
    finally:
        process.terminate()
        process.wait(timeout=STEP_SECONDS_MAX)


def example_test(example, compiler):
    def test(self):
        status, output = configure(example, self.work / "build", compiler)
        self.assertEqual(0, status, output)
        status, output = run("cmake", "--build", self.work / "build")
        self.assertEqual(0, status, output)
        with contextlib.ExitStack() as stack:
            arguments, environment = [], {}
            if "HOLDFAST_TOKEN" in (example / "main.cpp").read_text():
                arguments, environment = stack.enter_context(service(self.work / "data"))
            code = (example / "main.cpp").read_text()
            if shape := re.search(r"with_redis.py (\w+)", code):
                (self.work / "redis").mkdir()
                arguments = [stack.enter_context(with_redis.SHAPES[shape.group(1)](self.work / "redis"))]
            elif "redis://" in code:
                arguments = [stack.enter_context(redis(self.work / "redis"))]
            status, output = run(self.work / "build" / "example", *arguments, cwd=self.work, env={**os.environ, **environment})
        self.assertEqual(0, status, output)
        self.assertNotEqual("", output.strip(), "an example prints what it did")

    return test


for _example in sorted((ROOT / "examples").glob("*/CMakeLists.txt")):
    for _compiler in COMPILERS:
        _name = f"test_example_{_example.parent.name}_with_{_compiler}".replace("-", "_").replace("+", "p")
        setattr(Package, _name, example_test(_example.parent, _compiler))


if __name__ == "__main__":
    unittest.main()
