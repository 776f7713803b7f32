"""Each rule of the house is broken once, in a copy of the tree, and must be noticed; the unbroken copy must pass."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import tree  # noqa: E402  (a module of tools/)

ROOMS = "base;observe"  # small, and one above the other
STEP_SECONDS_MAX = 120


def setUpModule():
    global folder, copy
    folder = tempfile.TemporaryDirectory(prefix="holdfast-negative-")
    copy = pathlib.Path(folder.name) / "holdfast"
    for path in tree.files("*"):
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)


def tearDownModule():
    folder.cleanup()


def run(*command):
    done = subprocess.run(
        [str(word) for word in command], cwd=copy, capture_output=True, text=True, timeout=STEP_SECONDS_MAX, check=False)
    return done.returncode, done.stdout + done.stderr


class Copy(unittest.TestCase):
    """Writes files for one test and takes them back after it."""

    def write(self, name, text):
        path = copy / name
        before = path.read_bytes() if path.exists() else None
        self.addCleanup(lambda: path.write_bytes(before) if before is not None else path.unlink())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def append(self, name, text):
        self.write(name, (copy / name).read_text() + text)

    def refuses(self, command, *words):
        status, output = run(*command)
        self.assertNotEqual(0, status, f"{command} did not notice")
        for word in words:
            self.assertIn(word, output)


class Checks(Copy):
    def refused_by(self, check, *words):
        self.refuses([sys.executable, "-B", f"tools/{check}"], *words)

    def test_the_unbroken_tree_passes_every_check(self):
        status, output = run(sys.executable, "-B", "tools/check")
        self.assertEqual(0, status, output)

    def test_an_include_that_the_plan_does_not_allow(self):
        self.write("src/ground/base/peek.cpp", "#include <holdfast/io/task.h>\n")
        self.refused_by("check_layers", "src/ground/base/peek.cpp:1: base may not include io")

    def test_an_include_that_climbs_out_of_its_room(self):
        self.write("src/ground/base/peek.cpp", '#include "../../wire/io/inbox.h"\n')
        self.refused_by("check_layers", "src/ground/base/peek.cpp:1: a path with ../")

    def test_an_include_that_climbs_out_of_a_room_in_its_tests(self):
        self.write("src/ground/base/tests/peek_test.cpp", '#include "../clock.cpp"\n')
        self.refused_by("check_layers", "peek_test.cpp:1: a path with ../")

    def test_a_foreign_header_in_a_public_one(self):
        self.write("src/ground/base/include/holdfast/base/peek.h", "#pragma once\n#include <boost/asio.hpp>\n")
        self.refused_by("check_layers", "peek.h:2: a public header may include the standard library")

    def test_a_header_of_the_system_in_a_public_one(self):
        self.write("src/ground/base/include/holdfast/base/peek.h", "#pragma once\n#include <unistd.h>\n")
        self.refused_by("check_layers", "peek.h:2: a public header may include the standard library")

    def test_a_private_header_in_a_public_one(self):
        self.write("src/ground/base/include/holdfast/base/peek.h", '#pragma once\n#include "private.h"\n')
        self.refused_by("check_layers", "peek.h:2: a public header may not include a private one")

    def test_a_room_that_is_not_in_the_plan(self):
        self.write("src/ground/cellar/CMakeLists.txt", "holdfast_room(cellar)\n")
        self.refused_by("check_layers", "src/ground/cellar/CMakeLists.txt:1: this room is not in layers.txt")

    def test_a_room_without_a_readme_of_its_own(self):
        self.write("src/ground/base/README.md", "line\n" * 31)
        self.refused_by("check_layers", "src/ground/base/README.md:31: at most 30 lines")

    def test_a_sleep_in_a_test(self):
        self.write("src/ground/base/tests/nap_test.cpp", "void nap() { std::this_thread::sleep_" + "for(second); }\n")
        self.refused_by("check_words", "nap_test.cpp:1:", "wait for a condition")

    def test_a_clock_that_is_read_behind_the_back_of_the_clocks(self):
        self.write("src/ground/base/peek.cpp", "auto now = std::chrono::steady_" + "clock::now();\n")
        self.refused_by("check_words", "peek.cpp:1:", "Clock or Loop::now()")

    def test_an_intention_without_a_reason(self):
        self.write("src/ground/base/peek.cpp", "// TO" + "DO later\n")
        self.refused_by("check_words", "peek.cpp:1:", "TODO(kind): reason")

    def test_a_format_of_ones_own(self):
        self.write("src/ground/base/peek.cpp", "int  main( ) { return 0 ;}\n")
        self.refused_by("check_format", "src/ground/base/peek.cpp:1: not formatted")

    def test_a_link_to_a_page_that_does_not_exist(self):
        self.write("docs/peek.md", "[a page](nowhere.md)\n")
        self.refused_by("check_links", "docs/peek.md:1: broken link 'nowhere.md'")

    def test_a_link_to_a_heading_that_does_not_exist(self):
        self.write("docs/peek.md", "# One\n\n[a heading](#two)\n")
        self.refused_by("check_links", "docs/peek.md:3: broken link '#two'")

    def test_a_snippet_that_drifted_from_its_file(self):
        page = (copy / "README.md").read_text()
        self.assertIn("```cpp\n", page)
        self.write("README.md", page.replace("```cpp\n", "```cpp\nint drifted = 1;\n", 1))
        self.refused_by("check_snippets", "the snippet drifted from examples/")

    def test_a_snippet_that_no_file_compiles(self):
        self.append("README.md", "\n```cpp\nint alone = 1;\n```\n")
        self.refused_by("check_snippets", "C++ that no file compiles")


BRACED_AWAIT = """
#include <coroutine>
#include <string>
#include <vector>

