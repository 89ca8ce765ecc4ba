"""`try` and `level`: an instrument heard and measured without a song; `validate` on how loud its keys are."""

import json
import math
import os
import re
import sys

sys.dont_write_bytecode = True
from support import Case, DEVICE, DONE, INPUT, Sound, USAGE, loudness, main, run  # noqa: E402

BAR = """format: 1
name: Bar
keys: [60, 72]
per_key:
  bar: {body: bar, length: {60: 0.35, 72: 0.25}, width: 0.04, thickness: 0.02, material: rosewood, t60: 0.8, t60_high: 0.2, t60_high_hz: 4000}
mallet: {strikes: bar, mass: 0.03, speed: [0.2, 4.0], at: 0.5, contact: {law: hunt-crossley, exponent: 1.5, stiffness: 1.0e+6, viscosity: 0.3}}
pickups:
  - {of: bar, at: 0.5, quantity: velocity, gain: %s}
"""


def even(gain):
    """A table with which the keys of the bar are about equally loud."""
    return "{0: %g, 60: %g, 72: %g, 127: %g}" % (gain, gain, 5.0 * gain, 5.0 * gain)


class Try(Case):
    def notes(self, *args):
        result = run("try", *args, "-o", self.path("x.wav"), "--json")
        self.assertEqual(result.code, DONE, result.err)
        return json.loads(result.out)["notes"]

    def test_what_it_says_is_in_the_file(self):
        note, = self.notes("marimba", "--keys", "A4", "--velocity", "100")
        sound = Sound(self.read("x.wav"))
        self.assertEqual((note["key"], note["velocity"]), (69, 100))
        peak = max(map(abs, sound.samples()[:2 * 2 * 48000]))
        self.assertAlmostEqual(note["peak_dbfs"], 20.0 * math.log10(peak), delta=0.01)
        # The loudest 400 ms are no softer than the gated whole.
        self.assertGreaterEqual(note["loudness_lufs"], loudness(sound) - 0.1)
        left = sound.samples()[0::2]

        def power(hz):
            re_ = sum(x * math.cos(2.0 * math.pi * hz * i / 48000.0) for i, x in enumerate(left[:48000]))
            im = sum(x * math.sin(2.0 * math.pi * hz * i / 48000.0) for i, x in enumerate(left[:48000]))
            return re_ * re_ + im * im
        self.assertGreater(power(note["pitch_hz"]), 4.0 * power(note["pitch_hz"] * 1.01))
        self.assertAlmostEqual(note["cents"], 1200.0 * math.log2(note["pitch_hz"] / 440.0), delta=0.01)

    def test_a_decay_that_is_known(self):
        file = self.write("one.yaml", (BAR % "0.05").replace("t60_high: 0.2, t60_high_hz: 4000", "limit_hz: 600").encode())
        note, = self.notes(file, "--keys", "60", "--velocity", "90", "-s", "human=0", "-s", "room=0")
        self.assertAlmostEqual(note["t60_s"], 0.8, delta=0.01)  # one mode, one exponential
        self.assertAlmostEqual(note["cents"], 0.0, delta=1.0)

    def test_keys_velocities_and_settings(self):
        notes = self.notes("glockenspiel", "--keys", "C6,c#6,Db6,90", "--velocity", "20,127")
        self.assertEqual([(n["key"], n["velocity"]) for n in notes], [(k, v) for k in (84, 85, 85, 90) for v in (20, 127)])
        for soft, hard in zip(notes[::2], notes[1::2]):
            self.assertGreater(hard["peak_dbfs"], soft["peak_dbfs"] + 10.0)
        tuned, = self.notes("glockenspiel", "--keys", "C6", "--velocity", "90", "-s", "tune=30")
        plain, = self.notes("glockenspiel", "--keys", "C6", "--velocity", "90")
        self.assertAlmostEqual(tuned["cents"] - plain["cents"], 30.0, delta=0.2)
        self.assertEqual(len(self.notes("marimba")), 6)

    def test_a_bowed_note_has_no_decay(self):
        for note in self.notes("cello", "--keys", "48", "--velocity", "90"):
            self.assertIsNone(note["t60_s"])

    def test_table_and_playing(self):
        result = run("try", "marimba", "--keys", "60", "--velocity", "90", "-a", "null", "-q")
        self.assertEqual(result.code, DONE, result.err)
        lines = result.out.decode().splitlines()
        self.assertRegex(lines[0], r"^KEY +VEL +PEAK dBFS +LUFS +CENTROID Hz +T60 s +PITCH Hz +CENT$")
        self.assertRegex(lines[1], r"^C4 +90 +-\d+\.\d +-\d+\.\d +\d+ +\d+\.\d\d +2\d\d\.\d\d +-?\d\.\d$")
        self.one_error(run("try", "marimba", "--keys", "60", "-a", "no such device"), DEVICE, "no such device")

    def test_picture(self):
        result = run("try", "marimba", "--keys", "60", "-o", self.path("x.wav"), "--plot", self.path("x.svg"))
        self.assertEqual(result.code, DONE, result.err)
        if os.path.exists(self.path("x.svg")):
            self.assertIn("marimba, C4 (key 60), velocity 100", self.read("x.svg").decode())
        else:
            rows = self.read("x.svg.csv").decode().splitlines()
            self.assertEqual(rows[0], "partial_hz,time_s,level_db,alone_db")
            self.assertGreater(len(rows), 100)

    def test_what_is_refused(self):
        self.one_error(run("try"), USAGE, "takes one instrument")
        self.one_error(run("try", "marimba", "piano"), USAGE, "takes one instrument")
        self.one_error(run("try", "no-such-thing"), INPUT, "no-such-thing")
        for keys in ("H4", "C", "128", "60,", ",60", "C#", "C99", "-1", ",".join(["60"] * 17)):
            self.one_error(run("try", "marimba", "--keys=" + keys), USAGE, "--keys")
        for velocity in ("0", "128", "x", "1,,2", "1.5"):
            self.one_error(run("try", "marimba", "--velocity", velocity), USAGE, "--velocity")
        self.one_error(run("try", "marimba", "-s", "bow.force=1"), USAGE, "bow.force")


