"""Songs through the speakers: what is heard is what is rendered; several, damaged ones, passes, keys of the terminal."""

import fcntl
import glob
import os
import re
import select
import signal
import subprocess
import sys
import termios
import time

sys.dont_write_bytecode = True
from live import LiveCase, SLOW, on, pause  # noqa: E402
from songs import FOLDER  # noqa: E402
from support import DONE, INPUT, PROGRAM, RATE, SONGS, USAGE, main, notes, run, smf, tick_of  # noqa: E402
from test_play import DAMPED, midi_events  # noqa: E402

DEVICE = 3
FADE = 480  # [frame] a render's automatic tail ends in 10 ms of fade


def short(key, seconds=0.3, at=0.0):
    return smf([notes([(at, key, 100, seconds)])])


def differs_at(one, other):
    """First frame of stereo floats that is not the same, None when all are."""
    if one == other:
        return None
    return next((at // 8 for at in range(0, len(one), 8) if one[at:at + 8] != other[at:at + 8]), len(one) // 8)


class Song(LiveCase):
    def play(self, *args, code=DONE, instrument=DAMPED, **more):
        chosen = ["-i", instrument] if instrument else []
        result = run("play", *args, "-a", "null", "-m", "none", *chosen, timeout=60 * SLOW, **more)
        self.assertEqual(result.code, code, result.err)
        return result

    def notes_of(self, name):
        return [(frame, data[1]) for frame, data in midi_events(self.read(name)) if data[0] & 0xF0 == 0x90]


class Equal(Song):
    """Sample for sample the render's; under a sanitizer the overload guard has to act and it is not."""

    def same(self, song, *args, seconds=None, instrument=None, rate=RATE):
        limits = ["--duration", str(seconds)] if seconds else []
        result = self.play(song, *args, *limits, "--record", self.path("a.wav"), "--record-midi", self.path("a.mid"), "--stats",
                           instrument=instrument)
        relieved = int(re.search(rb'"keys_relieved": (\d+)', result.out).group(1))
        if relieved and SLOW > 1:
            self.skipTest("too slow under a sanitizer")
        self.assertEqual(relieved, 0)
        self.assertIn(b'"notes_stood_in": 0', result.out)
        chosen = ["-i", instrument] if instrument else []
        settings = [arg for arg in args if arg not in ("-b", "512")]
        end = ["--end", str(seconds + 1)] if seconds else []
        self.render(song, *chosen, *settings, *end, "-e", "f32", "-r", str(rate), "-o", self.path("b.wav"))
        self.render(self.path("a.mid"), *chosen, *[arg for arg in settings if arg not in ("--tempo", "1.3")], "--channel", "omni",
                    "-e", "f32", "-r", str(rate), "--tail", "1" if seconds else "20", "-o", self.path("c.wav"))
        played, rendered, again = [self.sound(name) for name in ("a.wav", "b.wav", "c.wav")]
        # A busy machine ends it later than asked for: by then the render has ended its song.
        frames = min(played.frames, seconds * rate if seconds else rendered.frames - FADE)
        self.assertGreater(frames, rate)
        self.assertIsNone(differs_at(played.body[:8 * frames], rendered.body[:8 * frames]))
        self.assertIsNone(differs_at(played.body, again.body[:len(played.body)]))
        self.assertGreater(max(map(abs, played.samples())), 1e-3)

    def test_songs_of_many_channels(self):
        for name in ("chemistry_lab", "modern_motion"):
            song = os.path.join(FOLDER, name + ".mid")
            if not os.path.exists(song):
                self.skipTest("no songs: package openttd-openmsx")
            with self.subTest(song=name):
                for left in glob.glob(self.path("?.*")):
                    os.remove(left)
                self.same(song, "-b", "512", seconds=4)

    def test_a_whole_song_its_tail_and_the_end(self):
        song = self.write("s.mid", smf([notes([(0.0, 60, 100, 0.3), (0.31, 64, 90, 0.2), (0.9, 67, 80, 1.0)])]))
        self.same(song, "--tempo", "1.3", "-g", "-3", "--transpose", "2", "-s", "level=-3", instrument=DAMPED)

    def test_other_rate(self):
        song = self.write("s.mid", smf([notes([(0.0, 60, 100, 0.3), (0.7, 64, 90, 0.9)])]))
        self.same(song, "-r", "44100", instrument="glockenspiel", rate=44100)


class Heard(Song):
    def test_a_name_is_enough(self):
        self.write("s.mid", short(60))
        result = run("s.mid", "-a", "null", "-m", "none", "-i", DAMPED, cwd=self.folder, timeout=60 * SLOW)
        self.assertEqual(result.code, DONE, result.err)
        self.assertIn("s.mid: format 0, 1 track, 0:00.3, 1 note", result.err)
        self.assertIn("played 0:0", result.err)

    def test_standard_input(self):
        result = self.play("-", stdin=short(60))
        self.assertIn("standard input: format 0", result.err)
        self.one_error(self.play("-", stdin=b"hello, world", code=INPUT), INPUT, "standard input: not a Standard MIDI File")

    def test_one_after_the_other_each_with_its_tail(self):
        names = [self.write(name, short(key)) for name, key in (("a.mid", 60), ("b.mid", 61), ("c.mid", 62))]
        self.play(*names, "--record-midi", self.path("x.mid"), "--record", self.path("x.wav"))
        found = self.notes_of("x.mid")
        self.assertEqual([key for _, key in found], [60, 61, 62])
        samples = self.sound("x.wav").samples()
        for frame, _ in found[1:]:
            before = samples[2 * (frame - 4800):2 * frame]
            self.assertLess(max(map(abs, before)), 1e-3)  # the last has died away
        for (first, _), (second, _) in zip(found, found[1:]):
            self.assertLess(second - first, 2.0 * RATE)

    def test_what_cannot_be_read_is_named_and_the_rest_is_played(self):
        good = self.write("good.mid", short(60))
        bad = self.write("bad.mid", b"MThd nothing")
        result = self.play(self.path("gone.mid"), good, bad, "--record-midi", self.path("x.mid"), code=INPUT)
        errors = [line for line in result.lines if line.startswith("hertzian: ") and "xrun" not in line]
        self.assertEqual(len(errors), 2, result.err)
        self.assertIn("gone.mid", errors[0])
        self.assertIn("bad.mid", errors[1])
        self.assertEqual([key for _, key in self.notes_of("x.mid")], [60])
        self.one_error(self.play(bad, code=INPUT), INPUT, "bad.mid")

    def test_damage_is_said_and_strict_refuses(self):
        song = os.path.join(SONGS, "bad_trunc.mid")
        result = self.play(song, "--duration", "0.3")
        self.assertIn("bad_trunc.mid: warning: ", result.err)
        self.one_error(self.play(song, "--strict", code=INPUT), INPUT, "bad_trunc.mid", "--strict")

    def test_a_song_that_would_be_silent_is_refused(self):
        drums = self.write("drums.mid", smf([notes([(0.0, 50, 100, 0.2)], channel=9)]))
        self.one_error(self.play(drums, code=INPUT), INPUT, "drums.mid: none of its notes is played", "--channel omni")
        mute = self.write("mute.mid", smf([[(0, b"\xb0\x07\x00")] + notes([(0.0, 60, 100, 0.2)])]))
        result = self.play(mute, code=INPUT)
        self.assertIn("mute.mid: none of its notes is heard", result.err)
        empty = self.write("empty.mid", smf([[]]))
        self.assertIn("there is no note in it", self.play(empty).err)

    def test_drums_are_muted_unless_told(self):
        song = self.write("s.mid", smf([notes([(0.0, 60, 100, 0.2)]), notes([(0.0, 50, 100, 0.2)], channel=9)]))
        result = self.play(song, "--record-midi", self.path("a.mid"))
        self.assertIn("1 note on channel 10 (drums) muted", result.err)
        self.assertEqual([key for _, key in self.notes_of("a.mid")], [60])
        self.play(song, "--channel", "omni", "--record-midi", self.path("b.mid"))
        self.assertEqual(sorted(key for _, key in self.notes_of("b.mid")), [50, 60])

    def test_start_and_end(self):
        song = self.write("s.mid", smf([notes([(0.5 * i, 60 + i, 100, 0.7) for i in range(8)]) +
                                        [(tick_of(10), b"\xb0\x07\x40")]]))
        self.play(song, "--start", "1.2", "--end", "2.2", "--record-midi", self.path("x.mid"))
        self.assertEqual(self.notes_of("x.mid"), [(round(0.3 * RATE), 63), (round(0.8 * RATE), 64)])
        self.one_error(self.play(song, "--start", "20", code=USAGE), USAGE, "s.mid: --start lies beyond the end")

    def test_loop(self):
        song = self.write("s.mid", smf([notes([(0.1, 60, 100, 0.1), (0.25, 62, 100, 0.5)])]))
        self.play(song, "--loop", "--start", "0.05", "--end", "0.35001", "--duration", "1.5", "--record-midi", self.path("x.mid"))
        found = self.notes_of("x.mid")
        length = round(0.35001 * RATE) - round(0.05 * RATE)
        self.assertEqual(found[:8], [(turn * length + round(at * RATE), key) for turn in range(4) for at, key in
                                     ((0.05, 60), (0.2, 62))])
        self.one_error(self.play(self.write("one.mid", smf([[(0, b"\x90\x3c\x40")]])), "--loop", code=INPUT), INPUT, "one.mid",
                       "nothing to repeat")

    def test_keyboards_are_mixed_in(self):
        song = self.write("s.mid", smf([notes([(0.1, 60, 100, 1.0)])]))
        live = self.live(song, "--record-midi", self.path("x.mid"), instrument=DAMPED)
        live.send(on(72))
        pause(0.4)
        live.send([0x80, 72, 64])
        live.end()
        self.assertEqual(sorted(key for _, key in self.notes_of("x.mid")), [60, 72])
        self.assertEqual(live.stats["notes"], 2)

    def test_no_audio_output_says_what_to_do(self):
        self.write("my song.mid", short(60))
        self.write("s.mid", short(60))
        for name, shown in (("s.mid", "hertzian render s.mid"), ("my song.mid", "hertzian render 'my song.mid'")):
            result = run(name, "-a", "no such device", "-m", "none", "-i", DAMPED, cwd=self.folder)
            self.one_error(result, DEVICE, shown)
        result = run("play", "-a", "no such device", "-m", "none", "-i", DAMPED)
        self.assertNotIn("render s.mid", result.err)

    def test_signals_end_it_as_ever(self):
        song = self.write("long.mid", smf([notes([(0.1 * i, 50 + i % 40, 90, 0.3) for i in range(600)])]))
        live = self.live(song, "--loop", instrument=DAMPED)
        pause(0.5)
        self.assertLess(live.stop(signal.SIGINT), 1.5 * SLOW)


class Terminal(Song):
    """A terminal of its own, with the program in its foreground."""

    def open(self, *args, shell=None):
        self.master, self.terminal = os.openpty()
        self.addCleanup(os.close, self.master)
        self.addCleanup(os.close, self.terminal)

        def own():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        words = [PROGRAM, *args, "-a", "null", "-m", "none", "-i", DAMPED]
        self.process = subprocess.Popen(shell(words) if shell else words, stdin=self.terminal, stdout=self.terminal,
                                        stderr=self.terminal, preexec_fn=own)
        self.addCleanup(self.kill)
        self.shown = ""

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def see(self, what, limit=10.0):
        end = time.monotonic() + limit * SLOW
        start = len(self.shown)
        while not re.search(what, self.shown[start:]):
            self.assertLess(time.monotonic(), end, "%s is not in %r" % (what, self.shown[-2000:]))
            if select.select([self.master], [], [], 0.05)[0]:
                self.shown += os.read(self.master, 65536).decode("utf-8", "replace")

    def press(self, keys):
        os.write(self.master, keys)

    def cooked(self):
        return bool(termios.tcgetattr(self.terminal)[3] & termios.ICANON)

    def song(self):
        return self.write("s.mid", smf([notes([(0.2 * i, 50 + i % 40, 90, 0.3) for i in range(300)])]))

    def end(self, code=DONE):
        self.see(r"played ")
        self.assertEqual(self.process.wait(20 * SLOW), code)
        self.assertTrue(self.cooked())

    def test_space_pauses_and_goes_on(self):
        self.open("play", self.song(), "--record", self.path("x.wav"))
        self.see(r"s\.mid 0:0\d/1:00")
        self.assertFalse(self.cooked())
        self.press(b" ")
        self.see(r"/1:00 paused .*silent")
        before = re.findall(r"s\.mid (0:\d\d)/1:00 paused", self.shown)[-1]
        time.sleep(1.2)
        self.see(r"s\.mid %s/1:00 paused" % before)  # it stands still
        self.press(b" ")
        self.see(r"/1:00  ")
        self.see(r"out -\d")
        self.press(b"q")
        self.end()

    def test_next_and_back(self):
        first = self.write("first.mid", smf([notes([(0.2 * i, 60, 90, 0.3) for i in range(100)])]))
        second = self.write("second.mid", smf([notes([(0.2 * i, 72, 90, 0.3) for i in range(100)])]))
        self.open("play", first, second, "--record-midi", self.path("x.mid"))
        self.see(r"first\.mid 0:0[1-9]/")
        self.press(b"b")
        self.see(r"first\.mid 0:00/")
        self.press(b"n")
        self.see(r"second\.mid 0:00/")
        self.press(b"n")  # there is none: it ends, and by itself
        self.end()
        keys = [key for _, key in self.notes_of("x.mid")]
        self.assertEqual(sorted(set(keys)), [60, 72])
        self.assertEqual(keys, sorted(keys))

    def test_the_terminal_comes_back_whatever_ends_it(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV):
            with self.subTest(signal=number):
                self.open(self.song())
                self.see(r"s\.mid 0:0")
                self.assertFalse(self.cooked())
                self.process.send_signal(number)
                self.process.wait(20 * SLOW)
                self.assertTrue(self.cooked())

    def test_stopped_and_continued_by_a_shell(self):
        self.open(self.song(), shell=lambda words: ["bash", "--norc", "-m", "-c",
                                                    '"$@"; echo it is STOPPED; stty -a | grep -o "[-]*icanon"; fg; exit $?', "x",
                                                    *words])
        self.see(r"s\.mid 0:0")
        self.press(b"\x1a")
        self.see(r"it is STOPPED\s+icanon")
        self.see(r"s\.mid 0:0")
        self.assertFalse(self.cooked())
        self.press(b"q")
        self.end()

    def test_in_the_background_it_plays_and_leaves_the_terminal_alone(self):
        self.open(self.write("s.mid", short(60)), shell=lambda words: ["bash", "--norc", "-m", "-c", '"$@" & wait $!', "x", *words])
        self.see(r"s\.mid 0:0")
        self.assertTrue(self.cooked())
        self.end()


if __name__ == "__main__":
    main()
