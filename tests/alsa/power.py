#!/usr/bin/env python3
"""The disk is cut off while a take is written, as by a power cut: power.py PROGRAM TIMES [SEED], as root, in a virtual machine.

A disk of its own (a file, a loop device, device mapper, ext4) answers nothing but errors from a random moment on, and what the system had
not brought to it by then is lost. What is found there afterwards, once the journal was replayed, is compared with what had been played.

When that moment was is known from both sides by one clock, whatever else the machine does: not before the last time that was written to
the disk itself, past the end of its file system, and is found there; and not after the call that stops the disk has returned. The table that
answers errors is loaded beforehand, so that the cut is that call and no program has to be started for it. How much had been played is known
by the notes: when each was sent, by the same clock, and at which frame it was heard. That stands in a second MIDI file, which lies on another
disk: the history's while the take is on the one that is cut off, the take's every third time, when the history is. What is lost is counted up
to the first note that was sent after the cut."""

import fcntl
import mmap
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from support import RATE, Sound  # noqa: E402
from test_play import midi_events  # noqa: E402

LOST = 2.0  # [s] of what was played
AFTER = 1.0  # [s] that it goes on without a disk
NAME = "hertzian-power"
MIB = 1 << 20
SIZE = 160 * MIB  # of the file system
PAGE = 4096


def do(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = done.stdout.decode().strip()
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(words), said))
    return said


class Mapper:
    """Calls of /dev/mapper/control, as <linux/dm-ioctl.h> has them."""

    SIZE = 312  # of struct dm_ioctl
    SUSPEND = 3 << 30 | SIZE << 16 | 0xFD << 8 | 6  # DM_DEV_SUSPEND, which resumes, too
    STOP, SKIP_LOCKFS, NOFLUSH = 1 << 1, 1 << 10, 1 << 11

    def __init__(self):
        self.control = os.open("/dev/mapper/control", os.O_RDWR)

    def call(self, flags):
        head = struct.pack("<3I3IiIIIQ128s", 4, 0, 0, self.SIZE, self.SIZE, 0, 0, flags, 0, 0, 0, NAME.encode())
        fcntl.ioctl(self.control, self.SUSPEND, bytearray(head.ljust(self.SIZE, b"\0")))

    def stop(self):
        """Nothing that is written from here on reaches the disk."""
        self.call(self.STOP | self.SKIP_LOCKFS | self.NOFLUSH)

    def go_on(self):
        """By the table that was loaded."""
        self.call(0)


class Clock:
    """Writes the time to the disk, again and again, for as long as the disk takes it."""

    def __init__(self, path, offset):
        self.offset = offset
        self.file = os.open(path, os.O_RDWR | os.O_DIRECT)
        self.page = mmap.mmap(-1, PAGE)
        self.over = False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            while not self.over:
                self.page[:8] = struct.pack("<d", time.monotonic())
                os.pwrite(self.file, self.page, self.offset)
                time.sleep(0.002)
        except OSError:
            pass

    def close(self):
        self.over = True
        self.thread.join()
        os.close(self.file)


