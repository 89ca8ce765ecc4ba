#!/usr/bin/env python3
"""The song of the ALSA test: write it, and find its notes again in what was heard.

    notes.py write SONG.mid    five notes, one after the other
    notes.py chord CHORD.mid   three notes that are held
    notes.py tone TONE.wav     a minute of 1 kHz at half of full scale
    notes.py check HEARD.wav   exit 0 when the five are there, in order and in tune
"""

import math
import struct
import sys
import wave

KEYS = (60, 64, 67, 72, 55)
SPACING = 0.8  # [s] long enough for a marimba bar to fall by 12 dB
WINDOW = 0.02  # [s]
TICKS = 480  # in half a second


def smf(events):
    """A format 0 file of (ticks after the one before, bytes)."""
    body = b""
    for delta, message in [*events, (TICKS, b"\xff\x2f\x00")]:
        body += bytes([delta >> 7 | 0x80, delta & 0x7F]) + message
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, TICKS) + b"MTrk" + struct.pack(">I", len(body)) + body


def song():
    events = []
    for i, key in enumerate(KEYS):
        events.append((0 if i == 0 else round(SPACING * 2 * TICKS) - TICKS // 2, bytes([0x90, key, 110])))
        events.append((TICKS // 2, bytes([0x80, key, 64])))
    return smf(events)


def chord():
    return smf([(0, bytes([0x90, key, 100])) for key in (60, 64, 67)])


def tone(path):
    with wave.open(path, "wb") as file:
        file.setparams((2, 2, 48000, 0, "NONE", ""))
        period = [round(16384 * math.sin(2.0 * math.pi * i / 48)) for i in range(48)]
        file.writeframes(b"".join(struct.pack("<hh", x, x) for x in period) * 60000)


def hz(key):
    return 440.0 * 2.0 ** ((key - 69) / 12.0)


def power_at(samples, rate, frequency):
    """Goertzel's, of a Hann window."""
    n = len(samples)
    turn = 2.0 * math.cos(2.0 * math.pi * frequency / rate)
    a = b = 0.0
    for i, x in enumerate(samples):
        a, b = x * (0.5 - 0.5 * math.cos(2.0 * math.pi * i / n)) + turn * a - b, a
    return a * a + b * b - turn * a * b


def onsets(samples, rate):
    """Times [s] at which the level of a window exceeds the loudest of the three before by 9 dB, half a note apart at least."""
    step = int(WINDOW * rate)
    level = [math.sqrt(sum(x * x for x in samples[i:i + step]) / step) for i in range(0, len(samples) - step, step)]
    floor = max(level) / 100.0
    found = []
    for i in range(3, len(level)):
        if level[i] > floor and level[i] > 2.8 * max(level[i - 3:i]) and (not found or i * WINDOW - found[-1] > SPACING / 2):
            found.append(i * WINDOW)
    return found


def check(path):
    with wave.open(path) as file:
        rate, channels = file.getframerate(), file.getnchannels()
        data = file.readframes(file.getnframes())
    values = struct.unpack(f"<{len(data) // 2}h", data)
    samples = [x / 32768.0 for x in values[::channels]]
    times = onsets(samples, rate)
    print("        | heard at", " ".join(f"{t:.2f}" for t in times), "s, peak", f"{max(map(abs, samples), default=0):.4f}")
    if len(times) != len(KEYS):
        return f"{len(times)} notes instead of {len(KEYS)}"
    for i, (time, key) in enumerate(zip(times, KEYS)):
        if i and abs(time - times[i - 1] - SPACING) > 0.15:  # emulation may be late, not lost
            return f"note {i} came {time - times[i - 1]:.2f} s after the one before instead of {SPACING}"
        piece = samples[int((time + WINDOW) * rate):int((time + WINDOW + 0.3) * rate)]
        powers = {k: power_at(piece, rate, hz(k)) for k in range(key - 3, key + 4)}
        loudest = max(powers, key=powers.get)
        if loudest != key:
            return f"note {i} is key {loudest} instead of {key}"
    return None


def main():
    command, path = sys.argv[1:]
    if command in ("write", "chord"):
        with open(path, "wb") as file:
            file.write(song() if command == "write" else chord())
        return 0
    if command == "tone":
        tone(path)
        return 0
    fault = check(path)
    if fault:
        print("        |", fault)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
