"""Playing to a JACK server, with no sound card: sound, MIDI and input of its clients; a server that dies and comes back."""

import json
import os
import signal
import statistics
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from jack_server import JackServer, RATE  # noqa: E402
from live import LiveCase, SLACK, SLOW, on, pause  # noqa: E402
from support import DONE, PROGRAM, main, run  # noqa: E402
from test_play_record import midi_events, perform  # noqa: E402

DEVICE = 3
PROMISE = 0.5  # [s] from a signal to the end
LONG = bool(os.environ.get("HERTZIAN_LONG"))
long_one = unittest.skipUnless(LONG, "only with HERTZIAN_LONG set")


class JackCase(LiveCase):
    def play(self, *args, instrument="glockenspiel", audio="jack:", midi="none", server=None):
        server = server or self.server
        os.mkfifo(self.path("in"))
        self.words = open(self.path("said"), "wb")
        self.addCleanup(self.words.close)
        self.program = subprocess.Popen(
            [PROGRAM, "-a", audio, "-m", midi, "--midi-raw", self.path("in"), "-i", instrument, "--stats", "-b", "256",
             "--record", self.path("a.wav"), "--record-midi", self.path("a.mid"), *args],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.words, env=server.env)
        self.addCleanup(self.kill)
        end = time.monotonic() + 20 * SLOW
        while True:  # it may give up before it reads
            try:
                self.keys = os.open(self.path("in"), os.O_WRONLY | os.O_NONBLOCK)
                return
            except OSError:
                self.assertIsNone(self.program.poll(), self.said())
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)

    def said(self):
        return self.read("said").decode()

    def wait_said(self, words, count=1):
        self.wait_until(lambda: self.said().count(words) >= count, 15.0)

    def kill(self):
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()
        self.program.stdout.close()

    def send(self, data):
        os.write(self.keys, bytes(data))

    def end(self, code):
        began = time.monotonic()
        self.program.send_signal(signal.SIGTERM)
        out, _ = self.program.communicate(timeout=30)
        self.assertLess(time.monotonic() - began, PROMISE + SLACK)
        os.close(self.keys)
        self.assertEqual(self.program.returncode, code, self.said())
        self.stats = json.loads(out) if out else None


