"""Takes and the history: MIDI beside each, a render of it the take bit for bit wherever it begins; nothing is refused or overwritten."""

import json
import os
import signal
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from live import LiveCase, SLOW, off, on, pause  # noqa: E402
from support import INPUT, OUTPUT, RATE, USAGE, Sound, main, run  # noqa: E402
from test_play import midi_events  # noqa: E402
from test_play_record import perform  # noqa: E402

CUE, ADTL = b"cue ", b"LIST"


def chunks(data):
    """Name and body of what a RIFF file holds."""
    at, found = 12, []
    while at + 8 <= len(data):
        length = struct.unpack("<I", data[at + 4:at + 8])[0]
        found.append((data[at:at + 4], data[at + 8:at + 8 + length]))
        at += 8 + length + length % 2
    return found


def cues(data):
    """Frame and label of each place that the file names."""
    parts = dict(chunks(data))
    if CUE not in parts:
        return []
    body = parts[CUE]
    frames = [struct.unpack("<I", body[4 + 24 * i + 20:4 + 24 * i + 24])[0] for i in range(struct.unpack("<I", body[:4])[0])]
    labels = [text[4:].rstrip(b"\0").decode() for name, text in chunks(b"LIST" + bytes(4) + parts[ADTL]) if name == b"labl"]
    return list(zip(frames, labels))


class Takes(LiveCase):
    def setUp(self):
        super().setUp()
        self.state = self.path("state")
        self.env = dict(os.environ, XDG_STATE_HOME=self.state)
        self.takes_at = self.path("takes")
        os.mkdir(self.takes_at)

    def play(self, *args, **more):
        return self.live(*args, cwd=self.takes_at, env=self.env, **more)

    def names(self, ending=".wav"):
        return sorted((n for n in os.listdir(self.takes_at) if n.endswith(ending)), key=lambda n: (len(n), n))

    def of(self, name):
        with open(os.path.join(self.takes_at, name), "rb") as file:
            return file.read()

    def toggle(self, live, n):
        live.poke(signal.SIGUSR1)
        self.wait_until(lambda: len(self.names()) == n)

    def same(self, name, instrument, *args):
        """The render of the MIDI beside a take begins with the take."""
        midi = os.path.join(self.takes_at, name[:-4] + ".mid")
        chosen = ["-i", instrument] if instrument else []
        self.render(midi, *chosen, *args, "--channel", "omni", "-e", "f32", "--tail", "1", "-o", self.path("again.wav"))
        take, again = Sound(self.of(name)), self.sound("again.wav")
        self.assertGreater(take.frames, 0.2 * RATE)
        self.assertTrue(again.body.startswith(take.body), name)
        return take


class MidSession(Takes):
    def check(self, instrument, *args, preroll=None):
        given = [*args, *(["--preroll", preroll] if preroll else [])]
        live = self.play(*given, instrument=instrument)
        live.send([0xB0, 7, 90, 0xE0, 0, 70, 0xB0, 64, 127])
        pause(0.3)
        perform(live, 0.8, seed=3)
        self.toggle(live, 1)
        perform(live, 0.8, seed=4)
        live.poke(signal.SIGHUP)
        self.wait_until(lambda: len(self.names()) == 2)
        perform(live, 0.6, seed=5)
        live.poke(signal.SIGUSR1)
        perform(live, 0.3, seed=6)
        self.toggle(live, 3)
        perform(live, 0.5, seed=7)
        live.stop()
        if live.stats["keys_relieved"] > 0 and SLOW > 1:
            self.skipTest("too slow under a sanitizer: the overload guard had to act")
        self.assertEqual(live.stats["keys_relieved"], 0)
        takes = [self.same(name, instrument, *args) for name in self.names()]
        for take in takes:
            self.assertGreater(max(map(abs, take.samples())), 1e-3)
        self.assertEqual(self.names(".mid"), [name[:-4] + ".mid" for name in self.names()])
        return takes

    def test_render_of_each_take_is_the_take(self):
        # Each begins with keys ringing, a pedal down, and strokes behind it that count for the player's hand.
        self.check("marimba")

    def test_piano_with_a_room(self):
        self.check("piano", "-s", "room=0.4")

    def test_with_a_preroll(self):
        first, second, third = self.check("glockenspiel", preroll="0.5")
        self.assertGreater(first.frames, (0.8 + 0.4) * RATE)

    def test_preroll_is_what_was_played_before(self):
        live = self.play("--preroll", "1")
        pause(0.3)
        live.send(on(72))
        pause(0.5)
        self.toggle(live, 1)
        pause(0.3)
        live.stop()
        self.assertGreater(self.level(Sound(self.of(self.names()[0])).samples(), 0.0, 0.8), 1e-3)

    def test_the_midi_begins_with_the_take_for_other_programs(self):
        live = self.play()
        live.send([0xC0, 5, 0xB0, 7, 33, 0xB0, 101, 0, 0xB0, 100, 0, 0xB0, 6, 7, 0xE0, 1, 70])
        live.send(on(72) + off(72))
        pause(0.5)
        self.toggle(live, 1)
        pause(0.2)
        live.send(on(76))
        pause(0.3)
        live.stop()
        events = midi_events(self.of(self.names(".mid")[0]))
        at_start = [data for tick, data in events if tick == 0]
        for wanted in ([0xC0, 5], [0xB0, 7, 33], [0xB0, 6, 7], [0xE0, 1, 70]):
            self.assertIn(bytes(wanted), at_start)
        ons = [(tick, data) for tick, data in events if data[0] == 0x90]
        self.assertEqual([data[1] for _, data in ons], [76])
        self.assertLess(ons[0][0], 0.5 * SLOW * RATE)
        self.assertEqual(events[-1][0], Sound(self.of(self.names()[0])).frames)  # the key is let go where the take ends


