"""Killed or signalled at any moment: recordings are true to the last second, renders whole or not there."""

import os
import random
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from live import LiveCase, SLOW, off, on  # noqa: E402
from support import DONE, PROGRAM, RATE, Sound, main, notes, smf  # noqa: E402
from test_play import midi_events  # noqa: E402

LOST = 1.0  # [s] that may be missing after a kill
LONG = os.environ.get("HERTZIAN_LONG") is not None
KILLS, SIGNALS, RENDERS = (50, 200, 50) if LONG else (4, 6, 6)
SECONDS = 60 if SLOW == 1 else 4  # of a song to render
RARE = (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


class Killed(LiveCase):
    def setUp(self):
        super().setUp()
        seed = int(os.environ.get("HERTZIAN_SEED", "11"))
        self.rng = random.Random(seed)

    def recording(self, number):
        fifo = self.path("%d.in" % number)
        os.mkfifo(fifo)
        process = subprocess.Popen([PROGRAM, "record", "-a", "null", "-m", "none", "-i", "glockenspiel", "--midi-raw", fifo,
                                    "--record-midi", self.path("%d.mid" % number), self.path("%d.wav" % number)],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stderr.close()))
        return process, os.open(fifo, os.O_WRONLY)

    def play(self, stream, seconds):
        """@return when each note was sent"""
        sent, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            key = self.rng.randrange(79, 109)
            os.write(stream, bytes(on(key) + off(key)))
            sent.append(time.monotonic())
            time.sleep(self.rng.uniform(0.005, 0.03))
        return sent

    def notes_in(self, name):
        return [tick for tick, data in midi_events(self.read(name)) if data[0] == 0x90 and data[2]]

    def test_kill_at_random(self):
        for number in range(KILLS):
            process, stream = self.recording(number)
            began = time.monotonic()
            sent = self.play(stream, self.rng.uniform(0.02, 3.0))
            process.kill()
            now = time.monotonic()
            process.wait()
            os.close(stream)
            certain = sum(time_s < now - LOST * SLOW for time_s in sent)
            data = self.read("%d.wav" % number)
            sound = Sound(data[:int.from_bytes(data[4:8], "little") + 8])
            self.assertGreaterEqual(sound.frames, (now - began - LOST * SLOW) * RATE)
            self.assertGreaterEqual(len(self.notes_in("%d.mid" % number)), certain)

    def test_every_signal_at_random(self):
        for number in range(SIGNALS):
            process, stream = self.recording(number)
            for _ in range(self.rng.randrange(3)):
                self.play(stream, self.rng.uniform(0.0, 0.3))
                process.send_signal(self.rng.choice(RARE))
            sent = self.play(stream, self.rng.uniform(0.0, 0.5))
            time.sleep(0.1 * SLOW)
            process.send_signal(self.rng.choice((signal.SIGINT, signal.SIGTERM)))
            code = process.wait(60)
            said = process.stderr.read().decode()
            os.close(stream)
            self.assertEqual(code, DONE, said)
            self.assertGreaterEqual(len(self.notes_in("%d.mid" % number)), len(sent))
            for name in os.listdir(self.folder):
                if name.endswith(".wav"):
                    Sound(self.read(name))
                    os.unlink(self.path(name))

    def test_renders_at_random(self):
        song = self.write("song.mid", smf([notes([(i / 16, 79 + i % 30, 100, 0.1) for i in range(16 * SECONDS)])]))
        self.render(song, "-q", "-i", "glockenspiel", "-o", self.path("whole.wav"))
        whole = self.read("whole.wav")
        began = time.monotonic()
        self.render(song, "-q", "-i", "glockenspiel", "-o", self.path("whole.wav"))
        usual = time.monotonic() - began
        for _ in range(RENDERS):
            process = subprocess.Popen([PROGRAM, "render", "-q", "-i", "glockenspiel", song, "-o", self.path("x.wav")],
                                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.rng.uniform(0.0, 1.3 * usual))
            number = self.rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL))
            process.send_signal(number)
            code = process.wait(60)
            self.assertIn(code, (DONE, 128 + number, -number))
            there = os.path.exists(self.path("x.wav"))
            if there:
                self.assertEqual(self.read("x.wav"), whole)
                os.unlink(self.path("x.wav"))
            self.assertTrue(there or code != DONE)
            if number != signal.SIGKILL and code != -number:  # before it listens, a signal ends it as any program
                self.assertFalse(os.path.exists(self.path("x.wav.part")))


if __name__ == "__main__":
    main()
