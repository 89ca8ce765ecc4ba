#!/usr/bin/env python3
"""Reports of users (docs/dev/user-reports.md) that no other test shows."""

import cmath
import json
import math
import os
import sys

sys.dont_write_bytecode = True
from support import Case, RATE, Sound, main, notes, smf, tick_of  # noqa: E402


def level(samples):
    return math.sqrt(sum(x * x for x in samples) / max(len(samples), 1))


class Reports(Case):
    def sound_of(self, events, instrument, *args):
        song = self.write("song.mid", smf([events]))
        done = self.render(song, "-i", instrument, "-s", "room=0", "-s", "human=0", "--channel", "omni", "--json", "-o", self.path("out.wav"),
                           *args)
        sound = Sound(self.read("out.wav"))
        return sound.samples()[0::2], json.loads(done.out)["songs"][0]

    def test_U50_an_end_of_track_that_is_not_waited_for_is_told(self):
        for rest, told in ((59.0, False), (61.0, True), (4860.0, True)):
            song = self.write("late.mid", smf([notes([(0.0, 60, 100, 0.5)]) + [(tick_of(0.5 + rest), b"\xff\x2f\x00")]]))
            result = self.render(song, "-o", self.path("out.wav"))
            self.assertEqual("End of Track" in result.err, told, result.err)
            self.assertLess(Sound(self.read("out.wav")).frames, 31 * RATE)
        self.assertIn("1:21:00.0 after the last event", result.err)
        self.assertNotIn("End of Track", self.render(song, "-o", self.path("out.wav"), "--tail", "none").err)

    def test_U81_the_speed_that_is_told_is_the_clocks(self):
        before = os.times().elapsed
        samples, song = self.sound_of(notes([(0.01 * i, 60 + i, 100, 4.0) for i in range(16)]), "marimba", "--tail", "6")
        took = os.times().elapsed - before
        # Its own clock begins later and ends earlier than ours.
        self.assertGreater(song["speed"], len(samples) / RATE / took)
        self.assertGreater(song["speed"], 1.0)

    def test_U86_the_pitch_is_the_same_at_every_rate(self):
        heard = {}
        for rate in (44100, 48000, 96000, 192000):
            samples, _ = self.sound_of(notes([(0.0, 69, 90, 1.5)]), "vibraphone", "-r", str(rate), "--end", "1.5", "--tail", "0")
            # The turn of the first partial's phase between two windows far apart.
            first, apart, length = int(0.3 * rate), int(0.8 * rate), int(0.2 * rate)
            def tone(at, hz):
                return sum(samples[at + i] * (1.0 - math.cos(2.0 * math.pi * i / length)) * cmath.exp(-2j * math.pi * hz * (at + i) / rate)
                           for i in range(0, length))
            turn = cmath.phase(tone(first + apart, 440.0) / tone(first, 440.0))
            heard[rate] = 440.0 + turn / (2.0 * math.pi * apart / rate)
        for rate, hz in heard.items():
            self.assertLess(abs(1200.0 * math.log2(hz / heard[48000])), 1.0, (rate, heard))

    def test_U90_more_breath_is_louder(self):
        levels = []
        for value in (20, 50, 80, 110, 127):
            events = [(0, bytes((0xB0, 2, value)))] + notes([(0.05, 50, 90, 1.6)])
            samples, _ = self.sound_of(events, "cello", "--end", "1.6", "--tail", "0")
            levels.append(level(samples[int(0.8 * RATE):int(1.5 * RATE)]))
        self.assertEqual(levels, sorted(levels), levels)
        self.assertGreater(levels[-1], 1.5 * levels[0], levels)

    def test_U91_a_bowed_note_of_no_length_is_heard(self):
        for seconds in (0.0, 0.002):
            samples, _ = self.sound_of(notes([(0.1, 50, 100, seconds)]), "cello", "--tail", "1")
            self.assertGreater(max(map(abs, samples)), 10.0 ** (-50.0 / 20.0))


if __name__ == "__main__":
    main()