class Controllers(Takes):
    def test_a_pedal_records_and_marks(self):
        live = self.play("--record-by", "80", "--mark-by", "81")
        live.send([0xB0, 80, 127])
        self.wait_until(lambda: len(self.names()) == 1)
        live.send([0xB0, 80, 0])
        pause(0.3)
        live.send([0xB0, 81, 127, 81, 0])
        pause(0.3)
        live.send(on(72))
        live.send([0xB0, 80, 100])
        pause(0.3)
        live.stop()
        self.assertEqual(len(self.names()), 1)
        take = self.of(self.names()[0])
        Sound(take)
        [frame] = [at for at, label in cues(take) if label == "mark 1"]
        self.assertGreater(frame, 0.2 * RATE)
        self.assertLess(frame, Sound(take).frames)
        self.assertIn(b"\xff\x06\x06mark 1", self.of(self.names(".mid")[0]))

    def test_U78_xruns_are_places_in_the_take(self):
        live = self.play("--record", "a.wav")
        pause(0.5)
        live.poke(signal.SIGSTOP)
        time.sleep(0.5)
        live.poke(signal.SIGCONT)
        pause(0.5)
        live.stop()
        self.assertGreater(live.stats["xruns"], 0)
        found = cues(self.of("a.wav"))
        # A busy machine may have made others before.
        self.assertTrue(any("xrun" in label and 0.2 * RATE < frame < 2.0 * SLOW * RATE for frame, label in found), found)


class Files(Takes):
    def test_U82_a_name_that_is_there_gets_a_number(self):
        for _ in range(3):
            live = self.play("a.wav", command="record")
            live.send(on(72))
            pause(0.2)
            live.stop()
        self.assertEqual(self.names(), ["a.wav", "a-2.wav", "a-3.wav"])
        self.assertEqual(self.names(".mid"), ["a.mid", "a-2.mid", "a-3.mid"])
        self.assertIn("a-3.wav", live.said)
        os.unlink(os.path.join(self.takes_at, "a.wav"))
        live = self.play("a.wav", command="record")  # the MIDI of that name is another take's
        live.stop()
        self.assertEqual(self.names()[-1], "a-4.wav")

    def test_a_folder_in_place_of_a_name(self):
        os.mkdir(self.path("there"))
        for args in (("--record", self.path("there")), ("--record", self.path("there/"))):
            live = self.live(*args)
            pause(0.3)
            live.stop()
        names = sorted(os.listdir(self.path("there")))
        self.assertEqual([n[:9] for n in names], ["hertzian-"] * 4)
        self.assertEqual([n[-4:] for n in names], [".mid", ".wav"] * 2)

    def test_a_preroll_alone_has_recorded_nothing(self):
        live = self.live("--preroll", "1")
        pause(0.2)
        live.stop()
        self.assertIsNone(live.stats["recorded"])
        self.assertNotIn("recorded", live.said)

    def test_a_folder_for_takes(self):
        folder = os.path.join(self.takes_at, "some", "where")
        live = self.play("--takes", folder, "a.wav", command="record")
        pause(0.2)
        live.stop()
        live = self.play("--takes", folder, command="record")
        pause(0.2)
        live.stop()
        self.assertEqual(len([n for n in os.listdir(folder) if n.startswith("hertzian-")]), 2)
        self.assertEqual({"a.wav", "a.mid"} - set(os.listdir(folder)), set())
        self.write("file", b"")
        self.one_error(run("play", "-a", "null", "-m", "none", "-i", "glockenspiel", "--takes", self.path("file")), OUTPUT, "file")

    def test_split_loses_no_sample(self):
        live = self.play("--split", "1", "a.wav", command="record")
        perform(live, 2.3)
        self.wait_until(lambda: len(self.names()) == 3)
        perform(live, 0.3)
        live.stop()
        self.assertEqual(self.names(), ["a.wav", "a-2.wav", "a-3.wav"])
        self.assertEqual(self.names(".mid"), ["a.mid"])  # one take
        parts = [Sound(self.of(name)) for name in self.names()]
        for part in parts[:-1]:
            self.assertLess(abs(part.frames - RATE), 0.3 * SLOW * RATE)
        self.assertEqual(sum(part.frames for part in parts), live.stats["frames"])
        self.render(os.path.join(self.takes_at, "a.mid"), "-i", "glockenspiel", "-e", "f32", "--tail", "1", "-o", self.path("b.wav"))
        self.assertTrue(self.sound("b.wav").body.startswith(b"".join(part.body for part in parts)))

    def test_flac(self):
        live = self.play("a.flac", command="record")
        perform(live, 0.6)
        live.stop()
        live_frames = live.stats["recorded_frames"]
        self.assertEqual(self.of("a.flac")[:4], b"fLaC")
        packed = int.from_bytes(self.of("a.flac")[18:26], "big")  # STREAMINFO: rate, channels, bits, samples
        self.assertEqual((packed >> 44, packed & (1 << 36) - 1), (RATE, live_frames))
        self.assertEqual(self.names(".mid"), ["a.mid"])
        self.one_error(run("record", "-a", "null", self.path("a.ogg")), USAGE, "WAV or FLAC")


