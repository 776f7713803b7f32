"""The tree as the checks see it: its files, the floor plan, and one way to report."""

import fnmatch
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = {".git", "build", "__pycache__", ".ccache"}


def files(*patterns):
    """Files of the project whose path matches a pattern ("*.h" matches in every folder); what git ignores is left out."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False)
    inside = (ROOT / ".git").exists() and listed.returncode == 0
    names = listed.stdout.splitlines() if inside else walk()
    wanted = [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]
    return [ROOT / name for name in sorted(wanted) if (ROOT / name).is_file()]


def walk():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in names:
            yield str((pathlib.Path(folder) / name).relative_to(ROOT))


def lines(path):
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


class Room:
    def __init__(self, name, path, rooms):
        self.name, self.path, self.rooms = name, path, rooms
        self.folder = ROOT / "src" / path
        self.built = (self.folder / "CMakeLists.txt").exists()


def plan():
    """layers.txt: the rooms by name, bottom first."""
    rooms = {}
    for line in lines(ROOT / "layers.txt"):
        if line and not line.startswith("#"):
            head, _, deps = line.partition(":")
            name, path = head.split()
            rooms[name] = Room(name, path, deps.split())
    return rooms


def report(what, problems):
    """Prints `problems` ("file:line: message") and ends the program: 1 if there are any."""
    for problem in problems:
        print(problem)
    print(f"{what}: {len(problems)} problems" if problems else f"{what}: fine")
    sys.exit(1 if problems else 0)


def name_of(path):
    return str(path.relative_to(ROOT))
