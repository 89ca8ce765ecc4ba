#!/usr/bin/env python3
"""Settings from files and from the environment: what they may say, who overrules whom, and what is told of what is wrong."""

import json
import os

from live import INSTRUMENT, LiveCase
from support import DONE, INPUT, USAGE, Case, main, notes, run, smf

SONG = smf([notes([(0.0, 72, 100, 0.1)])])


class ConfigCase(Case):
    def setUp(self):
        super().setUp()
        for name in ("home/hertzian", "system/hertzian"):
            os.makedirs(self.path(name))
        self.write("song.mid", SONG)
        self.environment = {"XDG_CONFIG_HOME": self.path("home"), "XDG_CONFIG_DIRS": self.path("system"), "HERTZIAN_CONFIG": ""}

    def user(self, text):
        self.write("home/hertzian/config", text.encode())

    def system(self, text):
        self.write("system/hertzian/config", text.encode())

    def render(self, *args, code=DONE, **environment):
        return self.program("render", self.path("song.mid"), "--json", "-o", self.path("x.wav"), "--tail", "0.2", *args, code=code,
                            **environment)

    def program(self, *args, code=DONE, **environment):
        result = run(*args, env={**self.environment, **environment})
        self.assertEqual(result.code, code, result.err)
        return result

    def rate(self, *args, **environment):
        return json.loads(self.render(*args, **environment).out)["songs"][0]["rate_hz"]


class Files(ConfigCase):
    def test_flag_above_environment_above_user_above_system(self):
        base = f"instrument = {INSTRUMENT}\n"
        self.assertEqual(self.rate("-i", INSTRUMENT), 48000)
        self.system(base + "rate = 22050")
        self.assertEqual(self.rate(), 22050)
        self.user("rate = 32000  # what a remark says does not count\n")
        self.assertEqual(self.rate(), 32000)
        self.assertEqual(self.rate(HERTZIAN_RATE="44100"), 44100)
        self.assertEqual(self.rate("-r", "24000", HERTZIAN_RATE="44100"), 24000)
        self.assertEqual(self.rate("-r", "auto", HERTZIAN_RATE="44100"), 48000)

    def test_one_of_two_ways_to_say_a_level_replaces_the_other(self):
        self.user(f"instrument = {INSTRUMENT}\nnormalize = -3\nencoding = f32\n")
        song = json.loads(self.render().out)["songs"][0]
        self.assertAlmostEqual(song["peak_dbfs"], -3.0, delta=1e-4)
        song = json.loads(self.render("--loudness", "-30", "--tail", "1").out)["songs"][0]
        self.assertAlmostEqual(song["loudness_lufs"], -30.0, delta=1e-4)

    def test_a_file_of_ones_own_instead(self):
        self.user("rate = 32000")
        self.write("mine", f"instrument = {INSTRUMENT}\nrate=16000".encode())
        for how in (("-c", self.path("mine")), (f"-c{self.path('mine')}",), ("--config", self.path("mine")),
                    (f"--config={self.path('mine')}",)):
            self.assertEqual(self.rate(*how), 16000)
        self.assertEqual(self.rate(HERTZIAN_CONFIG=self.path("mine")), 16000)
        self.assertEqual(self.rate("-c", "/dev/null", "-i", INSTRUMENT), 48000)
        self.assertIn("No such file", self.render("-c", self.path("none"), code=INPUT).err)

    def test_every_fault_at_once_with_its_place(self):
        self.user("gian = 3\n"
                  "  rate = fast\n"
                  "\n"
                  "loop\n"
                  "stats = maybe\n"
                  "help = yes\n"
                  "set = mallet.mas=3\n"
                  "format = mp3\n")
        path = self.path("home/hertzian/config")
        lines = self.render(code=INPUT).lines
        self.assertEqual(len(lines), 7, lines)
        for line, (place, words) in zip(lines, [("1:1", "did you mean gain?"), ("2:10", "not a number, 8000 to 192000"),
                                                ("4:1", "KEY = VALUE"), ("5:9", "neither yes nor no"), ("6:1", "unknown"),
                                                ("7:7", "unknown parameter"), ("8:10", "unknown format")]):
            self.assertTrue(line.startswith(f"hertzian: {path}:{place}: "), line)
            self.assertIn(words, line)

    def test_help_is_there_where_a_file_is_wrong(self):
        self.user("nonsense")
        self.program("--help")
        self.program("render", "--help")
        self.program("--version")
        self.program(code=INPUT)

    def test_what_another_command_has_is_no_fault(self):
        self.user(f"instrument = {INSTRUMENT}\naudio = null\nmidi = none\ntempo = 2\nrequire-midi = yes\n")
        self.rate()
        self.program("devices", "midi")
        self.program("instruments", "list")  # reads none
        self.user("audio =\n")
        self.assertIn("is empty", self.render(code=INPUT).err)

    def test_settings_add_up_and_the_last_counts(self):
        self.user(f"instrument = {INSTRUMENT}\nset = room=0\nset = level=-6\n")
        quiet = json.loads(self.render().out)["songs"][0]["peak_dbfs"]
        louder = json.loads(self.render("-s", "level=0").out)["songs"][0]["peak_dbfs"]
        again = json.loads(self.render(HERTZIAN_SET="level=0").out)["songs"][0]["peak_dbfs"]
        self.assertAlmostEqual(louder - quiet, 6.0, delta=0.05)
        self.assertEqual(louder, again)

    def test_words_with_blanks_and_marks(self):
        os.mkdir(self.path("Música 冷备"))
        self.user(f"instrument = {INSTRUMENT}\noutput = \"{self.path('Música 冷备')}/a #1 b.wav\"  # quoted\r\n")
        self.program("render", self.path("song.mid"), "--tail", "0")
        self.assertEqual(os.listdir(self.path("Música 冷备")), ["a #1 b.wav"])

    def test_no_text_is_told_as_such(self):
        self.write("home/hertzian/config", b"gain = 3\0\n")
        self.assertIn(":1:1: no line of text", self.render(code=INPUT).err)
        self.write("home/hertzian/config", b"gain = " + b"1" * 5000)
        self.assertIn(":1:1: no line of text", self.render(code=INPUT).err)