class History(Takes):
    def history(self, *args, **more):
        return run("history", *args, env=self.env, cwd=self.takes_at, **more)

    def test_what_was_played_is_kept_and_renders_the_same(self):
        self.assertIn("nothing is kept", self.history().err)
        self.one_error(self.history("render"), INPUT, "nothing is kept")
        live = self.play("-s", "mallet.hardness=2", "--transpose", "2", "-r", "44100", "--record", "a.wav", instrument="marimba")
        perform(live, 1.0)
        live.stop()
        idle = self.play()
        idle.stop()  # of nothing, nothing is kept
        other = self.play()
        other.send(on(90) + off(90))
        pause(0.2)
        other.stop()
        listed = json.loads(self.history("list", "--json").out)
        self.assertEqual([(entry["number"], entry["instrument"]) for entry in listed], [(2, "marimba"), (1, "glockenspiel")])
        self.assertEqual(listed[0]["notes"], live.stats["notes"])
        self.assertEqual(len(self.history().out.splitlines()), 3)
        done = self.history("render", "2", "-e", "f32", "-o", "again.wav")
        self.assertEqual(done.code, 0, done.err)
        take, again = Sound(self.of("a.wav")), Sound(self.of("again.wav"))
        self.assertEqual(again.rate, 44100)
        self.assertTrue(again.body.startswith(take.body))
        done = self.history("render", "a.mid", "-e", "f32", "-o", "take.wav")  # and the MIDI beside it knows, too
        self.assertEqual(done.code, 0, done.err)
        self.assertTrue(Sound(self.of("take.wav")).body.startswith(take.body))
        self.assertEqual(self.history("render", "a.mid", "-i", "glockenspiel", "-o", "other.wav").code, 0)  # or as it is told
        self.assertEqual(self.history("render").code, 0)  # the last one, into this folder
        self.assertEqual(len([n for n in self.names() if n.startswith("20")]), 1)
        self.one_error(self.history("render", "7"), INPUT, "7")
        self.one_error(self.history("render", "1", "2"), USAGE, "one at a time")
        self.one_error(self.history("list", "-o", "x"), USAGE)
        self.one_error(self.history("burn"), USAGE, "list, render and clear")

    def test_clear_leaves_what_is_being_played(self):
        for _ in range(2):
            live = self.play()
            live.send(on(72))
            pause(0.2)
            live.stop()
        live = self.play()
        live.send(on(72))
        pause(0.2)
        done = self.history("clear")
        self.assertIn("2 removed; what is being played is left", done.err)
        live.stop()
        self.assertEqual(len(json.loads(self.history("list", "--json").out)), 1)

    def test_the_oldest_go_when_it_is_too_much(self):
        folder = os.path.join(self.state, "hertzian", "history")
        os.makedirs(folder)
        day = 24 * 3600.0
        for name, kib, days in (("2025-01-01-120000", 500, 300), ("2025-01-02-120000", 500, 299), ("2025-02-01-120000", 900, 0.5),
                                ("2025-03-01-120000", 500, 200), ("2025-03-02-120000", 100, 199)):
            path = os.path.join(folder, name + ".mid")
            with open(path, "wb") as file:
                file.write(bytes(kib << 10))
            os.utime(path, (time.time() - days * day,) * 2)
        live = self.play("--history", "1")
        live.send(on(72))
        self.wait_until(lambda: len(os.listdir(folder)) == 4)  # what was played today, the newest old one, the present one, a note
        live.stop()
        kept = sorted(os.listdir(folder))
        self.assertEqual([kept[0], kept[1], kept[-1]], ["2025-02-01-120000.mid", "2025-03-02-120000.mid", "removed"])
        said = self.history().err
        self.assertIn("3 older ones, up to 2025-03-01-120000, were removed: 1 MiB and the last 24 hours are kept", said)
        self.assertIn("--history", said)
        self.history("clear")
        self.assertNotIn("older", self.history().err)
        self.one_error(run("play", "--history", "0"), USAGE, "--history", "1 to 100000")
        self.one_error(run("play", "--history", "some"), USAGE, "--history")

    def test_off(self):
        live = self.play("--history", "off")
        live.send(on(72))
        pause(0.2)
        self.toggle(live, 1)
        pause(0.3)
        live.stop()
        self.assertFalse(os.path.exists(os.path.join(self.state, "hertzian")) and
                         os.listdir(os.path.join(self.state, "hertzian", "history")))
        self.same(self.names()[0], "glockenspiel")

    def test_no_place_to_keep_it_is_no_fault(self):
        self.env = dict(self.env, XDG_STATE_HOME="/proc/none")
        live = self.play()
        live.send(on(72))
        pause(0.2)
        self.toggle(live, 1)
        pause(0.3)
        live.stop()
        self.same(self.names()[0], "glockenspiel")


