#!/usr/bin/env python3
"""Rules about files: names, lengths, what stands at the top.

    tree.py ROOT
"""
import pathlib
import re
import subprocess
import sys

MAX_LINES = 500
TOP = {"src", "include", "instruments", "tests", "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "CHANGELOG.md",
       "CONTRIBUTING.md", "bootstrap.sh", "docs", "tools"}
THREAD_NAMED = ("base", "dsp", "model", "contact", "instrument", "engine", "midi", "api")  # layers whose file names carry the thread
PRINTS = re.compile(r"\b(f|s|sn|d|vf|vs|vsn|v)?printf\s*\(|\bputs\s*\(")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
CODE = (".c", ".h", ".py", ".sh", ".def")


def blank_comments(text):
    return COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)


def check_source(root, path):
    name = path.relative_to(root)
    text = path.read_text(encoding="utf-8")
    faults = []
    lines = text.count("\n")
    if lines > MAX_LINES:
        faults.append(f"{name}: {lines} lines, at most {MAX_LINES}")
    layer = name.parts[1] if name.parts[0] == "src" and len(name.parts) > 2 else None
    if layer in THREAD_NAMED and path.suffix == ".c" and not re.search(r"_(rt|setup)\.c$", path.name):
        faults.append(f"{name}: neither _rt.c nor _setup.c")
    if layer and path.name.endswith("_rt.c"):
        for number, line in enumerate(blank_comments(text).splitlines(), 1):
            if PRINTS.search(line):
                faults.append(f"{name}:{number}: prints on the audio thread")
    return faults


def tracked(root):
    """Paths that git knows, or None where there is no git or no repository."""
    try:
        done = subprocess.run(
            ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
    return [p for p in done.stdout.decode().split("\0") if p] if done.returncode == 0 else None


def check_top(paths):
    tops = sorted({path.split("/")[0] for path in paths})
    return [f"{top}: not among what may stand at the top" for top in tops if top not in TOP and not top.startswith(".")]


def check(root):
    faults = []
    for folder in ("src", "include", "tests"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in CODE and path.is_file():
                faults += check_source(root, path)
    return faults


if __name__ == "__main__":
    base = pathlib.Path(sys.argv[1])
    problems = check(base)
    known = tracked(base)
    if known is None:
        print("no git repository here: what stands at the top was not checked")
    else:
        problems += check_top(known)
    print("\n".join(problems) or "files: ok")
    sys.exit(1 if problems else 0)
