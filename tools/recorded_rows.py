#!/usr/bin/env python3
"""What bars, bells and kettledrums give beside what was measured of recordings of such: levels, decay times and ratios, a row each.

    tools/recorded_rows.py [INSTRUMENT...] [--program build/release/hertzian] [--set PARAM=VALUE...] [--folder instruments]

Plays single notes at velocity 80 (dry, no two strokes different) and prints what it finds and what recordings have: FluidR3_GM, whose notes are mostly
looped, so that late decay is a lower bound, and whose mallets are not known. Needs numpy.
"""

import argparse
import os
import subprocess
import tempfile

import numpy as np

from drum_bands import read, varint

RATE = 48000
ROWS = {
    "marimba": [
        ("T60 of the first [s]", "t60", 1.0, {48: 2.1, 60: 1.5, 72: 1.1, 84: 0.9}),
        ("above 2 kHz, first 30 ms [dB]", "high", 0, {48: -22, 60: -15}),
        ("second partial beside the first [dB]", "level", (3.95, 1.0), {48: -20, 60: -24, 72: -28}),
    ],
    "vibraphone": [
        ("T60 of the first [s]", "t60", 1.0, {57: 8, 65: 8, 72: 8}),
        ("T60 of the second [s]", "t60", 4.0, {65: 0.7, 72: 0.7, 78: 0.6}),
        ("above 2 kHz, first 30 ms [dB]", "high", 0, {57: -8, 65: -5, 78: -1.5}),
        ("centroid of the first 30 ms [Hz]", "centroid", (0.0, 0.03), {57: 1450, 78: 3070}),
    ],
    "glockenspiel": [
        ("centroid, 0 to 30 ms [Hz]", "centroid", (0.0, 0.03), {79: 5360, 87: 8500}),
        ("centroid, 50 to 350 ms [Hz]", "centroid", (0.05, 0.35), {79: 5500, 87: 7400}),
        ("first partial beside the strongest [dB]", "strongest", 1.0, {79: -6, 83: -6.5, 87: -7}),
        ("T60 of the second [s]", "t60", 2.73, {79: 1.3, 87: 0.5}),
        ("T60 of the third [s]", "t60", 5.25, {79: 0.5, 87: 0.3}),
    ],
    "timpani": [
        ("above 2 kHz, first 30 ms [dB]", "high", 0, {40: -25, 45: -25, 50: -25}),
        ("attack over what follows [dB]", "attack", 0, {43: 5.7, 50: 5.7}),
        ("round modes at 1.72 beside the strongest [dB]", "strongest", 1.7, {43: -9, 50: -9}),
        ("ring mode at 1.51 beside the strongest [dB]", "strongest", 1.505, {43: 0}),
        ("ring mode at 1.98 beside the strongest [dB]", "strongest", 1.985, {43: -1}),
    ],
    "tubular-bells": [
        ("%s beside the strongest [dB]" % r, "strongest", f, {60: level})
        for r, f, level in (("0.62", 0.627, -20), ("1.22", 1.225, -20), ("2.0", 2.0, -8), ("2.96", 2.95, -4), ("4.0", 4.03, 0), ("5.3", 5.3, -10))
    ] + [("ratio %s" % r, "ratio", f, {60: f}) for r, f in (("2", 0.624), ("3", 1.225), ("5", 2.956), ("6", 4.04), ("7", 5.30))],
}


def song(key, velocity):
    track = b"\0" + bytes([0x90, key, velocity]) + varint(3000) + bytes([0x80, key, 0]) + b"\0\xff\x2f\0"
    return b"MThd\0\0\0\6\0\0\0\1\x01\xf4MTrk" + len(track).to_bytes(4, "big") + track


def spectrum(x, seconds, points=1 << 18):
    part = x[int(seconds[0] * RATE):int(seconds[1] * RATE)]
    return np.abs(np.fft.rfft(part * np.hanning(len(part)), points)), np.fft.rfftfreq(points, 1.0 / RATE)


