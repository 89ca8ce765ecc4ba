"""An hour on a JACK server of its own, in real time: random playing on four channels, another instrument every few seconds.

    jack_hour.py [SECONDS [FRAMES [SEED]]]

By hand. A line a minute, and after every five of playing, when all is let go of, what still rings 25 seconds later; at last what was
counted, beside what the machine's own timer missed meanwhile (with cyclictest of Debian's rt-tests; a thread of its own at the server's
priority that only sleeps). Exits 1 when a key still rings a minute after the last note, or the program does not end cleanly."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from jack_server import RATE, JackServer  # noqa: E402
from support import PROGRAM  # noqa: E402

CHANNELS = (0, 1, 2, 9)
CHANGE, REPORT, REST, RESTING, LAST = 8.0, 60.0, 300.0, 25.0, 60.0  # [s]
MIB = 2.0**20


class Timer:
    """Sleeps a period at a time, as the server does, and counts how often it is woken more than a period late."""

    PRIORITY = 10  # the server's
    BUCKETS = 100000  # [us]

    def __init__(self, frames):
        self.period_us = int(frames * 1e6 / RATE)
        self.process = None
        if shutil.which("cyclictest"):
            command = ["cyclictest", "-q", "-t", "1", "-p", str(self.PRIORITY), "-i", str(self.period_us), "-h", str(self.BUCKETS)]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def end(self):
        if not self.process:
            return "the timer was not measured: no cyclictest"
        self.process.send_signal(signal.SIGINT)
        woken = late = beyond = most = 0
        for line in self.process.communicate()[0].splitlines():
            words = line.split()
            if len(words) == 2 and words[0].isdigit():
                woken += int(words[1])
                late += int(words[1]) if int(words[0]) > self.period_us else 0
            elif line.startswith("# Max Latencies:"):
                most = int(words[-1])
            elif line.startswith("# Histogram Overflows:"):
                beyond = int(words[-1])
        return "timer: %d of %d late by more than a period, at most %.1f ms" % (late + beyond, woken + beyond, most / 1e3)


class Hour:
    def __init__(self, server, folder, seed):
        self.random = random.Random(seed)
        self.env = dict(server.env, XDG_STATE_HOME=folder)
        self.control = "--control=" + os.path.join(folder, "control")
        fifo = os.path.join(folder, "in")
        os.mkfifo(fifo)
        self.program = subprocess.Popen([PROGRAM, "-a", "jack:", "-m", "none", "--midi-raw", fifo, self.control, "--stats", "--history", "off"],
                                        env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.keys = os.open(fifo, os.O_WRONLY)
        self.began = time.monotonic()
        self.held, self.changes = [], 0

    def send(self, *message):
        os.write(self.keys, bytes(message))

    def say(self, words):
        with open("/proc/%d/statm" % self.program.pid, encoding="ascii") as file:
            resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB
        print("%5.0f s, %3.0f MiB: %s" % (time.monotonic() - self.began, resident, words), flush=True)

    def status(self):
        return json.loads(subprocess.run([PROGRAM, "ctl", self.control, "status", "--json"], env=self.env, stdout=subprocess.PIPE, check=True).stdout)

    def report(self):
        now = self.status()
        self.say(", ".join("%s %s" % (name, now[name]) for name in ("xruns", "ringing", "load", "load_max", "parts", "notes")))

    def let_go(self):
        for key, channel in self.held:
            self.send(0x80 | channel, key, 64)
        self.held = []
        for channel in CHANNELS:
            self.send(0xB0 | channel, 64, 0)

    def rest(self, seconds):
        self.let_go()
        rang = self.status()["ringing"]
        time.sleep(seconds)
        still = self.status()["ringing"]
        self.say("let go of: %d rang, %d ring %.0f s later" % (rang, still, seconds))
        return still

    def note(self):
        channel = self.random.choice(CHANNELS)
        key = self.random.randrange(35, 82) if channel == 9 else self.random.randrange(36, 90)
        self.send(0x90 | channel, key, self.random.randrange(20, 127))
        self.held.append((key, channel))
        if len(self.held) > 6:
            key, let_go = self.held.pop(0)
            self.send(0x80 | let_go, key, 64)
        if self.random.random() < 0.1:
            self.send(0xB0 | channel, 64, self.random.choice((0, 0, 127)))
        if self.random.random() < 0.1:
            self.send(0xE0 | channel, 0, self.random.randrange(20, 108))
        if self.random.random() < 0.1:
            self.send(0xB0 | channel, self.random.choice((1, 2, 11, 74)), self.random.randrange(128))

    def change(self):
        self.send(0xC0 | self.random.choice(CHANNELS[:3]), self.random.randrange(128))
        self.changes += 1

    def play(self, seconds):
        due = {self.change: [0.0, CHANGE], self.report: [0.0, REPORT], lambda: self.rest(RESTING): [REST, REST]}
        while time.monotonic() - self.began < seconds and self.program.poll() is None:
            for action, times in due.items():
                if time.monotonic() - self.began >= times[0]:
                    action()
                    times[0] += times[1]
            self.note()
            time.sleep(self.random.random() * 0.2)

    def end(self):
        still = self.rest(LAST)
        self.program.send_signal(signal.SIGTERM)
        stats = json.loads(self.program.communicate()[0])
        print("%d changes of instrument; " % self.changes + ", ".join("%s %s" % (name, stats[name]) for name in (
            "notes", "xruns", "blocks", "load_max", "keys_relieved", "keys_reset", "samples_broken", "midi_bytes_lost", "exit")))
        return 1 if still or self.program.returncode else 0


def main():
    seconds, frames, seed = (float(value) for value in (sys.argv[1:] + ["3540", "256", "7"][len(sys.argv) - 1:]))
    with contextlib.ExitStack() as last:
        server = JackServer(last.callback, frames=int(frames))
        timer = Timer(frames)
        hour = Hour(server, last.enter_context(tempfile.TemporaryDirectory()), int(seed))
        hour.play(seconds)
        bad = hour.end()
        print(timer.end())
        return bad


if __name__ == "__main__":
    sys.exit(main())
