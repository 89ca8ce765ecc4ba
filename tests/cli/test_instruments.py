"""hertzian instruments: what is listed, shown and found wrong."""

import json
import os
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, INPUT, SONGS, SOURCE, USAGE, main, notes, run, smf  # noqa: E402

FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "instruments")


class Instruments(Case):
    def test_list_is_the_default(self):
        result = run("instruments")
        self.assertEqual((result.code, result.err), (DONE, ""))
        self.assertEqual(result.out, run("instruments", "list").out)
        instruments = result.out.decode().split("\n\n")[0]  # performances follow
        names = [line.split()[0] for line in instruments.splitlines()[1:]]
        self.assertEqual(names, sorted(names))
        self.assertLessEqual({"marimba", "glockenspiel"}, set(names))

    def test_list_json(self):
        entries = {entry["id"]: entry for entry in json.loads(run("instruments", "list", "--json").out)}
        self.assertEqual(entries["marimba"]["programs"], [12])
        self.assertEqual(entries["glockenspiel"]["keys"], [79, 108])
        self.assertEqual(entries["marimba"]["faults"], 0)

    def test_show_has_a_line_per_parameter(self):
        result = run("instruments", "show", "marimba")
        self.assertEqual((result.code, result.err), (DONE, ""))
        text = result.out.decode()
        self.assertRegex(text, r"PARAM +DEFAULT +RANGE +CC +WHAT IT DOES")
        shown = json.loads(run("instruments", "show", "marimba", "--json").out)
        for param in shown["params"]:
            self.assertRegex(text, r"(?m)^%s +" % param["name"].replace(".", r"\."))
        self.assertEqual({p["name"]: p.get("cc") for p in shown["params"]}["mallet.hardness"], 74)
        self.assertEqual([body["name"] for body in shown["bodies"]], ["bar", "tube"])
        self.assertEqual(shown["bodies"][1]["driven_by"], ["bar"])

    def test_only_parameters_with_an_effect_are_shown(self):
        missing = {"piano": ("tube.level", "mallet.kind", "motor.rate"), "marimba": ("damper", "mallet.kind", "board"),
                   "glockenspiel": ("damper", "mallet.kind", "tube.level", "motor.depth", "board"), "vibraphone": ("board",)}
        for name, params in missing.items():
            shown = {p["name"]: p for p in json.loads(run("instruments", "show", name, "--json").out)["params"]}
            text = run("instruments", "show", name).out.decode()
            for param in params:
                self.assertNotIn(param, shown)
                self.assertNotRegex(text, r"(?m)^%s " % param.replace(".", r"\."))
        self.assertEqual(shown["mallet.kind"]["range"], [0, 2])
        self.assertEqual(shown["mallet.kind"]["scale"], "steps")

    def test_a_file_can_be_shown_too(self):
        path = os.path.join(FIXTURES, "strung.yaml")
        self.assertEqual(json.loads(run("instruments", "show", path, "--json").out)["id"], "strung")

    def test_a_soft_pedal_that_only_spares_says_no_more(self):
        lines = {name: [line for line in run("instruments", "show", name).out.decode().splitlines() if "soft pedal" in line]
                 for name in ("piano", "dulcimer", "marimba")}
        self.assertEqual(lines, {"piano": ["  soft pedal: 0.6 times the stiffness, one body of a unison spared"],
                                 "dulcimer": ["  soft pedal: one body of a unison spared"], "marimba": []})

    def test_one_string_for_all_keys_is_shown_as_one(self):
        text = run("instruments", "show", "tromba").out.decode()
        self.assertIn("1 string for all keys: C2; a key plays the natural harmonic", text)
        self.assertRegex(text, r"friction: elasto-plastic bristles, U = [0-9.]+ to [0-9.]+ at velocity 127")
        self.assertNotRegex(text, r"N AT (?!C2 )")
        bow = json.loads(run("instruments", "show", "tromba", "--json").out)["bow"]
        self.assertEqual((bow["friction"], bow["strings"]), ("bristles", [36]))
        self.assertTrue(0 < bow["u"][0] < bow["u"][1])  # pressed harder at the highest key

    def test_all_that_plays_is_shown(self):
        arco, guitar, hurdy = (os.path.join(FIXTURES, name + ".yaml") for name in ("arco", "guitar", "hurdy"))
        self.assertRegex(run("instruments", "show", arco).out.decode(), r"(?s)  mallet 0.004 kg.*  bow 0.3 N.*3 strings for all keys")
        shown = json.loads(run("instruments", "show", arco, "--json").out)
        self.assertEqual((shown["bow"]["strings"], "mallet" in shown), ([43, 50, 57], True))
        self.assertIn("6 strings for all keys: E2", run("instruments", "show", guitar).out.decode())
        self.assertEqual(json.loads(run("instruments", "show", guitar, "--json").out)["strings"], [40, 45, 50, 55, 59, 64])
        self.assertIn("it turns when the string comes to it", run("instruments", "show", hurdy).out.decode())

    def test_ears(self):
        path = os.path.join(FIXTURES, "ears.yaml")
        self.assertEqual(run("instruments", "validate", path).code, DONE)
        ears = json.loads(run("instruments", "show", path, "--json").out)["ears"]
        self.assertEqual([ear["of"] for ear in ears], ["bar", "bar", "tube", "tube"])
        near, far = (0.8 ** 2 + 0.5) ** 0.5, (1.0 ** 2 + 0.5) ** 0.5  # 0.9 m to one side, the ears at -0.1 and 0.1
        for ear, metres in zip(ears, ((near, far), (far, near))):
            for got, expected in zip(ear["metres"], metres):
                self.assertAlmostEqual(got, expected, places=4)
        text = run("instruments", "show", path).out.decode()
        self.assertIn("  an ear 1.07..1.22 m from the bar hears its sound pressure", text)

    def test_contacts_along_a_string(self):
        text = run("instruments", "show", os.path.join(FIXTURES, "curved-bridge.yaml")).out.decode()
        self.assertIn("string to ground, contact at 23 places along it\n", text)
        self.assertIn("string to ground, contact at 9 frets along it\n", text)
        self.assertIn("run at 96000 Hz, whatever rate it is played at\n", text)

    def test_validate(self):
        good = os.path.join(FIXTURES, "tines.yaml")
        result = run("instruments", "validate", good)
        self.assertEqual((result.code, result.err), (DONE, ""))
        bad = os.path.join(FIXTURES, "faulty.yaml")
        result = run("instruments", "validate", bad, good)
        self.assertEqual(result.code, INPUT)
        self.assertEqual(result.out.decode(), good + ": good\n")
        self.assertGreater(len(result.lines), 10)
        for line in result.lines:
            self.assertRegex(line, "^hertzian: %s:[0-9]+:[0-9]+: " % bad.replace(".", r"\."))
        report = json.loads(run("instruments", "validate", bad, "--json").out)[0]
        self.assertFalse(report["valid"])
        self.assertEqual(len(report["faults"]), len(result.lines))

    def changed(self, name, before, after):
        """A copy of an instrument with a text replaced, and the line in which that stands."""
        with open(os.path.join(SOURCE, "instruments", name + ".yaml"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(before, text)
        return self.write(name + ".yaml", text.replace(before, after, 1).encode()), text[:text.index(before)].count("\n") + 1

    def test_places_at_which_a_body_stands_still(self):
        for name, before, after in (("timpani", "at_y: 0.562", "at_y: 0.0056"),
                                    ("snare", "at: [[0.25, 0.8], ", "at: [[8e-10, 0.8], ")):
            file, line = self.changed(name, before, after)
            for command in (("instruments", "validate", file), ("render", self.song(), "-i", file, "-o", self.path("x.wav"))):
                self.one_error(run(*command), INPUT, "%s:%d:" % (file, line), "still" if name == "timpani" else "does not move")
            self.nothing_written(name + ".yaml", "song.mid")
            os.remove(file)

    def test_what_is_not_heard_is_not_good(self):
        file, line = self.changed("timpani", "50: 0.0769", "50: 0")
        self.one_error(run("instruments", "validate", file), INPUT, "%s:%d:" % (file, line), "key 50", "-120 dBFS")
        report = json.loads(run("instruments", "validate", file, "--json").out)[0]
        self.assertEqual((report["valid"], len(report["faults"]), report["faults"][0]["line"]), (False, 1, line))

    def test_what_cannot_be_made_at_a_rate(self):
        # At 8 kHz this plate has no grid of four intervals: no key can be made.
        file, line = self.changed("tromba-collision", "young: 9.0e+9", "young: 9.0e+10")
        self.one_error(run("instruments", "validate", file), INPUT, "%s:" % file, "at 8000 Hz")
        result = run("render", self.song(), "-i", file, "-r", "8000", "-o", self.path("x.wav"))
        self.one_error(result, INPUT, "%s:" % file, "at 8000 Hz")
        self.assertRegex(result.err, r"tromba-collision\.yaml:[1-9][0-9]*:[1-9][0-9]*: ")
        self.nothing_written("tromba-collision.yaml", "song.mid")

    def test_keys_that_a_rate_does_not_give_are_warned_of(self):
        result = run("instruments", "validate", "string-string")
        self.assertEqual((result.code, result.out), (DONE, b"string-string: good\n"))
        self.assertIn("at 8000 Hz: 3 keys are silent", result.err)

    def test_what_lies_along_strings_is_shown(self):
        shown = run("instruments", "show", "tanpura")
        self.assertEqual(shown.code, DONE, shown.err)
        self.assertIn(b"its keys run at 96000 Hz", shown.out)
        self.assertIn(b"tuned as they sound, keys between them in proportion: C2 F#2 C3 C4 C5\n", shown.out)
        shown = run("instruments", "show", "slap")
        self.assertIn(b"string to ground, contact at 25 to 1 frets along it", shown.out)
        self.assertNotIn(b"tuned as they sound", shown.out)

    def test_a_two_way_board_that_is_not_to_be_had(self):
        song = self.song()
        with open(os.path.join(SOURCE, "instruments", "cello.yaml"), encoding="utf-8") as cello:
            text = cello.read()
        with open(self.path("stubborn.yaml"), "w", encoding="utf-8") as file:
            file.write(text.replace("quantity: force, to: body", "quantity: displacement, to: body").replace("[42]", "[41]"))
        env = {"HERTZIAN_INSTRUMENTS": self.folder}
        for name, why in (("marimba", "share"), ("tromba", "share"), ("stubborn", "force of its end")):
            result = run("render", song, "-i", name, "-s", "board=two-way", "-o", self.path("x.wav"), env=env)
            self.one_error(result, USAGE, "no two-way board on %s" % name, why)
        self.nothing_written("song.mid", "stubborn.yaml")
        # With several instruments at hand it goes to those that have it, and the others are named.
        asking = self.write("asking.mid", smf([[(0, bytes([0xC0, 41]))] + notes(((0.0, 60, 100, 0.25),))]))
        result = run("render", asking, "-s", "board=two-way", "-o", self.path("x.wav"), env=env)
        self.assertEqual(result.code, DONE, result.err)
        self.assertRegex(result.err, r"-s board=two-way: stays one-way on .*stubborn \(what is struck has to drive")

    def test_preparations_that_cannot_be_folded_are_told(self):
        path = os.path.join(self.folder, "viscous.yaml")
        with open(os.path.join(SOURCE, "instruments", "prepared-piano.yaml"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("several times", run("instruments", "show", "prepared-piano").out.decode())
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("damping: {28: 0.5, 60: 0.12, 96: 0.08}", "damping: 50"))
        self.assertRegex(run("instruments", "show", path).out.decode(), r"\n  [1-9][0-9]* keys cost several times what others do: ")

    def test_a_decimal_comma_is_named_as_such(self):
        path = os.path.join(self.folder, "comma.yaml")
        with open(os.path.join(SOURCE, "instruments", "glockenspiel.yaml"), encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("mass: 0.012", "mass: 0,012"))
        result = run("instruments", "validate", path)
        self.assertEqual(result.code, INPUT)
        self.assertEqual(len(result.lines), 1)
        self.assertIn("decimals take a point: 0.012", result.lines[0])

    def test_unknown_names(self):
        self.one_error(run("instruments", "show", "marimva"), INPUT, 'did you mean "marimba"')
        self.one_error(run("instruments", "show", os.path.join(self.folder, "none.yaml")), INPUT, "No such file")

    def test_parameters_by_names_of_the_file(self):
        file = os.path.join(FIXTURES, "named-things.yaml")
        shown = run("instruments", "show", file).out.decode()
        for name in ("nut.gap", "wheel.speed", "bow2.force", "washer.mass"):
            self.assertIn(f"\n  {name} ", shown)
        song = os.path.join(SONGS, "song.mid")
        render = ["render", song, "-i", file, "--end", "1", "-o", os.path.join(self.folder, "out.wav")]
        self.assertEqual(run(*render, "-s", "nut.gap=0.0002", "-s", "wheel.speed=0.4").code, DONE)
        self.one_error(run(*render, "-s", "nutt.gap=0.0002"), USAGE, "has no effect on named-things; did you mean nut.gap?")
        self.one_error(run(*render, "-s", "nut.gap=1"), USAGE, "out of range, 0 to 0.02 is allowed on named-things")
        self.one_error(run(*render, "-s", "nut.gap=wide"), USAGE, "not a number")
        self.one_error(run(*render, "-s", "nut.colour=1"), USAGE, "unknown parameter")

    def test_usage(self):
        for args in (["shew"], ["show"], ["show", "a", "b"], ["list", "a"], ["validate"]):
            result = run("instruments", *args)
            self.assertEqual(result.code, USAGE)
            self.assertEqual(len(result.lines), 1)
            self.assertEqual(result.out, b"")

    def test_own_folder_comes_first(self):
        with open(os.path.join(FIXTURES, "tines.yaml"), encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(self.folder, "marimba.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        env = {"HERTZIAN_INSTRUMENTS": self.folder}
        self.assertEqual(json.loads(run("instruments", "show", "marimba", "--json", env=env).out)["name"], "Tines")


if __name__ == "__main__":
    main()
