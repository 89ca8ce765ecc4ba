"""A dense song against a JACK server of its own for a minute: xruns told, and the recording against the render of its MIDI.

    jack_song.py SONG.mid [SECONDS [INSTRUMENT [FRAMES [play options...]]]]

By hand, on a quiet machine: prints one line of figures, exits 1 when the recording is not the render though no guard acted."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from jack_server import JackServer, RATE  # noqa: E402
from support import PROGRAM, Sound  # noqa: E402

TEMPO = 500000  # [us] per quarter until the song says
LENGTHS = {0x80: 2, 0x90: 2, 0xA0: 2, 0xB0: 2, 0xC0: 1, 0xD0: 1, 0xE0: 2}


def number(data, at):
    value = 0
    while True:
        value = value << 7 | data[at] & 0x7F
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def track_events(data):
    """(tick, bytes) of channel messages and (tick, tempo) of tempo changes."""
    at, tick, status = 0, 0, 0
    while at < len(data):
        delta, at = number(data, at)
        tick += delta
        if data[at] & 0x80:
            status, at = data[at], at + 1
        if status == 0xFF:
            kind = data[at]
            length, at = number(data, at + 1)
            if kind == 0x51:
                yield tick, int.from_bytes(data[at:at + 3], "big")
            at += length
        elif status in (0xF0, 0xF7):
            length, at = number(data, at)
            at += length
        else:
            length = LENGTHS[status & 0xF0]
            yield tick, bytes([status]) + data[at:at + length]
            at += length


def timed_events(path):
    """[(seconds, bytes)] of a Standard MIDI File in quarter-note ticks."""
    with open(path, "rb") as song:
        data = song.read()
    division = int.from_bytes(data[12:14], "big")
    at, events = 8 + int.from_bytes(data[4:8], "big"), []
    while at + 8 <= len(data):
        length = int.from_bytes(data[at + 4:at + 8], "big")
        if data[at:at + 4] == b"MTrk":
            events += [(tick, not isinstance(what, int), n, what) for n, (tick, what) in enumerate(track_events(data[at + 8:at + 8 + length]))]
        at += 8 + length
    seconds, last, tempo, out = 0.0, 0, TEMPO, []
    for tick, _, _, what in sorted(events, key=lambda e: e[:2]):
        seconds += (tick - last) * tempo / 1e6 / division
        last = tick
        if isinstance(what, int):
            tempo = what
        elif what[0] & 0x0F != 9:
            out.append((seconds, what))
    return out


def play(server, song, length, instrument, frames, more):
    with tempfile.TemporaryDirectory() as folder:
        fifo, wav, mid, again = (os.path.join(folder, n) for n in ("in", "a.wav", "a.mid", "b.wav"))
        os.mkfifo(fifo)
        program = subprocess.Popen([PROGRAM, "-a", "jack:", "-m", "none", "--midi-raw", fifo, "-i", instrument, "-b", frames, "--stats",
                                    "-q", "--record", wav, "--record-midi", mid, *more], env=server.env, stdout=subprocess.PIPE)
        keys = os.open(fifo, os.O_WRONLY)
        time.sleep(0.5)
        began = time.monotonic()
        sent = 0
        for seconds, message in timed_events(song):
            if seconds > length:
                break
            wait = began + seconds - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            os.write(keys, message)
            sent += message[0] & 0xF0 == 0x90 and message[2] > 0
        time.sleep(max(0.0, began + length - time.monotonic()))
        program.send_signal(signal.SIGTERM)
        stats = json.loads(program.communicate()[0])
        with open(wav, "rb") as file:
            played = Sound(file.read())
        subprocess.run([PROGRAM, "render", "-q", mid, "-i", instrument, *more, "-e", "f32", "--tail", "2", "-o", again], check=True)
        with open(again, "rb") as file:
            rendered = Sound(file.read())
    same = rendered.body.startswith(played.body)
    print("%s: %.1f s, %d notes, xruns %s, load max %s, keys relieved %s, recording %s the render" %
          (os.path.basename(song), played.frames / RATE, sent, stats.get("xruns"), stats.get("load_max"), stats["keys_relieved"],
           "is" if same else "is not"))
    return 0 if same or stats["keys_relieved"] > 0 else 1


def main():
    song = sys.argv[1]
    length = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    instrument = sys.argv[3] if len(sys.argv) > 3 else "piano"
    frames = sys.argv[4] if len(sys.argv) > 4 else "128"
    with contextlib.ExitStack() as last:
        return play(JackServer(last.callback, frames=int(frames), inputs=2), song, length, instrument, frames, sys.argv[5:])


if __name__ == "__main__":
    sys.exit(main())
