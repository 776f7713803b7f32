"""The programs that bench/redis_peers/run measures: what each needs, how it is built below build/, how it is started.

Each is `PROGRAM HOST PORT CALLERS OPERATIONS`, does the work twice and prints what the second time took as one line of JSON."""

import hashlib
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build/redis_peers"


class LeftOut(Exception):
    """Why a peer is not measured."""


def call(*words, folder=HERE, **variables):
    done = subprocess.run(["nice", "-n", "10", *map(str, words)], cwd=folder, env={**os.environ, **variables},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        last = "\n    ".join(done.stdout.strip().splitlines()[-5:])
        raise LeftOut(f"`{' '.join(map(str, words))}` failed:\n    {last}")


def build_ours(program, jobs):
    if program:
        return [program]
    call("cmake", "--preset", "bench", folder=ROOT)
    call("cmake", "--build", "build/bench", "--target", "redis_callers", f"-j{jobs}", folder=ROOT)
    return [ROOT / "build/bench/bin/redis_callers"]


def build_rust(name, jobs):
    call("cargo", "build", "--release", "--locked", f"-j{jobs}", folder=HERE / "rust", CARGO_TARGET_DIR=str(OUT / "rust"))
    return [OUT / "rust/release" / name]


def build_go(name, jobs):
    call("go", "build", "-mod=readonly", "-buildvcs=false", "-p", jobs, "-o", f"{OUT}/go/", f"./{name}", folder=HERE / "go")
    return [OUT / "go" / name]


def build_java(name, main, _jobs):
    """Maven has no lock file: jars.sha256 is ours, of all jars that the pom leads to."""
    jars = OUT / "java" / name / "jars"
    shutil.rmtree(jars.parent, ignore_errors=True)
    call("mvn", "-B", "-ntp", "-f", HERE / "java" / name / "pom.xml", "dependency:copy-dependencies", f"-DoutputDirectory={jars}")
    found = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest() for jar in jars.glob("*.jar")}
    locked = {jar: digest for digest, jar in (line.split() for line in (HERE / "java" / name / "jars.sha256").read_text().splitlines())}
    if found != locked:
        raise LeftOut(f"other jars than in {name}/jars.sha256: {sorted(set(found.items()) ^ set(locked.items()))[:3]}")
    call("javac", "-cp", f"{jars}/*", "-d", jars.parent / "classes", HERE / "java/Callers.java", HERE / "java" / name / f"{main}.java")
    return ["java", "-cp", f"{jars.parent / 'classes'}:{jars}/*", main]


def build_node(_jobs):
    folder = OUT / "node"
    folder.mkdir(parents=True, exist_ok=True)
    for file in (HERE / "node").iterdir():
        shutil.copy(file, folder)
    call("npm", "ci", "--ignore-scripts", folder=folder)
    return ["node", folder / "ioredis.js"]


# Name, what must be on the PATH, how it is built.
PEERS = [
    ("redis-rs", ["cargo"], lambda jobs: build_rust("redis_rs", jobs)),
    ("fred", ["cargo"], lambda jobs: build_rust("fred", jobs)),
    ("rueidis", ["go"], lambda jobs: build_go("rueidis", jobs)),
    ("go-redis", ["go"], lambda jobs: build_go("goredis", jobs)),
    ("go-redis-auto", ["go"], lambda jobs: build_go("goredis_auto", jobs)),
    ("lettuce", ["mvn", "javac"], lambda jobs: build_java("lettuce", "Lettuce", jobs)),
    ("redisson", ["mvn", "javac"], lambda jobs: build_java("redisson", "Redisson", jobs)),
    ("ioredis", ["npm", "node"], build_node),
]


def build(ours, wanted, jobs):
    """Commands by name, ours first; and why others are left out."""
    commands, left_out = {"holdfast": build_ours(ours, jobs)}, {}
    for name, tools, make in PEERS:
        if wanted and name not in wanted:
            continue
        missing = [tool for tool in tools if not shutil.which(tool)]
        try:
            if missing:
                raise LeftOut(f"{' and '.join(missing)} not installed")
            commands[name] = make(jobs)
        except LeftOut as why:
            left_out[name] = str(why)
    return {name: list(map(str, words)) for name, words in commands.items()}, left_out
