#!/usr/bin/env python3
"""`hertzian ctl`: what another program can ask of the one that plays, and who may."""

import json
import os
import socket
import stat
import subprocess
import time

from live import INSTRUMENT, SLACK, SLOW, LiveCase, on, pause
from support import DONE, INPUT, OUTPUT, PROGRAM, USAGE, RATE, main, run

DEVICE = 3
NOBODY = 65534


class ControlCase(LiveCase):
    def setUp(self):
        super().setUp()
        self.socket = self.path("s")

    def controlled(self, *args, **more):
        player = self.live(f"--control={self.socket}", *args, cwd=self.folder, **more)
        self.wait_until(lambda: os.path.exists(self.socket))
        self.status()  # answered when everything is open
        return player

    def ctl(self, *words, code=DONE):
        result = run("ctl", f"--control={self.socket}", *words)
        self.assertEqual(result.code, code, result.err)
        if code == DONE:
            self.assertEqual(result.err, "")
        else:
            self.assertEqual(len(result.lines), 1, result.err)
            self.assertEqual(result.out, b"")
        return result.out.decode() if code == DONE else result.err

    def status(self):
        return json.loads(self.ctl("status", "--json"))


class Control(ControlCase):
    def test_status_in_words_and_for_programs(self):
        player = self.controlled("-b", "256")
        player.send(on(72))
        self.wait_until(lambda: self.status()["notes"] == 1)
        status = self.status()
        self.assertEqual(status["instrument"], INSTRUMENT)
        self.assertEqual((status["audio"], status["api"], status["buffer"]), ("null", "null", 256))
        self.assertEqual((status["connected"], status["recording"]), (True, None))
        self.assertEqual(status["midi"], [self.path("in")])
        self.assertEqual(status["ringing"], 1)
        self.assertLess(status["peak_dbfs"], 0.0)
        words = self.ctl("status")
        for part in (INSTRUMENT, "null @ 48000 Hz, 256 frames", self.path("in"), "1 ringing", "record  off"):
            self.assertIn(part, words)
        player.stop()

    def test_every_command_answers_programs(self):
        player = self.controlled()
        for words, code in ((("set", "level=-3"), DONE), (("set", "level=1e9"), USAGE), (("instrument", "marimba"), DONE),
                            (("instrument", "nobody"), INPUT), (("record", "start"), DONE), (("record", "start"), OUTPUT),
                            (("record", "stop"), DONE), (("panic",), DONE), (("reset-audio",), DONE), (("quit",), DONE)):
            result = run("ctl", f"--control={self.socket}", *words, "--json")
            answer = json.loads(result.out)
            self.assertEqual((result.code, answer["code"]), (code, code), words)
            self.assertEqual(bool(answer["said"]), code != DONE or words[0] in ("instrument", "record", "reset-audio"), answer)
            self.assertEqual(result.err, "")
        player.end()

    def test_panic_is_silence_within_50_ms_and_ends_nothing(self):
        player = self.controlled("--record", self.path("a.wav"), "-s", "room=0")
        player.send(on(72))
        pause(0.5)
        self.ctl("panic")
        pause(0.5)
        self.assertEqual(self.status()["ringing"], 0)
        player.send(on(72))
        self.wait_until(lambda: self.status()["notes"] == 2)
        player.stop()
        # From the loudest sample's last quarter to silence: the strike is at the first sound, the end is where it stays at zero.
        samples = self.sound("a.wav").samples()
        loud = [i for i in range(0, len(samples), 2) if abs(samples[i]) > 1e-6]
        gaps = [(b - a) / 2 / RATE for a, b in zip(loud, loud[1:])]
        self.assertGreater(max(gaps), 0.4)  # half a second of silence between panic and the second note

    def test_a_recording_is_begun_and_ended(self):
        player = self.controlled()
        player.send(on(72))
        self.ctl("record", "stop", code=OUTPUT)
        self.assertIn("recording ", self.ctl("record", "start"))
        path = os.path.join(self.folder, self.status()["recording"])
        self.assertIn("already", self.ctl("record", "start", code=OUTPUT))
        pause(0.5)
        self.ctl("record", "stop")
        self.assertIsNone(self.status()["recording"])
        player.stop()
        self.assertGreater(self.sound(path).frames, 0.3 * RATE)
        self.assertIn("neither", self.ctl_after(player, "record", "pause"))

    def ctl_after(self, player, *words):
        del player
        again = self.controlled()
        said = self.ctl(*words, code=USAGE)
        again.stop()
        return said

    def test_quit_ends_it_as_a_signal_does(self):
        player = self.controlled()
        began = time.monotonic()
        self.ctl("quit")
        player.end()
        self.assertLess(time.monotonic() - began, 0.5 * SLOW + SLACK)
        self.assertFalse(os.path.exists(self.socket))
        self.assertIn("no hertzian listens there", self.ctl("status", code=DEVICE))

    def test_the_device_is_opened_anew(self):
        player = self.controlled()
        player.send(on(72))
        self.wait_until(lambda: self.status()["notes"] == 1)
        self.assertIn("connected", self.ctl("reset-audio"))
        player.send(on(74))
        self.wait_until(lambda: self.status()["notes"] == 2)
        player.stop()

    def test_words_that_are_no_command(self):
        self.assertIn("did you mean status?", self.ctl("stauts", code=USAGE))
        self.assertIn("record start or stop", self.ctl("xylophone", code=USAGE))
        self.assertIn("takes nothing", self.ctl("panic", "now", code=USAGE))
        self.assertIn("which command", self.ctl(code=USAGE))
        self.assertIn("no hertzian listens there", self.ctl("panic", code=DEVICE))

    def test_devices_are_listed_as_they_are_now(self):
        listed = run("ctl", "devices", "--json")
        self.assertEqual(listed.code, DONE)
        self.assertIn("midi", json.loads(listed.out))


