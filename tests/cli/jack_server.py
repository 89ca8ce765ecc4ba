"""A JACK server of the tests' own, with its dummy driver and a name that no other has."""

import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True

RATE = 48000
# JACK has room for eight names, those of servers that were killed among them until they are used again: always the same few.
NAMES = ["hertzian-test-%d" % i for i in range(1, 4)]
START = 10.0  # [s]


class JackServer:
    """`jackd -d dummy`. Without jackd, or where it does not run, the test is skipped."""

    def __init__(self, cleanup, frames=256, outputs=2, inputs=0):
        """`cleanup` is a test's addCleanup or a class's addClassCleanup."""
        self.driver = ["-d", "dummy", "-r", str(RATE), "-p", str(frames), "-C", str(inputs), "-P", str(outputs)]
        self.process = None
        if not shutil.which("jackd"):
            raise unittest.SkipTest("no jackd")
        cleanup(self.stop)
        for self.name in NAMES:
            self.env = dict(os.environ, JACK_DEFAULT_SERVER=self.name, JACK_NO_START_SERVER="1")
            if self.start():
                return
            self.stop()
        raise unittest.SkipTest("jackd does not run here")

    def start(self):
        self.process = subprocess.Popen(["jackd", "-n", self.name, *self.driver], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + START
        while self.process.poll() is None and time.monotonic() < end:
            if self.ask("jack_lsp").returncode == 0 and self.process.poll() is None:
                return True
            time.sleep(0.02)
        return False

    def ask(self, *command):
        return subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False, text=True)

    def client(self, case, *command):
        """Another program on this server, until the test has ended."""
        if not shutil.which(command[0]):
            case.skipTest("no " + command[0])
        process = subprocess.Popen(command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        case.addCleanup(lambda: (process.kill(), process.wait()))
        return process

    def connections(self, port):
        """Ports that are connected to this one; None when it is not there."""
        lines = self.ask("jack_lsp", "-c").stdout.split("\n")
        if port not in lines:
            return None
        found = []
        for line in lines[lines.index(port) + 1:]:
            if not line.startswith(" "):
                break
            found.append(line.strip())
        return found

    def kill(self):
        self.process.kill()
        self.process.wait()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """As it wants to be ended: its name is free again."""
        if self.process and self.process.poll() is None:
            self.thaw()
            self.process.terminate()
            try:
                self.process.wait(START)
            except subprocess.TimeoutExpired:
                self.kill()
