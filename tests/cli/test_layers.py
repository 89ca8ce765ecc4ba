"""Layers, splits, instruments by channel, performance files and banks: one map from channel, key and velocity to parts, live and rendered."""

import array
import json
import os
import sys
import time

sys.dont_write_bytecode = True
from live import Live, SLOW  # noqa: E402
from support import Case, INPUT, USAGE, Sound, main, notes, run, smf  # noqa: E402

FAST = ("-r", "16000", "--tail", "none", "-e", "f32")
DRY = ("-s", "room=0", "-s", "human=0")


def samples(data):
    sound = Sound(data)
    return array.array("f", sound.body)


class Layers(Case):
    def sound(self, song, *args, name="out.wav", env=None):
        result = self.render(song, *FAST, *DRY, *args, "-o", self.path(name), env=env)
        return samples(self.read(name)), result

    def alike(self, a, b, relative):
        n = max(len(a), len(b))
        self.assertEqual(len(a), n)
        self.assertEqual(len(b), n)
        most = max(abs(x) for x in a)
        self.assertGreater(most, 1e-4)
        self.assertLess(max(abs(x - y) for x, y in zip(a, b)), relative * most)

    def parts(self, song, *args, env=None):
        result = self.render(song, *FAST, *args, "--json", "-o", self.path("parts.wav"), env=env)
        return json.loads(result.out)["songs"][0]["parts"]

    def performance(self, text, name="stage"):
        self.write(f"hertzian/performances/{name}.yaml", text.encode())
        return {"XDG_CONFIG_HOME": self.folder}

    def one(self, key=60, velocity=100, channel=0, name="one.mid"):
        return self.write(name, smf([notes([(0.0, key, velocity, 0.4)], channel)]))

    # What plays together is the sum of what plays alone: floats are added in another order, by a part in 2^23 each time.
    def test_a_layer_is_the_sum(self):
        song = self.song()
        both, _ = self.sound(song, "-i", "glockenspiel", "--layer", "music-box")
        first, _ = self.sound(song, "-i", "glockenspiel", name="a.wav")
        second, _ = self.sound(song, "-i", "music-box", name="b.wav")
        self.alike(both, [x + y for x, y in zip(first, second)], 1e-6)

    def test_level_pan_and_transpose(self):
        song, high = self.one(72), self.one(84, name="high.mid")
        plain, _ = self.sound(high, "-i", "glockenspiel")
        env = self.performance("format: 1\nparts: [{instrument: glockenspiel, transpose: 12, level: -6}]\n")
        moved, _ = self.sound(song, "-i", "stage", env=env, name="b.wav")
        self.alike(plain, [x * 10 ** (6 / 20) for x in moved], 1e-6)
        env = self.performance("format: 1\nparts: [{instrument: glockenspiel, transpose: 12, pan: 1}]\n")
        right, _ = self.sound(song, "-i", "stage", env=env, name="c.wav")
        self.assertLess(max(abs(x) for x in right[0::2]), 1e-12)
        self.assertGreater(max(abs(x) for x in right[1::2]), 1e-4)

    def test_a_split_is_each_for_itself(self):
        low, high = self.one(59, name="low.mid"), self.one(60, name="high.mid")
        for song, plays, key in ((low, "marimba", "low"), (high, "vibraphone", "high")):
            want, _ = self.sound(song, "-i", plays)
            for args in (("-i", "vibraphone", "--split", "marimba:C4"), ("-i", "marimba", "--split", "60:vibraphone")):
                got, _ = self.sound(song, *args, name=f"{key}.wav")
                self.assertEqual(want, got, (plays, args))

    def test_splits_nest_and_layers_take_what_is_left(self):
        env = {}
        args = ("-i", "marimba", "--split", "music-box:C3", "--split", "glockenspiel:C2", "--split", "C7:vibraphone",
                "--layer", "tubular-bells,level=-3")
        for key, plays in ((30, "glockenspiel"), (40, "music-box"), (60, "marimba"), (100, "vibraphone")):
            song = self.one(key)
            want = {"marimba": ("-i", "marimba", "--layer", "tubular-bells,level=-3")}.get(plays, ("-i", plays))
            a, _ = self.sound(song, *want, env=env)
            b, _ = self.sound(song, *args, env=env, name="b.wav")
            self.alike(a, b, 1e-6)

    def test_velocities(self):
        env = self.performance("format: 1\nparts:\n  - {instrument: marimba, velocity: [0, 79]}\n"
                               "  - {instrument: glockenspiel, velocity: [80, 127]}\n")
        for velocity, plays in ((79, "marimba"), (80, "glockenspiel")):
            song = self.one(84, velocity)
            want, _ = self.sound(song, "-i", plays)
            got, _ = self.sound(song, "-i", "stage", env=env, name="b.wav")
            self.assertEqual(want, got)

    def test_parameters_of_a_part_and_of_the_command_line(self):
        song = self.one()
        want, _ = self.sound(song, "-i", "marimba", "-s", "mallet.hardness=4")
        env = self.performance("format: 1\nparts: [{instrument: marimba, set: {mallet.hardness: 4}}]\n")
        got, _ = self.sound(song, "-i", "stage", env=env, name="b.wav")
        self.assertEqual(want, got)
        stronger, _ = self.sound(song, "-i", "stage", "-s", "mallet.hardness=1", env=env, name="c.wav")
        plain, _ = self.sound(song, "-i", "marimba", name="d.wav")
        self.assertEqual(stronger, plain)
        self.assertNotEqual(want, plain)

    def test_instruments_by_channel(self):
        song = self.write("two.mid", smf([notes([(0.0, 72, 100, 0.2)], 0), notes([(0.0, 72, 100, 0.2)], 4)]))
        rows = self.parts(song, "-i", "marimba", "-i", "5:glockenspiel")
        self.assertEqual([(r["channel"], r["instruments"], r["why"]) for r in rows],
                         [(1, ["marimba"], "given"), (5, ["glockenspiel"], "given")])
        rows = self.parts(song, "-i", "5:glockenspiel", "--layer", "5:music-box")
        self.assertEqual([(r["channel"], r["instruments"]) for r in rows], [(1, ["piano"]), (5, ["glockenspiel", "music-box"])])
        self.assertEqual(rows[0]["why"], "own")

    def test_channels_of_parts(self):
        env = self.performance("format: 1\nparts:\n  - {instrument: marimba, channels: [1]}\n"
                               "  - {instrument: glockenspiel, channels: [5]}\n")
        song = self.write("three.mid", smf([notes([(0.0, 72, 100, 0.2)], c) for c in (0, 4, 6)]))
        result = self.render(song, *FAST, "-i", "stage", "--json", "-o", self.path("x.wav"), env=env)
        rows = json.loads(result.out)["songs"][0]["parts"]
        self.assertEqual([(r["channel"], r["instruments"]) for r in rows], [(1, ["marimba"]), (5, ["glockenspiel"])])
        self.assertIn("1 note(s) without an instrument", result.err)

    def test_by_program_change_and_bank(self):
        env = self.performance("format: 1\nprograms: [40]\nbank: 3\nparts: [{instrument: marimba}, {instrument: music-box}]\n")
        def track(channel, *setup):
            return [(0, bytes(m)) for m in setup] + notes([(0.1, 72, 100, 0.2)], channel)
        song = self.write("bank.mid", smf([
            track(0, (0xB0, 0, 3), (0xC0, 40)), track(1, (0xB1, 32, 3), (0xC1, 40)), track(2, (0xC2, 40)),
            track(3, (0xB3, 0, 9), (0xC3, 40)), track(4, (0xB4, 0, 1), (0xC4, 104)), track(5, (0xC5, 104))]))
        rows = self.parts(song, env=env)
        plain = rows[2]["instruments"]
        self.assertEqual([r["instruments"] for r in rows[:4]], [["marimba", "music-box"]] * 2 + [plain, plain])
        self.assertEqual([(r["bank"], r["why"]) for r in rows[:2]], [(3, "own"), (3, "own")])
        self.assertNotEqual(plain, ["marimba", "music-box"])
        self.assertEqual([r["instruments"] for r in rows[4:]], [["tanpura"], ["sitar"]])
        table = self.write("hertzian/programs.yaml", b"format: 1\nprograms: {40: stage, 41: {play: marimba, variants: {7: stage}}}\n")
        self.assertTrue(os.path.exists(table))
        self.assertEqual(self.parts(song, env=env)[2]["instruments"], ["marimba", "music-box"])

    def test_the_same_live_and_rendered(self):
        env = dict(os.environ, **self.performance(
            "format: 1\nparts:\n  - {instrument: marimba, keys: [C2, B4], level: -3}\n"
            "  - {instrument: glockenspiel, keys: [C5, C8], velocity: [1, 100], pan: -0.5}\n"
            "  - {instrument: music-box, transpose: 12, channels: [1]}\n"))
        live = Live(self, "--record", self.path("live.wav"), "--record-midi", self.path("live.mid"), instrument="stage", env=env)
        for key, velocity in ((60, 100), (84, 90), (84, 120), (50, 60)):
            live.send((0x90, key, velocity))
            live.send((0x80, key, 64))
        time.sleep(0.4 * SLOW)  # parts for another channel are built meanwhile
        live.send((0x91, 72, 100))
        time.sleep(0.3)
        live.stop()
        rate = Sound(self.read("live.wav")).rate
        self.render(self.path("live.mid"), "-i", "stage", "-e", "f32", "-r", str(rate), "-o", self.path("again.wav"), env=env)
        played, again = samples(self.read("live.wav")), samples(self.read("again.wav"))
        n = min(len(played), len(again))
        self.assertGreater(max(abs(x) for x in played), 1e-3)
        self.assertEqual(played[:n], again[:n])
        self.assertEqual(live.stats["notes_stood_in"], 0)

    def test_refusals_of_the_command_line(self):
        song = self.song()
        for args, word in ((("-i", "marimba", "-i", "piano"), "-i CH:NAME"),
                           (("-i", "17:marimba"), "1 to 16"), (("-i", "0:marimba"), "1 to 16"),
                           (("-i", "2:marimba", "-i", "2:piano"), "already"),
                           (("--layer", "marimba,wibble=1"), "keys=, velocity="),
                           (("--layer", "marimba,keys=C4"), "lowest and the highest"),
                           (("--layer", "marimba,keys=C5-C4"), "lowest and the highest"),
                           (("--layer", "marimba,velocity=1-200"), "softest"),
                           (("--layer", "marimba,transpose=1.5"), "whole semitones"),
                           (("--layer", "marimba,level=30"), "-96 to 24"), (("--layer", "marimba,pan=2"), "-1 (left)"),
                           (("--layer", ",pan=0"), "no instrument"), (("--layer", "3:marimba"), "-i CH:NAME"),
                           (("--split", "marimba"), "marimba"), (("--split", "H4:marimba"), "--split"),
                           (("--split", "marimba:C4", "--split", "piano:60"), "one key"),
                           (("--split", "marimba:C5", "--split", "C4:piano"), "overlap")):
            self.one_error(run("render", song, "-o", self.path("x.wav"), *args), USAGE, word)
        self.one_error(run("render", song, "-o", self.path("x.wav"), "-i", "marimba", "--layer", "marimbo"), INPUT, "did you mean")
        self.one_error(run("bench", "-i", "3:marimba"), USAGE, "all channels")
        self.nothing_written("song.mid")

    def test_faults_of_a_performance(self):
        for text, place, word in (
                ("format: 1\nparts: []\n", "2:8", "1 to 32"),
                ("format: 2\nparts: [{instrument: piano}]\n", "1:9", "format"),
                ("parts: [{instrument: piano}]\n", "1:1", "format"),
                ("format: 1\nparts: [{instrument: pianno}]\n", "2:22", "did you mean \"piano\""),
                ("format: 1\nparts: [{keys: [1, 2]}]\n", "2:9", "instrument"),
                ("format: 1\nparts: [{instrument: piano, keys: [C4]}]\n", "2:35", "takes 2"),
                ("format: 1\nparts: [{instrument: piano, keys: [H4, 60]}]\n", "2:36", "C4"),
                ("format: 1\nparts: [{instrument: piano, keys: [61, 60]}]\n", "2:35", "lowest"),
                ("format: 1\nparts: [{instrument: piano, velocity: [1, 128]}]\n", "2:43", "127"),
                ("format: 1\nparts: [{instrument: piano, channels: [17]}]\n", "2:40", "1 to 16"),
                ("format: 1\nparts: [{instrument: piano, channels: [1, 1]}]\n", "2:43", "twice"),
                ("format: 1\nparts: [{instrument: piano, transpose: 100}]\n", "2:40", "96"),
                ("format: 1\nparts: [{instrument: piano, level: loud}]\n", "2:36", "level"),
                ("format: 1\nparts: [{instrument: piano, pan: 1.5}]\n", "2:34", "-1 to 1"),
                ("format: 1\nparts: [{instrument: piano, set: {room: 2}}]\n", "2:41", "0 to 1"),
                ("format: 1\nparts: [{instrument: piano, set: {rom: 0.2}}]\n", "2:35", "did you mean \"room\""),
                ("format: 1\nparts: [{instrument: piano, set: {bow.force: 1}}]\n", "2:35", "no effect"),
                ("format: 1\nparts: [{instrument: piano, set: {room: 0, room: 1}}]\n", "2:44", "twice"),
                ("format: 1\nwibble: 1\nparts: [{instrument: piano}]\n", "2:1", "Allowed: format"),
                ("format: 1\nparts: [{instrument: ./other.yaml}]\n", "2:22", "other.yaml")):
            with self.subTest(text=text):
                path = self.write("faulty.yaml", text.encode())
                for command in (("render", self.song(), "-o", self.path("x.wav"), "-i", path), ("instruments", "validate", path)):
                    result = run(*command)
                    self.assertEqual(result.code, INPUT, result.err)
                    self.assertIn(f"faulty.yaml:{place}:", result.err)
                    self.assertIn(word, result.err)

    def test_shown_and_listed(self):
        env = self.performance("format: 1\nabout: Two of them\nparts: [{instrument: marimba, keys: [C2, 59]}, {instrument: piano}]\n")
        self.assertIn("Two of them", run("instruments", env=env).out.decode())
        shown = run("instruments", "show", "stage", env=env)
        self.assertIn("C2-B3", shown.out.decode())
        parts = json.loads(run("instruments", "show", "stage", "--json", env=env).out)["parts"]
        self.assertEqual([(p["instrument"], p["keys"]) for p in parts], [("marimba", [36, 59]), ("piano", [0, 127])])
        for name in ("bass-and-piano", "piano-and-vibraphone", "stage"):
            self.assertEqual(run("instruments", "validate", name, env=env).code, 0)
        # Beside instruments it is no instrument, and no faulty one.
        self.write("own/stage.yaml", b"format: 1\nparts: [{instrument: ./bell.yaml}]\n")
        with open(os.path.join(os.environ.get("HERTZIAN_SOURCE", "."), "instruments", "glockenspiel.yaml"), "rb") as file:
            self.write("own/bell.yaml", file.read())
        env = {"HERTZIAN_INSTRUMENTS": self.path("own"), "XDG_CONFIG_HOME": self.path("none")}
        rows = self.parts(self.one(84), "-i", "stage", env=env)
        self.assertEqual(rows[0]["instruments"], ["bell"])
        self.assertNotIn("faults", run("instruments", env=env).out.decode())

    def test_capitals_do_not_matter(self):
        self.assertEqual(self.parts(self.one(), "-i", "Marimba")[0]["instrument"], "marimba")


if __name__ == "__main__":
    main()
