"""Recording: the file is what was played, whatever ends it; the MIDI of it gives the same samples again."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from live import LiveCase, SLOW, off, on, pause  # noqa: E402
from support import OUTPUT, RATE, Sound, main, run  # noqa: E402
from test_play import DAMPED, midi_events  # noqa: E402

LOST = 1.0  # [s] that may be missing after a kill


def perform(live, seconds, channels=(0,), seed=1):
    """Random playing in real time: notes, pedals, wheels, volume."""
    rng = random.Random(seed)
    end = time.monotonic() + seconds
    held = []
    while time.monotonic() < end:
        channel = rng.choice(channels)
        key = rng.randrange(60, 90)
        live.send(on(key, rng.randrange(20, 127), channel))
        held.append((key, channel))
        if len(held) > 4:
            live.send(off(*held.pop(0)))
        if rng.random() < 0.2:
            live.send([0xB0 | channel, 7, rng.randrange(40, 127), 0xE0 | channel, 0, rng.randrange(30, 90)])
        if rng.random() < 0.1:
            live.send([0xB0 | channel, rng.choice((64, 66, 67)), rng.choice((0, 50, 127))])
        time.sleep(rng.random() * 0.02)


class Equal(LiveCase):
    def same(self, *args, instrument="marimba", channels=(0,), rate=RATE, extra=()):
        """Play, render what was played, compare the samples that both have."""
        live = self.live("--record", self.path("a.wav"), "--record-midi", self.path("a.mid"), *args, instrument=instrument,)
        live.send(extra)
        pause(1.0)  # by now every channel's part is built
        perform(live, 1.5, channels)
        live.stop()
        if live.stats["keys_relieved"] > 0 and SLOW > 1:
            self.skipTest("too slow under a sanitizer: the overload guard had to act")
        self.assertEqual(live.stats["keys_relieved"], 0)
        self.assertEqual(live.stats["notes_stood_in"], 0)
        chosen = ["-i", instrument] if instrument else []
        shared = [arg for arg in args if arg not in ("-b", "32", "1024", "asap", "--midi-delay")]
        self.render(self.path("a.mid"), *chosen, *shared, "--channel", "omni", "-e", "f32", "--tail", "1", "-o", self.path("b.wav"),
                    "-r", str(rate))
        played, rendered = self.sound("a.wav"), self.sound("b.wav")
        self.assertEqual(played.rate, rate)
        self.assertGreater(played.frames, rate)
        self.assertGreaterEqual(rendered.frames, played.frames)
        self.assertTrue(rendered.body.startswith(played.body))
        self.assertGreater(max(map(abs, played.samples())), 1e-3)
        return live

    def test_one_channel(self):
        self.same()

    def test_piano(self):
        self.same(instrument="piano")

    def test_many_channels(self):
        self.same(channels=(0, 3, 7, 9), instrument="glockenspiel")

    def test_settings_and_gain(self):
        self.same("-s", "mallet.hardness=2", "-s", "level=-6", "-g", "-3", "--transpose", "-3", "--velocity", "soft")

    def test_room(self):
        self.same("-s", "room=0.4", "-s", "room.size=20", extra=[0xB0, 91, 60])

    def test_other_rate_and_blocks(self):
        self.same("-r", "44100", "-b", "32", rate=44100)

    def test_large_blocks_at_once(self):
        self.same("-b", "1024", "--midi-delay", "asap")

    def test_program_changes(self):
        self.same(instrument=None, channels=(0, 1, 2), extra=[0xC0, 12, 0xC1, 9, 0xC2, 12])

    def test_programs_that_change_while_playing(self):
        # Two instruments on each of three channels: rounding would show any other order of the sum.
        live = self.live("--record", self.path("a.wav"), "--record-midi", self.path("a.mid"), instrument=None)
        pause(4)  # until a spare of every instrument is built
        for turn in range(4):
            for channel in (2, 0, 1):
                live.send([0xC0 | channel, 9 if (turn + channel) % 2 else 12])
            perform(live, 0.5, (0, 1, 2), seed=turn)
            pause(0.5)  # spares are built again
        live.stop()
        if live.stats["keys_relieved"] > 0 and SLOW > 1:
            self.skipTest("too slow under a sanitizer: the overload guard had to act")
        self.assertEqual(live.stats["notes_stood_in"], 0)
        self.render(self.path("a.mid"), "--channel", "omni", "-e", "f32", "--tail", "1", "-o", self.path("b.wav"))
        self.assertTrue(self.sound("b.wav").body.startswith(self.sound("a.wav").body))

    def test_one_name_for_both_is_refused(self):
        os.mkdir(self.path("a"))
        for args in (("play", "--record", self.path("t.wav"), "--record-midi", self.path("a", "..", "t.wav")),
                     ("record", self.path("t.wav"), "--record-midi", self.path("t.wav"))):
            result = run(*args, "-a", "null", "-m", "none", "-i", "glockenspiel")
            self.one_error(result, 2, "t.wav", "names of their own")
        self.nothing_written()

    def test_the_limiter_is_not_recorded(self):
        live = self.same("-g", "40", instrument="glockenspiel")
        self.assertGreater(live.stats["frames_limited"], 0)
        self.assertGreater(max(map(abs, self.sound("a.wav").samples())), 1.0)


class Ends(LiveCase):
    def test_kill(self):
        live = self.live("--record", self.path("a.wav"), "--record-midi", self.path("a.mid"))
        live.send(on(72))
        pause(2.5)
        live.poke(signal.SIGKILL)
        live.process.wait()
        sound = self.sound_so_far("a.wav")
        self.assertGreater(sound.frames, (2.5 - LOST) * RATE)
        self.assertGreater(max(map(abs, sound.samples())), 1e-4)
        self.assertEqual(midi_events(self.read("a.mid"))[0][1], bytes(on(72)))

    def sound_so_far(self, name):
        """A file whose header says less than there is."""
        data = self.read(name)
        return Sound(data[:int.from_bytes(data[4:8], "little") + 8])

    def test_readable_by_others_after_a_kill(self):
        if not shutil.which("sox"):
            self.skipTest("no sox")
        live = self.live("--record", self.path("a.wav"))
        pause(1.5)
        live.poke(signal.SIGKILL)
        live.process.wait()
        done = subprocess.run(["sox", self.path("a.wav"), "-n", "stat"], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_hang_up_goes_on_in_a_new_file(self):
        live = self.live("--record", self.path("take.wav"))
        live.send(on(72))
        pause(0.5)
        live.poke(signal.SIGHUP)
        self.wait_until(lambda: len(self.takes()) == 2)
        pause(0.5)
        live.send(on(76))
        pause(0.3)
        live.stop()
        first, second = [self.sound(name) for name in self.takes()]
        self.assertGreater(first.frames, 0.3 * RATE)
        self.assertGreater(second.frames, 0.5 * RATE)
        # To the frame: together they are everything that was played.
        self.assertEqual(first.frames + second.frames, live.stats["frames"])
        self.assertIn("recording goes on in", live.said)

    def takes(self):
        return sorted((name for name in os.listdir(self.folder) if name.endswith(".wav")), key=len)

    def test_toggle(self):
        live = self.live(cwd=self.folder)
        live.send(on(72))
        pause(0.2)
        live.poke(signal.SIGUSR1)
        self.wait_until(lambda: len(self.takes()) == 1)
        pause(0.5)
        live.poke(signal.SIGUSR1)
        pause(0.5)
        live.stop()
        sound = self.sound(self.takes()[0])
        self.assertGreater(sound.frames, 0.3 * RATE)
        self.assertLess(sound.frames, live.stats["frames"])

    def test_record_command(self):
        live = self.live(self.path("x.wav"), command="record")
        live.send(on(72))
        pause(0.3)
        live.stop()
        self.assertEqual(self.sound("x.wav").frames, live.stats["frames"])
        live = self.live(command="record", cwd=self.folder)
        pause(0.2)
        live.stop()
        self.assertEqual(len([name for name in self.takes() if name.startswith("hertzian-20")]), 1)

    def test_never_overwrites(self):
        for flag, name, other in (("--record", "a.wav", "a-2.wav"), ("--record-midi", "b.mid", "b-2.mid")):
            self.write(name, b"precious")
            result = run("play", "-a", "null", "-m", "none", "-i", "glockenspiel", "--duration", "0.1", flag, self.path(name))
            self.assertEqual(result.code, 0, result.err)
            self.assertIn("is there already", result.err)
            self.assertEqual(self.read(name), b"precious")
            self.assertTrue(os.path.exists(self.path(other)))

    def test_links_are_written_through_once(self):
        os.symlink("sound.wav", self.path("a.wav"))
        os.symlink("notes.mid", self.path("a.mid"))
        words = ("play", "-a", "null", "-m", "none", "-i", "glockenspiel", "--duration", "0.2", "--record", self.path("a.wav"),
                 "--record-midi", self.path("a.mid"))
        self.assertEqual(run(*words).code, 0)
        self.assertTrue(os.path.islink(self.path("a.wav")) and os.path.islink(self.path("a.mid")))
        self.assertEqual(self.read("sound.wav")[:4], b"RIFF")
        self.assertEqual(self.read("notes.mid")[:4], b"MThd")
        before = self.read("sound.wav"), self.read("notes.mid")
        self.assertEqual(run(*words).code, 0)
        self.assertEqual((self.read("sound.wav"), self.read("notes.mid")), before)
        self.assertTrue(os.path.exists(self.path("a-2.wav")) and os.path.exists(self.path("a-2.mid")))

    def test_nowhere_to_write(self):
        result = run("play", "-a", "null", "-m", "none", "-i", "glockenspiel", "--record", self.path("no", "a.wav"))
        self.one_error(result, OUTPUT, "a.wav")

    def test_note_offs_are_written_at_the_end(self):
        live = self.live("--record-midi", self.path("a.mid"), instrument=DAMPED)
        live.send(on(60) + on(64) + on(60))
        pause(0.3)
        live.stop()
        offs = [data[1] for _, data in midi_events(self.read("a.mid")) if data[0] == 0x80]
        self.assertEqual(sorted(offs), [60, 60, 64])

    def test_full_disk(self):
        folder = self.path("small")
        os.mkdir(folder)
        mounted = os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder],
                                                        capture_output=True).returncode == 0
        if not mounted:
            self.skipTest("needs to mount a small file system")
        self.addCleanup(subprocess.run, ["umount", "-l", folder])
        live = self.live("-r", "192000", "--record", os.path.join(folder, "a.wav"))
        pause(2.5)  # 2 MiB last for 1.4 s
        live.send(on(72))
        pause(0.5)
        live.stop(code=OUTPUT)
        self.assertIn("No space left", live.said)
        self.assertIn("room for", live.said)
        self.assertGreater(live.stats["peak_dbfs"], -60.0)  # it went on sounding
        with open(os.path.join(folder, "a.wav"), "rb") as file:
            sound = Sound(file.read())
        self.assertGreater(sound.frames, 1.0 * 192000)


if __name__ == "__main__":
    main()