class Disk:
    """One that can be cut off."""

    def __init__(self, folder):
        image = os.path.join(folder, "disk")
        with open(image, "wb") as file:
            file.truncate(SIZE + PAGE)
        self.loop = do("losetup", "-f", "--show", image)
        self.sectors = do("blockdev", "--getsz", self.loop)
        self.mapped = "/dev/mapper/" + NAME
        do("dmsetup", "create", NAME, "--noudevsync", "--noudevrules", "--table", "0 %s linear %s 0" % (self.sectors, self.loop))
        do("dmsetup", "mknodes", NAME)  # nobody else does it there
        do("mkfs.ext4", "-q", "-F", self.mapped, "%dk" % (SIZE // 1024))
        self.folder = os.path.join(folder, "mounted")
        os.mkdir(self.folder)
        do("mount", self.mapped, self.folder)
        do("dmsetup", "load", NAME, "--table", "0 %s error" % self.sectors)
        self.mapper = Mapper()
        self.clock = Clock(self.mapped, SIZE)

    def cut(self):
        """@return when it was over [s]"""
        self.mapper.stop()
        stopped = time.monotonic()
        self.mapper.go_on()
        self.clock.close()
        return stopped

    def after(self):
        """The machine starts again. @return the last time that came to the disk [s]"""
        do("umount", self.folder)
        do("dmsetup", "remove", "--noudevsync", "--retry", NAME)
        with open(self.loop, "rb") as file:
            file.seek(SIZE)
            last, = struct.unpack("<d", file.read(8))
        do("mount", self.loop, self.folder)
        return last

    def close(self):
        subprocess.run(["umount", self.folder], check=False)
        do("losetup", "-d", self.loop)
        os.close(self.mapper.control)


class Take:
    def __init__(self, program, folder, audio, history):
        fifo = os.path.join(folder, "in")
        os.mkfifo(fifo)
        self.control = os.path.join(folder, "s")
        self.over = False
        env = dict(os.environ, XDG_STATE_HOME=history)
        self.process = subprocess.Popen([program, "play", "-a", "null", "-m", "none", "-i", "glockenspiel", "-b", "4096",
                                         "--control=" + self.control, "--midi-raw", fifo, "--record",
                                         os.path.join(audio, "take.wav")],
                                        env=env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stream = os.open(fifo, os.O_WRONLY)
        with socket.socket(socket.AF_UNIX) as asked:  # answered when everything is open
            asked.connect(self.control)
            asked.sendall(b"status\n\n")
            while asked.recv(4096):
                pass

    def play(self, sent):
        """Notes, until it is told to stop; when each was sent."""
        while not self.over:
            sent.append(time.monotonic())
            os.write(self.stream, bytes([0x90, 84, 100, 0x80, 84, 64]))
            time.sleep(0.02)


def read(folder, ending):
    """The file of that ending, wherever it is in the folder; nothing, where it is not there."""
    for root, _, names in os.walk(folder):
        for name in names:
            if name.endswith(ending):
                with open(os.path.join(root, name), "rb") as file:
                    return file.read()
    return b""


def notes_of(data):
    """Frames at which notes were heard."""
    return [frame for frame, event in midi_events(data) if event[0] == 0x90] if data else []


def once(program, seconds, history):
    """@return whether no more was lost than may be, by the latest moment that the cut can have been"""
    with tempfile.TemporaryDirectory() as folder:
        disk = Disk(folder)
        other = os.path.join(folder, "other")
        os.mkdir(other)
        take = Take(program, folder, other if history else disk.folder, disk.folder if history else other)
        sent = []
        player = threading.Thread(target=take.play, args=(sent,))
        player.start()
        time.sleep(seconds)
        began = time.monotonic()
        stopped = disk.cut()
        time.sleep(AFTER)
        take.over = True
        player.join()
        time.sleep(AFTER)  # the last of it is heard and written down
        goes_on = take.process.poll() is None
        take.process.kill()
        take.process.wait()
        os.close(take.stream)
        first = disk.after()  # the cut was not before
        data = read(disk.folder, ".wav")
        played, kept = notes_of(read(other, ".mid")), notes_of(read(disk.folder, ".mid"))
        size = int.from_bytes(data[4:8], "little") + 8
        there = Sound(data[:size]).frames / RATE if data and size <= len(data) else 0.0
        begins = played[0] - kept[0] if kept else 0  # frame of the first sample of the take
        after = next(n for n, at in enumerate(sent) if at >= stopped)  # the first that was sent when the disk was off
        lost = (played[after] - begins) / RATE - there
        lost_notes = stopped - sent[len(kept)] if len(kept) < after else 0.0
        disk.close()
        print("    cut %.2f s after the first note (known to %.2f s; the call took %.2f s); %s; the program %s" % (
            stopped - sent[0], stopped - first, stopped - began,
            "the history lost notes of the last %.2f s" % lost_notes if history else
            "lost at most %.2f s of sound, notes of the last %.2f s" % (max(lost, 0.0), lost_notes),
            "went on" if goes_on else "ended"), flush=True)
        return (history or lost <= LOST) and lost_notes <= LOST and goes_on


def main():
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 5)
    times = [draw.uniform(2.0, 7.0) for _ in range(int(sys.argv[2]))]
    return 0 if all([once(sys.argv[1], seconds, n % 3 == 2) for n, seconds in enumerate(times)]) else 1


if __name__ == "__main__":
    sys.exit(main())
