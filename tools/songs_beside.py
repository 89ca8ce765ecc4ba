#!/usr/bin/env python3
"""Songs beside FluidSynth: how loud, how far below full scale, what balance of lows, middle and highs, of drums and the rest, how fast.

    tools/songs_beside.py [--program build/release/hertzian] [--font FluidR3_GM.sf2] [--seconds 30] [--json FILE] SONG.mid...

Both play the first seconds of each song at 48 kHz and their default gains (FluidSynth's 0.2), FluidSynth without reverb and chorus, Hertzian as it
comes; every channel for itself, channel 10 against the others. A line of a Markdown table for each: loudness (BS.1770, gated), peak, energy
below 250 Hz, to 2 kHz and above it as parts of the whole, drums beside the rest, seconds of sound over seconds of processor time; ours, and
theirs behind the stroke. Then the medians. Needs numpy, fluidsynth and the font (Debian's fluid-soundfont-gm).
"""

import argparse
import json
import os
import resource
import statistics
import struct
import subprocess
import sys
import tempfile

import numpy

RATE = 48000
DRUMS = 10
FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
BANDS = ((20.0, 250.0), (250.0, 2000.0), (2000.0, 20000.0))  # [Hz]


def processor_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command):
    before = processor_s()
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode:
        sys.exit("%s: %s" % (command[0], result.stderr.decode(errors="replace").strip()))
    return result.stdout, processor_s() - before


def quantity(data, at):
    """A number of variable length. @return it and where it ends"""
    value = 0
    while True:
        value = value << 7 | (data[at] & 0x7F)
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def track_with(track, drums):
    """The track's events with its notes on channel 10 alone, or with all but these: others have velocity 0."""
    out, at, status = bytearray(track), 0, 0
    while at < len(track):
        _, at = quantity(track, at)
        if track[at] == 0xFF or track[at] in (0xF0, 0xF7):
            length, after = quantity(track, at + 1 + (track[at] == 0xFF))
            at = after + length
            continue
        if track[at] & 0x80:
            status = track[at]
            at += 1
        if status >> 4 == 9 and (status & 15 == DRUMS - 1) != drums:
            out[at + 1] = 0
        at += 1 if status >> 4 in (12, 13) else 2
    return bytes(out)


def song_with(data, drums):
    at, out = 8 + struct.unpack(">I", data[4:8])[0], b""
    out = data[:at]
    while at + 8 <= len(data):
        kind, length = data[at:at + 4], struct.unpack(">I", data[at + 4:at + 8])[0]
        body = data[at + 8:at + 8 + length]
        body = track_with(body, drums) if kind == b"MTrk" else body
        out += kind + struct.pack(">I", len(body)) + body
        at += 8 + length
    return out


def read(path):
    """A float WAV [2][frames]."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.index(b"data") + 8
    count = (len(data) - at) // 8 * 2
    return numpy.frombuffer(data, "<f4", count, at).reshape(-1, 2).T.astype(float)


def ours(program, song, seconds, folder):
    """Sound of channel 10, that of the others, and processor time over the length."""
    out, used = run([program, "render", song, "--stems", "channel", "--end", str(seconds), "--tail", "none", "-r", str(RATE), "-e", "f32", "--json",
                     "-o", os.path.join(folder, "ours.wav")])
    report = json.loads(out)["songs"][0]
    parts = {True: 0.0, False: 0.0}
    for path in report["stems"]:
        parts[path.endswith("-ch%02d.wav" % DRUMS)] = parts[path.endswith("-ch%02d.wav" % DRUMS)] + read(path)
        os.unlink(path)
    return parts[True], parts[False], report["length_s"] / used


def theirs(font, song, seconds, folder):
    with open(song, "rb") as file:
        data = file.read()
    sounds, length, used = [], 0, 0.0
    for drums in (True, False):
        one = os.path.join(folder, "one.mid")
        with open(one, "wb") as file:
            file.write(song_with(data, drums))
        path = os.path.join(folder, "theirs.wav")
        used += run(["fluidsynth", "-ni", "-q", "-R", "0", "-C", "0", "-r", str(RATE), "-O", "float", "-T", "wav", "-F", path, font, one])[1]
        sound = read(path)
        length = max(length, sound.shape[1])
        sounds.append(sound[:, :int(seconds * RATE)])
        os.unlink(path)
    most = max(s.shape[1] for s in sounds)
    sounds = [numpy.pad(s, ((0, 0), (0, most - s.shape[1]))) for s in sounds]
    return sounds[0], sounds[1], length / RATE / used


def weighted(sound):
    """By BS.1770's two filters, as ITU has them for any rate (their analogue prototypes)."""
    n = 1 << (sound.shape[1] + RATE).bit_length()
    z = numpy.exp(-2j * numpy.pi * numpy.fft.rfftfreq(n))
    k, q, high = numpy.tan(numpy.pi * 1681.974450955533 / RATE), 0.7071752369554196, 10.0 ** (3.999843853973347 / 20.0)
    band = high ** 0.4996667741545416
    shelf = ((high + band * k / q + k * k) + 2.0 * (k * k - high) * z + (high - band * k / q + k * k) * z * z) / (
        (1.0 + k / q + k * k) + 2.0 * (k * k - 1.0) * z + (1.0 - k / q + k * k) * z * z)
    k, q = numpy.tan(numpy.pi * 38.13547087602444 / RATE), 0.5003270373238773
    a0 = 1.0 + k / q + k * k
    low_cut = (1.0 - 2.0 * z + z * z) / (1.0 + 2.0 * (k * k - 1.0) / a0 * z + (1.0 - k / q + k * k) / a0 * z * z)
    return numpy.fft.irfft(numpy.fft.rfft(sound, n) * shelf * low_cut, n)[:, :sound.shape[1]]


