#!/usr/bin/env python3
"""What is dialled in while a take is played is in its MIDI: a render of that, and playing it again, are the take, sample for sample."""

import json
import math
import os
import shutil
import signal
import struct
import sys

sys.dont_write_bytecode = True
from live import INSTRUMENT, SLOW, off, on, pause  # noqa: E402
from support import INPUT, RATE, SOURCE, USAGE, Sound, main, run, variable_length  # noqa: E402
from test_control import ControlCase  # noqa: E402
from test_play import midi_events  # noqa: E402

HEAD = b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480) + b"MTrk"
NAME = b"\x7dHTZP"


def dial(words, version=1):
    """The event that says it, without its wait."""
    text = NAME + bytes([version]) + words.encode()
    return b"\xff\x7f" + variable_length(len(text)) + text


def words_in(data):
    """What was dialled in, in the order of the file."""
    found, at = [], 0
    while (at := data.find(b"\xff\x7f", at)) >= 0:
        length, start = data[at + 2], at + 3
        if length & 0x80:
            length, start = (length & 0x7F) << 7 | data[at + 3], at + 4
        if data[start:start + 5] == NAME:
            found.append(data[start + 6:start + length].decode())
        at += 2
    return found


class DialledCase(ControlCase):
    def setUp(self):
        super().setUp()
        self.env = dict(os.environ, XDG_STATE_HOME=self.path("state"), XDG_CONFIG_HOME=self.path("config"))

    def notes_until(self, n):
        self.wait_until(lambda: self.status()["notes"] == n)

    def begin(self, *args, **more):
        return self.controlled(*args, env=self.env, **more)

    def is_the_take(self, name, tail="1", frames=0.2 * RATE):
        result = run("history", "render", self.path(name + ".mid"), "-e", "f32", "--tail", tail, "-o", self.path("again.wav"),
                     env=self.env)
        self.assertEqual(result.code, 0, result.err)
        take, again = self.sound(name + ".wav"), self.sound("again.wav")
        self.assertGreater(take.frames, frames)
        self.assertGreater(max(map(abs, take.samples())), 1e-3)
        self.assertTrue(again.body.startswith(take.body), result.err)
        return result

    def fair(self, player):
        """What no MIDI holds did not happen."""
        if player.stats["keys_relieved"] > 0 and SLOW > 1:
            self.skipTest("too slow under a sanitizer: the overload guard had to act")
        self.assertEqual((player.stats["keys_relieved"], player.stats["notes_stood_in"]), (0, 0))


