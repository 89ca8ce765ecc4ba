"""What the tests of the program share: running it, making songs, reading audio files without a library."""

import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("HERTZIAN", "hertzian")
SOURCE = os.environ.get(
    "HERTZIAN_SOURCE", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SONGS = os.path.join(SOURCE, "tests", "fixtures", "midi")
RATE = 48000  # [Hz] unless a test asks for another

DONE, USAGE, DEVICE, INPUT, OUTPUT = 0, 2, 3, 4, 5  # exit codes


def variable_length(value):
    """A number as MIDI files write it."""
    out = bytes([value & 0x7F])
    while value > 0x7F:
        value >>= 7
        out = bytes([value & 0x7F | 0x80]) + out
    return out


def smf(tracks, division=480, form=None):
    """A MIDI file of tracks that are lists of (tick, bytes); End of Track is added unless given as the last event."""
    form = form if form is not None else (0 if len(tracks) == 1 else 1)
    out = b"MThd" + struct.pack(">IHHH", 6, form, len(tracks), division)
    for events in tracks:
        body, now = b"", 0
        for tick, message in events:
            body += variable_length(tick - now) + message
            now = tick
        if not events or not events[-1][1].startswith(b"\xff\x2f"):
            body += b"\x00\xff\x2f\x00"
        out += b"MTrk" + struct.pack(">I", len(body)) + body
    return out


def tick_of(seconds, division=480):
    """Ticks at the 120 beats a minute that a file without a tempo has."""
    return round(seconds * 2 * division)


def notes(spec, channel=0):
    """Events of (seconds, key, velocity, length in s) notes."""
    events = []
    for at, key, velocity, length in spec:
        events.append((tick_of(at), bytes([0x90 | channel, key, velocity])))
        events.append((tick_of(at + length), bytes([0x80 | channel, key, 64])))
    return sorted(events, key=lambda event: event[0])


class Result:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr.decode("utf-8", "surrogateescape")
        self.lines = self.err.splitlines()


def run(*args, stdin=None, env=None, timeout=60, cwd=None):
    environment = dict(os.environ)
    environment.update(env or {})
    process = subprocess.run([PROGRAM, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=environment, timeout=timeout, cwd=cwd, stdin=None if stdin is not None else subprocess.DEVNULL)
    return Result(process)


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hertzian-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def song(self, name="song.mid", spec=((0.0, 60, 100, 0.25), (0.25, 64, 90, 0.25), (0.5, 67, 80, 0.25))):
        return self.write(name, smf([notes(spec)]))

    def render(self, *args, code=DONE, **more):
        result = run("render", *args, **more)
        self.assertEqual(result.code, code, result.err)
        return result

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def one_error(self, result, code, *words):
        """Exit code and exactly one line, `hertzian: ...`, that has the words."""
        self.assertEqual(result.code, code, result.err)
        errors = [line for line in result.lines if line.startswith("hertzian: ")]
        self.assertEqual(len(errors), 1, result.err)
        for word in words:
            self.assertIn(word, errors[0])

    def nothing_written(self, *allowed):
        """No file in the folder besides the allowed ones."""
        found = sorted(os.path.relpath(os.path.join(root, name), self.folder)
                       for root, _, names in os.walk(self.folder) for name in names)
        self.assertEqual(found, sorted(allowed))


class Sound:
    """Samples of an audio file as integers or floats, interleaved, with what its header says."""

    def __init__(self, data):
        if data[:4] in (b"RIFF", b"RF64"):
            self._riff(data)
        elif data[:16] == bytes.fromhex("726966662e91cf11a5d628db04c10000"):
            self._w64(data)
        else:
            raise ValueError("neither RIFF, RF64 nor Wave64: %r" % data[:16])
        self.frames = len(self.body) // self.block

    def _format(self, body):
        tag, self.channels, self.rate, _, self.block, self.bits = struct.unpack("<HHIIHH", body[:16])
        if tag == 0xFFFE:
            tag = struct.unpack("<H", body[24:26])[0]
        self.floating = tag == 3

    def _riff(self, data):
        self.kind = data[:4].decode()
        size = struct.unpack("<I", data[4:8])[0]
        long_sizes = {}
        at = 12
        self.chunks = []
        while at + 8 <= len(data):
            name, length = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
            if name == b"ds64":
                riff, body, self.sample_count = struct.unpack("<QQQ", data[at + 8:at + 32])
                long_sizes = {b"RIFF": riff, b"data": body}
            if length == 0xFFFFFFFF:
                length = long_sizes[name]
            body = data[at + 8:at + 8 + length]
            if len(body) != length:
                raise ValueError("chunk %r is cut short" % name)
            if name == b"fmt ":
                self._format(body)
            if name == b"data":
                self.body = body
            self.chunks.append(name)
            at += 8 + length + length % 2
        size = long_sizes.get(b"RIFF", size)
        if size + 8 != len(data):
            raise ValueError("header says %d bytes, there are %d" % (size + 8, len(data)))

    def _w64(self, data):
        self.kind = "W64"
        if struct.unpack("<Q", data[16:24])[0] != len(data):
            raise ValueError("W64 size is wrong")
        at = 40
        while at + 24 <= len(data):
            name, length = data[at:at + 4], struct.unpack("<Q", data[at + 16:at + 24])[0]
            body = data[at + 24:at + length]
            if name == b"fmt ":
                self._format(body)
            if name == b"data":
                self.body = body
            at += (length + 7) // 8 * 8

    def samples(self):
        """Numbers with full scale 1."""
        return decode(self.body, self.bits, self.floating)

    def integers(self):
        return integers(self.body, self.bits)


def integers(body, bits):
    if bits == 16:
        return list(struct.unpack("<%dh" % (len(body) // 2), body))
    if bits == 32:
        return list(struct.unpack("<%di" % (len(body) // 4), body))
    padded = bytearray(len(body) // 3 * 4)
    padded[1::4], padded[2::4], padded[3::4] = body[0::3], body[1::3], body[2::3]
    return [value >> 8 for value in struct.unpack("<%di" % (len(body) // 3), bytes(padded))]


def decode(body, bits, floating):
    if floating:
        return list(struct.unpack("<%df" % (len(body) // 4), body))
    return [value / (1 << (bits - 1)) for value in integers(body, bits)]


def loudness(sound):
    """Programme loudness of a stereo file at 48 kHz [LUFS], by the filters and gates that ITU-R BS.1770-4 prints."""
    assert sound.rate == 48000 and sound.channels == 2
    samples, hop, window = sound.samples(), 4800, 4
    power = [0.0] * (sound.frames // hop)
    for channel in range(2):
        shelf, high = [0.0, 0.0], [0.0, 0.0]
        for i in range(len(power) * hop):
            x = samples[2 * i + channel]
            y = 1.53512485958697 * x + shelf[0]
            shelf = [-2.69169618940638 * x + 1.69065929318241 * y + shelf[1], 1.19839281085285 * x - 0.73248077421585 * y]
            z = y + high[0]
            high = [-2.0 * y + 1.99004745483398 * z + high[1], y - 0.99007225036621 * z]
            power[i // hop] += z * z / hop
    blocks = [sum(power[i:i + window]) / window for i in range(len(power) - window + 1)]
    level = lambda p: -0.691 + 10.0 * math.log10(p) if p > 0.0 else -math.inf  # noqa: E731
    loud = [p for p in blocks if level(p) > -70.0]
    gate = level(sum(loud) / len(loud)) - 10.0
    loud = [p for p in loud if level(p) > gate]
    return level(sum(loud) / len(loud))


def main():
    sys.dont_write_bytecode = True
    unittest.main(verbosity=1)
