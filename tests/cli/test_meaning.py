"""What MIDI says beyond notes, as it is heard: resets, master volume, tuning by messages, by files and by flags."""

import math
import os
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, INPUT, SONGS, Sound, USAGE, main, notes, run, smf, tick_of  # noqa: E402

DRY = ("-i", "glockenspiel", "-s", "room=0", "-e", "f32", "-q")
NOTE = notes(((1.0, 84, 100, 0.5),))


def sysex(*data):
    return bytes((0xF0, len(data) + 1, *data, 0xF7))


def control(number, value, channel=0):
    return bytes((0xB0 | channel, number, value))


def rpn(number, msb, lsb=0):
    return [(0, control(101, 0)), (0, control(100, number)), (0, control(6, msb)), (0, control(38, lsb))]


def bulk_dump(pitches, program=0):
    """A non-real-time bulk tuning dump of pitches in semitones."""
    data = [0x7E, 0x7F, 8, 1, program] + [ord(" ")] * 16
    for pitch in pitches:
        units = round(pitch * 16384)
        data += [units >> 14 & 0x7F, units >> 7 & 0x7F, units & 0x7F]
    check = 0
    for byte in data:
        check ^= byte
    body = bytes(data + [check & 0x7F, 0xF7])
    return bytes((0xF0, 0x80 | len(body) >> 7, len(body) & 0x7F)) + body


