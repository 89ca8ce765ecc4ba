#!/usr/bin/env python3
"""Three numbers of an instrument's notes beside those of recordings: centroid of the first 80 ms, share above 2 kHz of them, decay time.

    tools/against_recordings.py INSTRUMENT PROGRAM [--keys 48,60,72] [--velocity 100] [--soundfont FluidR3_GM.sf2]

Plays the notes by the program (dry, no two strokes different) and by fluidsynth from a SoundFont of recordings (Debian: fluidsynth,
fluid-soundfont-gm), both at 48 kHz. Looped recordings say nothing of late decay: the time is that from -5 to -25 dB, made 60. Needs numpy.
"""

import argparse
import os
import struct
import subprocess
import tempfile

import numpy as np

from drum_bands import read, varint

RATE, APART, HELD = 48000, 2.6, 2.2
TICKS = 960  # a second


def song(program, notes):
    events = [(0, bytes([0xC0, program]))]
    for start, key, velocity in notes:
        events += [(int(start * TICKS), bytes([0x90, key, velocity])), (int((start + HELD) * TICKS), bytes([0x80, key, 0]))]
    events.sort(key=lambda event: event[0])
    track, now = b"", 0
    for tick, message in events:
        track += varint(tick - now) + message
        now = tick
    track += varint(TICKS) + b"\xff\x2f\0"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, TICKS // 2) + b"MTrk" + struct.pack(">I", len(track)) + track


def mono(path):
    return read(path).sum(1)


def numbers(x):
    start = max(0, int(np.argmax(np.abs(x) > 0.05 * np.abs(x).max())) - RATE // 1000)
    x = x[start:]
    attack = x[:int(0.08 * RATE)]
    power = np.abs(np.fft.rfft(attack * np.hanning(len(attack)), 1 << 16)) ** 2
    hz = np.fft.rfftfreq(1 << 16, 1.0 / RATE)
    left = np.cumsum(x[::-1] ** 2)[::-1]
    level = 10.0 * np.log10(left / left[0] + 1e-12)
    t60 = 3.0 * (np.argmax(level < -25.0) - np.argmax(level < -5.0)) / RATE if level.min() < -25.0 else float("nan")
    return (power * hz).sum() / power.sum(), 10.0 * np.log10(power[hz > 2000.0].sum() / power.sum()), t60


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instrument")
    parser.add_argument("number", type=int, help="General MIDI program, from 0")
    parser.add_argument("--keys", default="48,60,72")
    parser.add_argument("--velocity", type=int, default=100)
    parser.add_argument("--program", default="build/release/hertzian")
    parser.add_argument("--soundfont", default="/usr/share/sounds/sf2/FluidR3_GM.sf2")
    args = parser.parse_args()
    keys = [int(key) for key in args.keys.split(",")]
    notes = [(0.1 + APART * i, key, args.velocity) for i, key in enumerate(keys)]
    with tempfile.TemporaryDirectory() as folder:
        midi, own, recorded = (os.path.join(folder, name) for name in ("notes.mid", "own.wav", "recorded.wav"))
        with open(midi, "wb") as file:
            file.write(song(args.number, notes))
        subprocess.run([args.program, "render", midi, "-i", args.instrument, "-s", "room=0", "-s", "human=0", "-q", "-e", "f32",
                        "-r", str(RATE), "-o", own], check=True)
        subprocess.run(["fluidsynth", "-ni", "-R", "0", "-C", "0", "-r", str(RATE), "-F", recorded, args.soundfont, midi],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sounds = mono(own), mono(recorded)
    print("KEY   centroid Hz, recorded   above 2 kHz dB, recorded   T60 s, recorded")
    for start, key, _ in notes:
        a, b = (numbers(x[int(start * RATE):int((start + APART - 0.1) * RATE)]) for x in sounds)
        print("%3d   %11.0f  %8.0f   %14.1f  %8.1f   %5.2f  %8.2f" % (key, a[0], b[0], a[1], b[1], a[2], b[2]))


if __name__ == "__main__":
    main()
