"""No two strokes alike, unless `-s human=0` or the instrument's file says so; a song is the same bits whenever it is rendered."""

import json
import os
import sys

sys.dont_write_bytecode = True
from support import Case, RATE, SOURCE, USAGE, Sound, main, notes, run, smf  # noqa: E402

GAP = 2.5  # [s] between notes: each starts from rest
LENGTH = 0.5


class Human(Case):
    def samples(self, *args, instrument="marimba", song=None):
        song = song or self.song(spec=((0.0, 72, 90, 0.1), (GAP, 72, 90, 0.1), (2 * GAP, 72, 90, 0.1)))
        self.render(song, "-i", instrument, "-e", "f32", "-s", "room=0", "-o", self.path("out.wav"), *args)
        return Sound(self.read("out.wav")).samples()

    def notes_of(self, samples):
        length = int(2 * LENGTH * RATE)
        starts = [int(2 * GAP * i * RATE) for i in range(3)]
        return [samples[start:start + length] for start in starts]

    def default_of(self, path, param="human"):
        shown = json.loads(run("instruments", "show", path, "--json").out)
        return {p["name"]: p for p in shown["params"]}[param]["default"]

    def edited(self, name, more):
        with open(os.path.join(SOURCE, "instruments", name + ".yaml"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("defaults:", text)
        return self.write("edited.yaml", (text + more).encode())

    def test_repeats_differ_unless_told(self):
        usual = self.samples()
        first, second, third = self.notes_of(usual)
        self.assertNotEqual(first, second)
        self.assertNotEqual(second, third)
        self.assertEqual(usual, self.samples("-s", "human=0.3"))
        self.assertEqual(usual, self.samples("--human", "0.3"))
        self.assertEqual(self.samples("--human", "0"), self.samples("-s", "human=0"))
        self.assertEqual(run("render", "x.mid", "--human", "1.5").code, USAGE)
        self.assertEqual(self.default_of("marimba"), 0.3)
        first, second, third = self.notes_of(self.samples("-s", "human=0"))
        self.assertEqual(first, second)
        self.assertEqual(second, third)

    def test_a_song_is_the_same_bits_every_time(self):
        song = self.song(spec=((0.0, 60, 90, 0.5), (0.5, 64, 80, 0.5), (1.0, 60, 90, 0.5)))
        once = self.samples(song=song)
        for blocks in ("32", "1000"):
            self.assertEqual(once, self.samples("-b", blocks, song=song))
        self.assertNotEqual(once, self.samples("-s", "human.seed=1", song=song))
        self.assertEqual(self.samples("-s", "human.seed=1", song=song), self.samples("-s", "human.seed=1", song=song))

    def test_two_channels_are_two_players(self):
        spec = ((0.0, 72, 90, 0.1), (GAP, 72, 90, 0.1), (2 * GAP, 72, 90, 0.1))
        other = self.write("other.mid", smf([notes(spec, channel=1)]))
        self.assertNotEqual(self.samples(), self.samples(song=other))
        self.assertEqual(self.samples("-s", "human=0"), self.samples("-s", "human=0", song=other))

    def test_a_file_says_how_much(self):
        song = self.song(spec=((0.0, 84, 100, 0.25), (0.5, 84, 100, 0.25)))
        still = self.edited("glockenspiel", "\ndefaults:\n  human: 0\n")
        self.assertEqual(self.default_of(still), 0)
        self.assertEqual(self.samples(instrument=still, song=song), self.samples("-s", "human=0", instrument="glockenspiel", song=song))
        self.assertEqual(self.samples("-s", "human=0.3", instrument=still, song=song), self.samples(instrument="glockenspiel", song=song))
        # The systems of the papers are as exact as they were.
        for name in ("mass-barrier", "string-string", "tromba-spring"):
            self.assertEqual(self.default_of(name), 0)

    def test_each_object_says_its_own(self):
        kit = """format: 1
name: Two bars
objects:
  - name: still
    keys: [60, 62]
    per_key: {bar: {body: bar, mass: 0.3, t60: 0.4, modes: 4}}
    mallet: {strikes: bar, mass: 0.03, speed: [0.1, 5], at: 0.42, contact: {exponent: 1.5, stiffness: 2.0e+7}}
    pickups: [{of: bar, at: 0.03, gain: 0.05}]
    defaults: {human: 0}
  - name: free
    keys: [72, 74]
    per_key: {bar: {body: bar, mass: 0.3, t60: 0.4, modes: 4}}
    mallet: {strikes: bar, mass: 0.03, speed: [0.1, 5], at: 0.42, contact: {exponent: 1.5, stiffness: 2.0e+7}}
    pickups: [{of: bar, at: 0.03, gain: 0.05}]
"""
        path = self.write("kit.yaml", kit.encode())
        self.assertEqual((self.default_of(path, "still.human"), self.default_of(path, "free.human")), (0, 0.3))
        for key, alike in ((60, True), (72, False)):
            song = self.song(spec=tuple((GAP * i, key, 90, 0.1) for i in range(3)))
            first, second, third = self.notes_of(self.samples(instrument=path, song=song))
            self.assertEqual(first == second, alike)
            self.assertEqual(second == third, alike)
        song = self.song(spec=tuple((GAP * i, 60, 90, 0.1) for i in range(3)))
        first, second, _ = self.notes_of(self.samples("-s", "still.human=0.5", instrument=path, song=song))
        self.assertNotEqual(first, second)


if __name__ == "__main__":
    main()