class Meaning(Case):
    def sound(self, events, *args, name="song"):
        song = self.write(name + ".mid", smf([sorted(events, key=lambda e: e[0])]))
        self.render(song, *DRY, "-o", self.path(name + ".wav"), *args)
        return self.read(name + ".wav")

    def peak(self, data, begin=0.0):
        samples = Sound(data).samples()[2 * int(48000 * begin):]
        return max(map(abs, samples))

    def pitch(self, data, near_hz):
        """Frequency of the tone near `near_hz` from the turn of its phase over half a second."""
        samples = Sound(data).samples()[0::2]
        begin, half = int(1.1 * 48000), 12000
        turns = []
        for at in (begin, begin + half):
            re = im = 0.0
            for i in range(half):
                window = 0.5 - 0.5 * math.cos(2 * math.pi * i / half)
                phase = 2 * math.pi * near_hz * (at + i) / 48000
                re += window * samples[at + i] * math.cos(phase)
                im -= window * samples[at + i] * math.sin(phase)
            turns.append(math.atan2(im, re))
        turn = (turns[1] - turns[0] + math.pi) % (2 * math.pi) - math.pi
        return near_hz + turn / (2 * math.pi * half / 48000)

    def cents(self, data, expected_hz):
        return 1200 * math.log2(self.pitch(data, expected_hz) / expected_hz)

    def test_fine_and_coarse_tuning_are_bends(self):
        bent = self.sound(rpn(0, 3) + [(0, bytes((0xE0, 0, 32)))] + NOTE)  # half of three semitones down
        tuned = self.sound(rpn(1, 32) + rpn(2, 63) + NOTE)
        self.assertEqual(bent, tuned)
        master = self.sound([(0, sysex(0x7F, 0x7F, 4, 3, 0, 32)), (0, sysex(0x7F, 0x7F, 4, 4, 0, 63))] + NOTE)
        self.assertEqual(bent, master)

    def test_a_resets_what_was_moved_before(self):
        plain = self.sound(NOTE)
        for reset in (sysex(0x7E, 0x7F, 9, 1), sysex(0x7E, 0x7F, 9, 3), sysex(0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41),
                      sysex(0x43, 0x10, 0x4C, 0, 0, 0x7E, 0)):
            moved = [(0, control(7, 10)), (0, control(10, 0)), (0, sysex(0x7F, 0x7F, 4, 1, 0, 16))] + rpn(2, 70)
            again = self.sound(moved + [(tick_of(0.5), reset)] + NOTE)
            # Volume glides there in 10 ms, long before the note.
            self.assertEqual(Sound(again).body, Sound(plain).body)
        hanging = [(0, bytes((0x90, 84, 100))), (tick_of(0.5), sysex(0x7E, 0x7F, 9, 1))]
        ended = self.render(self.write("hang.mid", smf([hanging + [(tick_of(8), control(7, 100))]])), *DRY[:4],
                            "-o", self.path("hang.wav"))
        self.assertNotIn("missing note-off", ended.err)

    def test_master_volume_is_squared(self):
        loud = self.peak(self.sound(NOTE))
        for message in (sysex(0x7F, 0x7F, 4, 1, 0, 64), sysex(0x41, 0x10, 0x42, 0x12, 0x40, 0, 4, 64, 0x7C),
                        sysex(0x43, 0x10, 0x4C, 0, 0, 4, 64)):
            quiet = self.peak(self.sound([(0, message)] + NOTE))
            self.assertAlmostEqual(quiet / loud, 0.25, delta=0.01)  # 64 of one byte is a little more than half

    def test_fixtures_are_obeyed(self):
        for name in ("gm-reset.mid", "master-volume.mid", "rpn1-fine.mid"):
            self.render(os.path.join(SONGS, name), *DRY[2:4], "-i", "piano", "-o", self.path(name + ".wav"))

    def test_tuning_dumps_flags_and_files_agree(self):
        pitches = [69 + (key - 69) * 12 / 31 for key in range(128)]
        hz = 440.0 * 2 ** ((pitches[84] - 69) / 12)
        dumped = self.sound([(0, bulk_dump(pitches))] + NOTE)
        named = self.sound(NOTE, "--tuning", "31-edo")
        scala = self.write("a.scl", b"31\n31\n" + b"".join(b"%.9f\n" % (1200 * i / 31) for i in range(1, 32)))
        keymap = self.write("a.kbm", b"0\n0\n127\n60\n69\n440.0\n31\n")
        filed = self.sound(NOTE, "--tuning", scala, "--keymap", keymap)
        # A dump has 2^-14 semitones, 0.006 cent; the fit over half a second is good to a hundredth of a cent.
        for data in (dumped, named, filed):
            self.assertLess(abs(self.cents(data, hz)), 0.1)
        lower = self.sound(NOTE, "--a4", "415")
        self.assertLess(abs(self.cents(lower, 415.0 * 2 ** (15 / 12))), 0.1)

    def test_real_time_tuning_moves_what_sounds_and_the_other_does_not(self):
        def change(kind):
            return sysex(kind, 0x7F, 8, 7, 0, 0, 1, 84, 83, 64, 0)  # half a semitone down
        at = tick_of(1.05)
        plain = 440.0 * 2 ** (15 / 12)
        moved = self.sound(NOTE + [(at, change(0x7F))])
        kept = self.sound(NOTE + [(at, change(0x7E))])
        self.assertLess(abs(self.cents(moved, plain * 2 ** (-0.5 / 12))), 0.1)
        self.assertLess(abs(self.cents(kept, plain)), 0.1)

    def test_octave_tuning_of_one_channel(self):
        flat = sysex(0x7F, 0x7F, 8, 8, 3, 0x7F, 0x7F, *([24] + [64] * 11))  # C 40 cents down on all channels
        other = sysex(0x7F, 0x7F, 8, 8, 3, 0x7F, 0x7E, *([24] + [64] * 11))  # on all but channel 1
        hz = 440.0 * 2 ** (15 / 12)
        self.assertLess(abs(self.cents(self.sound([(0, flat)] + NOTE), hz * 2 ** (-0.4 / 12))), 0.1)
        self.assertEqual(self.sound([(0, other)] + NOTE), self.sound(NOTE))

    def test_unmapped_keys_are_silent(self):
        keymap = self.write("a.kbm", b"12\n0\n127\n60\n69\n440.0\n12\n0\nx\n2\nx\n4\n5\nx\n7\nx\n9\nx\n11\n")
        both = notes(((1.0, 84, 100, 0.5), (1.0, 85, 127, 0.5)))
        self.assertEqual(self.sound(both, "--keymap", keymap), self.sound(NOTE, "--keymap", keymap))

    def test_velocity_has_fourteen_bits(self):
        peaks = []
        for low in (0, 32, 64, 96):
            peaks.append(self.peak(self.sound([(tick_of(1.0), control(88, low))] + NOTE)))
        peaks.append(self.peak(self.sound(notes(((1.0, 84, 101, 0.5),)))))
        self.assertEqual(peaks, sorted(set(peaks)))  # five that grow

    def test_members_of_mpe_have_a_pitch_each(self):
        def at(channel, value):
            wheel = value + 8192
            return (tick_of(0.5), bytes((0xE0 | channel, wheel & 0x7F, wheel >> 7)))
        played = [at(1, -1000), at(2, 700)] + notes(((1.0, 84, 100, 0.5),), 1) + notes(((1.0, 84, 100, 0.5),), 2)

        def ranges(semitones):
            return [(0, control(number, value, channel)) for channel in (1, 2) for number, value in ((101, 0), (100, 0), (6, semitones))]
        wide = self.sound(ranges(48) + played)
        self.assertEqual(self.sound(played, "--mpe"), wide)
        self.assertEqual(self.sound([(0, control(101, 0)), (0, control(100, 6)), (0, control(6, 15))] + played), wide)
        self.assertEqual(self.sound(played, "--mpe=lower", "--mpe-bend", "24"), self.sound(ranges(24) + played))
        self.assertNotEqual(self.sound(played), wide)
        # Without -i the manager's program is the members' instrument.
        song = self.write("program.mid", smf([sorted([(0, bytes((0xC0, 9)))] + played, key=lambda e: e[0])]))
        still = ("-s", "human=0")  # hands are told apart by their place in the orchestra
        self.render(song, "--mpe", *DRY[2:], *still, "-o", self.path("program.wav"))
        self.assertEqual(self.read("program.wav"), self.sound(played, "--mpe", *still))
        hz = 440.0 * 2 ** (15 / 12)
        for cents in (-1000 / 8192 * 4800, 700 / 8191 * 4800):  # both are there
            self.assertLess(abs(self.cents(wide, hz * 2 ** (cents / 1200))), 1.0)
        # The manager's wheel bends both, by two semitones at most.
        both = self.sound([at(0, -8192)] + played, "--mpe")
        self.assertLess(abs(self.cents(both, hz * 2 ** ((-1000 / 8192 * 48 - 2) / 12))), 1.0)

    def test_what_is_wrong_is_one_line(self):
        song = self.song()
        bad = self.write("bad.scl", b"x\n2\n3/0\n2/1\n")
        out = ("-o", self.path("out.wav"))
        self.one_error(run("render", song, "--tuning", bad, *out), INPUT, bad + ":3:1: ", "3/2")
        self.one_error(run("render", song, "--tuning", "merntone", *out), INPUT, "did you mean meantone", "N-edo")
        self.one_error(run("render", song, "--keymap", self.path("no.kbm"), *out), INPUT, "No such file")
        self.one_error(run("render", song, "--a4", "44", *out), USAGE, "--a4 44", "220 to 880")
        self.one_error(run("render", song, "--a4", "440", "--keymap", bad, *out), USAGE, "--a4", "--keymap")
        result = run("render", song, "--tuning", "31-edo", "-i", "sitar", "-q", *out)
        self.assertEqual(result.code, DONE, result.err)


if __name__ == "__main__":
    main()