def loudness(sound):
    """Gated, BS.1770 [LUFS]; minus infinity for what has none."""
    hop = RATE // 10
    total = numpy.concatenate([[0.0], numpy.cumsum((weighted(sound) ** 2).sum(0))])
    starts = numpy.arange(0, total.size - 4 * hop, hop)
    power = (total[starts + 4 * hop] - total[starts]) / (4 * hop)
    for gate in (-70.0, None):
        if not power.size:
            return float("-inf")
        level = -10.0 - 0.691 + 10.0 * numpy.log10(power.mean() + 1e-30) if gate is None else gate
        power = power[-0.691 + 10.0 * numpy.log10(power + 1e-30) > level]
    return float(-0.691 + 10.0 * numpy.log10(power.mean())) if power.size else float("-inf")


def balance(sound):
    """Energy of each band as part of the whole [dB]."""
    spectrum = (numpy.abs(numpy.fft.rfft(sound)) ** 2).sum(0)
    hz = numpy.fft.rfftfreq(sound.shape[1], 1.0 / RATE)
    energy = [spectrum[(hz >= low) & (hz < high)].sum() for low, high in BANDS]
    return [float(10.0 * numpy.log10(e / sum(energy) + 1e-30)) for e in energy]


def measure(drums, rest, speed):
    whole = drums + rest
    both = numpy.ndim(drums) and numpy.ndim(rest)
    apart = loudness(drums) - loudness(rest) if both else float("nan")
    return {"lufs": loudness(whole), "peak_dbfs": float(20.0 * numpy.log10(numpy.abs(whole).max() + 1e-30)), "bands_db": balance(whole),
            "drums_db": apart if abs(apart) < 100.0 else float("nan"), "speed": speed}


def pair(form, a, b):
    return (form + " / " + form) % (a, b) if a == a and b == b else ""


def line(name, a, b):
    bands = ", ".join(pair("%.0f", x, y).replace(" / ", "/") for x, y in zip(a["bands_db"], b["bands_db"]))
    return "| `%s` | %s | %s | %s | %s | %s |" % (name, pair("%.1f", a["lufs"], b["lufs"]), pair("%.1f", a["peak_dbfs"], b["peak_dbfs"]), bands,
                                                pair("%.1f", a["drums_db"], b["drums_db"]), pair("%.1f", a["speed"], b["speed"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/hertzian")
    parser.add_argument("--font", default=FONT)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("songs", nargs="+")
    args = parser.parse_args()
    rows = {}
    print("| song | loudness [LUFS] | peak [dBFS] | below 250 Hz, to 2 kHz, above [dB] | drums beside the rest [dB] | times real time |")
    print("|---|---|---|---|---|---|", flush=True)
    for song in args.songs:
        name = os.path.splitext(os.path.basename(song))[0]
        with tempfile.TemporaryDirectory() as folder:
            rows[name] = (measure(*ours(args.program, song, args.seconds, folder)), measure(*theirs(args.font, song, args.seconds, folder)))
        print(line(name, *rows[name]), flush=True)
    apart = [a["drums_db"] - b["drums_db"] for a, b in rows.values() if a["drums_db"] == a["drums_db"] and b["drums_db"] == b["drums_db"]]
    louder = statistics.median(a["lufs"] - b["lufs"] for a, b in rows.values())
    print("\nmedians of %d songs: %+.1f dB as loud; bands %s dB; drums %s dB more beside the rest; %.1f times real time" % (
        len(rows), louder, ", ".join("%+.1f" % statistics.median(a["bands_db"][i] - b["bands_db"][i] for a, b in rows.values()) for i in range(3)),
        "%+.1f" % statistics.median(apart) if apart else "no", statistics.median(a["speed"] for a, _ in rows.values())))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