class Socket(ControlCase):
    """U41, U72: nothing listens unless asked, and then to its owner."""

    def test_no_socket_unless_asked(self):
        environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder)
        player = self.live(env=environment)
        pause(0.3)
        self.assertFalse(os.path.exists(self.path("hertzian.sock")))
        opened = [os.readlink(f"/proc/{player.process.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{player.process.pid}/fd")]
        self.assertFalse([name for name in opened if name.startswith("socket:")])
        player.stop()

    def test_the_usual_place(self):
        environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder)
        player = self.live("--control", env=environment)
        self.wait_until(lambda: os.path.exists(self.path("hertzian.sock")))
        self.assertEqual(run("ctl", "status", env={"XDG_RUNTIME_DIR": self.folder}).code, DONE)
        player.stop()

    def test_only_its_owner_may(self):
        player = self.controlled()
        mode = os.stat(self.socket).st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        if os.geteuid() != 0:
            player.stop()
            self.skipTest("only root can be somebody else")

        def as_nobody():
            os.chmod(self.folder, 0o755)
            return subprocess.run([PROGRAM, "ctl", f"--control={self.socket}", "quit"], user=NOBODY, group=NOBODY, extra_groups=[],
                                  capture_output=True, check=False)

        refused = as_nobody()
        self.assertEqual(refused.returncode, DEVICE)
        self.assertIn(b"for the user alone", refused.stderr)
        os.chmod(self.socket, 0o777)  # even where the file lets everybody in
        refused = as_nobody()
        self.assertEqual(refused.returncode, 1)
        self.assertIn(b"obeys nobody but the user who started it", refused.stderr)
        self.ctl("status")
        player.stop()

    def test_a_second_one_needs_a_socket_of_its_own(self):
        player = self.controlled()
        second = run("play", "-a", "null", "-m", "none", "-i", INSTRUMENT, f"--control={self.socket}")
        self.assertEqual(second.code, DEVICE)
        self.assertIn("another hertzian listens there", second.err)
        self.ctl("status")
        player.stop()

    def test_what_a_killed_one_left_is_taken_away_and_nothing_else_is(self):
        player = self.controlled()
        player.process.kill()
        player.process.wait()
        self.assertTrue(os.path.exists(self.socket))
        self.assertIn("no hertzian listens there", self.ctl("status", code=DEVICE))
        again = self.live(f"--control={self.socket}", fifos=("again",))
        self.ctl("status")
        again.stop()
        with open(self.socket, "w", encoding="ascii") as file:
            file.write("mine")
        refused = run("play", "-a", "null", "-m", "none", "-i", INSTRUMENT, f"--control={self.socket}")
        self.assertEqual(refused.code, DEVICE)
        self.assertIn("is no socket", refused.err)
        self.assertEqual(self.read("s"), b"mine")
        refused = run("play", "-a", "null", "-m", "none", f"--control={'x' * 200}")
        self.assertEqual(refused.code, USAGE)

    def raw(self, request):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.socket)
            connection.settimeout(10 * SLOW)
            connection.sendall(request)
            answer = b""
            while True:
                try:
                    more = connection.recv(4096)
                except ConnectionResetError:
                    return answer
                if not more:
                    return answer
                answer += more

    def test_requests_by_hand_and_bad_ones(self):
        player = self.controlled()
        self.assertTrue(self.raw(b"status\n\n").startswith(b"0\nplaying"))
        self.assertTrue(self.raw(b"status\n--json\n\n").startswith(b"0\n{"))
        self.assertTrue(self.raw(b"\n\n").startswith(b"1\n"))
        self.assertTrue(self.raw(b"sta\0tus\n\n").startswith(b"1\n"))
        self.assertTrue(self.raw(b"--json\n\n").startswith(b"2\n"))
        self.assertTrue(self.raw(b"nonsense\n\n").startswith(b"2\n"))
        self.assertTrue(self.raw(b"x\n" * 100 + b"\n").startswith(b"1\n"))
        self.assertTrue(self.raw(b"x" * 5000).startswith(b"1\n"))
        self.ctl("status")
        player.stop()

    def test_those_who_ask_nothing_keep_nobody_waiting_for_long(self):
        player = self.controlled()
        idle = [socket.socket(socket.AF_UNIX) for _ in range(20)]
        for one in idle:
            one.connect(self.socket)
        self.wait_until(lambda: run("ctl", f"--control={self.socket}", "status").code == DONE)
        for one in idle:
            one.close()
        self.assertLess(player.stop(), 0.5 * SLOW + SLACK)


if __name__ == "__main__":
    main()
