#!/usr/bin/env python3
"""Every C file is as clang-format leaves it.

    format.py ROOT       exit 77 (skipped) without clang-format, unless HTZ_REQUIRE_FORMAT is set
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
VERSION = 14  # other versions lay out some constructs differently


def usable():
    """Path of a clang-format of the right version, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path:
            told = subprocess.run([path, "--version"], stdout=subprocess.PIPE, text=True).stdout
            found = re.search(r"version (\d+)", told)
            if found and int(found.group(1)) == VERSION:
                return path
    return None


def check(root, tool):
    files = sorted(p for top in ("src", "include", "tests") for p in (root / top).rglob("*") if p.suffix in (".c", ".h"))
    if not files:
        return []
    command = [tool, "--dry-run", "--Werror", *(str(p.relative_to(root)) for p in files)]
    done = subprocess.run(command, cwd=root, stderr=subprocess.PIPE, text=True)
    bad = sorted({line.split(":")[0] for line in done.stderr.splitlines() if ": error:" in line})
    if done.returncode and not bad:
        return [done.stderr]
    return [f"{name}: run clang-format -i on it" for name in bad]


if __name__ == "__main__":
    clang_format = usable()
    if not clang_format:
        print(f"no clang-format {VERSION}: layout not checked")
        sys.exit(1 if os.environ.get("HTZ_REQUIRE_FORMAT") else SKIPPED)
    problems = check(pathlib.Path(sys.argv[1]), clang_format)
    print("\n".join(problems) or "layout: ok")
    sys.exit(1 if problems else 0)
