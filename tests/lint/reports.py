#!/usr/bin/env python3
"""The table of users' reports against the tests that it names.

    reports.py ROOT
"""
import pathlib
import re
import sys

TABLE = "docs/dev/user-reports.md"
ROW = re.compile(r"^\| (U\d+) \|(.*)\|([^|]*)\|$", re.M)
TOTAL = re.compile(r"list of reports has (\d+)")
FILE = re.compile(r"^(cli|unit|engine|instruments|physics)/[\w/]+$")
NAME = re.compile(r"^(?:[a-z][a-z_0-9]*_\w*|[A-Z][a-z]\w+|keyboard|card|input|port|twins|busy)\*?$")


def texts(root, token):
    """What stands in the test file that `token` means; None when there is none."""
    if token == "tests/alsa":
        return (root / "tests/alsa/guest.sh").read_text(encoding="utf-8")
    for ending in (".py", ".c"):
        path = root / "tests" / (token + ending)
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return None


def has(text, name):
    if name.endswith("*"):
        return re.search(r"\b" + re.escape(name[:-1]), text) is not None
    return re.search(r"(?:def|class|static void|^)\s*" + re.escape(name) + r"\b", text, re.M) is not None


def check_row(root, number, entry):
    faults, open_files, named = [], [], False
    for token in re.findall(r"`([^`]+)`", entry):
        if FILE.match(token) or token == "tests/alsa":
            text = texts(root, token)
            if text is None:
                faults.append(f"{TABLE}: {number}: there is no test {token}")
                continue
            open_files = [text] if named else [*open_files, text]
            named = False
        elif NAME.match(token):
            named = True
            fuzzer = (root / "tests/fuzz" / (token + ".c")).is_file()
            if not fuzzer and not any(has(text, token) for text in open_files):
                faults.append(f"{TABLE}: {number}: {token} is in none of the tests that it is said to be in")
    return faults


def check(root):
    page = (root / TABLE).read_text(encoding="utf-8")
    rows = {number: entry.strip() for number, _, entry in ROW.findall(page)}
    total = TOTAL.search(page)
    faults = []
    if not total or int(total[1]) != len(rows):
        faults.append(f"{TABLE}: {len(rows)} rows, the list has {total[1] if total else 'no number'}")
    for number, entry in rows.items():
        faults += check_row(root, number, entry) if entry else [f"{TABLE}: {number}: nothing is said of it"]
    for path in sorted((root / "tests").rglob("*.py")):
        for number in re.findall(r"\bdef test_(U\d+)_", path.read_text(encoding="utf-8")):
            if number not in rows:
                faults.append(f"{path.relative_to(root)}: {number} has no row in {TABLE}")
    return faults


if __name__ == "__main__":
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or "reports: ok")
    sys.exit(1 if problems else 0)
