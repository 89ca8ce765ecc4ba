#!/usr/bin/env python3
"""How fast songs are rendered, how loud they are, and how far below full scale, by what the program itself says.

    tools/song_levels.py [--program build/release/hertzian] [--rate 48000] [--set NAME=VALUE]... [--json FILE] SONG.mid...

Renders each song to nowhere that is kept, reads `--json`, and prints a line for each, the slowest first: seconds of sound over seconds of
processor time (of the render alone, however busy the machine is) and over seconds by the clock, loudness (BS.1770), true peak, strikes, resets.
Then the medians, and how many songs are above full scale. The report with every part goes to FILE. On a machine with nothing else to do the
two speeds are about the same. The songs of Debian's openttd-openmsx:

    tools/song_levels.py --json songs.json /usr/share/games/openttd/baseset/openmsx/*.mid
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile


def processor_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def render(program, song, rate, settings):
    """The program's report of a song, with `processor_s` and `by_processor`, its speed by processor time; None when it failed."""
    command = [program, "render", song, "-r", str(rate), "--json"]
    for setting in settings:
        command += ["-s", setting]
    with tempfile.TemporaryDirectory() as folder:
        before = processor_s()
        result = subprocess.run(command + ["-o", os.path.join(folder, "song.wav")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        used = processor_s() - before
    if result.returncode:
        print("%s: %s" % (song, result.stderr.decode(errors="replace").strip()), file=sys.stderr)
        return None
    report = json.loads(result.stdout)["songs"][0]
    report["processor_s"] = used
    report["by_processor"] = report["length_s"] / used
    return report


def line(report):
    return "%7.2f x %7.2f x %7.1f LUFS %6.1f dBTP %6d strikes %d resets  %s" % (
        report["by_processor"], report["speed"], report["loudness_lufs"] or float("-inf"), report["true_peak_dbtp"], report["strikes"],
        report["resets"], os.path.basename(report["song"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/hertzian")
    parser.add_argument("--rate", type=int, default=48000)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("songs", nargs="+")
    args = parser.parse_args()
    reports = []
    for song in args.songs:
        report = render(args.program, song, args.rate, args.set)
        if report:
            reports.append(report)
            print("%2d of %d  %s" % (len(reports), len(args.songs), os.path.basename(song)), file=sys.stderr)
    if not reports:
        sys.exit(1)
    print("PROCESSOR    CLOCK   LOUDNESS   TRUE PEAK")
    for report in sorted(reports, key=lambda r: r["by_processor"]):
        print(line(report))
    heard = [r["loudness_lufs"] for r in reports if r["loudness_lufs"] is not None]
    print("%d songs: median %.2f x real time by processor time, %.2f at least; median %.1f LUFS; %d above 0 dBTP" % (
        len(reports), statistics.median(r["by_processor"] for r in reports), min(r["by_processor"] for r in reports),
        statistics.median(heard) if heard else float("-inf"), sum(r["true_peak_dbtp"] > 0.0 for r in reports)))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(reports, file, indent=1)
    sys.exit(len(reports) < len(args.songs))


if __name__ == "__main__":
    main()