class Dialled(DialledCase):
    def test_parameters_and_instruments_moved_while_it_is_recorded(self):
        player = self.begin("--record", self.path("a.wav"), "-s", "room=0.3")
        player.send([0xB0, 64, 127, *on(72), *on(76, channel=1)])
        self.notes_until(2)
        for value in ("-3", "-12", "2"):
            self.ctl("set", f"level={value}")
            pause(0.05)
        self.ctl("set", "room=0.6")
        self.ctl("instrument", "marimba")
        player.send(on(60))
        self.notes_until(3)
        player.send(on(64))
        self.notes_until(4)
        self.ctl("set", "mallet.hardness=0.8")  # marimba's and glockenspiel's alike
        self.ctl("instrument", "vibraphone", "2")
        player.send([*on(65, channel=1), 0xB0, 64, 0])
        self.notes_until(5)
        pause(0.2)
        self.ctl("instrument", INSTRUMENT)  # back, with what was set before
        player.send([*on(79), *on(67, channel=4)])
        self.notes_until(7)
        pause(0.3)
        player.stop()
        self.fair(player)
        words = words_in(self.read("a.mid"))
        self.assertEqual(words[:3], ["set level -3", "set level -12", "set level 2"])
        self.assertIn("instrument all marimba", words)
        self.assertIn("instrument 2 vibraphone", words)
        self.is_the_take("a")

    def test_a_take_that_begins_after_it(self):
        player = self.begin()
        player.send(on(72))
        self.notes_until(1)
        for n in range(40):
            self.ctl("set", f"level={-n * 0.25}")
        self.ctl("instrument", "marimba")
        player.send(on(60))
        self.notes_until(2)
        self.ctl("record", "start")
        pause(0.2)
        player.send(on(64))
        self.notes_until(3)
        self.ctl("set", "level=3")
        pause(0.3)
        self.ctl("record", "stop")
        player.stop()
        self.fair(player)
        take = next(n for n in os.listdir(self.folder) if n.endswith(".wav"))[:-4]
        self.is_the_take(take)

    def test_played_again_it_is_rendered_again(self):
        player = self.begin("--record", self.path("a.wav"))
        player.send(on(72))
        self.notes_until(1)
        self.ctl("set", "level=-9")
        self.ctl("instrument", "marimba")
        player.send(on(60))
        self.notes_until(2)
        pause(0.4)
        player.stop()
        self.fair(player)
        again = self.live(self.path("a.mid"), "--record", self.path("b.wav"), cwd=self.folder, env=self.env, fifos=())
        again.end()
        self.fair(again)
        self.assertEqual(words_in(self.read("b.mid")), ["song " + line for line in words_in(self.read("a.mid"))])
        self.is_the_take("b", tail="9")  # which ends when it is silent
        self.is_the_take("a")

    def test_an_instrument_read_again(self):
        path = self.path("mine.yaml")
        shutil.copy(os.path.join(SOURCE, "instruments", "glockenspiel.yaml"), path)
        player = self.begin("--record", self.path("a.wav"), instrument=path)
        player.send(on(72))
        self.notes_until(1)
        shutil.copy(path, self.path("other"))
        os.replace(self.path("other"), path)
        player.poke(signal.SIGHUP)
        self.wait_until(lambda: len([n for n in os.listdir(self.folder) if n.endswith(".wav")]) == 2)
        player.send(on(72))
        self.notes_until(2)
        pause(0.3)
        player.stop()
        self.fair(player)
        takes = sorted(n[:-4] for n in os.listdir(self.folder) if n.endswith(".wav"))
        self.assertIn("again", [w.split()[0] for name in takes for w in words_in(self.read(name + ".mid"))])
        for name in takes:
            self.is_the_take(name, frames=0)


class SongCase(DialledCase):
    def song(self, *dials, name="song.mid", length=480):
        track = b"".join(b"\0" + d for d in dials) + b"\0\x90\x48\x64" + variable_length(length) + b"\x80\x48\x40" + b"\0\xff\x2f\0"
        return self.write(name, HEAD + struct.pack(">I", len(track)) + track)