def near(x, hz, seconds=(0.05, 0.8), width=0.035):
    """Level of the strongest line within 3.5 % of `hz` [dB], and its frequency."""
    amplitude, at = spectrum(x, seconds)
    inside = (at > hz * (1 - width)) & (at < hz * (1 + width))
    best = np.argmax(np.where(inside, amplitude, 0.0))
    return 20 * np.log10(amplitude[best] + 1e-30), at[best]


def t60(x, hz):
    """From the level of the line in windows of 60 ms, over the first 40 dB of its fall."""
    _, line = near(x, hz, (0.02, 0.5))
    step, size = int(0.02 * RATE), int(0.06 * RATE)
    turn = np.exp(-2j * np.pi * line * np.arange(len(x)) / RATE) * x
    window = np.hanning(size)
    level = np.array([20 * np.log10(abs(np.dot(window, turn[i:i + size])) + 1e-30) for i in range(0, len(x) - size, step)])
    first = int(np.argmax(level))
    fallen = np.nonzero(level[first:] < level[first] - 40)[0]
    last = first + (int(fallen[0]) if len(fallen) else len(level) - 1 - first)
    if last - first < 3:
        return float("nan")
    slope = np.polyfit(np.arange(first, last) * 0.02, level[first:last], 1)[0]
    return -60.0 / slope


def value(x, hz, kind, what):
    if kind == "t60":
        return t60(x, hz * what)
    if kind == "high":
        amplitude, at = spectrum(x, (0.0, 0.03))
        return 10 * np.log10((amplitude[at > 2000] ** 2).sum() / (amplitude ** 2).sum())
    if kind == "centroid":
        amplitude, at = spectrum(x, what)
        return (amplitude ** 2 * at).sum() / (amplitude ** 2).sum()
    if kind == "level":
        return near(x, hz * what[0], (0.0, 0.3))[0] - near(x, hz * what[1], (0.0, 0.3))[0]
    if kind == "strongest":
        amplitude, _ = spectrum(x, (0.05, 0.8))
        return near(x, hz * what, width=0.035)[0] - 20 * np.log10(amplitude.max())
    if kind == "ratio":
        return near(x, hz * what)[1] / near(x, hz * 2.0)[1] * 2.0
    power = x ** 2
    return 10 * np.log10(power[:int(0.02 * RATE)].mean() / power[int(0.1 * RATE):int(0.3 * RATE)].mean())


def note(args, name, key, folder):
    midi, wav = os.path.join(folder, "n.mid"), os.path.join(folder, "n.wav")
    with open(midi, "wb") as file:
        file.write(song(key, 80))
    where = os.path.join(args.folder, name + ".yaml") if args.folder else name
    settings = [word for s in args.set for word in ("-s", s)]
    subprocess.run([args.program, "render", midi, "-i", where, "-s", "room=0", "-s", "human=0", *settings, "-q", "-e", "f32", "-r",
                    str(RATE), "--tail", "1", "-o", wav], check=True)
    x = read(wav).sum(1)
    return x[max(0, int(np.argmax(np.abs(x) > 0.02 * np.abs(x).max())) - 48):]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instruments", nargs="*", help="of " + ", ".join(ROWS))
    parser.add_argument("--program", default="build/release/hertzian")
    parser.add_argument("--set", action="append", default=[], help="PARAM=VALUE, as after -s")
    parser.add_argument("--folder", help="of instrument files")
    args = parser.parse_args()
    unknown = [name for name in args.instruments if name not in ROWS]
    if unknown:
        parser.error("nothing was measured of " + ", ".join(unknown))
    with tempfile.TemporaryDirectory() as folder:
        for name in args.instruments or ROWS:
            print(name)
            heard = {}
            for title, kind, what, real in ROWS[name]:
                found = []
                for key in real:
                    if key not in heard:
                        heard[key] = note(args, name, key, folder)
                    found.append(value(heard[key], 440.0 * 2 ** ((key - 69) / 12), kind, what))
                digits = "%.3f" if kind == "ratio" else "%.2f" if kind == "t60" else "%.0f" if kind == "centroid" else "%.1f"
                print("  %-46s %-30s recorded %s" % (title + " " + ", ".join(map(str, real)), " ".join(digits % f for f in found),
                                                    " ".join("%g" % r for r in real.values())))


if __name__ == "__main__":
    main()
