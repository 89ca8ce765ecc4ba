"""Instruments are played in a room unless `-s room=0` or their file takes it away; what is measured has none."""

import json
import math
import os
import sys

sys.dont_write_bytecode = True
from support import Case, RATE, SOURCE, Sound, main, run  # noqa: E402


class Room(Case):
    def samples(self, *args):
        song = self.song(spec=((0.0, 72, 127, 0.25),))
        result = self.render(song, "-i", "marimba", "-e", "f32", "-o", self.path("out.wav"), "--json", *args)
        return Sound(self.read("out.wav")).samples(), json.loads(result.out)["songs"][0]

    def test_there_is_one_unless_told(self):
        usual, usual_report = self.samples()
        asked, _ = self.samples("-s", "room=0.15")
        dry, dry_report = self.samples("-s", "room=0")
        self.assertEqual(usual, asked)
        # The first 2.5 ms are what arrives directly, before any wall's: 85 % of the energy.
        first = 2 * RATE * 25 // 10000
        ratio = max(map(abs, usual[:first])) / max(map(abs, dry[:first]))
        self.assertAlmostEqual(ratio, 0.85 ** 0.5, delta=1e-4)
        # Ten such notes fit below full scale, as without it. It rings on from -28 dBFS or so for what a T60 of 1.4 s leaves above -90 dBFS.
        self.assertLess(20 * math.log10(max(map(abs, usual))), -10.0)
        self.assertLess(usual_report["tail_s"], dry_report["tail_s"] + 1.6)
        shown = {p["name"]: p for p in json.loads(run("instruments", "show", "marimba", "--json").out)["params"]}
        self.assertEqual(shown["room"]["default"], 0.15)

    def test_a_file_says_which(self):
        with open(os.path.join(SOURCE, "instruments", "glockenspiel.yaml"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("defaults:", text)
        path = self.write("dry.yaml", (text + "\ndefaults:\n  room: 0\n").encode())
        song = self.song(spec=((0.0, 84, 100, 0.25),))
        self.render(song, "-i", path, "-o", self.path("a.wav"))
        self.render(song, "-i", "glockenspiel", "-s", "room=0", "-o", self.path("b.wav"))
        self.assertEqual(self.read("a.wav"), self.read("b.wav"))
        shown = {p["name"]: p for p in json.loads(run("instruments", "show", path, "--json").out)["params"]}
        self.assertEqual(shown["room"]["default"], 0)


if __name__ == "__main__":
    main()
