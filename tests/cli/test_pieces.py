"""Short pieces as they are played on the instruments of a band: rendered, nothing is reset, bounded, clipped or not finite, and the level is that of music."""

import json
import math
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, RATE, Sound, main, notes, run, smf, tick_of  # noqa: E402

LOUD, SOFT = -14.0, -42.0  # LUFS: what a single part of a song lies between


def strum():
    """A chord downwards and up again, string after string, 12 and 9 ms apart, three times, harder each time."""
    chord, spec = (40, 47, 52, 56, 59, 64), []
    for bar in range(3):
        for i, key in enumerate(chord):
            spec.append((1.2 * bar + 0.012 * i, key, 60 + 25 * bar, 0.55))
        for i, key in enumerate(reversed(chord)):
            spec.append((1.2 * bar + 0.6 + 0.009 * i, key, 50 + 25 * bar, 0.55))
    return notes(spec)


def glissando():
    """Harp: seven octaves of a scale upwards in two seconds, all left to ring under the pedal, and down again."""
    scale = [key for key in range(24, 104) if key % 12 in (0, 2, 3, 5, 7, 8, 10)]
    step = 2.0 / len(scale)
    spec = [(step * i, key, 50 + i, 0.1) for i, key in enumerate(scale)]
    spec += [(2.2 + step * i, key, 90, 0.1) for i, key in enumerate(reversed(scale))]
    return sorted([(0, b"\xb0\x40\x7f"), (tick_of(4.5), b"\xb0\x40\x00")] + notes(spec), key=lambda event: event[0])


def slapped():
    """Thumb on the low strings, pops an octave above, ghost notes between."""
    spec = []
    for beat in range(8):
        at, root = 0.5 * beat, (28, 28, 31, 33)[beat // 2]
        spec += [(at, root, 110, 0.2), (at + 0.125, root + 12, 30, 0.05), (at + 0.25, root + 12, 124, 0.12), (at + 0.375, root, 90, 0.1)]
    return notes(spec)


def crescendo():
    """One bowed note of four seconds, the bow drawn ever faster and pressed ever harder, and a slur to the fourth above."""
    events = [(tick_of(0.04 * i), bytes((0xB0, number, 20 + i))) for i in range(108) for number in (2, 11)]
    return sorted(events + notes([(0.0, 50, 80, 4.2), (4.2, 55, 90, 1.2)]), key=lambda event: event[0])


def riff():
    """Clavinet: sixteenths with a backbeat, short and held."""
    line = (45, 0, 57, 45, 48, 0, 60, 55, 45, 45, 57, 0, 50, 52, 48, 57)
    spec = [(0.14 * i, key, 118 if i % 4 == 2 else 85, 0.07 if i % 3 else 0.2) for i, key in enumerate(line * 2) if key]
    return notes(spec)


def ballad():
    """Tine piano: four soft chords under the pedal and a line that grows over them."""
    events, spec = [], []
    for bar, chord in enumerate(((41, 57, 60, 64), (38, 57, 60, 65), (43, 55, 59, 65), (36, 55, 59, 64))):
        events += [(tick_of(1.5 * bar + 0.05), b"\xb0\x40\x7f"), (tick_of(1.5 * bar + 1.45), b"\xb0\x40\x00")]
        spec += [(1.5 * bar, key, 45, 1.2) for key in chord]
        spec += [(1.5 * bar + 0.375 * i, 72 + (0, 4, 7, 2)[i] - bar, 60 + 15 * bar, 0.4) for i in range(4)]
    return sorted(events + notes(spec), key=lambda event: event[0])


def bowed():
    """A violin over a section that holds a chord, as two parts of a song by their program changes."""
    lead = [(0, b"\xc0\x28")] + notes([(0.5 * i, key, 90, 0.48) for i, key in enumerate((67, 71, 74, 79, 78, 74, 71, 69))])
    pad = [(0, b"\xc1\x30")] + notes([(0.0, 55, 60, 4.0), (0.0, 62, 60, 4.0), (0.0, 71, 60, 4.0)], channel=1)
    return lead, pad


PIECES = (("guitar-nylon", strum), ("guitar-steel", strum), ("harp", glissando), ("slap", slapped), ("cello", crescendo),
          ("clavinet", riff), ("tine-piano", ballad), ("harpsichord", riff))


class Pieces(Case):
    def play(self, tracks, *more):
        song = self.write("piece.mid", smf(tracks))
        result = run("render", song, *more, "-e", "f32", "--json", "-o", self.path("piece.wav"), timeout=300)
        self.assertEqual(result.code, DONE, result.err)
        report = json.loads(result.out)["songs"][0]
        sound = Sound(self.read("piece.wav"))
        left = sound.samples()[::sound.channels]
        self.assertTrue(all(map(math.isfinite, left)))
        for count in ("resets", "solver_bounds", "clipped", "strikes_refused", "dropped", "octaves"):
            self.assertEqual(report[count], 0, (more, count))
        self.assertTrue(SOFT < report["loudness_lufs"] < LOUD, (more, report["loudness_lufs"]))
        self.assertLess(report["true_peak_dbtp"], 0.0, more)
        return report, left

    def test_pieces(self):
        for name, piece in PIECES:
            with self.subTest(name):
                report, _ = self.play([piece()], "-i", name)
                self.assertEqual(report["strikes"], report["notes"])

    def test_a_crescendo_grows(self):
        _, left = self.play([crescendo()], "-i", "cello", "-s", "human=0")
        levels = [math.sqrt(sum(x * x for x in left[int(at * RATE):int((at + 0.5) * RATE)])) for at in (0.5, 1.5, 2.5, 3.5)]
        self.assertEqual(levels, sorted(levels))
        self.assertGreater(20.0 * math.log10(levels[-1] / levels[0]), 6.0, levels)

    def test_programs_choose_violin_and_section(self):
        report, _ = self.play(list(bowed()))
        self.assertEqual([(part["instrument"], part["why"]) for part in report["parts"]], [("violin", "own"), ("strings", "own")])


if __name__ == "__main__":
    main()