class OneAfterTheOther(SongCase):
    """What a song dials in is its own: the next one begins with what the command line and the player say."""

    DRY = ("-s", "room=0", "-s", "human=0")

    def peak_db(self, sound, begin_s, end_s):
        return 20 * math.log10(self.level(sound.samples(), begin_s, end_s))

    def test_the_next_song_is_as_without_it(self):
        first = self.song(dial("set level -20"), dial("instrument all marimba"), dial("set level -15"), name="first.mid")
        second = self.song(name="second.mid")
        player = self.live(first, second, second, "--record", self.path("a.wav"), "-s", "level=-2", *self.DRY, env=self.env, fifos=())
        player.end()
        self.fair(player)
        self.assertEqual(words_in(self.read("a.mid")),
                         ["song set level -20", "song instrument all marimba", "song set level -15", "song"])
        self.is_the_take("a", tail="9")
        alone = self.live(second, "--record", self.path("b.wav"), "-s", "level=-2", *self.DRY, env=self.env, fifos=())
        alone.end()
        notes = [frame for frame, data in midi_events(self.read("a.mid")) if data[0] == 0x90]
        sound, want = self.sound("a.wav"), self.peak_db(self.sound("b.wav"), 0.0, 0.5)
        for frame in notes[1:]:
            self.assertAlmostEqual(self.peak_db(sound, frame / RATE, frame / RATE + 0.5), want, delta=0.2)
        # All of it again, as one song within another performance of songs.
        again = self.live(self.path("a.mid"), second, "--record", self.path("c.wav"), env=self.env, fifos=())
        again.end()
        self.fair(again)
        words = words_in(self.read("c.mid"))
        self.assertEqual(words[0], "song song set level -20")
        self.assertEqual(words[-2:], ["song song", "song"])
        self.is_the_take("c", tail="9")

    def test_what_the_player_has_set_holds(self):
        song = self.song(dial("set level -30"), name="one.mid", length=3000)
        player = self.begin(song, song, "--record", self.path("a.wav"), *self.DRY)
        self.wait_until(lambda: self.status()["notes"] == 1)
        self.assertIn("-30", self.saved())  # what is played now
        self.ctl("set", "level=-5")  # stronger than the song, since it came later
        self.assertIn("-5", self.saved())
        pause(0.4)  # each take is longer than what is asked of it
        self.ctl("record", "stop")
        self.ctl("record", "start")
        self.wait_until(lambda: self.status()["notes"] == 2, limit=30)
        self.assertIn("-30", self.saved())
        pause(0.4)
        self.ctl("record", "stop")
        player.stop()
        self.fair(player)
        second = next(n[:-4] for n in os.listdir(self.folder) if n.endswith(".wav") and n != "a.wav")
        for name in ("a", second):
            self.is_the_take(name)

    def saved(self):
        return self.read(self.ctl("save", "now").strip()).decode()

    def test_the_next_one_is_as_the_player_set_it(self):
        song = self.song(dial("set level -30"), name="one.mid", length=1500)
        plain = self.song(name="two.mid")
        player = self.begin(song, plain, "--record", self.path("a.wav"), *self.DRY)
        self.ctl("set", "level=-12")
        self.ctl("set", "level=-10")
        player.end(timeout=60)
        self.fair(player)
        self.is_the_take("a", tail="9")
        notes = [frame for frame, data in midi_events(self.read("a.mid")) if data[0] == 0x90]
        self.render(plain, "-i", INSTRUMENT, "-e", "f32", "-s", "level=-10", *self.DRY, "-o", self.path("b.wav"))
        self.assertAlmostEqual(self.peak_db(self.sound("a.wav"), notes[1] / RATE, notes[1] / RATE + 0.5),
                               self.peak_db(self.sound("b.wav"), 0.0, 0.5), delta=0.2)

    def test_each_pass_of_a_loop_begins_the_same(self):
        song = self.song(dial("set level -6"), name="one.mid", length=480)
        player = self.begin(song, "--loop", "--record", self.path("a.wav"))
        self.notes_until(3) if self.status()["notes"] < 3 else None
        player.stop()
        self.fair(player)
        words = words_in(self.read("a.mid"))
        self.assertEqual(words[:3], ["song set level -6", "song", "song set level -6"])
        self.is_the_take("a", frames=RATE)

    def test_they_may_be_left_out(self):
        plain = self.song(name="plain.mid")
        song = self.song(dial("set level -20"), dial("instrument all marimba"), dial("dance"))
        self.render(plain, "-i", INSTRUMENT, "-e", "f32", "-o", self.path("plain.wav"))
        result = self.render(song, "-i", INSTRUMENT, "-e", "f32", "--dialled", "off", "--strict", "-o", self.path("off.wav"))
        self.assertNotIn("dialled", result.err)
        self.assertEqual(self.sound("off.wav").body, self.sound("plain.wav").body)
        player = self.live(song, "--dialled=off", "--record", self.path("a.wav"), env=self.env, fifos=())
        player.end()
        self.assertEqual(words_in(self.read("a.mid")), [])
        self.assertNotIn("dialled", player.said)
        self.one_error(run("play", "-a", "null", "--dialled", "off", "-i", INSTRUMENT, "-m", "none"), USAGE, "--dialled")

    def test_what_cannot_be_freed_is_told(self):
        track = (b"\0\x90\x48\x64" + b"\x60" + dial("free 1 1 glockenspiel") + b"\x60\x90\x4a\x64" + b"\x83\x60\x80\x48\x40"
                 b"\0\x80\x4a\x40\0\xff\x2f\0")
        song = self.write("song.mid", HEAD + struct.pack(">I", len(track)) + track)
        result = self.render(song, "-i", INSTRUMENT, "-o", self.path("a.wav"))
        self.assertIn("1 part(s) that were freed", result.err)


