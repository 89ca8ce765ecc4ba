#!/usr/bin/env python3
"""The disk is cut off while a take is written, as by a power cut: power.py PROGRAM TIMES [SEED], as root, in a virtual machine.

A disk of its own (a file, a loop device, device mapper, ext4) answers nothing but errors from a random moment on, and what the system had
not brought to it by then is lost. What is found there afterwards, once the journal was replayed, is compared with what had been played."""

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from support import RATE, Sound  # noqa: E402
from test_play import midi_events  # noqa: E402

LOST = 2.0  # [s] of what was played
NAME = "hertzian-power"
MIB = 1 << 20


def do(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = done.stdout.decode().strip()
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(words), said))
    return said


class Disk:
    """One that can be cut off."""

    def __init__(self, folder):
        image = os.path.join(folder, "disk")
        with open(image, "wb") as file:
            file.truncate(160 * MIB)
        self.loop = do("losetup", "-f", "--show", image)
        self.sectors = do("blockdev", "--getsz", self.loop)
        self.mapped = "/dev/mapper/" + NAME
        do("dmsetup", "create", NAME, "--noudevsync", "--noudevrules", "--table", "0 %s linear %s 0" % (self.sectors, self.loop))
        do("dmsetup", "mknodes", NAME)  # nobody else does it there
        do("mkfs.ext4", "-q", "-F", self.mapped)
        self.folder = os.path.join(folder, "mounted")
        os.mkdir(self.folder)
        do("mount", self.mapped, self.folder)

    def cut(self):
        do("dmsetup", "suspend", "--noflush", "--nolockfs", NAME)
        do("dmsetup", "load", NAME, "--table", "0 %s error" % self.sectors)
        do("dmsetup", "resume", "--noudevsync", NAME)

    def after(self):
        """The machine starts again."""
        do("umount", self.folder)
        do("dmsetup", "remove", "--noudevsync", "--retry", NAME)
        do("mount", self.loop, self.folder)

    def close(self):
        subprocess.run(["umount", self.folder], check=False)
        do("losetup", "-d", self.loop)


class Take:
    def __init__(self, program, disk, folder):
        fifo = os.path.join(folder, "in")
        os.mkfifo(fifo)
        self.control = os.path.join(folder, "s")
        env = dict(os.environ, XDG_STATE_HOME=os.path.join(disk.folder, "state"))
        self.process = subprocess.Popen([program, "play", "-a", "null", "-m", "none", "-i", "glockenspiel", "-b", "4096",
                                         "--control=" + self.control, "--midi-raw", fifo, "--record",
                                         os.path.join(disk.folder, "take.wav")],
                                        env=env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stream = os.open(fifo, os.O_WRONLY)
        self.seconds()  # answered when everything is open

    def seconds(self):
        """Played by now. Without another program, which under emulation takes seconds to start."""
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(self.control)
            asked.sendall(b"status\n--json\n\n")
            said = b""
            while part := asked.recv(4096):
                said += part
        return json.loads(said.split(b"\n", 1)[1])["seconds"]

    def play(self, seconds):
        """@return when each note was sent"""
        sent, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            os.write(self.stream, bytes([0x90, 84, 100, 0x80, 84, 64]))
            sent.append(time.monotonic())
            time.sleep(0.1)
        return sent


def once(program, seconds):
    """@return how much was lost [s], of sound and of notes; not a number where what is there cannot be read"""
    with tempfile.TemporaryDirectory() as folder:
        disk = Disk(folder)
        take = Take(program, disk, folder)
        sent = take.play(seconds)
        began = time.monotonic()
        played = take.seconds()
        disk.cut()
        now = time.monotonic()
        took = now - began  # what is played meanwhile may be there or not; a fraction of a second where nothing else runs
        time.sleep(0.5)
        goes_on = take.process.poll() is None
        take.process.kill()
        take.process.wait()
        os.close(take.stream)
        disk.after()
        with open(os.path.join(disk.folder, "take.wav"), "rb") as file:
            data = file.read()
        with open(os.path.join(disk.folder, "take.mid"), "rb") as file:
            notes = sum(event[0] == 0x90 for _, event in midi_events(file.read()))
        size = int.from_bytes(data[4:8], "little") + 8
        lost = played - Sound(data[:size]).frames / RATE if size <= len(data) else float("nan")
        lost_notes = began - sent[notes] if notes < len(sent) else 0.0
        kept = [os.path.join(root, name) for root, _, names in os.walk(os.path.join(disk.folder, "state")) for name in names]
        disk.close()
        print("    played %.2f s, %d notes; lost %.2f to %.2f s of sound, notes of the last %.2f s; %d file(s) of history; the program %s" % (
            played, len(sent), max(lost, 0.0), max(lost + took, 0.0), lost_notes, len(kept), "went on" if goes_on else "ended"), flush=True)
        return lost <= LOST and lost_notes <= LOST and goes_on and len(kept) > 0


def main():
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 5)
    times = [draw.uniform(1.0, 7.0) for _ in range(int(sys.argv[2]))]
    return 0 if all([once(sys.argv[1], seconds) for seconds in times]) else 1


if __name__ == "__main__":
    sys.exit(main())
