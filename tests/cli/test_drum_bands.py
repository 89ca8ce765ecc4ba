"""tools/drum_bands.py measures what is known: tones that decay, in every format that it reads."""
import array
import importlib.util
import math
import os
import struct
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401  (what it measures with)
except ImportError:
    sys.exit(77)

PATH = os.path.join(os.environ["HERTZIAN_SOURCE"], "tools", "drum_bands.py")
spec = importlib.util.spec_from_file_location("drum_bands", PATH)
bands = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(bands)

HZ, T60_S, SILENCE = 250.0, 1.2, 4800


def tone(gain=0.5):
    """A tone in the middle of an octave that begins after a tenth of a second and falls by 60 dB in T60_S."""
    frames = int(bands.RATE_HZ * bands.NOTE_S)
    return [0.0] * SILENCE + [
        gain * 10 ** (-3 * i / bands.RATE_HZ / T60_S) * math.cos(2 * math.pi * HZ * i / bands.RATE_HZ) for i in range(frames)
    ]


def write(path, samples, bits):
    """Two equal channels, as integers of so many bits or, of 32, as floats."""
    if bits == 32:
        data = array.array("f", [x for s in samples for x in (s, s)]).tobytes()
    else:
        size, full = bits // 8, 2 ** (bits - 1)
        data = b"".join(round(s * full).to_bytes(size, "little", signed=True) * 2 for s in samples)
    form = struct.pack("<HHIIHH", 3 if bits == 32 else 1, 2, bands.RATE_HZ, bands.RATE_HZ * bits // 4, bits // 4, bits)
    with open(path, "wb") as f:
        f.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<I", 16) + form)
        f.write(b"data" + struct.pack("<I", len(data)) + data)


class Measures(unittest.TestCase):
    def test_a_tone_that_decays(self):
        with tempfile.TemporaryDirectory() as folder:
            for bits in (16, 24, 32):
                path = os.path.join(folder, "tone.wav")
                write(path, tone(), bits)
                m = bands.measure(path)
                # Half a least significant bit of 16 is -96 dB, and the onset is where the tone begins, within a sample.
                self.assertAlmostEqual(m["peak"], 20 * math.log10(0.5), delta=0.01)
                self.assertAlmostEqual(m["250 Hz"], 0.0, delta=0.05)
                self.assertLess(m["2000 Hz"], -30.0)
                self.assertAlmostEqual(m["t60 250 Hz"], T60_S, delta=0.02 * T60_S)
                # 10 ms from the start against 50 to 150 ms: the means of 10^(-6 t/T60), a period's phase left out.
                k = 6 * math.log(10) / T60_S
                expected = (1 - math.exp(-0.01 * k)) / 0.01 / ((math.exp(-0.05 * k) - math.exp(-0.15 * k)) / 0.1)
                self.assertAlmostEqual(m["attack"], 10 * math.log10(expected), delta=0.5)

    def test_cells_are_against_the_nearest(self):
        names = ["attack"] + [p + "%g Hz" % hz for p in ("", "t60 ") for hz in bands.OCTAVES_HZ]
        ours = {name: 1.0 for name in names}
        near, far = {name: 2.0 for name in names}, {name: 20.0 for name in names}
        near["16000 Hz"] = far["16000 Hz"] = -50.0  # not there: neither level nor time is compared
        rows = {name: off for name, _, _, off in bands.cells(ours, [far, near])}
        self.assertAlmostEqual(rows["250 Hz"], -1.0)
        self.assertAlmostEqual(rows["t60 250 Hz"], -20 * math.log10(2.0))
        self.assertNotIn("16000 Hz", rows)
        self.assertNotIn("t60 16000 Hz", rows)


if __name__ == "__main__":
    unittest.main()
