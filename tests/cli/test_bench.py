"""hertzian bench: what it measures of a machine, as text, JSON and a picture."""

import json
import os
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
from support import Case, DONE, USAGE, main, run  # noqa: E402

HAS_GNUPLOT = shutil.which("gnuplot") is not None


class Bench(Case):
    def test_ringing_keys_both_ways(self):
        """Rows for one, two, four ... and all keys, first one-way, then two-way; more keys never cost much less."""
        args = ["--plot", self.path("a.svg")] if HAS_GNUPLOT else []
        result = run("bench", "-i", "dulcimer", "--json", *args)
        self.assertEqual((result.code, result.err), (DONE, ""))
        rows = json.loads(result.out)["ringing"]
        for way in ("one-way", "two-way"):
            mine = [r for r in rows if r["board"] == way]
            self.assertEqual([r["keys_struck"] for r in mine], [1, 2, 4, 8, 16, 32, 37])
            ringing = [r["keys_ringing"] for r in mine]
            self.assertEqual(ringing, sorted(ringing))
            self.assertGreaterEqual(ringing[-1], 37)
            for r in mine:
                self.assertGreater(r["load"], 0)
                self.assertGreater(r["per_sample"]["ratio"], 0)
        self.assertEqual([r["board"] for r in rows], ["one-way"] * 7 + ["two-way"] * 7)
        if HAS_GNUPLOT:
            self.assertTrue(self.read("a.svg").startswith(b"<?xml"))

    def test_other_endings(self):
        for name in ("a.pdf", "a"):
            self.one_error(run("bench", "--plot", name, cwd=self.folder), USAGE, ".png or .svg")
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    main()
