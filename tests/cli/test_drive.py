"""Hammers that a sound drives: `render --drive`, and `play --input` with a sound file standing in for a device."""

import json
import math
import os
import random
import resource
import struct
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from live import LiveCase, off, on, pause  # noqa: E402
from support import DONE, INPUT, PROGRAM, RATE, USAGE, Sound, main, notes, run, smf  # noqa: E402

DRIVEN, NOT_DRIVEN = "phonobump", "glockenspiel"
DEVICE = 3  # exit code
PRESSED = ("-s", "drive.rest=-0.001")  # the hammer lies on its bar: what drives it is heard at once


def wav(channels, rate=RATE):
    """A 32-bit float file of equally long lists of samples."""
    body = struct.pack("<%df" % (len(channels) * len(channels[0])), *(x for frame in zip(*channels) for x in frame))
    n = len(channels)
    return (b"RIFF" + struct.pack("<I", 36 + len(body)) + b"WAVEfmt " +
            struct.pack("<IHHIIHH", 16, 3, n, rate, rate * 4 * n, 4 * n, 32) + b"data" + struct.pack("<I", len(body)) + body)


def tone(seconds, hz=90.0, rate=RATE, amplitude=0.5):
    return [amplitude * math.sin(2 * math.pi * hz * i / rate) for i in range(round(seconds * rate))]


def beats(seconds, seed=3):
    """Bursts of noise and tone."""
    rng = random.Random(seed)
    return [(0.6 * rng.uniform(-1, 1) + 0.4 * math.sin(i * 0.02)) * math.exp(-(i % 9600) / 1500.0)
            for i in range(round(seconds * RATE))]


class Drive(LiveCase):
    def held(self, name="held.mid", key=60, seconds=0.5):
        return self.write(name, smf([notes([(0.0, key, 30, seconds)])]))

    def out(self, *args, name="out.wav", **more):
        """Samples of a render in float."""
        self.render(*args, "-e", "f32", "-o", self.path(name), "-q", **more)
        return self.sound(name)


