"""Told to stop on a machine that gives the program no time: the files hold what was played, or the exit code says that they do not."""

import os
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from live import LiveCase, SLOW, off, on  # noqa: E402
from support import OUTPUT, PROGRAM, RATE, Sound, main  # noqa: E402
from test_play import midi_events  # noqa: E402

LOOPS = 3
MAY_MISS = 0.1  # [s] of what was played
UNHEARD = 0.25  # [s] of notes sent last that a starved audio thread may not have come to
STEP = 0.05     # [s] from note to note
LONG = os.environ.get("HERTZIAN_LONG") is not None


@unittest.skipUnless(hasattr(os, "sched_setaffinity"), "cannot pin a program to a core here")
@unittest.skipIf(SLOW > 1, "under a sanitizer the start alone takes minutes with a twelfth of a core")
class Starved(LiveCase):
    def setUp(self):
        super().setUp()
        core = min(os.sched_getaffinity(0))
        self.pinned = lambda: os.sched_setaffinity(0, [core])
        for _ in range(LOOPS):
            loop = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=self.pinned)
            self.addCleanup(lambda loop=loop: (loop.kill(), loop.wait()))

    def pin(self):
        self.pinned()
        os.nice(5)  # less than its share

    def take(self, number, seconds):
        """Every instrument is built meanwhile: the control thread has its hands full."""
        wav, mid, fifo = (self.path("%d.%s" % (number, ending)) for ending in ("wav", "mid", "in"))
        os.mkfifo(fifo)
        process = subprocess.Popen([PROGRAM, "record", "-a", "null", "-m", "none", "--midi-raw", fifo, "--record-midi", mid, wav],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=self.pin)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stderr.close()))
        stream = os.open(fifo, os.O_WRONLY)
        sent, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            os.write(stream, bytes(on(60 + sent % 12) + off(60 + (sent - 1) % 12)))
            sent += 1
            time.sleep(STEP)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        code = process.wait(60)
        took = time.monotonic() - began
        os.close(stream)
        return code, took, sent, wav, mid, process.stderr.read().decode()

    def test_what_was_played_is_there_or_the_code_says_so(self):
        whole = 0
        for number, seconds in enumerate((0.7, 1.3, 1.9, 2.5) * 5 if LONG else (0.7, 1.9)):
            code, took, sent, wav, mid, said = self.take(number, seconds)
            self.assertIn(code, (0, OUTPUT), said)
            self.assertLess(took, 3.0)
            if code == OUTPUT:
                self.assertIn("missing", said)
                continue
            whole += 1
            with open(wav, "rb") as file:
                sound = Sound(file.read())  # which demands that header and length agree
            with open(mid, "rb") as file:
                events = midi_events(file.read())
            ons = [tick for tick, data in events if data[0] & 0xF0 == 0x90 and data[2]]
            self.assertGreaterEqual(len(ons), sent - UNHEARD / STEP - 1, said)
            self.assertLess(abs(events[-1][0] - sound.frames), MAY_MISS * RATE)
        self.assertGreater(whole, 0)


if __name__ == "__main__":
    main()
