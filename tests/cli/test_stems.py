"""A file for each channel: together they are the whole."""

import json
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from support import PROGRAM, USAGE, Case, Sound, main, notes, run, smf  # noqa: E402


class Stems(Case):
    def three(self):
        spec = [notes([(0.0, 80, 100, 0.3), (0.4, 84, 90, 0.3)], 0), notes([(0.1, 90, 80, 0.4)], 3), notes([(0.2, 85, 70, 0.2)], 12)]
        return self.write("song.mid", smf(spec))

    def test_U79_the_sum_is_the_mix(self):
        song = self.three()
        for encoding, more in (("s24", ("--start", "0.1", "--end", "0.5")), ("s16", ("-g", "-3", "--tail", "0.5")), ("f32", ("--tail", "0.5")),
                               ("s24", ("-s", "room=0.4", "--tail", "1"))):
            self.render(song, "-i", "glockenspiel", "-e", encoding, *more, "-o", self.path("mix.wav"))
            done = self.render(song, "-i", "glockenspiel", "-e", encoding, *more, "--stems", "channel", "-o", self.path("out.wav"))
            names = sorted(name for name in os.listdir(self.folder) if name.startswith("out"))
            self.assertEqual(names, ["out-ch01.wav", "out-ch04.wav", "out-ch13.wav"])
            self.assertTrue(done.lines[-1].startswith(", ".join(self.path(name) for name in names) + ": 0:"), done.err)
            mix, stems = Sound(self.read("mix.wav")), [Sound(self.read(name)) for name in names]
            self.assertEqual({stem.frames for stem in stems}, {mix.frames})
            self.assertTrue(all(max(map(abs, stem.samples())) > 1e-4 for stem in stems))
            # Each is rounded by itself, at 16 bits after dither of a step either way: what 24 bits and float make of it is within a step.
            step = {"s24": 2.0 ** -23, "f32": 2.0 ** -23, "s16": 2.0 ** -15}[encoding]
            allowed = 2.0 * step if encoding != "s16" else 8.0 * step
            for whole, *parts in zip(mix.samples(), *(stem.samples() for stem in stems)):
                self.assertLessEqual(abs(whole - sum(parts)), allowed)

    def test_programs_are_told_the_files(self):
        song = self.three()
        done = self.render(song, "-i", "glockenspiel", "--json", "--stems", "channel", "-o", self.path("out.wav"))
        result = json.loads(done.out)["songs"][0]
        self.assertIsNone(result["output"])
        self.assertEqual(result["stems"], [self.path(f"out-ch{n}.wav") for n in ("01", "04", "13")])

    def test_what_cannot_be(self):
        song = self.three()
        for args, word in ((("--stems", "tracks"), "--stems channel"), (("--stems", "channel", "--normalize"), "--normalize"),
                           (("--stems", "channel", "-o", "-"), "standard output")):
            self.one_error(run("render", song, "-i", "glockenspiel", *args), USAGE, word)
        self.nothing_written("song.mid")

    def test_interrupted_nothing_is_left(self):
        song = self.write("song.mid", smf([notes([(i / 16, 79 + i % 30, 100, 0.1) for i in range(16 * 600)], c) for c in (0, 1)]))
        process = subprocess.Popen([PROGRAM, "render", "-q", "-i", "glockenspiel", song, "--stems", "channel", "-o", self.path("x.wav")],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while not os.path.exists(self.path("x-ch02.wav.part")) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(30), 128 + signal.SIGINT)
        self.nothing_written("song.mid")


if __name__ == "__main__":
    main()
