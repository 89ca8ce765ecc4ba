#!/usr/bin/env python3
"""What may run on the audio thread links to nothing that may not.

    rt_symbols.py OBJECTS        OBJECTS: a file with one object path per line, all layers

Every undefined symbol of an object made from a *_rt.c must be defined by another *_rt.c object, or be on the list below.
"""
import pathlib
import re
import subprocess
import sys

# The C library's mathematics, without fmax and fmin (a ternary is faster), and without lgamma (it writes a global).
LIBM = """sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt
hypot fabs floor ceil trunc round rint nearbyint lrint lround llrint llround fmod remainder fma ldexp scalbn frexp modf copysign
logb ilogb erf erfc tgamma sincos""".split()
ALLOWED = set(LIBM) | {name + "f" for name in LIBM} | {"memcpy", "memset", "memmove"}

TOLERATED = re.compile(
    r"""^(
      _*(asan|ubsan|tsan|sanitizer|sancov|lsan)_.*     # put in by the compiler under a sanitizer
    | __start___sancov_.* | __stop___sancov_.* | __odr_asan.*
    | __stack_chk_(fail|guard)
    | __mem(cpy|set|move)_chk                          # _FORTIFY_SOURCE
    | __tls_get_addr | _GLOBAL_OFFSET_TABLE_           # position-independent code
    | __assert_fail                                    # an invariant is broken: the process ends here
    )$""",
    re.VERBOSE,
)


def symbols(objects):
    """{path: (defined, undefined)} of every object. Local names count as neither."""
    found = {path: (set(), set()) for path in objects}
    done = subprocess.run(["nm", "-A", "-P", "-g", *map(str, objects)], stdout=subprocess.PIPE, check=True, text=True)
    for line in done.stdout.splitlines():
        where, _, rest = line.partition(": ")
        name, kind, *value = rest.split()
        is_undefined = kind == "U" or (kind in "wv" and not value)  # w, v without a value: weak and not here
        found[pathlib.Path(where)][is_undefined].add(name.split("@")[0] if is_undefined else name)
    return found


def is_rt(path):
    return re.search(r"_rt\.c\.(o|obj)$", path.name) is not None


def check(objects):
    """The faults, and the number of audio-thread objects looked at."""
    if not objects:
        return [], 0
    known = symbols(objects)
    rt = [path for path in objects if is_rt(path)]
    safe = set().union(*(known[path][0] for path in rt))
    elsewhere = {name: path.name for path in objects if not is_rt(path) for name in known[path][0]}
    faults = []
    for path in sorted(rt):
        for name in sorted(known[path][1] - safe - ALLOWED):
            if not TOLERATED.match(name):
                where = f" (defined in {elsewhere[name]})" if name in elsewhere else ""
                faults.append(f"{path.name}: uses {name}{where}, which may not run on the audio thread")
    return faults, len(rt)


def read_list(path):
    objects = [pathlib.Path(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines() if line]
    missing = [path for path in objects if not path.is_file()]
    return objects, [f"not built: {path}" for path in missing]


if __name__ == "__main__":
    listed, problems = read_list(sys.argv[1])
    count = 0
    if not problems:
        problems, count = check(listed)
        if count == 0:
            problems = ["no audio-thread object found: nothing was checked"]
    print("\n".join(problems) or f"audio-thread symbols: {count} objects ok")
    sys.exit(1 if problems else 0)
