"""What a render does with a song: lengths, tails, excerpts, levels, several songs, pipes, the words it says."""

import json
import math
import os
import re
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from support import (Case, DONE, INPUT, OUTPUT, PROGRAM, RATE, SONGS, Sound, USAGE, decode, loudness, main, notes, run, smf,  # noqa: E402
                     tick_of)


class Length(Case):
    """Frames of the file, exactly, from the rule of --tail."""

    def frames(self, *args, spec=None, song=None):
        song = song or self.song(spec=spec or ((0.0, 60, 100, 0.5),))
        self.render(song, "-q", "-o", self.path("out.wav"), *args)
        return Sound(self.read("out.wav")).frames

    def test_none_and_zero_end_at_the_last_event(self):
        self.assertEqual(self.frames("--tail", "none"), RATE // 2)
        self.assertEqual(self.frames("--tail", "0"), RATE // 2)
        self.assertEqual(self.frames("--tail", "0", "-r", "44100"), 22050)

    def test_seconds_after_the_last_event(self):
        self.assertEqual(self.frames("--tail", "0.25"), RATE * 3 // 4)

    def test_end_of_track(self):
        song = self.write("eot.mid", smf([notes([(0.0, 60, 100, 0.5)]) + [(tick_of(1.25), b"\xff\x2f\x00")]]))
        self.assertEqual(self.frames("--tail", "eot", song=song), RATE * 5 // 4)
        self.assertEqual(self.frames("--tail", "none", song=song), RATE // 2)

    def test_missing_note_off_is_closed_at_end_of_track(self):
        song = self.write("open.mid", smf([[(0, b"\x90\x3c\x64"), (tick_of(0.75), b"\xff\x2f\x00")]]))
        result = self.render(song, "--tail", "none", "-o", self.path("out.wav"))
        self.assertIn("1 missing note-off closed at the end", result.err)
        self.assertEqual(Sound(self.read("out.wav")).frames, RATE * 3 // 4)

    def test_auto_waits_for_quiet_and_fades(self):
        song = self.song(spec=((0.0, 60, 100, 0.25),))
        self.render(song, "-q", "-e", "f32", "-o", self.path("auto.wav"))
        self.render(song, "-q", "-e", "f32", "-o", self.path("long.wav"), "--tail", "30")
        automatic, whole = Sound(self.read("auto.wav")), Sound(self.read("long.wav")).samples()
        got = automatic.samples()
        fade = RATE // 100
        self.assertEqual(got[:-2 * fade], whole[:len(got) - 2 * fade])
        self.assertEqual(got[-2:], [0.0, 0.0])
        threshold, quiet, end = 10.0 ** (-90.0 / 20.0), 3 * RATE // 10, RATE // 4
        for i in (i // 2 for i, x in enumerate(whole) if abs(x) >= threshold):
            end = max(i + 1, end) if i < end + quiet else end  # a string may come up again by itself, later
        self.assertEqual(automatic.frames, end + quiet)
        # The fade is a half cosine: nothing is lost before it, and it never rises above what it fades.
        for i in range(len(got) - 2 * fade, len(got)):
            self.assertLessEqual(abs(got[i]), abs(whole[i]) + 1e-12)

    def test_auto_has_a_limit(self):
        # Ten times the decay at 24 dB more rings far longer than half a minute.
        result = self.render(self.song(spec=((0.0, 60, 127, 0.1),)), "-i", "glockenspiel", "-s", "decay=20", "-g", "24", "-o",
                             self.path("out.wav"), "-r", "8000", "--json")
        report = json.loads(result.out)["songs"][0]
        self.assertAlmostEqual(report["tail_s"], 30.0, delta=1e-9)
        self.assertEqual(Sound(self.read("out.wav")).frames, 8000 * 301 // 10)

    def test_tempo(self):
        self.assertEqual(self.frames("--tail", "none", "--tempo", "2"), RATE // 4)
        self.assertEqual(self.frames("--tail", "none", "--tempo", "0.8"), RATE * 5 // 8)

    def test_song_without_a_note(self):
        song = self.write("empty.mid", smf([[]]))
        self.render(song, "-o", self.path("a.wav"), "--tail", "none")
        self.assertEqual(Sound(self.read("a.wav")).frames, 0)
        result = self.render(song, "-o", self.path("a.wav"))
        self.assertEqual(Sound(self.read("a.wav")).frames, 3 * RATE // 10)
        self.assertIn("peak -inf dBFS", result.err)

    def test_excerpt_is_cut_from_the_whole(self):
        song = self.song(spec=[(i / 8, 50 + i, 100, 0.1) for i in range(12)])
        self.render(song, "-q", "-e", "f32", "--tail", "1", "-o", self.path("whole.wav"))
        whole = Sound(self.read("whole.wav"))
        self.render(song, "-q", "-e", "f32", "--start", "0.4", "--tail", "1", "-o", self.path("late.wav"))
        late = Sound(self.read("late.wav"))
        start = RATE * 4 // 10
        self.assertEqual(late.body, whole.body[start * whole.block:])
        # Cut at 0.7 s, while no key is held: the same samples up to there.
        self.render(song, "-q", "-e", "f32", "--start", "0.4", "--end", "0.7", "--tail", "none", "-o", self.path("part.wav"))
        part = Sound(self.read("part.wav"))
        self.assertEqual(part.frames, RATE * 3 // 10)
        self.assertEqual(part.body, late.body[:len(part.body)])

    def test_start_beyond_the_end(self):
        song = self.song()
        self.one_error(run("render", song, "--start", "99"), USAGE, "--start")
        self.nothing_written("song.mid")

    def test_end_leaves_out_what_begins_there(self):
        two = self.song("two.mid", spec=((0.0, 60, 100, 0.2), (0.5, 72, 100, 0.2)))
        one = self.song("one.mid", spec=((0.0, 60, 100, 0.2),))
        for name, song in (("two", two), ("one", one)):
            self.render(song, "-q", "--end", "0.5", "--tail", "eot", "-o", self.path(name + ".wav"))
        length = min(len(self.read("one.wav")), len(self.read("two.wav")))
        self.assertEqual(Sound(self.read("two.wav")).frames, RATE // 2)
        samples = Sound(self.read("two.wav")).body
        self.assertEqual(Sound(self.read("one.wav")).body, samples[:len(Sound(self.read("one.wav")).body)])
        self.assertGreater(length, 0)


class Same(Case):
    def test_block_sizes_and_repetition_give_the_same_bytes(self):
        song = self.song(spec=[(0.0137 * i, 40 + i * 7 % 50, 30 + i * 13 % 97, 0.1) for i in range(40)])
        wanted = None
        for frames in ("16", "64", "100", "1024", "4096", "8192", "64"):
            self.render(song, "-q", "-b", frames, "-o", self.path("out.wav"))
            got = self.read("out.wav")
            wanted = wanted or got
            self.assertEqual(got, wanted, "block size " + frames)
        self.assertGreater(max(map(abs, Sound(wanted).integers())), 0)

    def test_every_format_repeats(self):
        song = self.song()
        for container, encoding in (("wav", "f32"), ("wav", "s16"), ("rf64", "f32"), ("w64", "f32"), ("w64", "s16"),
                                    ("flac", "s16"), ("raw", "s32")):
            made = []
            for _ in range(2):
                self.render(song, "-q", "-f", container, "-e", encoding, "-o", self.path("out"))
                made.append(self.read("out"))
            self.assertEqual(made[0], made[1], container + " " + encoding)

    def test_velocity_zero_is_a_note_off(self):
        explicit = self.song("a.mid")
        events = [(tick, bytes([0x90, m[1], 0]) if m[0] == 0x80 else m)
                  for tick, m in notes(((0.0, 60, 100, 0.25), (0.25, 64, 90, 0.25), (0.5, 67, 80, 0.25)))]
        silent = self.write("b.mid", smf([events]))
        for name in (explicit, silent):
            self.render(name, "-q")
        self.assertEqual(self.read("a.wav"), self.read("b.wav"))


class Level(Case):
    def peak(self, *args, song):
        return json.loads(self.render(song, "--json", "-o", self.path("out.wav"), *args).out)["songs"][0]

    def test_gain_is_exact(self):
        song = self.song()
        one, two = self.peak("-e", "f32", song=song), self.peak("-e", "f32", "-g", "6", song=song)
        # Samples are rounded to float (2^-24) once more after the gain.
        self.assertAlmostEqual(two["peak_dbfs"] - one["peak_dbfs"], 6.0, delta=1e-5)

    def test_report_agrees_with_the_file(self):
        song = self.song()
        report = self.peak("-e", "f32", "-g", "40", song=song)
        samples = Sound(self.read("out.wav")).samples()
        # Printed with ten digits.
        self.assertAlmostEqual(report["peak"], max(map(abs, samples)), delta=1e-8)
        self.assertEqual(report["clipped"], 0)
        self.assertEqual(report["frames"] * 2, len(samples))
        beyond = sum(abs(x) > 1.0 for x in samples)
        self.assertGreater(beyond, 0)
        integer = self.peak("-e", "s24", "-g", "40", song=song)
        self.assertEqual(integer["clipped"], beyond)
        self.assertAlmostEqual(integer["peak"], report["peak"], delta=1e-8)

    def test_clipping_is_limited_and_told_with_a_gain_that_helps(self):
        song = self.song()
        result = self.render(song, "-g", "40", "-o", self.path("out.wav"))
        values = Sound(self.read("out.wav")).integers()
        self.assertTrue(max(values) == (1 << 23) - 1 or min(values) == -(1 << 23))
        warning = [line for line in result.lines if "clipped by" in line]
        self.assertEqual(len(warning), 1, result.err)
        gain = re.search(r"-g (-?\d+\.\d)", warning[0]).group(1)
        again = self.render(song, "-g", gain, "-o", self.path("out.wav"))
        self.assertIn(" 0 clipped", again.err)
        self.assertNotIn("warning", again.err)

    def test_integers_are_the_floats_rounded(self):
        song = self.song()
        self.render(song, "-q", "-e", "f32", "-o", self.path("f32.wav"))
        exact = Sound(self.read("f32.wav")).samples()
        for encoding, bits in (("s24", 24), ("s32", 32)):
            self.render(song, "-q", "-e", encoding, "-o", self.path("int.wav"))
            got = Sound(self.read("int.wav")).integers()
            scale = 1 << (bits - 1)
            self.assertEqual(got, [min(scale - 1, max(-scale, round(x * scale))) for x in exact])

    def test_sixteen_bits_have_triangular_dither(self):
        song = self.write("quiet.mid", smf([notes([(0.0, 60, 100, 0.1)]) + [(tick_of(0.2), b"\xff\x2f\x00")]]))
        self.render(song, "-q", "-g", "-96", "-e", "s16", "--tail", "2", "-o", self.path("out.wav"))
        values = Sound(self.read("out.wav")).integers()
        tail = values[len(values) // 2:]
        n = len(tail)
        # Rounded triangular noise of +-1 step on silence: 3/4 zeros, 1/8 each of +-1; six standard deviations.
        for value, share in ((0, 0.75), (1, 0.125), (-1, 0.125)):
            sigma = math.sqrt(n * share * (1.0 - share))
            self.assertLess(abs(tail.count(value) - n * share), 6.0 * sigma)
        self.render(song, "-q", "-g", "-96", "-e", "s24", "--tail", "20", "-o", self.path("out.wav"))
        self.assertEqual(set(Sound(self.read("out.wav")).integers()[-2000:]), {0})

    def test_normalize(self):
        song = self.song()
        for flag, wanted in (("--normalize", -1.0), ("--normalize=-6.5", -6.5)):
            report = self.peak("-e", "f32", flag, song=song)
            self.assertAlmostEqual(report["peak_dbfs"], wanted, delta=1e-5)
        report = self.peak("--normalize=0", song=song)
        self.assertEqual(report["clipped"], 0)
        self.assertGreaterEqual(max(map(abs, Sound(self.read("out.wav")).integers())), (1 << 23) - 2)

    def test_loudness(self):
        # The program asks libebur128; here the recommendation is written out.
        song = self.write("long.mid", smf([notes([(i / 4.0, 48 + i % 12, 100, 0.24) for i in range(24)])]))
        plain = self.peak("-e", "f32", song=song)
        self.assertAlmostEqual(loudness(Sound(self.read("out.wav"))), plain["loudness_lufs"], delta=0.1)
        self.assertGreaterEqual(plain["true_peak_dbtp"], plain["peak_dbfs"] - 0.01)
        self.assertLess(plain["true_peak_dbtp"], plain["peak_dbfs"] + 2.0)
        for wanted in (-23.0, -31.5):
            report = self.peak("-e", "f32", "--loudness", "%g" % wanted, song=song)
            self.assertAlmostEqual(report["loudness_lufs"], wanted, delta=1e-6)
            self.assertAlmostEqual(loudness(Sound(self.read("out.wav"))), wanted, delta=0.1)
            self.assertAlmostEqual(report["peak_dbfs"] - plain["peak_dbfs"], wanted - plain["loudness_lufs"], delta=1e-4)
        result = self.render(song, "--loudness", "0", "-o", self.path("out.wav"))
        advice = re.search(r"--loudness (-\d+\.\d) avoids it", result.err)
        self.assertTrue(advice, result.err)
        self.assertEqual(self.peak("--loudness", advice.group(1), song=song)["clipped"], 0)
        self.one_error(run("render", song, "--loudness", "-20", "--normalize"), USAGE, "--normalize or --loudness")
        self.one_error(run("render", song, "--loudness", "3"), USAGE, "--loudness")

    def test_loudness_of_silence(self):
        result = self.render(self.write("none.mid", smf([[]])), "--json", "-o", self.path("out.wav"), "--loudness", "-20")
        self.assertIsNone(json.loads(result.out)["songs"][0]["loudness_lufs"])
        self.assertIn("keeps its level", result.err)

    def test_transpose_and_curve_and_setting_are_heard(self):
        song = self.song()
        plain = self.peak("-e", "f32", song=song)
        body = self.read("out.wav")
        for args in (("--transpose", "2"), ("--velocity", "soft"), ("-s", "tune=50"), ("-s", "mallet.hardness=5"),
                     ("-i", "glockenspiel")):
            self.peak("-e", "f32", *args, song=song)
            self.assertNotEqual(self.read("out.wav"), body, args)
        louder = self.peak("-e", "f32", "-s", "level=3", song=song)
        self.assertAlmostEqual(louder["peak_dbfs"] - plain["peak_dbfs"], 3.0, delta=1e-4)


class Channels(Case):
    def test_a_kit_plays_the_drums(self):
        """Channel 10 is the kit's, unless one instrument was asked for; and asked for there, an instrument plays pitches."""
        drums = self.write("drums.mid", smf([notes([(0.0, 38, 100, 0.2), (0.2, 60, 90, 0.1)], 9)]))
        self.assertNotIn("muted", self.render(drums).err)
        body = self.read("drums.wav")
        for same, args in ((True, ("--transpose", "5")), (True, ("-i", "drum-kit")), (False, ("-i", "marimba", "--channel", "10"))):
            self.render(drums, *args)
            self.assertEqual(self.read("drums.wav") == body, same, args)

    def test_drums_are_muted_and_counted(self):
        both = self.write("both.mid", smf([notes([(0.0, 60, 100, 0.2)]), notes([(0.0, 40, 100, 0.2), (0.1, 41, 90, 0.1)], 9)]))
        lone = self.write("lone.mid", smf([notes([(0.0, 60, 100, 0.2)]), []]))
        result = self.render(both, "-i", "piano")
        self.assertRegex(result.err, r"both\.mid: 2 notes on channel 10 \(drums\) muted")
        self.render(lone, "-i", "piano")
        self.assertEqual(self.read("both.wav"), self.read("lone.wav"))
        every = self.render(both, "-i", "piano", "--channel", "omni", "-o", self.path("omni.wav"))
        self.assertNotIn("muted", every.err)
        self.assertNotEqual(self.read("omni.wav"), self.read("lone.wav"))

    def test_one_channel(self):
        both = self.write("both.mid", smf([notes([(0.0, 60, 100, 0.2)], 0), notes([(0.0, 67, 100, 0.2)], 4)]))
        lone = self.write("lone.mid", smf([[], notes([(0.0, 67, 100, 0.2)], 4)]))
        self.render(both, "--channel", "5", "-q")
        self.render(lone, "-q")
        self.assertEqual(self.read("both.wav"), self.read("lone.wav"))

    def test_programs_choose_instruments_unless_told(self):
        def song(name, program):
            return self.write(name, smf([[(0, bytes([0xC0, program]))] + notes([(0.0, 72, 100, 0.2)])]))
        # 9 is claimed by the glockenspiel, 12 by the marimba, 0 and 3 by the piano.
        bells, other, wood, grand = song("bells.mid", 9), song("other.mid", 3), song("wood.mid", 12), song("grand.mid", 0)
        for name in (bells, other, wood, grand):
            self.render(name, "-q", "--tail", "1")
        self.render(bells, "-q", "--tail", "1", "-i", "glockenspiel", "-o", self.path("told.wav"))
        self.assertEqual(self.read("bells.wav"), self.read("told.wav"))
        self.assertEqual(self.read("other.wav"), self.read("grand.wav"))
        self.assertNotEqual(self.read("other.wav"), self.read("wood.wav"))
        self.assertNotEqual(self.read("bells.wav"), self.read("wood.wav"))
        self.render(bells, "-q", "--tail", "1", "-i", "marimba", "-o", self.path("told.wav"))
        self.assertEqual(self.read("told.wav"), self.read("wood.wav"))


class Several(Case):
    def songs(self):
        return [self.song("%d.mid" % i, spec=((0.0, 50 + i, 90, 0.2), (0.2, 60 + i, 90, 0.2))) for i in range(4)]

    def test_beside_the_songs_and_in_a_folder(self):
        songs = self.songs()
        self.render(*songs, "-q", "--tail", "none")
        os.mkdir(self.path("out"))
        self.render(*songs, "-q", "--tail", "none", "-o", self.path("out"), "-f", "flac")
        names = ["%d" % i for i in range(4)]
        self.nothing_written(*[n + ".mid" for n in names], *[n + ".wav" for n in names],
                             *[os.path.join("out", n + ".flac") for n in names])

    def test_jobs_give_the_same_files_and_words(self):
        songs = self.songs()
        said = []
        for jobs in ("1", "2", "5"):
            os.mkdir(self.path(jobs))
            result = self.render(*songs, "-j", jobs, "-o", self.path(jobs))
            said.append([re.sub(r", [0-9.]+x real time|%s/" % re.escape(self.path(jobs)), "", line) for line in result.lines])
        for i in range(4):
            first = self.read(os.path.join("1", "%d.wav" % i))
            self.assertEqual(first, self.read(os.path.join("2", "%d.wav" % i)))
            self.assertEqual(first, self.read(os.path.join("5", "%d.wav" % i)))
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[0], said[2])

    def test_a_bad_song_does_not_stop_the_rest(self):
        songs = self.songs()
        bad = self.write("bad.mid", b"hello")
        result = run("render", songs[0], bad, self.path("missing.mid"), songs[1], "--tail", "none", "--json")
        self.assertEqual(result.code, INPUT)
        self.assertEqual(len([line for line in result.lines if line.startswith("hertzian: ")]), 2, result.err)
        report = json.loads(result.out)["songs"]
        self.assertEqual([song["exit"] for song in report], [DONE, INPUT, INPUT, DONE])
        self.assertTrue(report[1]["error"] and report[2]["error"])
        self.assertTrue(os.path.exists(self.path("1.wav")))
        self.assertFalse(os.path.exists(self.path("bad.wav")))

    def test_exit_code_is_the_first_failures(self):
        songs = self.songs()
        os.mkdir(self.path("1.wav.part"))  # in the way of the second song's file
        bad = self.write("z.mid", b"hello")
        self.assertEqual(run("render", *songs[:2], bad, "--tail", "none").code, OUTPUT)
        self.assertEqual(run("render", bad, *songs[:2], "--tail", "none").code, INPUT)

    def test_refused_combinations(self):
        songs = self.songs()
        self.one_error(run("render", *songs, "-o", self.path("one.wav")), USAGE, "folder")
        self.one_error(run("render", *songs, "-o", "-"), USAGE, "folder")
        twin = self.song("0.midi")
        self.one_error(run("render", songs[0], twin), USAGE, "both")
        self.one_error(run("render", "-"), USAGE, "-o")
        odd = self.song("odd.wav")
        self.one_error(run("render", odd), USAGE, "overwritten")
        self.assertEqual(self.read("odd.wav")[:4], b"MThd")


class Pipes(Case):
    def test_in_and_out(self):
        song = self.song()
        with open(song, "rb") as file:
            data = file.read()
        self.render(song, "-q")
        for container in ("wav", "w64", "flac", "raw", "rf64"):
            result = run("render", "-", "-o", "-", "-f", container, stdin=data)
            self.assertEqual(result.code, DONE, result.err)
            self.assertIn("standard input: format 0", result.err)
            self.render(song, "-q", "-f", container, "-o", self.path("file"))
            self.assertEqual(result.out, self.read("file"), container)
        self.assertEqual(run("render", song, "-o", "-", "-q").out, self.read("song.wav"))

    def test_fifo(self):
        song = self.song()
        self.render(song, "-q")
        os.mkfifo(self.path("fifo"))
        process = subprocess.Popen([PROGRAM, "render", "-q", song, "-o", self.path("fifo")])
        with open(self.path("fifo"), "rb") as fifo:
            got = fifo.read()
        self.assertEqual(process.wait(30), DONE)
        self.assertEqual(got, self.read("song.wav"))
        self.assertTrue(os.path.exists(self.path("fifo")))

    def test_device(self):
        song = self.song()
        self.render(song, "-q", "-o", "/dev/null")
        self.assertFalse(os.path.exists("/dev/null.part"))

    def test_reader_that_goes_away(self):
        song = self.song(spec=[(i / 4, 60, 100, 0.2) for i in range(40)])
        for container in ("raw", "wav"):
            process = subprocess.Popen([PROGRAM, "render", song, "-o", "-", "-f", container, "-e", "f32"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.read(100)
            process.stdout.close()
            said = process.stderr.read().decode()
            process.stderr.close()
            self.assertEqual(process.wait(30), OUTPUT)
            self.assertNotIn("hertzian: ", said)

    def test_json_and_sound_do_not_share_standard_output(self):
        self.one_error(run("render", self.song(), "-o", "-", "--json"), USAGE, "--json")


class Words(Case):
    def test_lines_of_a_render(self):
        song = self.write("song.mid", smf([[], notes([(0.0, 60, 100, 0.5), (64.0, 64, 100, 0.5)]), []]))
        result = self.render("song.mid", "-o", "song.wav", "-r", "8000", cwd=self.folder)
        self.assertTrue(os.path.exists(song))
        self.assertEqual(result.lines[0], "song.mid: format 1, 3 tracks, 1:04.5, 2 notes")
        self.assertRegex(result.lines[1], r"^song\.wav: 1:0\d\.\d \(\d+\.\d s tail\), 8000 Hz 24-bit stereo, "
                                          r"peak -\d+\.\d dBFS, 0 clipped, \d+\.\dx real time, -\d+\.\d LUFS, -\d+\.\d dBTP$")
        self.assertEqual(result.out, b"")

    def test_progress_bar(self):
        song = self.song(spec=[(i / 4, 60, 100, 0.2) for i in range(400)])
        bar = self.render(song, "--progress", "always", "-q")
        self.assertRegex(bar.err, r"\rrendering  \[[=> ]{20}\] +\d+%  \d+\.\dx ")
        self.assertNotIn("rendering", self.render(song).err)

    def test_progress_bar_on_a_terminal(self):
        song = self.song(spec=[(i / 4, 60, 100, 0.2) for i in range(400)])
        import pty
        ours, theirs = pty.openpty()
        process = subprocess.Popen([PROGRAM, "render", song], stderr=theirs, stdin=subprocess.DEVNULL)
        os.close(theirs)
        said = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:
                break
            if not piece:
                break
            said += piece
        os.close(ours)
        self.assertEqual(process.wait(30), DONE)
        self.assertIn(b"\rrendering  [", said)
        last = said.replace(b"\r\n", b"\n").split(b"\n")[-2]
        self.assertIn(b"x real time", last.rsplit(b"\r", 1)[-1])

    def test_json_summary(self):
        result = self.render(self.song("a \"b\" \u00e9.mid"), "--json", "-q")
        report = json.loads(result.out)
        song = report["songs"][0]
        self.assertTrue(song["song"].endswith("a \"b\" \u00e9.mid"))
        self.assertEqual((song["exit"], song["error"], song["format"], song["tracks"], song["notes"]), (0, None, 0, 1, 3))
        self.assertEqual((song["rate_hz"], song["channels"], song["container"], song["encoding"]), (48000, 2, "wav", "s24"))
        self.assertEqual(song["strikes"], 3)
        self.assertGreater(song["speed"], 0.0)
        silent = self.write("silent.mid", smf([[]]))
        self.assertIsNone(json.loads(self.render(silent, "--json", "-q").out)["songs"][0]["peak_dbfs"])


class Paths(Case):
    def test_spaces_and_scripts(self):
        song = self.song("M\u00fasica \u51b7\u5907/a b.mid")
        self.render(song)
        self.assertTrue(os.path.exists(self.path("M\u00fasica \u51b7\u5907/a b.wav")))
        self.render(song, "-o", self.path("M\u00fasica \u51b7\u5907"), "-f", "flac")
        self.nothing_written("M\u00fasica \u51b7\u5907/a b.mid", "M\u00fasica \u51b7\u5907/a b.wav",
                             "M\u00fasica \u51b7\u5907/a b.flac")

    def test_names_without_an_ending_and_with_dots(self):
        self.song("x.y/song")
        self.render(self.path("x.y/song"), "-q")
        self.song("x.y/a.b.mid")
        self.render(self.path("x.y/a.b.mid"), "-q")
        self.song("x.y/.mid")
        self.render(self.path("x.y/.mid"), "-q")
        self.nothing_written("x.y/song", "x.y/song.wav", "x.y/a.b.mid", "x.y/a.b.wav", "x.y/.mid", "x.y/.mid.wav")

    def test_instrument_file_anywhere(self):
        with open(os.path.join(os.environ["HERTZIAN_SOURCE"], "instruments", "marimba.yaml"), "rb") as file:
            copy = self.write("\u00e9 b/my.yaml", file.read())
        song = self.song()
        self.render(song, "-q", "-i", copy)
        mine = self.read("song.wav")
        self.render(song, "-q", "-i", "marimba")
        self.assertEqual(self.read("song.wav"), mine)


class Exactness(Case):
    def test_notes_start_at_their_frame(self):
        # Ticks of 1/960 s at 48 kHz are 50 frames: the first sample that is not zero follows the strike by at most one.
        for at in (tick_of(0.1), tick_of(0.1) + 1, tick_of(0.1) + 7):
            song = self.write("s.mid", smf([[(at, b"\x90\x48\x64"), (at + 50, b"\x80\x48\x40")]]))
            self.render(song, "-q", "-e", "f32", "--tail", "none", "-o", self.path("s.wav"))
            samples = Sound(self.read("s.wav")).samples()
            first = next(i for i, x in enumerate(samples) if x != 0.0) // 2
            self.assertIn(first - at * 50, (0, 1))

    def test_fixtures_that_play(self):
        lengths = {"song.mid": 1, "smpte.mid": 1, "type2.mid": 2}
        for name, tracks in lengths.items():
            result = self.render(os.path.join(SONGS, name), "-r", "8000", "-o", self.path("out.wav"), "--json")
            report = json.loads(result.out)["songs"][0]
            self.assertEqual((report["damage"], report["tracks"]), (0, tracks))
            self.assertNotIn("warning", result.err)

    def test_finite(self):
        song = self.song(spec=[(i / 128, i, 127, 0.1) for i in range(128)])
        self.render(song, "-q", "-f", "raw", "-e", "f32", "-o", self.path("out.raw"))
        values = decode(self.read("out.raw"), 32, True)
        self.assertTrue(all(map(math.isfinite, values)))
        self.assertEqual(len(values) % 2, 0)
        self.assertEqual(struct.calcsize("<f"), 4)


if __name__ == "__main__":
    main()
