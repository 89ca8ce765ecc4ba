"""What the tests of live playing share: the program running, byte streams into it, files that it leaves."""

import json
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from support import Case, PROGRAM, RATE, Sound  # noqa: E402

INSTRUMENT = "glockenspiel"  # the cheapest
SLACK = 1.0  # [s] for a machine that is busy with other things
SLOW = float(os.environ.get("HERTZIAN_SLOW", "1"))  # for sanitizers: all waiting is longer by this


class Live:
    """`hertzian play -a null` with one or more FIFOs of MIDI bytes."""

    def __init__(self, case, *args, fifos=("in",), instrument=INSTRUMENT, command="play", **more):
        self.case = case
        self.fifos = {}
        raw = []
        for name in fifos:
            path = case.path(name)
            if not os.path.exists(path):
                os.mkfifo(path)
            raw += ["--midi-raw", path]
        chosen = ["-i", instrument] if instrument else []
        self.process = subprocess.Popen([PROGRAM, command, "-a", "null", "-m", "none", *raw, *chosen, "--stats", *args],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        case.addCleanup(self.kill)
        for name in fifos:
            self.fifos[name] = os.open(case.path(name), os.O_WRONLY)  # waits until it plays
        self.said = None

    def send(self, data, fifo=None):
        fd = self.fifos[fifo] if fifo else next(iter(self.fifos.values()))
        os.write(fd, bytes(data))

    def hang_up(self, fifo):
        os.close(self.fifos.pop(fifo))

    def poke(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM, code=0):
        """End it; seconds that took."""
        began = time.monotonic()
        self.poke(number)
        self.end(code)
        return time.monotonic() - began

    def end(self, code=0, timeout=30.0):
        out, err = self.process.communicate(timeout=timeout * SLOW)
        self.said = err.decode()
        self.case.assertEqual(self.process.returncode, code, self.said)
        self.stats = json.loads(out) if out else None
        for fd in self.fifos.values():
            os.close(fd)
        self.fifos = {}

    def kill(self):
        for fd in self.fifos.values():
            os.close(fd)
        self.fifos = {}
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


def on(key, velocity=100, channel=0):
    return [0x90 | channel, key, velocity]


def off(key, channel=0):
    return [0x80 | channel, key, 64]


def pause(seconds):
    time.sleep(seconds * SLOW)


class LiveCase(Case):
    def live(self, *args, **more):
        return Live(self, *args, **more)

    def sound(self, name):
        return Sound(self.read(name))

    def level(self, samples, begin_s, end_s):
        """Largest magnitude of interleaved stereo samples in that time."""
        part = samples[int(begin_s * RATE) * 2:int(end_s * RATE) * 2]
        return max(map(abs, part), default=0.0)

    def wait_until(self, true, limit=10.0):
        end = time.monotonic() + limit * SLOW
        while not true():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
