"""Damaged and odd songs of every kind: nothing is lost that could be played, and no exit code says otherwise than it is."""

import io
import json
import os
import random
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, INPUT, Sound, USAGE, main, run  # noqa: E402
from damage import KINDS  # noqa: E402

try:
    import mido
except ImportError:
    mido = None

LONG = bool(os.environ.get("HERTZIAN_LONG"))
SEEDS = range(50) if LONG else range(3)
QUICK = ("-i", "glockenspiel", "-r", "8000", "--tail", "0.2", "--end", "20", "-q", "--json", "-s", "room=0")


def independent_count(data):
    """Note-ons as another reader has them, data over 127 clipped; None where it refuses the file."""
    try:
        song = mido.MidiFile(file=io.BytesIO(data), clip=True)
    except Exception:  # whatever it is: mido refuses in many ways
        return None
    return sum(m.type == "note_on" and m.velocity > 0 for track in song.tracks for m in track)


class Damaged(Case):
    def make(self, name):
        """Files of one kind: (path, bytes, notes it must play)."""
        made = []
        for seed in SEEDS:
            data, notes = KINDS[name](random.Random("%s %d" % (name, seed)))
            made.append((self.write("%s-%02d.mid" % (name, seed), data), data, notes))
        return made

    def check_result(self, song, file, notes):
        """0 and a file in which something sounds, or another code, a line and no file."""
        output = file[:-4] + ".wav"
        if song["exit"] == DONE:
            self.assertTrue(os.path.exists(output), file)
            with open(output, "rb") as opened:
                body = Sound(opened.read()).body
            if song["notes"] > 0:
                self.assertTrue(any(body), "%s: silent" % file)
            else:
                self.assertEqual(song["damage"], 0, file)
        else:
            self.assertIn(song["exit"], (INPUT, USAGE), file)
            self.assertTrue(song["error"], file)
            self.assertFalse(os.path.exists(output), file)
        if notes is not None and song["exit"] == DONE:
            self.assertEqual(song["notes"], notes, file)

    def play(self, name, made):
        result = run("render", *QUICK, *(file for file, _, _ in made), timeout=300)
        songs = json.loads(result.out)["songs"]
        self.assertEqual(len(songs), len(made))
        for song, (file, _, notes) in zip(songs, made):
            self.check_result(song, file, notes)
            if notes and name != "drums_alone":
                self.assertEqual(song["exit"], DONE, "%s: %s" % (file, song["error"]))
        self.assertEqual(result.code, next((song["exit"] for song in songs if song["exit"]), DONE))
        self.assertFalse([name for name in os.listdir(self.folder) if name.endswith(".part")])
        return songs

    def test_every_kind(self):
        compared = {"equal": 0, "refused there": 0}
        for name in KINDS:
            with self.subTest(kind=name):
                made = self.make(name)
                songs = self.play(name, made)
                if LONG and mido:
                    self.compare(name, made, songs, compared)
        if LONG and mido:
            print(compared)

    def compare(self, name, made, songs, compared):
        for song, (file, data, _) in zip(songs, made):
            other = independent_count(data)
            if other is None:
                compared["refused there"] += 1
            elif other == song["notes"]:
                compared["equal"] += 1
            else:
                way = "more here" if song["notes"] > other else "fewer here"
                key = "%s: %s" % (name, way)
                compared[key] = compared.get(key, 0) + 1
                if way == "fewer here" and song["exit"] == DONE:
                    print("%s: %d notes, there %d: exit %d %s" % (os.path.basename(file), song["notes"], other, song["exit"],
                                                                 song["error"]))

    def test_strict_refuses_what_was_said(self):
        for name in KINDS:
            made = self.make(name)[:2]
            loose = json.loads(run("render", *QUICK, *(file for file, _, _ in made)).out)["songs"]
            for file, _, _ in made:
                if os.path.exists(file[:-4] + ".wav"):
                    os.remove(file[:-4] + ".wav")
            strict = json.loads(run("render", *QUICK, "--strict", *(file for file, _, _ in made)).out)["songs"]
            for before, after in zip(loose, strict):
                if before["exit"] == DONE:
                    self.assertEqual(after["exit"], INPUT if before["damage"] else DONE, before["song"])


if __name__ == "__main__":
    main()
