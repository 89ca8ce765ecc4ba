"""What `instruments validate` calls good, `render` takes and it sounds: every instrument file with one of its numbers changed.

The numbers are taken ten times, a tenth, nothing, negative, huge and tiny, by a seed: one of each file. HERTZIAN_LONG tries three hundred
times as many, and the files as they are, which other tests play as well.
"""

import array
import glob
import math
import os
import random
import re
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, INPUT, SOURCE, main, run  # noqa: E402

THOROUGH = "HERTZIAN_LONG" in os.environ
EACH = 300 if THOROUGH else 1  # mutants of each file
SILENT_DB = -120.0
FILES = sorted(glob.glob(os.path.join(SOURCE, "instruments", "*.yaml")))

CHANGES = (
    lambda x, rng: x * 0.1,
    lambda x, rng: x * 10.0,
    lambda x, rng: 0.0,
    lambda x, rng: -x,
    lambda x, rng: x * 10.0 ** rng.uniform(2.0, 9.0),
    lambda x, rng: x * 10.0 ** -rng.uniform(2.0, 9.0),
)


def numbers(text):
    """Places of the numbers of a file, comments and texts left out."""
    places, start = [], 0
    for line in text.splitlines(True):
        if not re.match(r"(about|name|format):", line):
            for found in re.finditer(r"(?<![\w.])[-+]?\d+(\.\d+)?(e[-+]?\d+)?(?![\w.])", line.split("#")[0]):
                places.append((start + found.start(), start + found.end()))
        start += len(line)
    return places


def peak_db(samples):
    """Of 32-bit floats; infinite for what is not finite."""
    values = array.array("f", samples)
    peak = max((abs(x) if math.isfinite(x) else math.inf for x in values), default=0.0)
    return 20.0 * math.log10(peak) if peak > 0.0 else -math.inf


class Mutated(Case):
    def take(self, text, what):
        """Whether a file that is called good is one; where it is not, whether a line says why."""
        file = self.write("mutant.yaml", text.encode())
        verdict = run("instruments", "validate", file)
        if verdict.code != DONE:
            self.assertEqual(verdict.code, INPUT, what)
            self.assertRegex(verdict.err, r"(?m)^hertzian: %s:[1-9][0-9]*:[1-9][0-9]*: " % re.escape(file), what)
            return False
        keys = re.search(r"(?m)^keys: \[(\d+), (\d+)\]", text)
        low, high = (int(x) for x in keys.groups()) if keys else (35, 81)  # a kit's objects have theirs
        song = self.song("three.mid", ((0.0, low, 64, 0.3), (0.3, (low + high) // 2, 64, 0.3), (0.6, high, 64, 0.3)))
        result = run("render", song, "-i", file, "-q", "-o", "-", "-f", "raw", "-e", "f32", "--tail", "0.2", "-s", "room=0")
        self.assertEqual(result.code, DONE, what + result.err)
        level = peak_db(result.out)
        self.assertTrue(SILENT_DB < level < math.inf, "%s: %g dBFS" % (what, level))
        return True

    def test_what_is_good_sounds(self):
        self.assertGreater(len(FILES), 0)
        good = tried = 0
        for path in FILES:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            name, places = os.path.basename(path), numbers(text)
            rng = random.Random(name)
            if THOROUGH:
                self.assertTrue(self.take(text, name), name)
            for _ in range(EACH):
                start, end = rng.choice(places)
                value = "%.6g" % rng.choice(CHANGES)(float(text[start:end]), rng)
                what = "%s:%d: %s instead of %s: " % (name, text.count("\n", 0, start) + 1, value, text[start:end])
                good += self.take(text[:start] + value + text[end:], what)
                tried += 1
        print("%d of %d mutants are good and sound" % (good, tried))
        self.assertGreater(good, 0)
        self.assertLess(good, tried)


if __name__ == "__main__":
    main()
