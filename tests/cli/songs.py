"""Real songs through one instrument: Debian's openttd-openmsx, 31 files by several composers."""

import array
import glob
import math
import os
import sys

from support import Case, Sound

FOLDER = os.environ.get("HERTZIAN_SONGS", "/usr/share/games/openttd/baseset/openmsx")
EVERY = 1 if os.environ.get("HERTZIAN_ALL_SONGS") else 4  # all of them take minutes
FILES = sorted(glob.glob(os.path.join(FOLDER, "*.mid")))[EVERY // 4::EVERY]
RATE = 48000
LOUD_MOST = 5         # songs of an instrument that may go above full scale
MEAN_MOST = 1e-3      # -60 dB: mean of a channel over any second of the song's own clock, beside the peak of one note at fortissimo
SECONDS_MOST = 60     # for one song to render


class Songs(Case):
    """For a test of its own per instrument: each takes its minute."""

    def measure(self, song, instrument):
        """Peak, and the largest mean over a whole second, of full scale."""
        self.render(song, "-i", instrument, "-q", "-e", "f32", "-r", str(RATE), "-o", self.path("song.wav"), timeout=SECONDS_MOST)
        sound = Sound(self.read("song.wav"))
        samples = array.array("f", sound.body)
        if sys.byteorder == "big":
            samples.byteswap()
        step = RATE * sound.channels
        worst = 0.0
        for start in range(0, len(samples) - step + 1, step):
            for channel in range(sound.channels):
                mean = sum(samples[start + channel:start + step:sound.channels]) / RATE
                self.assertTrue(math.isfinite(mean), "%s: not finite at %d s" % (song, start // step))
                worst = max(worst, abs(mean))
        self.assertTrue(math.isfinite(sum(samples)))
        return max(max(samples), -min(samples)), worst

    def one_note(self, instrument):
        self.render(self.song(spec=((0.0, 72, 127, 0.25),)), "-i", instrument, "-q", "-e", "f32", "-r", str(RATE), "-o", self.path("note.wav"))
        return Sound(self.read("note.wav")).samples()

    def play_all(self, instrument):
        if not FILES:
            self.skipTest("no songs: package openttd-openmsx")
        loud = []
        note = max(map(abs, self.one_note(instrument)))
        for song in FILES:
            with self.subTest(song=os.path.basename(song)):
                peak, mean = self.measure(song, instrument)
                self.assertGreater(peak, 0.0)
                self.assertLess(mean, MEAN_MOST * note, "mean %.1f dBFS, a note %.1f" % tuple(20.0 * math.log10(x or 1e-30) for x in (mean, note)))
                if peak > 1.0:
                    loud.append("%s %+.1f dBFS" % (os.path.basename(song), 20.0 * math.log10(peak)))
        self.assertLessEqual(len(loud), LOUD_MOST, loud)
