#!/usr/bin/env python3
"""Files that are read again (SIGHUP), once and hundreds of times: what is played is laid out as it was, memory stays, takes are what they say."""

import os
import shutil
import signal
import sys

sys.dont_write_bytecode = True
from live import INSTRUMENT, off, on, pause  # noqa: E402
from support import SOURCE, main, run  # noqa: E402
from test_dialled import DialledCase, words_in  # noqa: E402


class Reload(DialledCase):
    def touched(self, path, source=None):
        shutil.copy(source or path, self.path("other"))
        os.replace(self.path("other"), path)

    def takes(self):
        return sorted(n[:-4] for n in os.listdir(self.folder) if n.endswith(".wav") and n != "again.wav")

    def test_layers_are_read_again_in_their_places(self):
        path, beside = self.path("mine.yaml"), self.path("beside.yaml")
        for target, name in ((path, "glockenspiel"), (beside, "marimba")):
            shutil.copy(os.path.join(SOURCE, "instruments", name + ".yaml"), target)
        player = self.begin("--layer", beside + ",keys=48-60", "--record", self.path("a.wav"), instrument=path)
        player.send(on(60) + on(84))
        self.notes_until(2)
        for n, changed in enumerate((beside, path), 2):
            self.touched(changed)
            player.poke(signal.SIGHUP)
            self.wait_until(lambda n=n: len(self.takes()) == n)
            player.send(off(60) + on(60) + off(84) + on(84))
            self.wait_until(lambda n=n: self.status()["notes"] == 2 * n)
            self.assertEqual(self.status()["instruments"][0], "mine + beside")
        pause(0.3)
        player.stop()
        self.fair(player)
        self.assertIn("again all.2", words_in(self.read(self.takes()[-1] + ".mid")))
        for name in self.takes():
            self.is_the_take(name, frames=0)

    def test_a_performance_is_read_again_where_its_file_has_changed(self):
        parts = "format: 1\nname: Two\nparts:\n  - {instrument: glockenspiel, channels: [1]}\n  - {instrument: %s, channels: [2]}\n"
        path = self.write("two.yaml", (parts % "marimba").encode())
        player = self.begin(instrument=path)
        for n, (name, said) in enumerate((("marimba", 0), ("vibraphone", 1), ("vibraphone", 1))):
            if n == 1:
                self.write("other", (parts % name).encode())
                os.replace(self.path("other"), path)
            player.poke(signal.SIGHUP)
            self.wait_until(lambda name=name: self.status()["instruments"][:2] == ["glockenspiel", name])
            pause(0.2)
        player.stop()
        self.assertEqual(player.said.count("again"), 1, player.said)

    def test_what_was_chosen_since_is_read_again(self):
        path = self.path("mine.yaml")
        shutil.copy(os.path.join(SOURCE, "instruments", "marimba.yaml"), path)
        player = self.begin()
        self.ctl("instrument", path, "3")
        self.wait_until(lambda: self.status()["instruments"][2] == "mine")
        self.touched(path, os.path.join(SOURCE, "instruments", "vibraphone.yaml"))
        player.poke(signal.SIGHUP)
        pause(0.5)
        self.assertEqual(self.status()["instruments"][:4], [INSTRUMENT, INSTRUMENT, "mine", INSTRUMENT])
        player.stop()
        self.assertIn("again", player.said)

    def test_hundreds_of_readings_and_the_last_take(self):
        times = 2000 if "HERTZIAN_LONG" in os.environ else 150
        path = self.path("mine.yaml")
        shutil.copy(os.path.join(SOURCE, "instruments", "glockenspiel.yaml"), path)
        player = self.begin(instrument=path)
        early = 0
        for n in range(times):
            self.touched(path)
            player.poke(signal.SIGHUP)
            player.send(on(84 + n % 12))
            pause(0.05)
            if n == 3 * times // 4:
                early = self.resident(player)
        late = self.resident(player)
        self.ctl("record", "start")
        self.touched(path)
        player.send(on(72))
        pause(0.2)
        player.poke(signal.SIGHUP)
        self.wait_until(lambda: len(self.takes()) == 2)
        player.send(on(76))
        pause(0.3)
        player.stop()
        self.fair(player)
        self.assertNotIn("too many", player.said)
        self.assertGreater(player.said.count("again"), times / 4)  # some come while the last is still read
        self.assertLess(late, early + 40 * 2**20)  # parts that still ring come and go; each reading that stayed would be a megabyte at least
        for name in self.takes():
            if times < 180:
                self.is_the_take(name, frames=0)
            else:  # a render has no room for so many: they share places, and the last bits differ
                result = run("history", "render", self.path(name + ".mid"), "-o", self.path("again.wav"), env=self.env)
                self.assertEqual((result.code, "left out" in result.err), (0, False), result.err)

    def resident(self, player):
        with open(f"/proc/{player.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096


if __name__ == "__main__":
    main()
