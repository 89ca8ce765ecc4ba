#!/usr/bin/env python3
"""Drums beside recordings of drums: octave levels, attack over body and decay, note by note.

    drum_bands.py HERTZIAN [-i INSTRUMENT] [-f SOUNDFONT]... [-k KEY,KEY...] [-v VELOCITY] [-s NAME=VALUE]...

Plays each key alone on channel 10, with the program HERTZIAN and, through fluidsynth without reverberation, with each
sound font; prints a table in Markdown and how many of the cells lie within 6 dB (times: a factor of 2) of the nearest
recording. Needs numpy and fluidsynth; keeps no sound.

    octaves   level of an octave band over the first half second, over all of them [dB]
    attack    level of the first 10 ms over that from 50 to 150 ms [dB]
    t60       of an octave band: from the time that it takes to fall from -5 to -20 dB (backward integration) [s]

A band that no recording has above -40 dB is left out, and so is a time that a recording ends before.
"""
import argparse
import math
import os
import struct
import subprocess
import sys
import tempfile

import numpy

RATE_HZ = 48000
OCTAVES_HZ = (62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16000)
NOTE_S, BEFORE_S = 4.0, 0.1
FLOOR_DB, WITHIN_DB = -40.0, 6.0
NAMES = {36: "kick", 38: "snare", 41: "floor tom", 45: "low tom", 48: "high tom", 42: "hat closed", 44: "hat by foot",
         46: "hat open", 49: "crash", 51: "ride"}
FONTS = ("/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf3/MuseScore_General_Full.sf3")


def varint(n):
    out = bytes([n & 0x7F])
    while n > 0x7F:
        n >>= 7
        out = bytes([0x80 | (n & 0x7F)]) + out
    return out


def song(path, key, velocity):
    """One note on channel 10, 0.1 s from the start; 1000 ticks a second."""
    events = [(int(1000 * BEFORE_S), bytes([0x99, key, velocity])), (int(1000 * (NOTE_S - 0.5)), bytes([0x89, key, 0])),
              (500, b"\xff\x2f\x00")]
    track = b"\x00\xff\x51\x03\x07\xa1\x20" + b"".join(varint(t) + e for t, e in events)
    with open(path, "wb") as f:
        f.write(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 500) + b"MTrk" + struct.pack(">I", len(track)) + track)