class Living(JackCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = JackServer(cls.addClassCleanup)


class Jack(Living):

    def test_the_recording_is_what_was_played(self):
        self.play()
        pause(0.3)
        perform(self, 2.0)
        self.assertEqual(self.server.connections("hertzian:out_left"), ["system:playback_1"])
        self.assertEqual(self.server.connections("hertzian:out_right"), ["system:playback_2"])
        self.end(0)
        self.assertEqual(self.stats["api"], "jack")
        self.assertEqual(self.stats["rate_hz"], RATE)
        self.assertEqual(self.stats["buffer"], 256)
        if self.stats["keys_relieved"] > 0:
            self.skipTest("the overload guard had to act")
        self.render(self.path("a.mid"), "-i", "glockenspiel", "-e", "f32", "--tail", "1", "-o", self.path("b.wav"))
        played, rendered = self.sound("a.wav"), self.sound("b.wav")
        self.assertGreater(played.frames, RATE)
        self.assertTrue(rendered.body.startswith(played.body))
        # In time with the server's clock: 2.3 s and what was spent starting and stopping.
        self.assertGreater(self.stats["seconds"], 2.0)

    def test_without_a_name_it_is_used_where_there_is_no_card(self):
        if os.path.exists("/proc/asound/cards"):
            self.skipTest("there is a sound card")
        result = run("play", "-m", "none", "-i", "glockenspiel", "--duration", "0.2", "--stats", env=self.server.env)
        self.assertEqual(result.code, DONE, result.err)
        self.assertEqual(json.loads(result.out)["api"], "jack")
        listed = json.loads(run("devices", "audio", "--json", env=self.server.env).out)["audio"]
        self.assertEqual([(d["name"], d["channels"]) for d in listed if d["default"]], [("system", 2)])

    def test_a_period_of_its_own_is_played(self):
        result = run("play", "-a", "system", "-b", "64", "-m", "none", "-i", "glockenspiel", "--duration", "0.2", "--stats",
                     env=self.server.env)
        self.assertEqual(result.code, DONE, result.err)
        self.assertEqual(json.loads(result.out)["buffer"], 256)

    @long_one
    def test_another_program_drives_hammers(self):
        self.server.client(self, "jack_simple_client")
        self.wait_until(lambda: self.server.connections("jack_simple_client:output1") is not None)
        near = ("-s", "drive.rest=0", "-s", "drive.gain=100")  # hammers that touch their bars already
        self.play("--input", "simple_client", *near, instrument="phonobump")
        self.send(on(60, 1))
        pause(2.0)
        self.end(0)
        self.assertIn("input  jack_simple_client", self.said())
        self.assertAlmostEqual(self.stats["input_peak_dbfs"], -13.98, delta=0.01)  # its sine has 0.2 of full scale
        self.render(self.path("a.mid"), "-i", "phonobump", *near, "-e", "f32", "--tail", "1", "-o", self.path("b.wav"))
        played, undriven = self.sound("a.wav"), self.sound("b.wav")
        self.assertGreater(played.frames, RATE)
        driven = self.level(played.samples(), 1.0, 2.0)
        self.assertGreater(driven, 2 * self.level(undriven.samples(), 1.0, 2.0))

    def test_an_input_that_is_not_there(self):
        result = run("play", "-a", "jack:", "-m", "none", "-i", "phonobump", "--input", "nobody", env=self.server.env)
        self.one_error(result, DEVICE)
        result = run("play", "-a", "jack:", "-m", "none", "-i", "phonobump", "--input", "alsa:default", env=self.server.env)
        self.one_error(result, DEVICE, "alsa:default", "one host")

    def test_refusals_say_what_there_is(self):
        for args, words in ((("-a", "jack:nobody"), ("nobody", "hertzian devices")), (("-a", "jack:", "-r", "44100"), ("44100", "48000")),
                            (("-a", "jack:", "--channels", "2,3"), ("no channel 3", "1 to 2"))):
            result = run("play", "-m", "none", "-i", "glockenspiel", *args, env=self.server.env)
            self.one_error(result, DEVICE, *words)
        self.one_error(run("play", "-a", "jack:", "-m", "none", "-i", "glockenspiel", env={"JACK_DEFAULT_SERVER": "hertzian-test-nobody"}), DEVICE,
                       "no JACK server", "hertzian-test-nobody")

    def test_nothing_to_connect_to_is_no_fault(self):
        self.play(audio="jack:none")
        self.wait_until(lambda: self.server.connections("hertzian:out_left") == [])
        self.end(0)


class Outputs(JackCase):
    """Which of a device's outputs are played to: what another client of the server hears there."""

    def listen(self, *args):
        if os.path.exists(self.path("in")):
            os.remove(self.path("in"))
        self.play(*args)
        self.wait_until(lambda: self.server.connections("system:playback_1") is not None)
        heard = {i: self.server.connections("system:playback_%d" % i) for i in range(1, self.outputs + 1)}
        self.end(0)
        return {i: [name for name in names if name.startswith("hertzian:")] for i, names in heard.items() if names}

    def serve(self, outputs):
        self.outputs = outputs
        self.server = JackServer(self.addCleanup, outputs=outputs)

    def test_of_four(self):
        self.serve(4)
        self.assertEqual(self.listen("--channels", "3,4"), {3: ["hertzian:out_left"], 4: ["hertzian:out_right"]})
        self.assertEqual(self.stats["channels"], [3, 4])
        self.assertEqual(self.listen("--channels", "4"), {4: ["hertzian:out_mono"]})

    def test_a_device_of_one_channel_is_told_of(self):
        self.serve(1)
        self.assertEqual(self.listen(), {1: ["hertzian:out_mono"]})
        self.assertIn("has one channel", self.said())


class Midi(Living):
    def sequencer(self, *notes, name="sequencer", every=12000):
        process = self.server.client(self, "jack_midiseq", name, str(every), *map(str, notes))
        self.wait_until(lambda: self.server.connections(name + ":out") is not None)
        return process

    def connect(self, name="sequencer"):
        self.wait_until(lambda: self.server.connections("hertzian:midi_in") is not None)
        self.assertEqual(self.server.ask("jack_connect", name + ":out", "hertzian:midi_in").returncode, 0)

    def test_a_port_where_sound_goes_to_jack(self):
        every = 12000
        self.sequencer(0, 72, 6000, every=every)
        self.play(midi="all")
        self.connect()
        self.wait_said('connected "JACK port hertzian"')
        pause(2.0)
        self.end(0)
        self.assertGreaterEqual(self.stats["notes"], 2.0 * RATE / every - 2)
        # The sequencer's notes stand at exact frames of the server, and so they are played: two loops that filter the clock,
        # JACK's and ours, leave a frame or two. Notes at the starts of periods would be 32 frames off, most of them.
        times = [tick for tick, event in midi_events(self.read("a.mid")) if event[0] & 0xF0 == 0x90 and event[2] > 0]
        steps = [b - a for a, b in zip(times, times[1:])]
        self.assertGreater(len(steps), 4)
        self.assertLessEqual(statistics.median(abs(step - every) for step in steps), 8)

    def test_who_leaves_has_his_notes_released(self):
        process = self.sequencer(0, 72, 47990, every=48000)  # held all but always
        self.play(midi="jack", audio="null")
        self.connect()
        self.wait_said('connected "JACK port hertzian"')
        pause(1.2)
        process.kill()
        process.wait()
        self.wait_said('lost "JACK port hertzian"')
        self.wait_said("1 note released")
        self.end(0)
        self.assertGreaterEqual(self.stats["notes"], 1)

    def test_no_port_where_none_is_asked_for(self):
        self.play(midi="none")
        self.wait_until(lambda: self.server.connections("hertzian:out_left") is not None)
        pause(0.3)
        self.assertIsNone(self.server.connections("hertzian:midi_in"))
        self.end(0)

    @long_one
    def test_a_port_comes_with_the_server(self):
        self.server.stop()
        self.play(midi="jack", audio="null")
        pause(0.5)
        self.assertTrue(self.server.start())
        self.sequencer(0, 72, 6000)
        self.connect()
        self.wait_said('connected "JACK port hertzian"')
        pause(1.0)
        self.end(0)
        self.assertGreaterEqual(self.stats["notes"], 1)


class Death(JackCase):
    """The server dies: nothing hangs, notes go on, and sound and MIDI are there again when it is."""

    def setUp(self):
        super().setUp()
        self.server = JackServer(self.addCleanup)

    def test_it_hangs_nothing(self):
        self.play()
        self.send(on(72))
        pause(0.5)
        self.server.kill()
        self.wait_said('lost "system"')
        self.end(0)
        self.assertGreater(self.sound("a.wav").frames, 0.2 * RATE)

    def test_it_comes_back(self):
        self.play("-g", "20", midi="all", instrument="glockenspiel")
        self.send(on(60))
        rounds = 2 if LONG else 1
        for time_around in range(1, rounds + 1):
            self.wait_until(lambda: self.server.connections("hertzian:midi_in") is not None)
            self.server.kill()
            self.wait_said('lost "system"', time_around)
            pause(1.5)
            self.assertTrue(self.server.start())
            self.wait_said('audio: connected "system"', time_around)
            self.wait_until(lambda: self.server.connections("hertzian:out_right") == ["system:playback_2"])
        self.wait_until(lambda: self.server.connections("hertzian:midi_in") is not None)
        # Of each death: that it is lost, why it cannot be had, and that it is back.
        self.assertEqual(self.said().count("no JACK server"), rounds)
        pause(0.5)
        self.send(on(84))
        pause(0.5)
        self.end(0)
        played = self.sound("a.wav")
        # What rings, rings on: the note of before is heard after, under the same clock of frames.
        self.assertGreater(self.stats["seconds"], 0.5)
        self.assertEqual(self.stats["notes"], 2)
        last = played.frames / RATE
        self.assertGreater(self.level(played.samples(), last - 0.45, last), 0.0)
        self.assertGreater(self.level(played.samples(), last - 0.9, last - 0.6), 0.0)  # before the second note

    def test_connected_midi_is_let_go_of(self):
        self.server.client(self, "jack_midiseq", "sequencer", "48000", "0", "72", "47990")
        self.play(midi="all")
        self.wait_until(lambda: self.server.connections("hertzian:midi_in") is not None and
                        self.server.connections("sequencer:out") is not None)
        self.assertEqual(self.server.ask("jack_connect", "sequencer:out", "hertzian:midi_in").returncode, 0)
        self.wait_said('connected "JACK port hertzian"')
        pause(1.5)
        self.server.kill()
        self.wait_said('lost "JACK port hertzian"')
        self.assertTrue(self.server.start())
        self.wait_said('audio: connected "system"')
        pause(0.7)
        self.end(0)
        # The note that was held is released when sound goes on, not when all ends.
        ends = [tick for tick, event in midi_events(self.read("a.mid")) if event[0] & 0xF0 == 0x80 or event[0] & 0xF0 == 0x90 and event[2] == 0]
        self.assertLess(max(ends), (self.stats["seconds"] - 0.5) * RATE)

    @long_one
    def test_a_frozen_server_is_lost_and_is_back_when_it_goes_on(self):
        self.play()
        self.server.freeze()
        self.wait_said('lost "system"')
        pause(2.0)
        self.server.thaw()
        self.wait_said('audio: connected "system"')
        self.wait_until(lambda: self.server.connections("hertzian:out_left") == ["system:playback_1"])
        self.end(0)


if __name__ == "__main__":
    main()
