#!/usr/bin/env python3
"""All of the live path at once: keyboards, OSC, commands, signals, takes that split, a looping song, files read again, a device that comes
and goes. Nothing is stuck, what is left behind is whole, and it ends with 0; a sanitizer sees all threads at their work meanwhile."""

import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
from live import SLOW  # noqa: E402
from support import DONE, OUTPUT, PROGRAM, RATE, SOURCE, Sound, main, notes, run, smf, variable_length  # noqa: E402
from test_cards import CardCase  # noqa: E402
from test_osc import message  # noqa: E402

LONG = os.environ.get("HERTZIAN_LONG") is not None
SECONDS = (60.0 if LONG else 2.0) * SLOW
SEED = int(os.environ.get("HERTZIAN_SEED", "3"))
PROMISE = 0.5  # [s] from a signal to the end
CARD = ("Some Card", "2")
GENTLE = "room=0", "level=-3", "level=-6", "human=0.5", "mallet.hardness=0.4"


def dial(words):
    text = b"\x7dHTZP\x01" + words.encode()
    return b"\xff\x7f" + variable_length(len(text)) + text


class Everything(CardCase):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(SEED)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(self.out.close)
        # A driver that does not let go in time, as one under a sanitizer, keeps what it has: memory, and threads that had ended.
        self.env["TSAN_OPTIONS"] = os.environ.get("TSAN_OPTIONS", "") + ":report_thread_leaks=0"
        self.env.update(XDG_STATE_HOME=self.path("state"), XDG_CONFIG_HOME=self.path("config"))
        self.there_are(CARD)

    def orchestra(self):
        """A few light instruments are all that is installed."""
        folder = self.path("instruments")
        os.mkdir(folder)
        for name, source in (("piano", "glockenspiel"), ("marimba", "marimba"), ("vibraphone", "vibraphone")):
            shutil.copy(os.path.join(SOURCE, "instruments", source + ".yaml"), os.path.join(folder, name + ".yaml"))
        self.env["HERTZIAN_INSTRUMENTS"] = folder
        return os.path.join(folder, "piano.yaml")

    def song(self):
        events = notes([(i / 8, 79 + i % 24, 60, 0.2) for i in range(16)])
        events += [(0, dial("set level -4")), (200, dial("instrument all marimba")), (400, dial("set room 0.1"))]
        return self.write("song.mid", smf([sorted(events, key=lambda event: event[0])]))

    def begin(self, *args):
        self.socket = self.path("s")
        fifos = [self.path(name) for name in ("one", "two")]
        for fifo in fifos:
            os.mkfifo(fifo)
        process = subprocess.Popen([PROGRAM, "play", "-a", "some", "-m", "none", "--midi-raw", fifos[0], "--midi-raw", fifos[1],
                                    f"--control={self.socket}", "--osc", str(self.port), "--takes", self.path("takes"), "--record",
                                    self.path("a.wav"), "--split", "1", "--preroll", "1", "--record-by", "80", "--mark-by", "81",
                                    "--record-midi", self.path("whole.mid"), *args],
                                   env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stdout.close(), process.stderr.close()))
        self.streams = [os.open(fifo, os.O_WRONLY) for fifo in fifos]
        self.wait_until(lambda: run("ctl", f"--control={self.socket}", "status", env=self.env).code == DONE, limit=60)
        return process

    # ---- what is done to it, each by a thread of its own

    def play_keys(self, stream, rng):
        channel, key = rng.randrange(4), rng.randrange(60, 108)
        what = rng.randrange(20)
        data = ([0x90 | channel, key, rng.randrange(128)] if what < 10 else
                [0x80 | channel, key, 64] if what < 14 else
                [0xE0 | channel, rng.randrange(128), rng.randrange(128)] if what < 15 else
                [0xC0 | channel, rng.randrange(128)] if what < 16 else
                [0xB0 | channel, rng.choice((80, 81)), rng.choice((0, 127))] if what < 17 and rng.random() < 0.2 else
                [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7] if what < 18 and rng.random() < 0.05 else
                [0xB0 | channel, rng.choice((1, 7, 10, 11, 64, 66, 74, 91, 121)), rng.randrange(128)])
        os.write(stream, bytes(data))
        time.sleep(rng.uniform(0.0, 0.02))

    def command(self, rng):
        words = rng.choice((["status"], ["status", "--json"], ["set", rng.choice(GENTLE)], ["set", rng.choice(GENTLE)],
                            ["instrument", rng.choice(("marimba", "vibraphone", "piano"))],
                            ["instrument", "vibraphone", str(rng.randrange(1, 5))], ["record", "start"], ["record", "stop"],
                            ["save", "kept"], ["devices"], ["panic"]))
        code = run("ctl", f"--control={self.socket}", *words, env=self.env).code
        self.codes.setdefault(words[0], []).append(code)
        time.sleep(rng.uniform(0.0, 0.1) * SLOW)

    def speak_osc(self, rng):
        self.out.sendto(rng.choice((message("/note", rng.randrange(60, 100), rng.randrange(128)), message("/control", 1, rng.randrange(128)),
                                    message("/bend", rng.uniform(-1.0, 1.0)), message("/program", rng.randrange(1, 129), 3),
                                    message("/set", "level", -5.0), message("/record/start"), b"nonsense")), ("127.0.0.1", self.port))
        time.sleep(rng.uniform(0.0, 0.05))

    def signal(self, process, path, rng):
        if path and rng.random() < 0.7:  # as an editor does
            shutil.copy(path, path + ".new")
            os.rename(path + ".new", path)
        process.send_signal(rng.choice((signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)))
        time.sleep(rng.uniform(0.1, 0.5) * SLOW)

    def unplug(self, rng):
        time.sleep(rng.uniform(0.8, 1.5) * SLOW)
        self.there_are()
        time.sleep(rng.uniform(0.2, 0.8) * SLOW)
        self.there_are(CARD)

    def at_once(self, process, path):
        self.codes, faults, over = {}, [], threading.Event()

        def again_and_again(act, *args):
            rng = random.Random(self.rng.random())
            try:
                while not over.is_set() and process.poll() is None:
                    act(*args, rng)
            except BrokenPipeError:
                pass  # it has ended: seen below
            except Exception as fault:  # pylint: disable=broad-except
                faults.append(fault)

        acts = [(self.play_keys, self.streams[0]), (self.play_keys, self.streams[1]), (self.command,), (self.command,), (self.speak_osc,),
                (self.signal, process, path), (self.unplug,)]
        threads = [threading.Thread(target=again_and_again, args=act) for act in acts]
        for thread in threads:
            thread.start()
        time.sleep(SECONDS)
        over.set()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])

    def ends_well(self, process):
        self.codes.setdefault("status", []).append(run("ctl", f"--control={self.socket}", "status", env=self.env).code)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60 * SLOW)
        took = time.monotonic() - began
        said = said.decode()
        slow = SLOW > 1 and process.returncode == OUTPUT  # with a sanitizer there may be no time to finish files: then it is told
        if slow:
            self.assertRegex(said, "missing|too slow")
        self.assertEqual(process.returncode, OUTPUT if slow else DONE, said[-4000:])
        if SLOW == 1:
            self.assertLess(took, PROMISE + 1.0)
        for fd in self.streams:
            os.close(fd)
        self.assertEqual(set(self.codes["status"]), {DONE}, said[-4000:])
        takes = 2 if slow else 0
        for root, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(root, name)
                if slow:
                    continue
                if name.endswith(".wav"):
                    with open(path, "rb") as file:
                        Sound(file.read())
                    takes += 1
                elif name.endswith(".mid"):
                    result = run("midi", "dump", path, env=self.env, timeout=120 * SLOW)
                    self.assertEqual(result.code, DONE, path + result.err)
        self.assertGreater(takes, 1)

    def test_an_instrument_that_is_read_again(self):
        path = self.orchestra()
        process = self.begin("-i", path)
        self.at_once(process, path)
        self.ends_well(process)

    def test_programs_choose_and_a_song_loops(self):
        self.orchestra()
        process = self.begin("--mpe", "--layer", "vibraphone,keys=C6-C7", "--loop", self.song())
        self.at_once(process, None)
        self.ends_well(process)


if __name__ == "__main__":
    main()
