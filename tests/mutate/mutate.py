#!/usr/bin/env python3
"""Plant one-line faults that a player would notice, and report those that no nearby test sees.

Run by hand from anywhere; nothing in the source tree is written. Each fault of faults.py is made in a scratch copy of the tree with a
build of its own, the tests named beside it are built and run one after the other, and the first that fails ends it.

Exit code: 0 when at most 10 % survive in every set, 1 when more do, 2 for a fault that is stale, does not compile or is wrongly written.
"""
import argparse
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import faults_blind  # adds to the table
from faults import FAULTS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_SURVIVE = 0.10
TEST_TIMEOUT_S = 180  # a fault that makes a test run for ever is seen, too
BUILD = os.path.join("build", "mutate")


class Wrong(Exception):
    """The table or the machine is at fault, not the tests."""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check(faults):
    """Every fault is made in exactly one place, and changes something."""
    names = set()
    for f in faults:
        path = os.path.join(ROOT, f.file)
        if f.name in names:
            raise Wrong(f"{f.name}: the name is used twice")
        names.add(f.name)
        if not os.path.isfile(path):
            raise Wrong(f"{f.name}: {f.file} is not there")
        found = read(path).count(f.old)
        if found != 1 or f.old == f.new:
            raise Wrong(f"{f.name}: {f.file} has its text {found} times; exactly 1 is allowed, and a change of it")
        for test in f.tests:
            if not os.path.isfile(os.path.join(ROOT, "tests", test + ".c")):
                raise Wrong(f"{f.name}: there is no test {test}")


def sources():
    """What git knows or would add."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "-c", "-o", "--exclude-standard"], check=True,
                            capture_output=True).stdout
    names = {os.fsdecode(name) for name in listed.split(b"\0") if name}
    return {name for name in names if os.path.isfile(os.path.join(ROOT, name))}


def copy_to(tree):
    """Bring the scratch copy up to date; files that are the same keep their time, so that little is built anew."""
    wanted = sources()
    for name in wanted:
        source, target = os.path.join(ROOT, name), os.path.join(tree, name)
        with open(source, "rb") as file:
            text = file.read()
        if os.path.isfile(target):
            with open(target, "rb") as file:
                if file.read() == text:
                    continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    for folder, _, files in os.walk(tree):
        inside = os.path.relpath(folder, tree)
        if inside.split(os.sep)[0] in ("build", ".git"):
            continue
        for file in files:
            if os.path.normpath(os.path.join(inside, file)) not in wanted:
                os.remove(os.path.join(folder, file))


class Tree:
    """One copy of the sources with its build."""

    def __init__(self, folder):
        self.folder = folder
        self.build = os.path.join(folder, BUILD)
        os.makedirs(folder, exist_ok=True)
        copy_to(folder)
        done = self.run(["cmake", "-S", folder, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                         "-DCMAKE_C_FLAGS_RELEASE=-O2", "-DHTZ_WERROR=OFF"])
        if done.returncode:
            raise Wrong("cmake:\n" + done.stdout)

    def run(self, command):
        nice = ["nice"] if shutil.which("nice") else []
        return subprocess.run(nice + command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              check=False)

    def make(self, tests):
        """@return what the compiler said, or None when all was built."""
        done = self.run(["cmake", "--build", self.build, "--target"] + [test_target(t) for t in tests])
        return done.stdout if done.returncode else None

    def passes(self, test):
        name = "^" + re.escape(test) + "$"
        done = self.run(["ctest", "--test-dir", self.build, "-R", name, "--no-tests=error", "--timeout", str(TEST_TIMEOUT_S)])
        if "No tests were found" in done.stdout:
            raise Wrong(f"ctest knows no {test}")
        return done.returncode == 0

    def plant(self, fault):
        """@return the state and what told it."""
        path = os.path.join(self.folder, fault.file)
        was = read(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(was.replace(fault.old, fault.new))
        try:
            for test in fault.tests:
                if self.make([test]) is not None:
                    return "not compiled", test
                if not self.passes(test):
                    return "killed", test
            return "survived", ""
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(was)


def test_target(test):
    """ctest knows a test by its folder and file, the build by both in one word."""
    return test.replace("/", "_")


def sound_at_first(tree, faults):
    """Without a fault every test passes, or what follows means nothing."""
    tests = sorted({t for f in faults for t in f.tests})
    said = tree.make(tests)
    if said is not None:
        raise Wrong("the tree does not build:\n" + said[-2000:])
    for test in tests:
        if not tree.passes(test):
            raise Wrong(f"{test} fails without any fault")


def work(tree, left, results, lock, first_error):
    while not first_error:
        try:
            fault = left.get_nowait()
        except queue.Empty:
            return
        begin = time.monotonic()
        try:
            state, told = tree.plant(fault)
        except Exception as error:  # shown by the main thread
            first_error.append(error)
            return
        with lock:
            results[fault.name] = state
            print(f"{state:12} {fault.name:32} {time.monotonic() - begin:5.1f} s  {told}", flush=True)


def report(faults, results):
    """@return the exit code"""
    code = 0
    for group in sorted({f.group for f in faults}):
        of = [f for f in faults if f.group == group]
        alive = [f for f in of if results[f.name] == "survived"]
        wrong = [f for f in of if results[f.name] == "not compiled"]
        print(f"{group}: {len(of)} faults, {len(of) - len(alive) - len(wrong)} killed, {len(alive)} survived "
              f"({100.0 * len(alive) / len(of):.0f} %), {len(wrong)} not compiled")
        for f in alive:
            print(f"  {f.name} ({f.file}): {f.noticed}")
        code = max(code, 1 if len(alive) > MOST_SURVIVE * len(of) else 0)
        code = 2 if wrong else code
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", metavar="NAME", action="append", default=[], help="this fault (again: and this)")
    parser.add_argument("--group", metavar="NAME", help="one set of faults")
    parser.add_argument("--list", action="store_true", help="print the faults, plant none")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="scratch copies at work at the same time")
    parser.add_argument("--scratch", metavar="FOLDER", help="keep copies and builds there for the next time")
    options = parser.parse_args()
    unknown = set(options.only) - {f.name for f in FAULTS}
    if unknown or (options.group and options.group not in {f.group for f in FAULTS}) or options.jobs < 1:
        parser.error("no such fault, set or number of jobs: see --list")
    try:
        check(FAULTS)
        faults = [f for f in FAULTS if (not options.only or f.name in options.only) and options.group in (None, f.group)]
        if options.list:
            for f in faults:
                print(f"{f.group:6} {f.name:32} {f.file}: {f.noticed}")
            return 0
        if options.scratch:
            return plant_all(faults, options.scratch, options.jobs)
        with tempfile.TemporaryDirectory(prefix="hertzian-mutate-") as scratch:
            return plant_all(faults, scratch, options.jobs)
    except Wrong as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 2


def plant_all(faults, scratch, jobs):
    trees = [Tree(os.path.join(os.path.abspath(scratch), f"tree{i}")) for i in range(min(jobs, len(faults)))]
    sound_at_first(trees[0], faults)
    left, results, lock, first_error = queue.Queue(), {}, threading.Lock(), []
    for fault in faults:
        left.put(fault)
    threads = [threading.Thread(target=work, args=(tree, left, results, lock, first_error)) for tree in trees]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        first_error.append(Wrong("interrupted"))
        for thread in threads:
            thread.join()  # what they run has been interrupted, too; the scratch copy is put right
    if first_error:
        raise first_error[0]
    return report(faults, results)


if __name__ == "__main__":
    sys.exit(main())
