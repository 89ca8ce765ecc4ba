"""The command line itself: help, flags in any order, suggestions, ranges, exit codes."""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, INPUT, USAGE, main, run  # noqa: E402


class Help(Case):
    def test_help_is_short_and_has_examples(self):
        result = run("--help")
        text = result.out.decode()
        self.assertEqual(result.code, DONE)
        self.assertEqual(result.err, "")
        self.assertLessEqual(len(text.splitlines()), 40)
        self.assertEqual(len([line for line in text.split("Examples")[1].splitlines() if "hertzian " in line][:4]), 4)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_help_per_command_both_ways(self):
        for command in ("play", "record", "render", "devices", "instruments", "bench", "lab"):
            text = run(command, "--help").out
            self.assertIn(command.encode(), text)
            self.assertEqual(run("--help=" + command).out, text)
            self.assertEqual(run("--help", command).out, text)
        self.assertEqual(run("render", "-h").out, run("--help=render").out)

    def test_help_on_nothing_known(self):
        self.one_error(run("--help=nonsense"), USAGE, "nonsense")

    def test_render_help_names_every_flag_of_render(self):
        text = run("--help=render").out.decode()
        for flag in ("-i", "-s", "-g", "--transpose", "--velocity", "--channel", "-r", "-b", "-q", "-v", "-vv", "--log-file",
                     "--json", "-o", "-f", "-e", "--tail", "--start", "--end", "--tempo", "--normalize", "--strict", "-j",
                     "--no-clobber", "--dry-run", "--progress"):
            self.assertRegex(text, r"(?<![\w-])%s(?![\w-])" % re.escape(flag))

    def test_play_help_names_every_flag_of_play(self):
        text = run("--help=play").out.decode()
        for flag in ("-i", "-s", "-g", "--limiter", "--transpose", "--velocity", "--channel", "-a", "-m", "--midi-raw", "-r",
                     "-b", "--midi-delay", "--no-hotplug", "--require-midi", "--wait", "--rt", "--record", "--record-midi",
                     "--duration", "--fail-on", "--stats", "-q", "-v", "-vv", "--log-file", "--json"):
            self.assertRegex(text, r"(?<![\w-])%s(?![\w-])" % re.escape(flag))

    def test_version(self):
        result = run("--version")
        self.assertEqual(result.code, DONE)
        self.assertRegex(result.out.decode(), r"\Ahertzian \d+\.\d+\.\d+\n\Z")

    def test_a_path_is_never_a_command(self):
        for word in ("./gone.bak", "/no/such/song", "/"):
            with self.subTest(word=word):
                result = run(word, "-a", "null")
                self.assertEqual(result.code, INPUT, result.err)
                self.assertIn(word, result.err)

    def test_without_a_command_it_plays(self):
        result = run("-a", "null", "-m", "none", "--duration", "0.2", "-i", "glockenspiel")
        self.assertEqual(result.code, DONE, result.err)
        self.assertEqual(result.out, b"")
        self.assertRegex(result.err, r"played 0:00\.[2-9]")  # a busy machine plays a little longer

    def test_help_to_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        self.assertEqual(os.system("%s --help > /dev/full 2> /dev/null" % self.program()) >> 8, 5)

    @staticmethod
    def program():
        return "'" + os.environ.get("HERTZIAN", "hertzian") + "'"