class Environment(ConfigCase):
    def test_unknown_ones_are_refused_with_the_nearest(self):
        self.assertIn("did you mean HERTZIAN_GAIN?", self.render(code=USAGE, HERTZIAN_GIAN="3").err)
        self.assertIn("did you mean HERTZIAN_MIDI_RAW?", self.render(code=USAGE, HERTZIAN_MIDI_ROW="3").err)
        for name in ("HERTZIAN_XYLOPHONE", "HERTZIAN_", "HERTZIAN_gain", "HERTZIAN_HELP", "HERTZIAN_MASS"):
            self.assertIn(f"{name}: unknown", self.render(code=USAGE, **{name: "3"}).err)

    def test_values_are_held_to_what_the_flag_takes(self):
        self.assertIn("HERTZIAN_GAIN=loud: not a number, -96 to 48", self.render(code=USAGE, HERTZIAN_GAIN="loud").err)
        self.assertIn("HERTZIAN_LOOP=perhaps: neither yes nor no", self.render(code=USAGE, HERTZIAN_LOOP="perhaps").err)
        self.render("-i", INSTRUMENT, HERTZIAN_GAIN="")  # as if it were not there

    def test_every_flag_of_playing_has_its_variable(self):
        text = run("play", "--help").out.decode()
        names = {word.split("=")[0].split("[")[0].strip(",") for word in text.split() if word.startswith("--")}
        self.assertGreater(len(names), 25)
        for name in names - {"--help", "--version"}:
            variable = "HERTZIAN_" + name[2:].upper().replace("-", "_")
            self.assertNotIn("unknown;", run("devices", "midi", env={**self.environment, variable: "1"}).err, name)


class Live(LiveCase, ConfigCase):
    def test_a_performance_is_set_up_by_a_file(self):
        self.user("buffer = 512\nmidi = somebody\nmidi = nobody\ncontrol = " + self.path("s") + "\nlimiter = off\nno-hotplug = yes\n")
        player = self.live(env={**os.environ, **self.environment, "HERTZIAN_DURATION": "0.5"})
        player.end()
        self.assertEqual(player.stats["buffer"], 512)
        self.assertNotIn("somebody", player.said)  # -m none takes the place of all that the file names


if __name__ == "__main__":
    main()
