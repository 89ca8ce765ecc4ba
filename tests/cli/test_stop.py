"""Interruption: within half a second, with the right code, and nothing of the old or the new file harmed."""

import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from jack_server import JackServer  # noqa: E402
from support import Case, PROGRAM, main, notes, smf  # noqa: E402

PROMISE = 0.5  # [s]
SLACK = 1.0    # [s] for a machine that is busy with other things


class Stop(Case):
    def start(self, *args, **more):
        return subprocess.Popen([PROGRAM, "render", *args], stdin=more.pop("stdin", subprocess.DEVNULL), stderr=subprocess.PIPE,
                                **more)

    def long_song(self, name="long.mid"):
        return self.write(name, smf([notes([(i / 16, 40 + i % 50, 100, 0.5) for i in range(16 * 3000)])]))

    def wait_for(self, path):
        end = time.monotonic() + 20.0
        while not os.path.exists(path):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.005)

    def stopped(self, process, number):
        began = time.monotonic()
        process.send_signal(number)
        code = process.wait(20)
        took = time.monotonic() - began
        said = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(code, 128 + number, said)
        self.assertLess(took, PROMISE + SLACK)
        return said

    def test_part_goes_and_the_old_file_stays(self):
        song = self.long_song()
        for number in (signal.SIGINT, signal.SIGTERM):
            self.write("long.wav", b"old")
            process = self.start(song)
            self.wait_for(self.path("long.wav.part"))
            time.sleep(0.1)
            said = self.stopped(process, number)
            self.assertIn("interrupted", said)
            self.nothing_written("long.mid", "long.wav")
            self.assertEqual(self.read("long.wav"), b"old")

    def test_while_instruments_are_read(self):
        song = self.long_song()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for after in (0.1, 0.3):
                process = self.start(song, "-o", "-", "-f", "raw", stdout=subprocess.DEVNULL)
                time.sleep(after)
                self.stopped(process, number)
        self.nothing_written("long.mid")

    def test_several_at_a_time(self):
        songs = [self.long_song("%d.mid" % i) for i in range(3)]
        process = self.start(*songs, "-j", "2")
        self.wait_for(self.path("0.wav.part"))
        self.wait_for(self.path("1.wav.part"))
        self.stopped(process, signal.SIGINT)
        self.nothing_written("0.mid", "1.mid", "2.mid")

    def test_normalize(self):
        process = self.start(self.long_song(), "--normalize")
        self.wait_for(self.path("long.wav.part"))
        self.stopped(process, signal.SIGTERM)
        self.nothing_written("long.mid")

    def test_a_reader_that_does_not_read(self):
        song = self.long_song()
        ours, theirs = os.pipe()
        process = self.start(song, "-o", "-", "-f", "raw", stdout=theirs)
        os.close(theirs)
        time.sleep(1.0)  # the pipe is full long since, and the write hangs
        self.stopped(process, signal.SIGINT)
        os.close(ours)

    def test_a_fifo_nobody_opens(self):
        song = self.long_song()
        os.mkfifo(self.path("fifo"))
        process = self.start(song, "-o", self.path("fifo"))
        time.sleep(1.0)
        self.stopped(process, signal.SIGTERM)
        self.nothing_written("long.mid", "fifo")

    def test_a_song_that_does_not_come(self):
        process = self.start("-", "-o", self.path("x.wav"), stdin=subprocess.PIPE)
        time.sleep(1.0)  # nothing tells from outside when it has begun to read
        self.stopped(process, signal.SIGINT)
        process.stdin.close()
        self.nothing_written()

    def test_started_with_interrupts_ignored(self):
        # As shells start what runs in the background of a script.
        song = self.long_song()
        process = self.start(song, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.wait_for(self.path("long.wav.part"))
        self.stopped(process, signal.SIGINT)
        self.nothing_written("long.mid")

    def test_kill_leaves_the_old_file(self):
        song = self.long_song()
        self.write("long.wav", b"old")
        process = self.start(song)
        self.wait_for(self.path("long.wav.part"))
        process.kill()
        process.wait()
        process.stderr.close()
        self.assertEqual(self.read("long.wav"), b"old")


class FrozenDriver(Case):
    def test_told_to_stop_it_has_stopped_cleanly_whatever_the_driver_does(self):
        server = JackServer(self.addCleanup, frames=128)
        play = subprocess.Popen([PROGRAM, "-a", "jack:", "-m", "none", "--midi-raw", "-", "-i", "glockenspiel", "--wait", "-v"],
                                stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=server.env)
        said = b""
        while b"jack" not in said and b"audio" not in said:
            line = play.stderr.readline()
            self.assertTrue(line, said)
            said += line
        time.sleep(0.3)
        server.freeze()
        time.sleep(2.5)  # by now the device counts as lost
        began = time.monotonic()
        play.send_signal(signal.SIGTERM)
        code = play.wait(20)
        took = time.monotonic() - began
        play.stdin.close()
        play.stderr.close()
        self.assertEqual(code, 0)
        self.assertLess(took, PROMISE + SLACK)


if __name__ == "__main__":
    main()
