#!/usr/bin/env python3
"""Open Sound Control: what plays, what else may be asked for, and who is heard."""

import socket
import struct
import subprocess

from live import INSTRUMENT, LiveCase, pause
from support import PROGRAM, USAGE, main, run
from test_control import ControlCase

DEVICE = 3


def padded(data):
    return data + b"\0" * (4 - len(data) % 4)


def message(address, *args):
    tags, body = ",", b""
    for arg in args:
        if isinstance(arg, bytes):
            tags, body = tags + "m", body + arg
        elif isinstance(arg, str):
            tags, body = tags + "s", body + padded(arg.encode())
        elif isinstance(arg, float):
            tags, body = tags + "f", body + struct.pack(">f", arg)
        else:
            tags, body = tags + "i", body + struct.pack(">i", arg)
    return padded(address.encode()) + padded(tags.encode()) + body


def bundle(*packets):
    return b"#bundle\0" + struct.pack(">Q", 1) + b"".join(struct.pack(">i", len(p)) + p for p in packets)


class Osc(ControlCase):
    def setUp(self):
        super().setUp()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(self.out.close)

    def osc(self, packet):
        self.out.sendto(packet, ("127.0.0.1", self.port))

    def say(self, *words):
        self.osc(message(*words))

    def until(self, name, value):
        self.wait_until(lambda: self.status()[name] == value)

    def test_notes_controllers_and_programs(self):
        player = self.controlled("--osc", str(self.port), "--record-midi", self.path("a.mid"))
        self.assertIn("OSC", self.status()["midi"])
        self.say("/note", 72, 100)
        self.say("/note", 74, 100.0, 3)
        self.osc(bundle(message("/control", 64, 127), message("/bend", -1.0), message("/program", 12, 2)))
        self.say("/pressure", 1000)  # held to 127
        self.say("/off", 72)
        self.say("/midi", b"\x00\x90\x4c\x50", b"\x00\x91\x4c\x50")
        self.until("notes", 4)
        player.stop()
        data = self.read("a.mid")
        for wanted in (b"\x90\x48\x64", b"\x92\x4a\x64", b"\xb0\x40\x7f", b"\xe0\x00\x00", b"\xc1\x0b", b"\xd0\x7f", b"\x80\x48\x40", b"\x90\x4c\x50",
                       b"\x91\x4c\x50"):
            self.assertIn(wanted, data)

    def test_commands_of_ctl_but_not_those_of_the_owner(self):
        player = self.controlled("--osc", str(self.port))
        self.say("/note", 72, 100)
        self.until("ringing", 1)
        self.say("/panic")
        self.until("ringing", 0)
        self.say("/record/start")
        self.wait_until(lambda: self.status()["recording"])
        self.say("/record", "stop")
        self.until("recording", None)
        self.say("/quit")
        self.say("/stauts")
        pause(0.3)
        self.status()
        player.stop()
        self.assertIn("OSC: quit: is for the socket's owner", player.said)
        self.assertIn("OSC: stauts: unknown command; did you mean status?", player.said)

    def test_what_is_no_osc_does_no_harm(self):
        player = self.controlled("--osc", str(self.port))
        for packet in (b"", b"x", b"/note", b"/note\0\0\0,ii\0", b"#bundle\0" * 3, bytes(range(256)) * 30, message("/note"), message("/midi", b"\0\x3c\x3c\x3c"),
                       message("/note", "c4", "loud"), message("/"), message("/" + "x" * 2000), message("/note", 72, float("nan"))):
            self.osc(packet)
        for _ in range(300):
            self.say("/nonsense")
        self.say("/note", 72, 100)
        self.wait_until(lambda: self.status()["notes"] >= 1)
        player.stop()

    def test_loopback_alone_unless_told(self):
        """U72"""
        player = self.controlled("--osc", str(self.port))
        listening = subprocess.run(["ss", "-Hlnup"], capture_output=True, text=True, check=False).stdout if self.has_ss() else None
        if listening is not None:
            ours = [line for line in listening.splitlines() if f":{self.port} " in line]
            self.assertEqual(len(ours), 1)
            self.assertIn(f"127.0.0.1:{self.port}", ours[0])
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.2", self.port))  # free, as a socket on every address would not leave it
        player.stop()

    @staticmethod
    def has_ss():
        try:
            return subprocess.run(["ss", "-V"], capture_output=True, check=False).returncode == 0
        except OSError:
            return False

    def test_another_address(self):
        player = self.controlled("--osc", str(self.port), "--osc-bind", "127.0.0.3")
        self.out.sendto(message("/note", 72, 100), ("127.0.0.3", self.port))
        self.until("notes", 1)
        player.stop()

    def test_what_cannot_be(self):
        self.out.bind(("127.0.0.1", self.port))
        play = ("play", "-a", "null", "-m", "none", "-i", INSTRUMENT)
        self.one_error(run(*play, "--osc", str(self.port)), DEVICE, str(self.port), "in use")
        self.one_error(run(*play, "--osc", str(self.port), "--osc-bind", "somewhere"), DEVICE, "somewhere", "in numbers")
        self.one_error(run(*play, "--osc-bind", "127.0.0.1"), USAGE, "--osc PORT")
        self.one_error(run(*play, "--osc", "0"), USAGE, "1 to 65535")


if __name__ == "__main__":
    main()
