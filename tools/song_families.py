#!/usr/bin/env python3
"""Which instruments play the notes of songs, by what the program itself says.

    tools/song_families.py [--program build/release/hertzian] [--rate 48000] [--json] SONG.mid...

Renders each song to nowhere that is kept, reads `--json`, and prints a table of General MIDI's families (strings and ensembles are one):
notes asked for, the share that the instrument asked for plays, the share that it or one of its family plays; and of each song how much
faster than real time it was. Channel 10 is no pitched part and is left out.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

FAMILIES = ("Piano", "Chromatic percussion", "Organ", "Guitar", "Bass", "Strings", "Strings", "Brass", "Reed", "Pipe", "Synth lead",
            "Synth pad", "Effects", "Ethnic", "Percussive", "Sound effects")
DRUMS = 10


def family(program):
    return FAMILIES[program // 8]


def families_of(program):
    """Instrument -> the families whose programs its file claims."""
    listed = subprocess.run([program, "instruments", "list", "--json"], stdout=subprocess.PIPE, check=True).stdout
    return {entry["id"]: {family(number) for number in entry.get("programs", [])} for entry in json.loads(listed)}


def parts_of(program, song, rate):
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([program, "render", song, "-r", str(rate), "--json", "-o", os.path.join(folder, "song.wav")],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode:
        sys.exit("%s: %s" % (song, result.stderr.decode(errors="replace").strip()))
    return json.loads(result.stdout)["songs"][0]


def count(songs, belongs):
    """Family -> [notes, by the instrument asked for, by that or one of its family]."""
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for song in songs:
        for part in song["parts"]:
            if part["channel"] == DRUMS:
                continue
            name = family(part["program"])
            own = part["why"] == "own"
            row = rows[name]
            row[0] += part["notes"]
            row[1] += part["notes"] * own
            row[2] += part["notes"] * (own or name in belongs.get(part["instrument"], ()))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/hertzian")
    parser.add_argument("--rate", type=int, default=48000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("songs", nargs="+")
    args = parser.parse_args()
    songs = [parts_of(args.program, song, args.rate) for song in args.songs]
    rows = count(songs, families_of(args.program))
    total = [sum(row[i] for row in rows.values()) for i in range(3)]
    with_body = [row for row in rows.values() if row[2] > 0]
    housed = sum(row[0] for row in with_body)
    if args.json:
        print(json.dumps({"families": rows, "total": total, "of_families_with_bodies": [housed, sum(row[2] for row in with_body)],
                          "speed": {os.path.basename(song["song"]): song["speed"] for song in songs}}, indent=2))
        return
    print("%-22s %8s %9s %9s" % ("FAMILY", "NOTES", "OWN", "FAMILY"))
    for name, (notes, own, near) in sorted(rows.items(), key=lambda item: -item[1][0]) + [("all", total)]:
        print("%-22s %8d %7.1f %% %7.1f %%" % (name, notes, 100.0 * own / max(notes, 1), 100.0 * near / max(notes, 1)))
    print("families that have an instrument: %.1f %% of %d notes" % (100.0 * sum(row[2] for row in with_body) / max(housed, 1), housed))
    for song in songs:
        print("%6.1f x real time  %s" % (song["speed"], os.path.basename(song["song"])))


if __name__ == "__main__":
    main()
