"""Playing to a JACK server of its own, with no sound card: the recording is still what was played; a server that dies."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from live import LiveCase, SLACK, SLOW, on, pause  # noqa: E402
from support import PROGRAM, main, run  # noqa: E402
from test_play_record import perform  # noqa: E402

DEVICE = 3
PROMISE = 0.5  # [s] from a signal to the end
RATE = 48000


class Jack(LiveCase):
    def setUp(self):
        super().setUp()
        if not shutil.which("jackd"):
            self.skipTest("no jackd")
        self.name = "hertzian-%d" % os.getpid()  # never somebody's own
        self.server = subprocess.Popen(["jackd", "-n", self.name, "-d", "dummy", "-r", str(RATE), "-p", "256", "-C", "0", "-P", "2"],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop_server)
        pause(1.0)
        if self.server.poll() is not None:
            self.skipTest("jackd does not run here")

    def stop_server(self):
        if self.server.poll() is None:
            self.server.terminate()
            self.server.wait()

    def play(self, *args, instrument="glockenspiel"):
        os.mkfifo(self.path("in"))
        self.program = subprocess.Popen(
            [PROGRAM, "-a", "jack:", "-m", "none", "--midi-raw", self.path("in"), "-i", instrument, "--stats", "-b", "256",
             "--record", self.path("a.wav"), "--record-midi", self.path("a.mid"), *args],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ, JACK_DEFAULT_SERVER=self.name))
        self.addCleanup(self.kill)
        end = time.monotonic() + 10 * SLOW
        while True:  # it may give up before it reads
            try:
                self.keys = os.open(self.path("in"), os.O_WRONLY | os.O_NONBLOCK)
                return
            except OSError:
                if self.program.poll() is not None:
                    said = self.program.stderr.read().decode()
                    self.assertEqual(self.program.returncode, DEVICE, said)
                    self.skipTest("no JACK output here: " + said)
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)

    def kill(self):
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()
        self.program.stdout.close()
        self.program.stderr.close()

    def send(self, data):
        os.write(self.keys, bytes(data))

    def end(self, code):
        began = time.monotonic()
        self.program.send_signal(signal.SIGTERM)
        out, err = self.program.communicate(timeout=30)
        self.assertLess(time.monotonic() - began, PROMISE + SLACK)
        os.close(self.keys)
        self.assertEqual(self.program.returncode, code, err.decode())
        self.said = err.decode()
        self.stats = json.loads(out)

    def test_the_recording_is_what_was_played(self):
        self.play()
        pause(0.3)
        perform(self, 2.0)
        self.end(0)
        self.assertEqual(self.stats["api"], "jack")
        self.assertEqual(self.stats["rate_hz"], RATE)
        if self.stats["keys_relieved"] > 0:
            self.skipTest("the overload guard had to act")
        self.render(self.path("a.mid"), "-i", "glockenspiel", "-e", "f32", "--tail", "1", "-o", self.path("b.wav"))
        played, rendered = self.sound("a.wav"), self.sound("b.wav")
        self.assertGreater(played.frames, RATE)
        self.assertTrue(rendered.body.startswith(played.body))
        # In time with the server's clock: 2.3 s and what was spent starting and stopping.
        self.assertGreater(self.stats["seconds"], 2.0)

    def test_another_program_drives_hammers(self):
        if not shutil.which("jack_simple_client"):
            self.skipTest("no jack_simple_client")
        sine = subprocess.Popen(["jack_simple_client"], env=dict(os.environ, JACK_DEFAULT_SERVER=self.name),
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (sine.kill(), sine.wait()))
        pause(0.5)
        near = ("-s", "drive.rest=0", "-s", "drive.gain=100")  # hammers that touch their bars already
        self.play("--input", "simple_client", *near, instrument="phonobump")
        self.send(on(60, 1))
        pause(2.0)
        self.end(0)
        self.assertIn("input  jack_simple_client", self.said)
        self.assertAlmostEqual(self.stats["input_peak_dbfs"], -13.98, delta=0.01)  # its sine has 0.2 of full scale
        self.render(self.path("a.mid"), "-i", "phonobump", *near, "-e", "f32", "--tail", "1", "-o", self.path("b.wav"))
        played, undriven = self.sound("a.wav"), self.sound("b.wav")
        self.assertGreater(played.frames, RATE)
        driven = self.level(played.samples(), 1.0, 2.0)
        self.assertGreater(driven, 2 * self.level(undriven.samples(), 1.0, 2.0))

    def test_an_input_that_is_not_there(self):
        result = run("play", "-a", "jack:", "-m", "none", "--input", "nobody", env={"JACK_DEFAULT_SERVER": self.name})
        self.one_error(result, DEVICE)
        result = run("play", "-a", "jack:", "-m", "none", "--input", "alsa:default", env={"JACK_DEFAULT_SERVER": self.name})
        self.one_error(result, DEVICE, "alsa:default", "one host")

    def test_a_server_that_dies_hangs_nothing(self):
        self.play()
        self.send(on(72))
        pause(0.5)
        self.server.kill()
        self.server.wait()
        pause(1.0)
        self.end(DEVICE)
        self.assertIn("lost", self.said)
        self.assertGreater(self.sound("a.wav").frames, 0.2 * RATE)


if __name__ == "__main__":
    main()
