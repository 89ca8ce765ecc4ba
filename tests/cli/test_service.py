#!/usr/bin/env python3
"""As a service: what the manager is told and when, and the units that are installed."""

import os
import resource
import shutil
import socket
import subprocess
import time

from live import INSTRUMENT, SLOW, LiveCase
from support import PROGRAM, SOURCE, main

DEVICE = 3


class Notified(LiveCase):
    def setUp(self):
        super().setUp()
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(self.path("manager"))
        self.manager.settimeout(20 * SLOW)
        self.addCleanup(self.manager.close)
        self.environment = dict(os.environ, NOTIFY_SOCKET=self.path("manager"))

    def told(self):
        return self.manager.recv(4096).decode().splitlines()

    def until(self, line):
        while True:
            lines = self.told()
            if line in lines:
                return lines

    def test_ready_when_it_plays_and_stopping_when_it_ends(self):
        player = self.live(env=self.environment)
        self.assertEqual(self.told(), ["READY=1", "STATUS=playing on null"])
        player.stop()
        self.assertEqual(self.told(), ["STOPPING=1"])

    def test_not_ready_while_a_device_is_waited_for(self):
        """U67"""
        environment = dict(self.environment, JACK_NO_START_SERVER="1", JACK_DEFAULT_SERVER="hertzian-test-nobody")
        program = subprocess.Popen([PROGRAM, "-a", "jack:", "-m", "none", "-i", INSTRUMENT, "--wait=1"], env=environment,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (program.kill(), program.wait(), program.stderr.close()))
        self.assertTrue(self.told()[0].startswith("STATUS=waiting for an audio device: "))
        self.assertEqual(program.wait(timeout=20 * SLOW), DEVICE)
        self.assertEqual(self.told(), ["STOPPING=1"])

    def test_the_watchdog_is_fed_as_often_as_it_wants(self):
        player = self.live(env=dict(self.environment, WATCHDOG_USEC="400000"))
        self.until("WATCHDOG=1")
        began = time.monotonic()
        for _ in range(5):
            self.until("WATCHDOG=1")
        self.assertLess(time.monotonic() - began, 5 * 0.4 * SLOW)
        player.stop()

    def test_somebody_elses_watchdog_is_not(self):
        player = self.live(env=dict(self.environment, WATCHDOG_USEC="100000", WATCHDOG_PID="1"))
        self.until("READY=1")
        time.sleep(0.5)
        player.stop()
        self.assertEqual(self.told(), ["STOPPING=1"])

    def test_a_manager_that_is_not_there_is_no_fault(self):
        for name in ("/nonexistent/socket", "@hertzian-test-nobody", "relative", "", "/" + "x" * 300):
            player = self.live(env=dict(os.environ, NOTIFY_SOCKET=name))
            player.stop()
            self.assertNotIn("error", player.said)


class Memory(LiveCase):
    """U63"""

    def locked_kb(self, player):
        with open(f"/proc/{player.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmLck"))

    def test_memory_is_locked_where_it_may_be(self):
        if os.geteuid() != 0 or os.environ.get("HERTZIAN_SLOW", "1") != "1":
            self.skipTest("not root, or a sanitizer, whose shadow cannot be locked")
        player = self.live()
        self.wait_until(lambda: self.locked_kb(player) > 0)
        player.stop()
        player = self.live("--rt", "off")
        self.assertEqual(self.locked_kb(player), 0)
        player.stop()

    def test_where_it_may_not_be_it_plays_all_the_same(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        os.chmod(self.folder, 0o777)
        os.mkfifo(self.path("in"))
        os.chmod(self.path("in"), 0o666)
        limited = lambda: resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))  # noqa: E731
        player = self.live(user=65534, group=65534, extra_groups=[], preexec_fn=limited, cwd=self.folder)
        self.assertEqual(self.locked_kb(player), 0)
        player.stop()


class Units(LiveCase):
    """U70"""

    def test_systemd_finds_nothing_wrong(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd-analyze")
        for name, scope in (("hertzian.service", "--user"), ("hertzian@.service", "--system")):
            with open(os.path.join(SOURCE, "docs", "systemd", name + ".in"), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("@CMAKE_INSTALL_FULL_BINDIR@/hertzian play", text)
            self.write(name, text.replace("@CMAKE_INSTALL_FULL_BINDIR@", os.path.dirname(PROGRAM)).encode())
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", scope, self.path(name)], capture_output=True, text=True, check=False,
                                  env=dict(os.environ, XDG_RUNTIME_DIR=self.folder))
            ours = [line for line in done.stderr.splitlines() if "hertzian" in line]
            self.assertEqual(ours, [])


if __name__ == "__main__":
    main()
