"""midi monitor and midi learn, fed from a file of bytes."""

import json
import os
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, OUTPUT, USAGE, main, notes, run, smf  # noqa: E402

DEVICE = 3


class Midi(Case):
    def listen(self, data, *args, **more):
        return run("midi", *args, "-m", "none", "--midi-raw", self.write("bytes", bytes(data)), **more)

    def test_monitor_says_every_kind_in_words(self):
        data = (0xB0, 74, 5, 0x90, 60, 100, 0xFE, 0x91, 61, 0, 0xE0, 0, 80, 0xF0, 0x7F, 0x7F, 4, 1, 0, 64, 0xF7, 0xA3, 60, 1, 0xD0, 3,
                0xC5, 9, 0xF0, 0x7F, 0x7F, 8, 2, 0, 1, 60, 60, 64, 0, 0xF7, 0xFF)
        result = self.listen(data, "monitor", "-q")
        self.assertEqual(result.code, DONE, result.err)
        words = [line[11:] for line in result.out.decode().splitlines()]
        self.assertEqual(words, [
            "ch 1    controller  74 (brightness) 5", "ch 1    note on     C4 (60) velocity 100", "ch 2    note off    C#4 (61) velocity 64",
            "ch 1    bend        +2048", "all     master volume 50 %", "ch 4    pressure    C4 (60) 1", "ch 1    pressure    3",
            "ch 6    program     10", "all     tuning 0    C4 (60) +50.00 cent", "all     reset"])
        lines = self.listen(data, "monitor", "-q", "--json").out.decode().splitlines()
        self.assertEqual([json.loads(line)["words"] for line in lines], words)

    def test_learn_takes_the_first_that_is_moved_and_keeps_it(self):
        own = {"XDG_CONFIG_HOME": self.path("config")}
        # A pedal and a mode message are not for learning, 21 only trembles.
        data = (0xB0, 64, 127, 0xB0, 123, 0, 0xB0, 21, 64, 21, 65, 0xB0, 74, 5, 74, 6, 74, 80)
        result = self.listen(data, "learn", "mallet.hardness:0.1..10", env=own)
        self.assertEqual((result.code, result.out), (DONE, b"74=mallet.hardness:0.1..10:pickup\n"), result.err)
        self.assertIn("controller 64 (sustain pedal) is left what it is; --force binds it", result.err)
        result = self.listen((0xB0, 64, 0, 64, 127), "learn", "tune:0..100", "--force", env=own)
        self.assertEqual(result.code, DONE, result.err)
        self.assertEqual(self.read("config/hertzian/controllers").decode(), "74=mallet.hardness:0.1..10:pickup\n64=tune:0..100:pickup\n")
        # The same controller again, and the same parameter on another, take the old lines' places.
        self.listen((0xB0, 20, 0, 20, 127), "learn", "tune", env=own)
        self.listen((0xD0, 0, 127), "learn", "mallet.hardness", env=own)
        self.assertEqual(self.read("config/hertzian/controllers").decode(), "20=tune:pickup\npressure=mallet.hardness:pickup\n")
        # And it is played: from where it is by default, 0 cents, the knob picks it up in the middle.
        song = self.write("song.mid", smf([[(0, bytes((0xB0, 20, 0))), (1, bytes((0xB0, 20, 127)))] + notes(((1.0, 84, 100, 0.5),))]))
        render = ("render", song, "-i", "glockenspiel", "-q", "-o", self.path("out.wav"))
        run(*render, env=own)
        kept = self.read("out.wav")
        run(*render[:2], "-i", "glockenspiel", "-s", "tune=1200", "-q", "-o", self.path("out.wav"), "--bind", "none", env=own)
        self.assertEqual(kept, self.read("out.wav"))

    def test_what_is_wrong_is_one_line(self):
        own = {"XDG_CONFIG_HOME": self.path("config")}
        self.one_error(run("midi", "listen"), USAGE, "midi listen", "midi monitor", "midi learn PARAM", "midi dump SONG.mid")
        self.one_error(run("midi", "learn"), USAGE, "one parameter")
        result = self.listen((), "learn", "mallet.hardnes", "-i", "marimba", "-q", env=own)
        self.one_error(result, USAGE, "did you mean mallet.hardness")
        result = self.listen((0x90, 60, 100), "learn", "tune", "-q", env=own)
        self.one_error(result, DEVICE, "no controller was moved")
        self.assertFalse(os.path.exists(self.path("config", "hertzian", "controllers")))

    def test_what_cannot_be_read_is_not_written_over(self):
        os.makedirs(self.path("config", "hertzian", "controllers"))
        own = {"XDG_CONFIG_HOME": self.path("config")}
        result = self.listen((0xB0, 20, 0, 20, 127), "learn", "tune", "-q", env=own)
        self.one_error(result, OUTPUT, "controllers: ")
        self.nothing_written("bytes")


if __name__ == "__main__":
    main()