class Repair(LiveCase):
    def wav(self, frames, said=None, form=None, behind=b"", extra=b"", ident=b"RIFF", bits=16):
        block = 2 * bits // 8
        body = bytes(i % 251 for i in range(frames * block))
        data = len(body) if said is None else said
        head = b"WAVE" + extra + b"fmt " + struct.pack("<IHHIIHH", 16, 1, 2, RATE, RATE * block, block, bits)
        whole = head + b"data" + struct.pack("<I", data) + body + behind
        return ident + struct.pack("<I", len(whole) if form is None else form) + whole

    def repaired(self, data):
        path = self.write("x.wav", data)
        done = run("repair", path)
        self.assertEqual(done.code, 0, done.err)
        return done, Sound(self.read("x.wav"))

    def test_U73_headers_that_any_program_left(self):
        odd = b"\x01\x02\x03"  # of a frame that is not whole
        for said, form in ((0, 0), (0, None), (0xFFFFFFFF, 0xFFFFFFFF), (0x7FFFFFFF, 0x7FFFFFFF), (400, 436), (0, 36)):
            for bits in (16, 24):
                done, sound = self.repaired(self.wav(1000, said, form, odd, bits=bits))
                self.assertEqual(sound.frames, 1000, (said, form))
                self.assertIn("repaired", done.err)
                self.assertIn("nothing to repair", run("repair", self.path("x.wav")).err)

    def test_what_is_true_stays(self):
        note = b"LIST" + struct.pack("<I", 8) + b"INFOabcd"
        for data in (self.wav(1000), self.wav(1000, behind=note), self.wav(0), self.wav(1000, extra=b"JUNK" + struct.pack("<I", 28) + bytes(28))):
            done, _ = self.repaired(data)
            self.assertIn("nothing to repair", done.err)
            self.assertEqual(self.read("x.wav"), data)

    def test_chunks_behind_the_samples_stay(self):
        note = b"LIST" + struct.pack("<I", 8) + b"INFOabcd"
        _, sound = self.repaired(self.wav(1000, form=0, behind=note))
        self.assertEqual(sound.frames, 1000)
        self.assertIn(b"LIST", sound.chunks)

    def test_a_long_one(self):
        sizes = b"ds64" + struct.pack("<IQQQI", 28, 0, 0, 0, 0)
        _, sound = self.repaired(self.wav(1000, 0xFFFFFFFF, 0xFFFFFFFF, extra=sizes, ident=b"RF64"))
        self.assertEqual((sound.kind, sound.frames, sound.sample_count), ("RF64", 1000, 1000))

    def test_what_is_none(self):
        for data, word in ((b"", "no WAV"), (b"hello, this is no sound", "no WAV"), (self.wav(10)[:30], "no samples")):
            self.one_error(run("repair", self.write("x.wav", data)), INPUT, word)
            self.assertEqual(self.read("x.wav"), data)
        self.one_error(run("repair", self.path("missing.wav")), INPUT, "No such file")
        self.one_error(run("repair"), USAGE, "which file")

    def test_a_killed_take_is_repaired_to_its_last_sample(self):
        live = self.live("--record", self.path("a.wav"))
        live.send(on(72))
        pause(1.0)
        live.poke(signal.SIGKILL)
        live.process.wait()
        self.assertEqual(run("repair", self.path("a.wav")).code, 0)
        size = os.path.getsize(self.path("a.wav"))
        self.assertEqual(self.sound("a.wav").frames, (size - 92) // 8)


if __name__ == "__main__":
    main()