def read(path):
    """[frames][channels], float, of a WAV file of 16 or 24 bits or of floats."""
    with open(path, "rb") as f:
        raw = f.read()
    at, form, data = 12, None, b""
    while at + 8 <= len(raw):
        name, size = raw[at:at + 4], struct.unpack("<I", raw[at + 4:at + 8])[0]
        body = raw[at + 8:at + 8 + size]
        form = struct.unpack("<HHIIHH", body[:16]) + (body[24:26],) if name == b"fmt " else form
        data = body if name == b"data" else data
        at += 8 + size + size % 2
    kind = struct.unpack("<H", form[6])[0] if form[0] == 0xFFFE else form[0]
    if kind == 3:
        x = numpy.frombuffer(data, "<f4").astype(float)
    else:
        size = form[5] // 8  # of a sample; its bytes are the upper ones of 32 bits
        raw = numpy.zeros((len(data) // size, 4), numpy.uint8)
        raw[:, 4 - size:] = numpy.frombuffer(data, numpy.uint8)[:len(raw) * size].reshape(-1, size)
        x = raw.view("<i4")[:, 0] / 2.0 ** 31
    return x.reshape(-1, form[1])


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: %s" % (command[0], done.stderr.strip()))


def onset(x):
    """The first frame within 30 dB of the peak."""
    loud = numpy.abs(x).max(axis=1)
    return int(numpy.argmax(loud > loud.max() * 10 ** -1.5)) if loud.max() > 0 else 0


def power(x):
    return float((x ** 2).sum()) + 1e-30


def band(x, centre_hz):
    """The octave about `centre_hz`, by the spectrum of the whole, and so without delay."""
    n = 1 << (len(x) - 1).bit_length()
    f = numpy.fft.rfftfreq(n, 1.0 / RATE_HZ)
    inside = (f >= centre_hz / math.sqrt(2)) & (f < centre_hz * math.sqrt(2))
    return numpy.fft.irfft(numpy.fft.rfft(x, n, axis=0) * inside[:, None], n, axis=0)[:len(x)]


def decay(x):
    """-60 dB by the slope from -5 to -20 dB; NaN where it ends before."""
    left = numpy.cumsum((x ** 2).sum(axis=1)[::-1])[::-1]
    db = 10 * numpy.log10(left / (left[0] + 1e-30) + 1e-30)
    start, end = numpy.argmax(db < -5), numpy.argmax(db < -20)
    return 4.0 * (end - start) / RATE_HZ if end > start else math.nan


def measure(path):
    x = read(path)
    start = onset(x)
    x = x[start:start + int(RATE_HZ * (NOTE_S - 1.0))]
    ms = RATE_HZ // 1000
    bands = [band(x, hz) for hz in OCTAVES_HZ]
    half = [power(b[:500 * ms]) for b in bands]
    out = {"peak": 20 * math.log10(numpy.abs(x).max() + 1e-30),
           "attack": 10 * math.log10(power(x[:10 * ms]) / 10 / (power(x[50 * ms:150 * ms]) / 100))}
    for hz, part, b in zip(OCTAVES_HZ, half, bands):
        out["%g Hz" % hz] = 10 * math.log10(part / sum(half))
        out["t60 %g Hz" % hz] = decay(b)
    return out


def by_hertzian(args, key, folder):
    midi, wav = os.path.join(folder, "n.mid"), os.path.join(folder, "h.wav")
    song(midi, key, args.velocity)
    settings = [word for s in args.set for word in ("-s", s)]
    run([args.hertzian, "render", midi, "-i", args.instrument, "-r", str(RATE_HZ), "-s", "room=0", "-o", wav] + settings)
    return measure(wav)


def by_font(font, args, key, folder):
    midi, wav = os.path.join(folder, "n.mid"), os.path.join(folder, "f.wav")
    song(midi, key, args.velocity)
    run(["fluidsynth", "-q", "-ni", "-R", "0", "-C", "0", "-r", str(RATE_HZ), "-g", "0.5", "-F", wav, font, midi])
    return measure(wav)


def cells(ours, theirs):
    """Rows of the table: name, ours, theirs, how far off the nearest [dB]; NaN where nothing is to be compared."""
    for name in ["attack"] + ["%g Hz" % hz for hz in OCTAVES_HZ] + ["t60 %g Hz" % hz for hz in OCTAVES_HZ]:
        level = name.replace("t60 ", "")
        with_it = [t for t in theirs if (t.get(level, 0.0) > FLOOR_DB or name == "attack") and not math.isnan(t[name])]
        if not with_it:
            continue
        time = name.startswith("t60")
        apart = [20 * math.log10(ours[name] / t[name]) if time else ours[name] - t[name] for t in with_it]
        off = min(apart, key=abs) if not any(math.isnan(a) for a in apart) else math.inf
        yield name, ours[name], [t[name] for t in theirs], off


def main():
    about, rest = __doc__.split("\n\n", 1)
    parser = argparse.ArgumentParser(description=about, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hertzian")
    parser.add_argument("-i", "--instrument", default="drum-kit")
    parser.add_argument("-f", "--font", action="append")
    parser.add_argument("-k", "--keys", default=",".join(str(k) for k in NAMES))
    parser.add_argument("-v", "--velocity", type=int, default=100)
    parser.add_argument("-s", "--set", action="append", default=[])
    args = parser.parse_args()
    fonts = [f for f in args.font or FONTS if os.path.exists(f)]
    if not fonts:
        sys.exit("no sound font: give one with -f")
    within, all_cells = 0, 0
    print("| key | what | ours | %s | off, dB |\n|---|---|---|%s---|" % (
        " | ".join(os.path.basename(f) for f in fonts), "---|" * len(fonts)))
    with tempfile.TemporaryDirectory() as folder:
        for key in (int(k) for k in args.keys.split(",")):
            ours, theirs = by_hertzian(args, key, folder), [by_font(f, args, key, folder) for f in fonts]
            rows = list(cells(ours, theirs))
            for name, own, other, off in rows:
                print("| %s | %s | %.2f | %s | %s%.1f |" % (NAMES.get(key, key), name, own, " | ".join("%.2f" % o for o in other),
                                                          "" if abs(off) <= WITHIN_DB else "**", off))
            good = sum(abs(off) <= WITHIN_DB for _, _, _, off in rows)
            print("| %s | within %g dB | %d of %d | peak %.1f dB | |" % (NAMES.get(key, key), WITHIN_DB, good, len(rows), ours["peak"]))
            within, all_cells = within + good, all_cells + len(rows)
    print("\n%d of %d within %g dB of a recording" % (within, all_cells, WITHIN_DB))


if __name__ == "__main__":
    main()
