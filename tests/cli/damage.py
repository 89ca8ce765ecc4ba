"""Damaged and odd MIDI files by structure: what editors, transfers, old writers and failing disks make of songs.

A kind is a function of a random generator that gives the file's bytes and how many notes it must play: a number, or None where
the damage may take any of them. KINDS has them all.
"""

import struct

from support import smf, variable_length

END = b"\x00\xff\x2f\x00"
KINDS = {}


def kind(function):
    KINDS[function.__name__] = function
    return function


def header(tracks, form=1, division=480, length=6):
    return b"MThd" + struct.pack(">IHHH", length, form, tracks, division)


def chunk(body, length=None, name=b"MTrk"):
    return name + struct.pack(">I", len(body) if length is None else length) + body


class Song:
    """A song of a few tracks as lists of events, each the bytes of its delta time and those of its message."""

    def __init__(self, rng, running=None):
        running = rng.random() < 0.5 if running is None else running
        self.tracks = [[(b"\x00", b"\xff\x51\x03" + struct.pack(">I", rng.randrange(200000, 900000))[1:])]]
        self.notes = 0
        for track in range(rng.randrange(1, 4)):
            events, status = [], None
            for _ in range(rng.randrange(4, 14)):
                key = rng.randrange(79, 104)  # the glockenspiel's
                for message in (bytes([0x90 | track, key, rng.randrange(1, 128)]), bytes([0x80 | track, key, 64]) if
                                rng.random() < 0.5 else bytes([0x90 | track, key, 0])):
                    short = running and message[0] == status
                    events.append((variable_length(rng.choice((0, 10, 60, 120, 127, 128, 200))), message[1:] if short else message))
                    status = message[0]
                self.notes += 1
                if rng.random() < 0.3:
                    events.append((b"\x00", bytes([0xB0 | track, rng.choice((1, 7, 10, 11)), rng.randrange(30, 128)])))
                    status = events[-1][1][0]
            self.tracks.append(events)

    def body(self, i):
        return b"".join(delta + message for delta, message in self.tracks[i])

    def bodies(self, end=END):
        return [self.body(i) + end for i in range(len(self.tracks))]

    def bytes(self, bodies=None, **more):
        bodies = bodies or self.bodies()
        return header(len(bodies), **more) + b"".join(chunk(body) for body in bodies)

    def place(self, rng):
        """A track with notes, and an event of it that has two data bytes and its status."""
        track = rng.randrange(1, len(self.tracks))
        full = [i for i, (_, message) in enumerate(self.tracks[track]) if message[0] >= 0x80 and len(message) == 3]
        return track, rng.choice(full)


def insert(song, rng, *messages):
    """Put events at a random place that does not break running status."""
    track, at = song.place(rng)
    song.tracks[track][at:at] = [(b"\x00", message) for message in messages]
    return song.bytes(), song.notes


# ---------------------------------------------------------------- data

@kind
def high_value(rng):
    song = Song(rng)
    insert(song, rng, bytes([0xB0, rng.choice((1, 7, 10, 11)), rng.randrange(128, 256)]))
    return song.bytes(), song.notes


@kind
def high_number(rng):
    return insert(Song(rng), rng, bytes([0xB0, rng.randrange(128, 256), rng.randrange(128)]))


@kind
def high_velocities(rng):
    """Every note-on of a writer that knows no limit."""
    song = Song(rng, running=False)
    for events in song.tracks[1:]:
        for i, (delta, message) in enumerate(events):
            if message[0] >> 4 == 9 and message[2] > 0:
                events[i] = (delta, message[:2] + bytes([rng.randrange(128, 256)]))
    return song.bytes(), song.notes


@kind
def flipped_bits(rng):
    data = bytearray(Song(rng).bytes())
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(14, len(data))] ^= 1 << rng.randrange(8)
    return bytes(data), None


@kind
def random_bytes(rng):
    data = bytearray(Song(rng).bytes())
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(22, len(data))] = rng.randrange(256)
    return bytes(data), None


@kind
def lost_byte(rng):
    """A transfer that dropped one; the chunk's length is that of the song as it was."""
    data = bytearray(Song(rng).bytes())
    del data[rng.randrange(22, len(data))]
    return bytes(data), None