class Songs(SongCase):
    """Whoever else has written it."""

    def test_what_is_unknown_is_said_in_one_line_and_left_out(self):
        plain = self.song(name="plain.mid")
        self.render(plain, "-i", INSTRUMENT, "-o", self.path("plain.wav"))
        for dials, words in (((dial("dance all night", 2), dial("x", 9)), "newer hertzian (version 2"),
                             ((dial("dance all night"),), "dance all night: unknown"),
                             ((dial("set level loud"),), "set PARAM VALUE"),
                             ((dial("set bow.force 0.3"), dial("set level -1e9")), "moves nothing here, and 1 more"),
                             ((dial("instrument all no-such-thing"),), "no-such-thing"),
                             ((dial("instrument 17 marimba"),), "CHANNELS NAME"),
                             ((dial("free 3 1 cello"),), "cello"),
                             ((dial("song " * 9 + "set level -3"),), "songs within"),
                             ((dial("songs"),), "songs: unknown"),
                             ((dial("set level\n-3"),), "not a line")):
            song = self.song(*dials)
            result = self.render(song, "-i", INSTRUMENT, "-o", self.path("a.wav"))
            said = [line for line in result.lines if "dialled" in line]
            self.assertEqual(len(said), 1, result.err)
            self.assertIn(words, said[0])
            self.assertEqual(self.sound("a.wav").body, self.sound("plain.wav").body)
            strict = run("render", "--strict", song, "-i", INSTRUMENT, "-o", self.path("b.wav"))
            self.assertEqual(strict.code, INPUT)
            self.assertIn(words, strict.err)

    def test_a_song_in_words(self):
        song = self.song(dial("set level -3"), dial("set\x1b[2J"))
        lines = run("midi", "dump", song).out.decode().splitlines()
        self.assertEqual([line[11:] for line in lines],
                         ["all     dialled     set level -3", "all     dialled     set?[2J", "ch 1    note on     C5 (72) velocity 100",
                          "ch 1    note off    C5 (72) velocity 64"])
        self.assertEqual([line[:9].strip() for line in lines], ["0.000", "0.000", "0.000", "0.500"])
        events = [json.loads(line) for line in run("midi", "dump", song, "--json").out.decode().splitlines()]
        self.assertEqual([e["status"] for e in events], [0xF0, 0xF0, 0x90, 0x80])
        self.one_error(run("midi", "dump", self.path("none.mid")), INPUT, "none.mid")

    def test_several_songs_do_not_hear_each_other(self):
        first = self.song(dial("instrument all marimba"), dial("set level -6"), name="first.mid")
        second = self.song(dial("set level 3"), name="second.mid")
        os.mkdir(self.path("both"))
        self.render(first, second, "-i", INSTRUMENT, "-j", "2", "-o", self.path("both"))
        for name in ("first", "second"):
            self.render(self.path(name + ".mid"), "-i", INSTRUMENT, "-o", self.path("alone.wav"))
            self.assertEqual(Sound(self.read(f"both/{name}.wav")).body, self.sound("alone.wav").body)


if __name__ == "__main__":
    main()
