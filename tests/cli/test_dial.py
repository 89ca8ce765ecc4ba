#!/usr/bin/env python3
"""Changing what plays while it plays: instruments, parameters, and keeping both as a performance."""

import os
import shutil
import signal
import time

from live import INSTRUMENT, LiveCase, off, on, pause
from support import DONE, INPUT, RATE, SOURCE, USAGE, main
from test_control import ControlCase

GLOCKENSPIEL = os.path.join(SOURCE, "instruments", "glockenspiel.yaml")


class Dial(ControlCase):
    def notes_until(self, n):
        self.wait_until(lambda: self.status()["notes"] == n)

    def test_another_instrument_and_the_old_note_rings_on(self):
        player = self.controlled("-s", "room=0")
        player.send([0xB0, 64, 127, *on(72)])
        self.notes_until(1)
        self.assertIn("vibraphone", self.ctl("instrument", "vibraphone"))
        player.send(on(60))
        self.notes_until(2)
        self.wait_until(lambda: self.status()["ringing"] == 2)
        self.assertEqual(self.status()["instruments"], ["vibraphone"] * 16)
        self.assertIn("playing marimba", self.ctl("instrument", "marimba", "3"))
        self.wait_until(lambda: self.status()["instruments"][2] == "marimba")
        self.assertEqual(self.status()["instruments"][3], "vibraphone")
        self.ctl("instrument", INSTRUMENT)
        player.stop()
        self.assertEqual(player.stats["notes_stood_in"], 0)

    def test_what_cannot_be_played_changes_nothing(self):
        player = self.controlled()
        self.assertIn("no such", self.ctl("instrument", "no such", code=INPUT))
        self.write("bad.yaml", b"name: bad\nbody: 3\n")
        self.assertIn("bad.yaml:", self.ctl("instrument", self.path("bad.yaml"), code=INPUT))
        self.assertIn("1 to 16", self.ctl("instrument", "marimba", "17", code=USAGE))
        self.assertEqual(self.status()["instruments"][0], INSTRUMENT)
        player.send(on(72))
        self.notes_until(1)
        player.stop()

    def test_many_changes_take_no_more_memory(self):
        player = self.controlled()
        names = ["vibraphone", "marimba", INSTRUMENT]
        for i in range(12):
            self.ctl("instrument", names[i % 3])
            player.send([*on(60 + i), *off(60 + i)])
        pause(1.0)
        with open(f"/proc/{player.process.pid}/status", encoding="ascii") as file:
            resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024
        self.assertLess(resident, 192 + 96)
        player.stop()
        self.assertEqual(player.stats["notes_stood_in"], 0)

    def test_a_parameter_is_heard_at_once_and_by_parts_to_come(self):
        player = self.controlled("-s", "room=0", "-s", "human=0", "--record", self.path("a.wav"))
        player.send(on(72))
        self.notes_until(1)
        pause(0.3)
        player.send([0xB0, 120, 0])
        self.ctl("set", "level=-20")
        pause(0.3)
        player.send(on(72))
        self.notes_until(2)
        pause(0.3)
        player.send(on(72, channel=4))  # a part that joins later
        self.notes_until(3)
        pause(0.3)
        player.stop()
        samples = self.sound("a.wav").samples()
        half = [max(map(abs, samples[i:i + RATE // 50 * 2])) for i in range(0, len(samples) - RATE // 50 * 2, RATE // 50 * 2)]
        before = max(half[:20])
        after = max(half[half.index(before) + 25:])  # half a second after the first note's onset it is silenced
        self.assertLess(after, 0.3 * before)  # two at a tenth each
        self.assertGreater(after, 0.05 * before)

    def test_what_cannot_be_set(self):
        player = self.controlled()
        self.assertIn("did you mean", self.ctl("set", "mallet.mas=3", code=USAGE))
        self.assertIn("no effect", self.ctl("set", "bow.force=0.2", code=USAGE))
        self.assertIn("PARAM=VALUE", self.ctl("set", "level", code=USAGE))
        self.assertIn("is allowed", self.ctl("set", "level=1e9", code=USAGE))
        self.ctl("set", "level", "1")  # as OSC says it
        player.stop()

    def test_hangup_reads_the_instrument_again(self):
        path = self.path("mine.yaml")
        shutil.copy(GLOCKENSPIEL, path)
        player = self.controlled(instrument=path)
        player.send(on(72))
        self.notes_until(1)
        with open(path, "a", encoding="utf-8") as file:
            file.write("\nnonsense: 1\n")
        player.poke(signal.SIGHUP)
        pause(0.5)
        self.assertEqual(self.status()["notes"], 1)
        shutil.copy(GLOCKENSPIEL, path)
        player.poke(signal.SIGHUP)
        pause(0.5)
        player.send(on(74))
        self.notes_until(2)
        player.stop()
        self.assertIn("mine.yaml:", player.said)
        self.assertIn("nonsense", player.said)
        self.assertIn("again", player.said)


class Save(ControlCase):
    def setUp(self):
        super().setUp()
        self.environment = dict(os.environ, XDG_CONFIG_HOME=self.path("config"))

    def test_what_was_dialled_in_is_a_performance(self):
        player = self.controlled("-s", "room=0.4", env=self.environment)
        self.ctl("set", "level=-9")
        self.ctl("instrument", "marimba", "2")
        self.wait_until(lambda: self.status()["instruments"][1] == "marimba")
        path = self.ctl("save", "evening").strip()
        self.assertEqual(path, self.path("config/hertzian/performances/evening.yaml"))
        self.assertIn("no name", self.ctl("save", "../x", code=USAGE))
        player.stop()
        text = self.read(path).decode()
        for part in ("glockenspiel", "marimba", "-9", "0.4"):
            self.assertIn(part, text)
        again = self.live(f"--control={self.socket}", instrument="evening", fifos=("again",), env=self.environment)
        self.wait_until(lambda: os.path.exists(self.socket))
        self.assertEqual(self.status()["instruments"][:3], ["glockenspiel", "marimba", "glockenspiel"])
        again.send(on(72, channel=1))
        self.wait_until(lambda: self.status()["notes"] == 1)
        again.stop()


if __name__ == "__main__":
    main()
