#!/usr/bin/env python3
"""What is dialled in while a take is played is in its MIDI: a render of that, and playing it again, are the take, sample for sample."""

import json
import os
import shutil
import signal
import struct
import sys

sys.dont_write_bytecode = True
from live import INSTRUMENT, LiveCase, SLOW, off, on, pause  # noqa: E402
from support import INPUT, RATE, SOURCE, Sound, main, run, variable_length  # noqa: E402
from test_control import ControlCase  # noqa: E402

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


class Dialled(ControlCase):
    def setUp(self):
        super().setUp()
        self.env = dict(os.environ, XDG_STATE_HOME=self.path("state"))

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
        self.assertEqual(words_in(self.read("b.mid")), words_in(self.read("a.mid")))
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


class Songs(LiveCase):
    """Whoever else has written it."""

    def song(self, *dials, name="song.mid"):
        track = b"".join(b"\0" + d for d in dials) + b"\0\x90\x48\x64" + b"\x83\x60\x80\x48\x40" + b"\0\xff\x2f\0"
        return self.write(name, HEAD + struct.pack(">I", len(track)) + track)

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
