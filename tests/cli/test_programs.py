"""Which instrument plays which program: its own, a stand-in by the installed table, the user's choice; said once, listed, counted."""

import json
import os
import sys
import threading

sys.dont_write_bytecode = True
from support import Case, INPUT, USAGE, main, notes, run, smf  # noqa: E402

FAST = ("-r", "8000", "--tail", "none")
MARIMBA, FLUTE, OBOE = 12, 73, 68


def part(channel, program, count):
    spec = [(0.1 * i, 60, 90, 0.05) for i in range(count)]
    return [(0, bytes([0xC0 | channel, program]))] + notes(spec, channel)


class Programs(Case):
    def band(self):
        return self.write("band.mid", smf([part(0, MARIMBA, 3), part(1, FLUTE, 2), part(2, OBOE, 1), part(9, 0, 4)]))

    def parts(self, song, *args, env=None):
        result = run("render", song, *FAST, "--json", *args, env=env)
        self.assertEqual(result.code, 0, result.err)
        return json.loads(result.out)["songs"][0]["parts"], result

    def test_parts_are_counted(self):
        rows, result = self.parts(self.band())
        self.assertEqual([(r["channel"], r["program"], r["notes"], r["instrument"], r["why"]) for r in rows],
                         [(1, MARIMBA, 3, "marimba", "own"), (2, FLUTE, 2, rows[1]["instrument"], "stand-in"),
                          (3, OBOE, 1, rows[2]["instrument"], "stand-in"), (10, 0, 4, "drum-kit", "own")])
        self.assertEqual([r["name"] for r in rows], ["Marimba", "Flute", "Oboe", "Standard Kit"])
        said = [line for line in result.lines if "stand-ins:" in line]
        self.assertEqual(len(said), 1, result.err)
        self.assertIn("Flute", said[0])
        self.assertNotIn("Marimba", said[0])

    def test_a_dry_run_says_so_and_writes_nothing(self):
        song = self.band()
        rows, _ = self.parts(song)
        os.unlink(self.path("band.wav"))
        result = run("render", song, "--dry-run", "--json", "-o", self.path("none.wav"))
        self.assertEqual(result.code, 0, result.err)
        report = json.loads(result.out)["songs"][0]
        self.assertEqual(report["parts"], rows)
        self.assertEqual(report["notes"], 10)
        self.assertNotIn("peak", report)
        self.assertFalse(os.path.exists(self.path("none.wav")))
        told = run("render", song, "--dry-run", "-v")
        self.assertIn("channel 1: Marimba: 3 notes, played by marimba (own)", told.err)
        self.assertFalse(os.path.exists(self.path("band.wav")))
        self.assertEqual(run("render", self.write("none.mid", b"MThd"), "--dry-run").code, INPUT)

    def test_a_change_of_program_within_a_channel(self):
        change = [(0, bytes([0xC0, MARIMBA])), *notes([(0.0, 60, 90, 0.05)]), (200, bytes([0xC0, FLUTE])),
                  *notes([(0.5, 62, 90, 0.05), (0.6, 64, 90, 0.05)])]
        rows, _ = self.parts(self.write("change.mid", smf([change])))
        self.assertEqual([(r["program"], r["notes"]) for r in rows], [(MARIMBA, 1), (FLUTE, 2)])

    def test_given_on_the_command_line(self):
        rows, result = self.parts(self.band(), "-i", "marimba")
        self.assertEqual({(r["instrument"], r["why"]) for r in rows}, {("marimba", "given")})
        self.assertNotIn("stand-ins", result.err)

    def test_listed_on_request(self):
        quiet = run("render", self.band(), *FAST)
        told = run("render", self.band(), *FAST, "-v")
        self.assertNotIn("played by marimba", quiet.err)
        self.assertIn("channel 1: Marimba: 3 notes, played by marimba (own)", told.err)
        self.assertIn("channel 3: Oboe: 1 note, played by", told.err)

    def test_kits(self):
        """Programs of channel 10 are kits: the standard one's where a song asks for one that nobody plays, or the user's own choice."""
        song = self.write("kits.mid", smf([part(9, 0, 2), part(9, 40, 3), part(9, 77, 1)]))
        rows, _ = self.parts(song)
        self.assertEqual({(r["program"], r["instrument"]) for r in rows}, {(0, "drum-kit"), (40, "drum-kit"), (77, "drum-kit")})
        rows, _ = self.parts(song, env=self.table("format: 1\nkits: {40: {name: Brushes, play: timpani}}\n"))
        self.assertEqual([(r["program"], r["instrument"], r["why"], r["name"]) for r in rows if r["program"] == 40],
                         [(40, "timpani", "chosen", "Brushes")])
        result = run("render", song, *FAST, env=self.table("format: 1\nkits: {40: drumkit}\n"))
        self.one_error(result, INPUT, "programs.yaml:2:12:", "did you mean \"drum-kit\"?")

    def table(self, text):
        os.makedirs(os.path.join(self.folder, "hertzian"), exist_ok=True)
        self.write("hertzian/programs.yaml", text.encode())
        return {"XDG_CONFIG_HOME": self.folder}

    def test_what_nobody_asks_for_is_not_read(self):
        """A file with faults is told where its program is asked for, which then goes to who else has it."""
        self.write("broken.yaml", b"format: 1\nname: broken\nprograms: [12, 20]\nkeys: [60, 61]\n")
        env = {"HERTZIAN_INSTRUMENTS": self.folder}
        rows, result = self.parts(self.band(), env=env)
        self.assertEqual((rows[0]["instrument"], rows[0]["why"]), ("marimba", "own"))
        self.assertEqual(len([line for line in result.lines if "broken.yaml: warning: has faults and is not used" in line]), 1, result.err)
        _, result = self.parts(self.write("flute.mid", smf([part(1, FLUTE, 2)])), env=env)
        self.assertNotIn("broken", result.err)
        env.update(self.table("format: 1\nprograms: {12: broken}\n"))
        self.one_error(run("render", self.band(), *FAST, env=env), INPUT, "programs.yaml:2:16:", "has faults")

    def test_a_song_that_can_be_read_once(self):
        """Out of a FIFO, as a shell makes one for <(...)."""
        path = self.path("pipe.mid")
        os.mkfifo(path)
        data = smf([part(0, MARIMBA, 2)])

        def give():
            with open(path, "wb") as pipe:
                pipe.write(data)

        giver = threading.Thread(target=give)
        giver.start()
        result = run("render", path, *FAST, "-o", self.path("pipe.wav"))
        giver.join()
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("2 notes", result.err)

    def test_what_was_dialled_in_moves_all_that_is_installed(self):
        """As it did live: an instrument that only comes later has what was set before."""
        def meta(words):
            text = b"\x7dHTZP\x01" + words.encode()
            return (0, b"\xff\x7f" + bytes([len(text)]) + text)

        peaks = []
        for lines in ([], [meta("set level -40")]):
            song = self.write("dialled.mid", smf([[*lines, meta("instrument all glockenspiel"), *notes([(0.1, 72, 90, 0.2)])]]))
            result = run("render", song, *FAST, "--json", "-s", "human=0", "-o", self.path("x.wav"))
            self.assertEqual(result.code, 0, result.err)
            peaks.append(json.loads(result.out)["songs"][0]["peak_dbfs"])
        self.assertAlmostEqual(peaks[0] - peaks[1], 40.0, delta=0.1)

    def test_a_setting_for_what_the_song_does_not_ask_for(self):
        song = self.write("flute.mid", smf([part(1, MARIMBA, 2)]))
        self.assertEqual(run("render", song, *FAST, "-s", "bow.force=2").code, 0)
        self.one_error(run("render", song, *FAST, "-s", "bow.farce=2"), USAGE, "bow.farce", "bow.force")

    def test_the_users_own_table(self):
        env = self.table("format: 1\nprograms: {12: vibraphone, 68: {play: glockenspiel, name: Hautbois}}\n")
        rows, result = self.parts(self.band(), env=env)
        self.assertEqual([(r["instrument"], r["why"]) for r in rows][:3:2], [("vibraphone", "chosen"), ("glockenspiel", "chosen")])
        self.assertEqual(rows[2]["name"], "Hautbois")
        self.assertEqual(rows[1]["why"], "stand-in")
        self.assertEqual(len([line for line in result.lines if "stand-ins:" in line]), 1)

    def test_faults_of_the_users_table(self):
        cases = (("format: 1\nprograms: {12: marimbo}\n", "2:16", "did you mean \"marimba\"?"),
                 ("format: 1\nprograms: {128: marimba}\n", "2:12", "127"),
                 ("format: 1\nprograms: {5: marimba, 5: piano}\n", "2:24", "twice"),
                 ("format: 2\nprograms: {}\n", "1:9", "format"),
                 ("programs: {}\n", "1:1", "format"),
                 ("format: 1\nprograms: [piano]\n", "2:11", "PROGRAM: INSTRUMENT"),
                 ("format: 1\nprograms: {3: {plays: piano}}\n", "2:16", "play"),
                 ("format: 1\nprograms: {3: [piano]}\n", "2:15", "name of an instrument"))
        for text, place, word in cases:
            result = run("render", self.band(), *FAST, env=self.table(text))
            self.one_error(result, INPUT, f"programs.yaml:{place}:", word)
            self.nothing_written("band.mid", "hertzian/programs.yaml")


if __name__ == "__main__":
    main()
