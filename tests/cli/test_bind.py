"""Controllers bound by the player: flags, files, pick-up, and what is refused."""

import os
import sys

sys.dont_write_bytecode = True
from support import Case, INPUT, USAGE, main, notes, run, smf, tick_of  # noqa: E402

NOTE = notes(((1.0, 84, 100, 0.5),))
BASE = ("-i", "glockenspiel", "-s", "room=0", "-q")
EMPTY = {"XDG_CONFIG_HOME": "/nonexistent"}


def control(number, value):
    return bytes((0xB0, number, value))


class Bind(Case):
    def sound(self, events, *args, env=None):
        song = self.write("song.mid", smf([sorted(events, key=lambda e: e[0])]))
        self.render(song, *BASE, "-o", self.path("song.wav"), *args, env=env or EMPTY)
        return self.read("song.wav")

    def test_a_controller_moves_what_it_is_bound_to(self):
        hard = self.sound(NOTE, "-s", "mallet.hardness=10")
        soft = self.sound(NOTE, "-s", "mallet.hardness=0.1")
        self.assertNotEqual(hard, soft)
        bind = ("--bind", "20=mallet.hardness:0.1..10")
        self.assertEqual(self.sound([(0, control(20, 127))] + NOTE, *bind), hard)
        self.assertEqual(self.sound([(0, control(20, 0))] + NOTE, *bind), soft)
        backwards = ("--bind", "20=mallet.hardness:10..0.1")
        self.assertEqual(self.sound([(0, control(20, 0))] + NOTE, *backwards), hard)
        self.assertEqual(self.sound([(0, bytes((0xD0, 127)))] + NOTE, "--bind", "pressure=mallet.hardness:0.1..10"), hard)

    def test_it_no_longer_does_what_it_did_and_one_may_move_several(self):
        plain = self.sound(NOTE)
        self.assertNotEqual(self.sound([(0, control(7, 64))] + NOTE), plain)
        self.assertEqual(self.sound([(0, control(7, 64))] + NOTE, "--bind", "7=soft"), plain)  # no soft pedal here
        both = self.sound(NOTE, "-s", "mallet.hardness=10", "-s", "tune=100")
        self.assertEqual(self.sound([(0, control(7, 127))] + NOTE, "--bind", "7=mallet.hardness:0.1..10", "--bind", "7=tune:0..100"),
                         both)

    def test_pick_up_waits_for_the_knob_to_come_by(self):
        bind = ("-s", "tune=50", "--bind", "20=tune:-100..100:pickup")
        plain = self.sound(NOTE, "-s", "tune=50")
        self.assertEqual(self.sound([(0, control(20, 0)), (1, control(20, 80))] + NOTE, *bind), plain)  # 26 cents: not there yet
        moved = self.sound([(0, control(20, 0)), (1, control(20, 127))] + NOTE, *bind)  # past it
        self.assertEqual(moved, self.sound(NOTE, "-s", "tune=100"))
        back = self.sound([(0, control(20, 127)), (1, control(20, 0))] + NOTE, *bind)
        self.assertEqual(back, self.sound(NOTE, "-s", "tune=-100"))

    def test_files_of_bindings(self):
        hard = self.sound(NOTE, "-s", "mallet.hardness=10", "-s", "tune=100")
        text = b"# mine\n20 = mallet.hardness : 0.1..10   # knob 1\n\n21=tune:-100..100\n"
        path = self.write("knobs", text)
        moved = [(0, control(20, 127)), (0, control(21, 127))] + NOTE
        self.assertEqual(self.sound(moved, "--bind", path), hard)
        os.makedirs(self.path("config", "hertzian"))
        self.write("config/hertzian/controllers", text)
        own = {"XDG_CONFIG_HOME": self.path("config")}
        self.assertEqual(self.sound(moved, env=own), hard)
        self.assertEqual(self.sound(moved, "--bind", "none", env=own), self.sound(NOTE))

    def test_what_is_wrong_is_one_line(self):
        song = self.song()

        def refused(code, *words, bind):
            self.one_error(run("render", song, *BASE, "--bind", bind, "-o", self.path("x.wav"), env=EMPTY), code, *words)
        refused(USAGE, "--bind 130=tune", "0 to 119, or pressure", bind="130=tune")
        refused(USAGE, "two numbers", bind="7=tune:a..b")
        refused(USAGE, "the same", bind="7=tune:1..1")
        refused(USAGE, ":pickup", bind="7=tune:1..2:pick")
        refused(USAGE, "name belongs here", bind="7=:1..2")
        refused(USAGE, "moves nothing on glockenspiel", "did you mean tune", bind="7=tun")
        refused(USAGE, "out of range, -1200 to 1200", bind="7=tune:0..5000")
        refused(INPUT, "neither CC=PARAM:LO..HI nor a file", bind=self.path("none"))
        bad = self.write("bad", b"20 = tune\n  x = tune\n21 = tune : 1\n")
        result = run("render", song, *BASE, "--bind", bad, "-o", self.path("x.wav"), env=EMPTY)
        self.assertEqual(result.code, INPUT)
        self.assertIn(bad + ":2:3: ", result.lines[0])
        self.assertIn(bad + ":3:", result.lines[1])


if __name__ == "__main__":
    main()
