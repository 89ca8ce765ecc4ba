#!/usr/bin/env python3
"""Layers include only what stands to their left.

    layers.py ROOT

Checks every #include of src/<layer>/ and include/hertzian/<layer>/: a contract "hertzian/<other>/x.h" must be of the layer
itself or one to its left, any other quoted header must be a private one of the same folder.
"""
import pathlib
import re
import sys

LEFT = {
    "base": "",
    "dsp": "base",
    "model": "base dsp",
    "contact": "base dsp model",
    "instrument": "base dsp model contact",
    "engine": "base dsp model contact instrument",
    "midi": "base dsp model contact instrument engine",
    "lab": "base dsp model contact instrument engine midi",
    "io": "base",
    "host": "base dsp model contact instrument engine midi io",
    "api": "base dsp model contact instrument engine midi io host",
    "cli": "base dsp model contact instrument engine midi lab io host api",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def faults_of_line(root, layer, folder, line):
    found = INCLUDE.match(line)
    if not found:
        return None
    quote, name = found.groups()
    if name == "hertzian/hertzian.h":  # the interface of the library
        return None if layer in ("api", "cli") else f"{layer} may not include {name}"
    if name.startswith("hertzian/"):
        other = name.split("/")[1]
        if other != layer and other not in LEFT[layer].split():
            return f"{layer} may not include {name}"
        if not (root / "include" / name).is_file():
            return f"no such contract: {name}"
    elif quote == '"' and ("/" in name or not (folder / name).is_file()):
        return f'"{name}" is neither a contract nor a private header of {folder.name}'
    return None


def check(root):
    faults = []
    for top in (root / "src", root / "include" / "hertzian"):
        for folder in sorted(p for p in top.glob("*") if p.is_dir()):
            if folder.name not in LEFT:
                faults.append(f"{folder.relative_to(root)}: no such layer")
                continue
            for path in sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h", ".def")):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    fault = faults_of_line(root, folder.name, folder, line)
                    if fault:
                        faults.append(f"{path.relative_to(root)}:{number}: {fault}")
    return faults


if __name__ == "__main__":
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or "layers: ok")
    sys.exit(1 if problems else 0)