class WithoutASong(Drive):
    def test_beside_the_sound_and_as_long_as_it(self):
        path = self.write("in.wav", wav([beats(0.7)]))
        said = self.render("--drive", path)
        self.nothing_written("in.wav", "in-driven.wav")
        self.assertRegex(said.lines[0], r"in\.wav: 0:00\.7, drives key F#4 \(66\) of the phonobump$")
        self.render("--drive", path, "--tail", "none", "-f", "flac", "-i", DRIVEN)
        self.render("--drive", path, "--tail", "none", "-e", "f32", "-o", self.path("a.wav"))
        sound = self.sound("a.wav")
        self.assertEqual(sound.frames, round(0.7 * RATE))
        self.assertGreater(self.level(sound.samples(), 0.1, 0.7), 1e-4)
        self.assertGreater(self.sound("in-driven.wav").frames, round(0.7 * RATE))
        self.nothing_written("in.wav", "in-driven.wav", "in-driven.flac", "a.wav")

    def test_into_a_folder(self):
        path = self.write("in.aiff.wav", wav([tone(0.1)]))
        os.mkdir(self.path("to"))
        self.render("--drive", path, "-o", self.path("to"), "--tail", "none")
        self.nothing_written("in.aiff.wav", os.path.join("to", "in.aiff-driven.wav"))

    def test_transposing_chooses_the_key(self):
        path = self.write("in.wav", wav([beats(0.3)]))
        said = self.render("--drive", path, "--transpose", "-6", "--tail", "none", "-o", self.path("a.wav"))
        self.assertIn("key C4 (60)", said.err)
        song = self.write("c4.mid", smf([notes([(0.0, 60, 1, 0.3)])]))
        self.render("--drive", path, song, "--tail", "none", "-o", self.path("b.wav"))
        self.assertEqual(self.read("a.wav"), self.read("b.wav"))

    def test_json(self):
        path = self.write("in.wav", wav([tone(0.25)]))
        said = json.loads(self.render("--drive", path, "--json", "--tail", "none").out)["songs"]
        self.assertEqual(len(said), 1)
        self.assertIsNone(said[0]["song"])
        self.assertEqual(said[0]["drive"], path)
        self.assertEqual(said[0]["frames"], RATE // 4)


class WithASong(Drive):
    def test_frame_0_is_frame_0(self):
        at = 12345
        silence = [0.0] * 20000
        click = list(silence)
        click[at:at + 20] = [0.8] * 20
        song = self.held()
        quiet = self.out("--drive", self.write("0.wav", wav([silence])), song, *PRESSED).samples()
        loud = self.out("--drive", self.write("1.wav", wav([click])), song, *PRESSED).samples()
        none = self.out(song, "-i", DRIVEN, *PRESSED).samples()
        self.assertEqual(quiet, none)  # a silent drive is none
        self.assertEqual(quiet[:2 * at], loud[:2 * at])
        first = next(i for i in range(len(loud)) if loud[i] != quiet[i])
        self.assertLess(first // 2 - at, 100)  # a wave's way along the bar, and no more: 2 ms

    def test_only_held_keys_are_driven(self):
        song = self.write("s.mid", smf([notes([(0.0, 60, 1, 0.2)])]))
        silent = self.write("0.wav", wav([[0.0] * 48000]))
        late = self.write("1.wav", wav([[0.0] * 24000 + beats(0.5)]))  # begins when the key has been let go
        self.assertEqual(self.out("--drive", silent, song, "--tail", "1").body, self.out("--drive", late, song, "--tail", "1").body)

    def test_the_mean_of_all_channels(self):
        a, b = beats(0.5, 1), beats(0.5, 2)
        both = self.out("--drive", self.write("2.wav", wav([a, b])), self.held())
        mean = self.out("--drive", self.write("1.wav", wav([[(x + y) / 2 for x, y in zip(a, b)]])), self.held())
        # The mean of two 24-bit mantissas is rounded once more or once less; nothing else differs.
        peak = max(map(abs, mean.samples()))
        self.assertGreater(peak, 1e-4)
        self.assertLess(max(abs(x - y) for x, y in zip(both.samples(), mean.samples())), 0.2 * peak)
        left = self.out("--drive", self.write("3.wav", wav([a, [0.0] * len(a)])), self.held(), "-s", "drive.gain=20")
        alone = self.out("--drive", self.write("4.wav", wav([a])), self.held(), "-s", "drive.gain=10")
        self.assertEqual(left.body, alone.body)  # half of it at twice the force

    def test_any_rate(self):
        # A bump of 2 ms shoves a hammer that lies on its bar: what it changes begins at the same time, whatever the file's rate.
        at = 0.25
        song = self.held()
        quiet = self.out("--drive", self.write("0.wav", wav([[0.0] * RATE])), song, *PRESSED).samples()
        begins, sizes = [], []
        for rate in (48000, 44100, 96000, 11025, 12347):
            bump = [math.exp(-((i / rate - at) / 0.0005) ** 2) for i in range(rate // 2)]
            loud = self.out("--drive", self.write("%d.wav" % rate, wav([bump], rate)), song, *PRESSED).samples()
            change = [max(abs(loud[2 * i] - quiet[2 * i]), abs(loud[2 * i + 1] - quiet[2 * i + 1])) for i in range(RATE // 2)]
            near = max(change[round((at - 0.005) * RATE):round((at + 0.005) * RATE)])
            self.assertGreater(near, 1e-5)
            sizes.append(near)
            begins.append(next(i for i, x in enumerate(change) if x > 0.05 * near))
        self.assertLess(abs(begins[0] / RATE - at), 0.0015)
        for begin in begins[1:]:
            self.assertLessEqual(abs(begin - begins[0]), 3)  # the ripple of the filter decides where 5 % are passed
        for size in sizes[1:]:
            self.assertAlmostEqual(size / sizes[0], 1.0, delta=0.02)

    def test_blocks_and_jobs_change_nothing(self):
        path = self.write("in.wav", wav([beats(0.5)], 44100))
        songs = [self.held("%d.mid" % key, key) for key in (55, 60, 70)]
        for i, song in enumerate(songs):
            self.render("--drive", path, song, "-b", str(64 << i), "-o", self.path("alone%d.wav" % i))
        self.render("--drive", path, *songs, "-j", "3")
        for i, key in enumerate((55, 60, 70)):
            self.assertEqual(self.read("alone%d.wav" % i), self.read("%d.wav" % key))

    def test_a_damaged_file_drives_as_far_as_it_goes_and_is_told(self):
        whole = wav([beats(0.5)])
        cut = self.write("cut.wav", whole[:44 + 4 * 12000])
        told = [line for line in self.render("--drive", cut, self.held(), "--tail", "none").lines if "cut.wav" in line]
        self.assertEqual(len(told), 1, told)
        self.assertIn("cut short, 12000 of 24000 frames are there; silence from there on", told[0])
        self.write("whole.wav", whole)
        self.assertNotIn("warning", self.render("--drive", self.path("whole.wav"), self.held(), "--tail", "none").err)

    def test_what_is_no_sound_is_counted(self):
        samples = beats(0.5)
        for i, value in enumerate((math.nan, math.inf, -math.inf, 1e30, -1e30)):
            samples[1000 + 7 * i] = value
        mad = self.write("mad.wav", wav([samples]))
        held = [0.0 if not math.isfinite(x) else max(-1000.0, min(1000.0, x)) for x in samples]
        sane = self.write("sane.wav", wav([held]))
        said = self.render("--drive", mad, self.held(), "-o", self.path("a.wav"))
        told = [line for line in said.lines if "mad.wav" in line]
        self.assertEqual(len(told), 1, told)
        self.assertIn("3 frames are no numbers", told[0])
        self.assertIn("2 frames are beyond 1000 times full scale", told[0])
        self.assertNotIn("warning", self.render("--drive", sane, self.held(), "-o", self.path("b.wav")).err)
        self.assertEqual(self.read("a.wav"), self.read("b.wav"))
        live = self.live("--input", "file:" + mad, instrument=DRIVEN)
        pause(0.8)
        live.stop()
        self.assertIn("3 frames are no numbers", live.said)


class Faults(Drive):
    def test_what_drives_is_not_there_or_no_sound(self):
        song = self.held()
        for name, data, word in (("none.wav", None, "No such file"), ("empty.wav", b"", "empty"),
                                 ("text.wav", b"hello hello hello hello hello", "audio"), ("no.wav", wav([[]]), "no sound"),
                                 ("slow.wav", wav([[0.0] * 10], 500), "500 Hz")):
            path = self.path(name) if data is None else self.write(name, data)
            for songs in ([], [song], [song, self.held("b.mid")]):
                self.one_error(run("render", "--drive", path, *songs), INPUT, name, word)
            self.one_error(run("play", "-a", "null", "-m", "none", "--input", "file:" + path), INPUT, name, word)
        self.one_error(run("render", "--drive", self.folder), INPUT, "folder")
        os.mkfifo(self.path("fifo"))
        self.one_error(run("render", "--drive", self.path("fifo")), INPUT, "fifo", "regular")
        self.assertFalse([name for name in os.listdir(self.folder) if "driven" in name or name == "held.wav"])

    def test_an_instrument_that_is_not_driven(self):
        path = self.write("in.wav", wav([tone(0.1)]))
        self.one_error(run("render", "--drive", path, "-i", NOT_DRIVEN), USAGE, NOT_DRIVEN, "-i " + DRIVEN)
        self.one_error(run("play", "-a", "null", "-m", "none", "--input", "file:" + path, "-i", NOT_DRIVEN), USAGE,
                       NOT_DRIVEN, "-i " + DRIVEN)
        self.nothing_written("in.wav")

    def test_flags_of_the_other_command(self):
        self.one_error(run("play", "--drive", "x.wav"), USAGE, "--drive", "render has it")
        self.one_error(run("render", "--input", "x", "a.mid"), USAGE, "--input", "play has it")
        self.one_error(run("render", "--drive", ""), USAGE, "empty")
        self.one_error(run("render"), USAGE, "which song")

    def test_the_sound_is_never_overwritten(self):
        data = wav([tone(0.1)])
        path = self.write("in.wav", data)
        os.link(path, self.path("same.wav"))
        part = self.write("out.wav.part", data)
        for drive, to in ((path, path), (path, self.path("same.wav")), (part, self.path("out.wav"))):
            self.one_error(run("render", "--drive", drive, "-o", to), USAGE, "overwritten")
        self.assertEqual({self.read(name) for name in ("in.wav", "same.wav", "out.wav.part")}, {data})

    def test_devices_that_are_not_there(self):
        self.one_error(run("play", "-a", "null", "-m", "none", "--input", "mic"), DEVICE, '"mic"', "file:")

    def test_a_long_file_is_not_loaded(self):
        # An hour of 8 channels at 96 kHz, 11 GB if it were there, with a third of a gigabyte to live in.
        head = bytearray(wav([[0.0]] * 8, 96000))
        size = 3600 * 96000 * 32 % (1 << 32) & ~31
        head[40:44] = struct.pack("<I", size)
        head[4:8] = struct.pack("<I", size + 36)
        path = self.write("long.wav", bytes(head))
        os.truncate(path, size + 44)
        limit = 320 << 20
        result = subprocess.run([PROGRAM, "render", "--drive", path, self.held(), "--end", "0.2", "--tail", "none", "-o",
                                 self.path("a.wav")], stderr=subprocess.PIPE, timeout=60,
                                preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                                if os.environ.get("HERTZIAN_SLOW", "1") == "1" else None)  # sanitizers map terabytes
        self.assertEqual(result.returncode, DONE, result.stderr)


class Live(Drive):
    def test_the_recording_is_the_render(self):
        for rate, size in ((RATE, "128"), (44100, "32")):
            name = "%d" % rate
            path = self.write(name + "-in.wav", wav([beats(5.0)], 44100))
            live = self.live("--input", "file:" + path, "--record", self.path(name + ".wav"), "--record-midi",
                             self.path(name + ".mid"), "-r", name, "-b", size, instrument=DRIVEN)
            rng = random.Random(rate)
            pause(0.2)
            for _ in range(12):
                key = rng.randrange(48, 85)
                live.send(on(key, rng.randrange(1, 100)))
                time.sleep(rng.random() * 0.15)
                if rng.random() < 0.7:
                    live.send(off(key))
            live.stop()
            self.assertEqual(live.stats["input_frames_missing"], 0)
            self.assertGreater(live.stats["input_peak_dbfs"], -20)
            if live.stats["keys_relieved"] > 0:
                self.skipTest("the overload guard had to act")
            self.render(self.path(name + ".mid"), "--drive", path, "-r", name, "-e", "f32", "--tail", "1", "--channel", "omni",
                        "-o", self.path(name + "-again.wav"))
            self.render(self.path(name + ".mid"), "-i", DRIVEN, "-r", name, "-e", "f32", "--tail", "1", "--channel", "omni",
                        "-o", self.path(name + "-undriven.wav"))
            played, again, undriven = (self.sound(name + end + ".wav") for end in ("", "-again", "-undriven"))
            self.assertGreater(played.frames, rate // 2)
            self.assertTrue(again.body.startswith(played.body))
            self.assertFalse(undriven.body.startswith(played.body))

    def test_it_ends_when_the_file_and_the_keys_have(self):
        path = self.write("in.wav", wav([tone(1.0)]))
        result = run("play", "-a", "null", "-m", "none", "--midi-raw", "-", "--input", "file:" + path, "--stats",
                     stdin=bytes(on(72) + off(72)))
        self.assertEqual(result.code, DONE, result.err)
        stats = json.loads(result.out)
        self.assertGreater(stats["seconds"], 0.99)
        self.assertEqual(stats["input"], "file:" + path)
        self.assertIn("input  " + path, result.err)

    def test_without_a_name_it_plays_what_is_driven(self):
        path = self.write("in.wav", wav([tone(0.5)]))
        live = self.live("--input", "file:" + path, instrument=None)
        live.stop()
        self.assertEqual(live.stats["instrument"], DRIVEN)

    def test_a_file_that_is_cut_short_is_told(self):
        flac = self.path("in.flac")
        path = self.write("in.wav", wav([beats(1.0)]))
        self.render("--drive", path, "-f", "flac", "-o", flac, "-q")
        data = self.read("in.flac")
        cut = self.write("cut.flac", data[:len(data) // 2])
        live = self.live("--input", "file:" + cut, instrument=DRIVEN)
        live.send(on(60))
        pause(1.5)
        live.stop()
        self.assertIn("cut.flac: ", live.said)
        self.assertIn("silence from there on", live.said)
        self.assertIn("silence from there on", self.render("--drive", cut, self.held(seconds=1.5)).err)


if __name__ == "__main__":
    main()