@kind
def doubled_byte(rng):
    data = bytearray(Song(rng).bytes())
    at = rng.randrange(22, len(data))
    data[at:at] = data[at:at + 1]
    return bytes(data), None


@kind
def cut_event(rng):
    """The end of an event and the next delta time are gone."""
    song = Song(rng, running=False)
    track, at = song.place(rng)
    delta, message = song.tracks[track][at]
    lost = message[0] >> 4 == 9 and message[2] > 0
    song.tracks[track][at] = (delta, message[:rng.randrange(1, 3)])
    if at + 1 < len(song.tracks[track]):
        song.tracks[track][at + 1] = (b"", song.tracks[track][at + 1][1])
    return song.bytes(), song.notes - lost


# ---------------------------------------------------------------- tracks

@kind
def truncated(rng):
    data = Song(rng).bytes()
    return data[:rng.randrange(14, len(data))], None


@kind
def no_end_of_track(rng):
    song = Song(rng)
    return song.bytes(song.bodies(b"")), song.notes


@kind
def end_of_track_early(rng):
    song = Song(rng)
    track, at = song.place(rng)
    song.tracks[track].insert(at, (b"\x00", b"\xff\x2f\x00"))
    return song.bytes(), song.notes


@kind
def end_of_track_with_data(rng):
    song = Song(rng)
    return song.bytes(song.bodies(b"\x00\xff\x2f\x02ab")), song.notes


@kind
def end_of_track_twice(rng):
    song = Song(rng)
    return song.bytes(song.bodies(END + END)), song.notes


@kind
def length_short(rng):
    song = Song(rng)
    bodies = song.bodies()
    return header(len(bodies)) + b"".join(chunk(b, rng.randrange(len(b))) for b in bodies), song.notes


@kind
def length_long(rng):
    song = Song(rng)
    bodies = song.bodies()
    return header(len(bodies)) + b"".join(chunk(b, len(b) + rng.randrange(1, 40)) for b in bodies), song.notes


@kind
def length_zero(rng):
    song = Song(rng)
    bodies = song.bodies()
    return header(len(bodies)) + b"".join(chunk(b, 0) for b in bodies), song.notes


@kind
def length_huge(rng):
    song = Song(rng)
    bodies = song.bodies()
    return header(len(bodies)) + b"".join(chunk(b, rng.randrange(1 << 20, 1 << 32)) for b in bodies), song.notes


@kind
def padded(rng):
    song = Song(rng)
    return song.bytes(song.bodies(END + bytes(rng.randrange(1, 30)))), song.notes


# ---------------------------------------------------------------- events

@kind
def undefined_status(rng):
    return insert(Song(rng), rng, *(bytes([rng.choice((0xF4, 0xF5, 0xF9, 0xFD))]) for _ in range(rng.randrange(1, 4))))


@kind
def system_messages(rng):
    return insert(Song(rng), rng, rng.choice((b"\xf1\x05", b"\xf2\x01\x02", b"\xf3\x04", b"\xf6", b"\xf8", b"\xfa", b"\xfb", b"\xfc",
                                              b"\xfe")))


@kind
def running_over_meta(rng):
    song = Song(rng, running=True)
    for events in song.tracks[1:]:
        short = [i for i, (_, message) in enumerate(events) if message[0] < 0x80]
        if short:
            events.insert(rng.choice(short), (b"\x00", rng.choice((b"\xff\x01\x02hi", b"\xf0\x03\x43\x10\xf7"))))
    return song.bytes(), song.notes


@kind
def running_from_nothing(rng):
    song = Song(rng)
    song.tracks[rng.randrange(1, len(song.tracks))].insert(0, (b"\x00", bytes([rng.randrange(128), rng.randrange(128)])))
    return song.bytes(), song.notes


@kind
def open_sysex(rng):
    return insert(Song(rng), rng, b"\xf0\x03\x43\x10\x20", b"\xf7\x02\x01\xf7", b"\xf7\x03\x90\x40\x40")


@kind
def cable_sysex(rng):
    return insert(Song(rng), rng, b"\xf0\x7e\x7f\x09\x01\xf7")


@kind
def long_numbers(rng):
    song = Song(rng)
    track, at = song.place(rng)
    delta, message = song.tracks[track][at]
    song.tracks[track][at] = (b"\x80" * rng.randrange(1, 6) + delta, message)
    return song.bytes(), song.notes