struct Coroutine {
    struct promise_type {
        Coroutine get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};
struct Wait : std::suspend_never {
    explicit Wait(std::vector<std::string> names);
};
Coroutine peek() {
    co_await Wait(std::vector<std::string>{"a", "b"});
}
"""


class Build(Copy):
    """What the compiler and the linker notice by themselves: each room has its own include root and its own link check."""

    @classmethod
    def setUpClass(cls):
        status, output = run(
            "cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DHOLDFAST_ONLY_ROOMS={ROOMS}", "-DHOLDFAST_TESTS=OFF",
            "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_CXX_FLAGS=-O0")
        assert status == 0, output
        status, output = run("ninja", "-C", "build", "link_check_base", "holdfast_base_verify_interface_header_sets")
        assert status == 0, output

    def test_an_include_that_the_plan_does_not_allow_is_not_found(self):
        self.write("src/ground/base/peek.cpp", "#include <holdfast/observe/log.h>\n")
        self.refuses(["ninja", "-C", "build", "holdfast_base"], "'holdfast/observe/log.h' file not found")

    def test_a_call_into_a_room_that_is_not_declared_does_not_link(self):
        self.write(
            "src/ground/base/peek.cpp",
            "namespace holdfast {\nvoid above();  // defined in a room above\nvoid peek() {\n    above();\n}\n}  // namespace holdfast\n")
        self.write("src/ground/observe/peek.cpp", "namespace holdfast {\nvoid above() {}\n}  // namespace holdfast\n")
        self.refuses(["ninja", "-C", "build", "link_check_base"], "holdfast::above()")

    def test_a_public_header_that_does_not_compile_alone(self):
        self.write("src/ground/base/include/holdfast/base/peek.h", "#pragma once\nstd::string text();\n")
        self.refuses(["ninja", "-C", "build", "holdfast_base_verify_interface_header_sets"], "peek.h")

    def test_a_braced_list_beside_an_await(self):
        self.write("src/ground/base/peek.cpp", BRACED_AWAIT)
        self.assertEqual(0, run("cmake", "build")[0])
        self.refuses([sys.executable, "-B", "tools/lint_coroutines", "build"], "src/ground/base/peek.cpp:19: g++ 12")

    def test_a_link_to_a_room_behind_the_back_of_the_plan(self):
        text = (copy / "src/ground/base/CMakeLists.txt").read_text()
        self.write("src/ground/base/CMakeLists.txt", text.replace("holdfast_room(base", "holdfast_room(base LINK holdfast_observe"))
        self.refuses(["cmake", "build"], "write the arrow into layers.txt")

    def test_a_plan_with_an_arrow_that_points_up(self):
        text = (copy / "layers.txt").read_text()
        self.write("layers.txt", text.replace("ground/base       :", "ground/base       : observe"))
        self.refuses(["cmake", "build"], "'base' names 'observe', which does not stand above it")


if __name__ == "__main__":
    unittest.main()
