#!/usr/bin/env python3
"""Layers include only what stands to their left.

    layers.py ROOT

Checks every #include of src/<layer>/ and include/hertzian/<layer>/: a contract "hertzian/<other>/x.h" must be of the layer
itself or one to its left, any other quoted header must be a private one of the same folder, or, as "<folder>/x.h", of a folder of the
same layer that it may see. No header includes itself by way of others.
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
# Folders of a layer that has such, and which of the others each may see.
FOLDERS = {
    "contact": {
        "link": "",
        "network": "",
        "island": "network",
        "gesture": "island network",
        "board": "",
        "grid": "gesture",
        "reference": "",
    },
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def private(layer, path, name):
    """Where the private header `name` that `path` includes is, or None where there is none that it may see."""
    folder = path.parent
    if "/" not in name:
        return folder / name if (folder / name).is_file() else None
    inner, _, base = name.partition("/")
    if "/" in base or inner not in FOLDERS.get(layer, {}).get(folder.name, "").split():
        return None
    other = folder.parent / inner / base
    return other if other.is_file() else None


def faults_of_line(root, layer, path, line):
    """What is wrong with the line, and the header that it includes."""
    found = INCLUDE.match(line)
    if not found:
        return None, None
    quote, name = found.groups()
    if name == "hertzian/hertzian.h":  # the interface of the library
        return None if layer in ("api", "cli") else f"{layer} may not include {name}", None
    if name.startswith("hertzian/"):
        other = name.split("/")[1]
        if other != layer and other not in LEFT[layer].split():
            return f"{layer} may not include {name}", None
        contract = root / "include" / name
        return (None, contract) if contract.is_file() else (f"no such contract: {name}", None)
    if quote == '"':
        header = private(layer, path, name)
        where = path.parent.name if path.parent.name == layer else f"{layer}/{path.parent.name}"
        return (None, header) if header else (f'"{name}" is neither a contract nor a private header that {where} may see', None)
    return None, None


def circle(includes):
    """Headers that include each other in a circle, or None."""
    done, trail = set(), []

    def walk(path):
        if path in trail:
            return trail[trail.index(path):]
        if path in done:
            return None
        trail.append(path)
        found = next(filter(None, map(walk, includes.get(path, ()))), None)
        trail.pop()
        done.add(path)
        return found

    return next(filter(None, map(walk, sorted(includes))), None)


def check(root):
    faults, includes = [], {}
    for top in (root / "src", root / "include" / "hertzian"):
        for folder in sorted(p for p in top.glob("*") if p.is_dir()):
            if folder.name not in LEFT:
                faults.append(f"{folder.relative_to(root)}: no such layer")
                continue
            for path in sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h", ".def")):
                if path.parent != folder and (path.parent.parent != folder or path.parent.name not in FOLDERS.get(folder.name, {})):
                    faults.append(f"{path.relative_to(root)}: no such folder of {folder.name}")
                    continue
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    fault, header = faults_of_line(root, folder.name, path, line)
                    if fault:
                        faults.append(f"{path.relative_to(root)}:{number}: {fault}")
                    if header and path.suffix == ".h":
                        includes.setdefault(path, []).append(header)
    around = circle(includes)
    if around:
        faults.append("includes in a circle: " + ", ".join(str(path.relative_to(root)) for path in around))
    return faults


if __name__ == "__main__":
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or "layers: ok")
    sys.exit(1 if problems else 0)
