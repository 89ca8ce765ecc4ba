#!/usr/bin/env python3
"""Which instruments play the notes of songs, by what the program itself says.

    tools/song_families.py [--program build/release/hertzian] [--json|--markdown] SONG.mid...

By `render --dry-run --json`: nothing is rendered. Prints a table of General MIDI's families (strings and ensembles are one): notes asked for,
the share that the instrument asked for plays, the share that it or one of its family plays. Channel 10 is no pitched part and is left out.
The songs of Debian's openttd-openmsx:

    tools/song_families.py --markdown /usr/share/games/openttd/baseset/openmsx/*.mid
"""

import argparse
import collections
import json
import subprocess
import sys

FAMILIES = ("Piano", "Chromatic percussion", "Organ", "Guitar", "Bass", "Strings", "Strings", "Brass", "Reed", "Pipe", "Synth lead",
            "Synth pad", "Effects", "Ethnic", "Percussive", "Sound effects")
DRUMS = 10


def family(program):
    return FAMILIES[program // 8]


def families_of(program):
    """Instrument -> the families whose programs its file claims."""
    listed = subprocess.run([program, "instruments", "list", "--json"], stdout=subprocess.PIPE, check=True).stdout
    return {entry["id"]: {family(number) for number in entry.get("programs", [])} for entry in json.loads(listed)}


def songs_of(program, files):
    result = subprocess.run([program, "render", "--dry-run", "--json", *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode:
        sys.exit(result.stderr.decode(errors="replace").strip())
    return json.loads(result.stdout)["songs"]


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
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("songs", nargs="+")
    args = parser.parse_args()
    songs = songs_of(args.program, args.songs)
    belongs = families_of(args.program)
    rows = count(songs, belongs)
    total = [sum(row[i] for row in rows.values()) for i in range(3)]
    with_body = [row for name, row in rows.items() if any(name in of for of in belongs.values())]
    housed, played = sum(row[0] for row in with_body), sum(row[2] for row in with_body)
    if args.json:
        print(json.dumps({"songs": len(songs), "families": rows, "total": total, "of_families_with_instruments": [housed, played]}, indent=2))
        return
    form = "| %s | %d | %.1f %% | %.1f %% |" if args.markdown else "%-22s %8d %7.1f %% %7.1f %%"
    print("| family | notes | own | own or family |\n|---|---|---|---|" if args.markdown else
          "%-22s %8s %9s %9s" % ("FAMILY", "NOTES", "OWN", "FAMILY"))
    for name, (notes, own, near) in sorted(rows.items(), key=lambda item: -item[1][0]) + [("all", total)]:
        print(form % (name, notes, 100.0 * own / max(notes, 1), 100.0 * near / max(notes, 1)))
    print("%sfamilies that have an instrument: %.1f %% of %d notes" % ("\n" if args.markdown else "", 100.0 * played / max(housed, 1), housed))


if __name__ == "__main__":
    main()