class Level(Case):
    uneven = "{0: 0.02, 60: 0.02, 66: 0.002, 72: 0.04, 127: 0.04}"

    def level(self, gain):
        file = self.write("bar.yaml", (BAR % gain).encode())
        result = run("level", file, "--json")
        self.assertEqual(result.code, DONE, result.err)
        return json.loads(result.out)[0]

    def test_gains_make_keys_even(self):
        before = self.level("{60: 0.02, 72: 0.4}")
        self.assertGreater(before["spread_lu"], 12.0)
        result = run("level", self.path("bar.yaml"))
        gains = re.search(r"gain: (\{[^}]*\})", result.out.decode()).group(1)
        after = self.level(gains)
        self.assertLess(after["spread_lu"], 1.5)  # what lies between the points of the table
        self.assertAlmostEqual(after["spread_lu"], before["spread_then_lu"], delta=0.3)
        note = run("try", self.path("bar.yaml"), "--keys", "66", "--velocity", "127", "-s", "room=0", "-s", "human=0", "--json",
                   "-o", self.path("x.wav"))
        self.assertAlmostEqual(json.loads(note.out)["notes"][0]["peak_dbfs"], -16.0, delta=0.5)

    def test_validate_says_that_keys_differ(self):
        file = self.write("bar.yaml", (BAR % self.uneven).encode())
        result = run("instruments", "validate", file)
        self.assertEqual(result.code, DONE, result.err)
        self.assertRegex(result.err, r"bar\.yaml:8:3: warning: pickups: keys 66 and \d+ differ by \d+ dB in loudness")
        for gain, said in ((0.0002, "peaks at -"), (0.02, "")):
            result = run("instruments", "validate", self.write("bar.yaml", (BAR % even(gain)).encode()))
            self.assertEqual(result.code, DONE)
            self.assertEqual("warning" in result.err, bool(said), result.err)
            self.assertIn(said, result.err)

    def test_what_is_refused(self):
        self.one_error(run("level"), USAGE, "takes one instrument")
        self.one_error(run("level", self.path("none.yaml")), INPUT, "none.yaml")


if __name__ == "__main__":
    main()