@kind
def text_too_long(rng):
    song = Song(rng)
    track, at = song.place(rng)
    song.tracks[track].insert(at, (b"\x00", b"\xff\x01" + variable_length(rng.randrange(3000, 1 << 21)) + b"abc"))
    return song.bytes(), None


@kind
def tempo_zero(rng):
    song = Song(rng)
    song.tracks[0] = [(b"\x00", rng.choice((b"\xff\x51\x03\x00\x00\x00", b"\xff\x51\x02\x07\xa1", b"\xff\x51\x00")))]
    return song.bytes(), song.notes


@kind
def held_forever(rng):
    """Keys and pedals that nobody lets go, notes twice over."""
    song = Song(rng, running=False)
    for events in song.tracks[1:]:
        events[:] = [e for e in events if e[1][0] >> 4 == 9 and e[1][2] > 0 or e[1][0] >> 4 == 11]
        events.insert(0, (b"\x00", bytes([0xB0, rng.choice((64, 66, 67)), 127])))
    song.tracks[1] *= 2
    return song.bytes(), sum(e[1][0] >> 4 == 9 for events in song.tracks[1:] for e in events)


# ---------------------------------------------------------------- files

@kind
def wrong_track_count(rng):
    song = Song(rng)
    data = bytearray(song.bytes())
    data[10:12] = struct.pack(">H", rng.choice((0, 1, len(song.tracks) + 1, 999, 65535)))
    return bytes(data), song.notes


@kind
def wrong_format(rng):
    song = Song(rng)
    return song.bytes(form=rng.choice((0, 3, 4, 255, 65535))), song.notes


@kind
def smpte_division(rng):
    song = Song(rng)
    return song.bytes(division=(256 - rng.choice((24, 25, 29, 30))) << 8 | rng.choice((4, 40, 80))), song.notes


@kind
def hopeless_division(rng):
    return Song(rng).bytes(division=rng.choice((0, 0xE800, 0x8000))), 0


@kind
def foreign_chunks(rng):
    song = Song(rng)
    bodies = song.bodies()
    alien = lambda: chunk(bytes(rng.randrange(256) for _ in range(rng.randrange(20))), name=rng.choice((b"XFIH", b"XFKM", b"CASM")))
    return header(len(bodies)) + alien() + b"".join(chunk(body) + alien() for body in bodies), song.notes


@kind
def mac_binary(rng):
    song = Song(rng)
    data = song.bytes()
    return b"\x00\x04song" + bytes(59) + b"MidiTEXT" + bytes(128 - 73) + data + bytes(-len(data) % 128), song.notes


@kind
def stray_bytes_before(rng):
    song = Song(rng)
    return bytes(rng.choice((0, 10, 13, 32, 255)) for _ in range(rng.randrange(1, 9))) + song.bytes(), song.notes


@kind
def riff(rng):
    song = Song(rng)
    data = song.bytes()
    body = b"RMID" + b"data" + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body, song.notes


@kind
def header_long(rng):
    song = Song(rng)
    extra = rng.randrange(1, 12)
    data = song.bytes(length=6 + extra)
    return data[:14] + (bytes(extra) if rng.random() < 0.5 else b"") + data[14:], song.notes


@kind
def garbage_behind(rng):
    song = Song(rng)
    return song.bytes() + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 300))), song.notes


@kind
def two_songs(rng):
    song = Song(rng)
    return song.bytes() + Song(rng).bytes(), song.notes


@kind
def text_mode(rng):
    """A transfer that took it for text."""
    return Song(rng).bytes().replace(b"\n", b"\r\n") if rng.random() < 0.5 else Song(rng).bytes().replace(b"\r", b"\n"), None


@kind
def seven_bits(rng):
    return bytes(byte & 0x7F for byte in Song(rng).bytes()), 0


@kind
def block_of_zeros(rng):
    data = bytearray(Song(rng).bytes())
    at = rng.randrange(14, len(data))
    data[at:at + 64] = bytes(len(data[at:at + 64]))
    return bytes(data), None


@kind
def no_note_at_all(rng):
    return smf([[(0, b"\xc0\x09"), (480, b"\x90\x50\x00")]]), 0


@kind
def drums_alone(rng):
    events = [(i * 60, bytes([0x99, rng.randrange(35, 60), 100])) for i in range(5)]
    return smf([events]), 5