class Flags(Case):
    def test_unknown_command_and_flag_have_suggestions(self):
        self.one_error(run("rendr", "a.mid"), USAGE, "rendr", "render")
        self.one_error(run("render", "--tempp", "2", "a.mid"), USAGE, "--tempp", "--tempo")
        self.one_error(run("render", "-Z", "a.mid"), USAGE, "-Z")
        self.one_error(run("--tempp"), USAGE, "--tempp", "--tempo")

    def test_flags_that_are_not_there(self):
        for flag in ("--audio", "--midi", "--duration", "--limiter", "-a",
                     "-m"):
            self.one_error(run("render", flag, "x", "a.mid"), USAGE, flag, "unknown flag")

    def test_flags_of_other_commands(self):
        self.one_error(run("instruments", "--tempo", "2"), USAGE, "--tempo", "unknown flag")
        self.one_error(run("render", "--csv", "x", "a.mid"), USAGE, "--csv", "unknown flag")

    def test_value_missing_or_unwanted(self):
        self.one_error(run("render", "a.mid", "-o"), USAGE, "-o")
        self.one_error(run("render", "a.mid", "--tempo"), USAGE, "--tempo")
        self.one_error(run("render", "a.mid", "--strict=yes"), USAGE, "--strict")

    def test_values_malformed_or_out_of_range(self):
        bad = {
            "-r": ("7999", "192001", "44100.5", "1,5", "fast", "", "0x5000", "nan", "inf", "-48000"),
            "-b": ("15", "8193", "64.5", "1,5", "many"),
            "-g": ("1,5", "-97", "49", "loud", "nan"),
            "--transpose": ("0.5", "1,5", "128", "-128", "up"),
            "--channel": ("0", "17", "all", "1,5"),
            "--velocity": ("steep", "fixed=0", "fixed=128", "fixed=1,5", "curve=", "curve=1"),
            "--tempo": ("0", "-1", "1,5", "11", "fast", "nan"),
            "--tail": ("-1", "1,5", "long", "nan", "1e9"),
            "--start": ("-1", "1,5", "late"),
            "--end": ("-1", "1,5", "0"),
            "-j": ("0", "65", "1.5", "1,5", "all"),
            "-f": ("mp3", "WAV", ""),
            "-e": ("s8", "f64", "24"),
            "--progress": ("sometimes", "1"),
            "--normalize=": ("1", "-61", "1,5", "loud"),
            "-s": ("level", "=1", "level=", "level=1,5", "level=25", "level=x", "nonsense=1", "volume=100"),
        }
        song = self.song()
        for flag, values in bad.items():
            for value in values:
                args = [flag + value] if flag.endswith("=") else [flag, value]
                with self.subTest(flag=flag, value=value):
                    self.one_error(run("render", *args, song), USAGE, flag.rstrip("="))
        self.nothing_written("song.mid")

    def test_range_is_told(self):
        self.one_error(run("render", "-r", "7999", "a.mid"), USAGE, "8000", "192000")
        self.one_error(run("render", "-s", "levle=1", "a.mid"), USAGE, "did you mean level?", "mallet.hardness")
        self.one_error(run("render", "-s", "level=99", "a.mid"), USAGE, "-60", "18")

    def test_messages_repeat_what_was_written(self):
        for args, line in ((("-s", "tube.level="), "-s tube.level=: not a number, 0 to 4 is allowed"),
                           (("-s", "mallet.kind=1.5"), "-s mallet.kind=1.5: not a whole number"),
                           (("-q=3",), "-q: takes no value"), (("--gain=",), '--gain "": not a number'),
                           (("--velocity", "steep"), '--velocity steep: "steep" is none of')):
            self.one_error(run("render", *args, "a.mid"), USAGE, "hertzian: " + line)

    def test_settings_are_those_of_the_instrument(self):
        song = self.song()
        for args, words in (((song, "-i", "piano", "-s", "tube.level=0"), ("no effect on piano", "there are level, width")),
                            ((song, "-i", "piano", "-s", "mallet.kind=0"), ("no effect on piano",)),
                            ((song, "-i", "glockenspiel", "-s", "damper=2"), ("no effect on glockenspiel",)),
                            ((song, "-i", "vibraphone", "-s", "mallet.kind=3"), ("0 to 2 is allowed",))):
            self.one_error(run("render", *args), USAGE, *words)
            self.one_error(run("play", "-a", "null", "-m", "none", *args[1:]), USAGE, *words)
        self.nothing_written("song.mid")
        self.render(song, "-q", "-s", "mallet.kind=2", "--tail", "none")  # the vibraphone, should the song call for it

    def test_folders_are_no_files_of_settings(self):
        for flag in ("--tuning", "--keymap", "--bind"):
            result = run("play", "-a", "null", "-m", "none", "-i", "glockenspiel", "--duration", "0.1", flag, self.folder)
            self.one_error(result, INPUT, "Is a directory")

    def test_a_parameter_without_what_it_is_a_part_of(self):
        self.one_error(run("render", "x.mid", "-s", "hardness=2"), USAGE, "did you mean mallet.hardness?")
        self.one_error(run("render", "x.mid", "-s", "Force=2"), USAGE, "did you mean bow.force?")

    def test_midi_wants_to_be_told_what(self):
        self.one_error(run("midi"), USAGE, "midi: there are midi monitor")
        self.one_error(run("midi", "dump"), USAGE, "which song?")

    def test_usage_comes_before_input(self):
        self.one_error(run("render", "missing.mid", "-f", "mp3"), USAGE, "mp3")

    def test_no_song(self):
        self.one_error(run("render"), USAGE, "song")

    def test_flags_in_any_order_and_form(self):
        song = self.song()
        sounds = []
        for i, words in enumerate((
                ["render", "-r", "44100", "-g", "-6", song, "-o", self.path("0.wav"), "-q"],
                ["render", song, "--rate=44100", "--gain=-6", "--output", self.path("1.wav"), "--quiet"],
                ["-qr44100", "-g-6", "render", "-o" + self.path("2.wav"), song],
                ["--rate", "44100", "render", "-q", "-o", self.path("3.wav"), "-g", "-6", "--", song],
        )):
            result = run(*words)
            self.assertEqual((result.code, result.err), (DONE, ""))
            sounds.append(self.read("%d.wav" % i))
        self.assertEqual(len(set(sounds)), 1)
        self.assertNotEqual(sounds[0], b"")

    def test_double_dash_ends_flags(self):
        self.song("-odd.mid")
        result = run("render", "--tail", "none", "--", "-odd.mid", cwd=self.folder)
        self.assertEqual(result.code, DONE, result.err)
        self.nothing_written("-odd.mid", "-odd.wav")

    def test_the_last_of_a_flag_counts(self):
        song = self.song()
        self.render(song, "-r", "8000", "-r", "16000", "-f", "raw", "-f", "wav", "-o", self.path("a.wav"), "-q")
        self.render(song, "-r", "16000", "-o", self.path("b.wav"), "-q")
        self.assertEqual(self.read("a.wav"), self.read("b.wav"))

    def test_verbosity(self):
        song = self.song()
        quiet = self.render(song, "-q", "--tail", "none")
        normal = self.render(song, "--tail", "none")
        loud = self.render(song, "-vv", "--tail", "none")
        self.assertEqual(quiet.err, "")
        self.assertEqual(len(normal.lines), 2, normal.err)
        self.assertGreaterEqual(len(loud.lines), 2)

    def test_log_file(self):
        song = self.song()
        self.render(song, "-q", "--tail", "none", "--log-file", self.path("log"))
        lines = self.read("log").decode().splitlines()
        self.assertEqual(len(lines), 3)  # the song, who plays it, what came of it
        for line in lines:
            self.assertRegex(line, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
        self.one_error(run("render", song, "--log-file", self.path("no", "such")), 5, "such")

    def test_comma_locale_changes_nothing(self):
        song = self.song()
        env = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
        result = self.render(song, "--tempo", "1.5", "-o", self.path("a.wav"), "--json", env=env)
        self.assertRegex(result.err, r"peak -\d+\.\d dBFS")
        json.loads(result.out)


if __name__ == "__main__":
    main()
