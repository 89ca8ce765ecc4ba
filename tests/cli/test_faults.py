"""A system that has nothing left to give: no threads, memory, descriptors, or room. Never success without a whole file."""

import os
import random
import resource
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from support import Case, DONE, OUTPUT, PROGRAM, SOURCE, Sound, main, notes, smf  # noqa: E402

INTERNAL = 1  # exit code
INSTRUMENT = "glockenspiel"  # the cheapest
LONG = os.environ.get("HERTZIAN_LONG") is not None
FAILING = os.environ.get("HERTZIAN_FAILING")  # made by the build, not with a sanitizer
NOBODY = 65534
SANITIZED = "a sanitizer needs terabytes of address space, and threads and files of its own"
NO_MORE = {"memory": ("out of memory", "no thread to be had"), "open": ("Too many open files",), "thread": ("no thread to be had",)}


class Faults(Case):
    def setUp(self):
        super().setUp()
        self.made = self.write("song.mid", smf([notes([(0.0, 80, 100, 0.2)])]))
        os.chmod(self.folder, 0o777)

    def commands(self):
        """Name, arguments, files of a success."""
        take = self.path("take.wav"), self.path("take.mid")
        play = ("-a", "null", "-m", "none", "-i", INSTRUMENT, "--duration", "0.1")
        return (("render", ("render", self.made, "-i", INSTRUMENT, "-o", self.path("x.wav")), {"x.wav"}),
                ("play", ("play", *play), set()),
                ("record", ("record", *play, take[0], "--record-midi", take[1]), {"take.wav", "take.mid"}),
                ("song", ("play", *play, self.made), set()),
                ("validate", ("instruments", "validate", os.path.join(SOURCE, "instruments", INSTRUMENT + ".yaml")), set()),
                ("show", ("instruments", "show", INSTRUMENT), set()),
                ("lab", ("lab", "run", "papetti-fig1", "--out", self.path("x.csv")), {"x.csv"}))

    def clean(self):
        for name in os.listdir(self.folder):
            if name != "song.mid":
                os.unlink(self.path(name))

    def go(self, arguments, limits=(), user=None, env=None, fds=()):
        def prepare():
            for what, most in limits:
                resource.setrlimit(what, (most, most))
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
        return subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=120, preexec_fn=prepare, env=dict(os.environ, **(env or {})), pass_fds=fds, check=False)

    def judge(self, done, files, what, words=None):
        """Whole and 0, or nothing and 1 with a line that says what was not to be had."""
        said = done.stderr.decode("utf-8", "replace")
        left = set(os.listdir(self.folder)) - {"song.mid"}
        self.assertIn(done.returncode, (DONE, INTERNAL), (what, said))
        if done.returncode == DONE:
            self.assertEqual(left, files, (what, said))
            for name in files:
                if name.endswith(".wav"):
                    Sound(self.read(name))
        else:
            self.assertEqual(left, set(), (what, said))
            errors = [line for line in said.splitlines() if line.startswith("hertzian: ")]
            self.assertTrue(errors, (what, said))
            if words:
                self.assertTrue(any(word in line for word in words for line in errors), (what, said))
        return done.returncode


@unittest.skipIf(sys.platform != "linux", "limits as Linux has them")
class Limits(Faults):
    def test_descriptors(self):
        if FAILING is None:
            self.skipTest(SANITIZED)
        codes = set()
        for most in range(4, 11):  # with 3 the loader finds no libraries
            for name, arguments, files in self.commands():
                self.clean()
                done = self.go(arguments, [(resource.RLIMIT_NOFILE, most)])
                if b"shared libraries" not in done.stderr:
                    codes.add(self.judge(done, files, (name, most), NO_MORE["open"]))
        self.assertEqual(codes, {DONE, INTERNAL})

    def test_memory(self):
        if FAILING is None:
            self.skipTest(SANITIZED)
        codes = set()
        sizes = range(7000, 160000, 1000 if LONG else 8000)
        for most in sizes:
            for name, arguments, files in self.commands():
                self.clean()
                done = self.go(arguments, [(resource.RLIMIT_AS, most * 1024)])
                if b"shared libraries" not in done.stderr:
                    codes.add(self.judge(done, files, (name, most), NO_MORE["memory"]))
        self.assertEqual(codes, {DONE, INTERNAL})

    def test_threads(self):
        if FAILING is None:
            self.skipTest(SANITIZED)
        if os.geteuid() != 0:
            self.skipTest("needs to become a user who runs nothing else; the superuser is not limited")
        if self.go(["--version"], user=NOBODY).returncode != DONE:
            self.skipTest("the program cannot be run by nobody here")
        os.chmod(self.made, 0o644)
        codes = {}
        for most in (0, 1, 2, 3, 8):
            for name, arguments, files in self.commands():
                self.clean()
                done = self.go(arguments, [(resource.RLIMIT_NPROC, most)], user=NOBODY)
                codes[name, most] = self.judge(done, files, (name, most), NO_MORE["thread"])
        for name in ("render", "play", "record"):
            self.assertEqual((codes[name, 1], codes[name, 8]), (INTERNAL, DONE), name)
        self.assertEqual(codes["show", 1], DONE)

    def test_size_of_a_render(self):
        for most in (0, 100, 4096, 50000):
            done = self.go(self.commands()[0][1], [(resource.RLIMIT_FSIZE, most)])
            self.assertEqual(done.returncode, OUTPUT, done.stderr)
            self.assertIn(b"File too large", done.stderr)
            self.nothing_written("song.mid")

    def test_size_of_a_recording(self):
        arguments = ("record", "-a", "null", "-m", "none", "-i", INSTRUMENT, "--midi-raw", self.write("raw", bytes([0x90, 80, 100])),
                     "--duration", "1", self.path("take.wav"), "--record-midi", self.path("take.mid"))
        done = self.go(arguments, [(resource.RLIMIT_FSIZE, 100000)])
        self.assertEqual(done.returncode, OUTPUT, done.stderr)
        self.assertIn(b"take.wav: File too large; the recording ends", done.stderr)
        self.assertIn(b"played 0:01", done.stderr)  # it went on
        sound = Sound(self.read("take.wav"))
        self.assertGreater(sound.frames, 10000)
        self.assertIn(bytes([0x90, 80, 100]), self.read("take.mid"))

    def test_no_room_for_the_start_of_a_recording(self):
        for most in (0, 10, 25):
            self.clean()
            done = self.go(self.commands()[2][1], [(resource.RLIMIT_FSIZE, most)])
            self.assertEqual(done.returncode, OUTPUT, done.stderr)
            self.assertIn(b"File too large", done.stderr)
            self.nothing_written("song.mid")


class Disk(Faults):
    def small(self, size):
        folder = self.path("small")
        os.mkdir(folder)
        self.addCleanup(subprocess.run, ["umount", "-l", folder], capture_output=True)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder],
                                                capture_output=True).returncode != 0:
            self.skipTest("needs to mount a small file system")
        return folder

    def test_a_full_one(self):
        folder = self.small("64k")
        with open(os.path.join(folder, "filler"), "wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
        for arguments in (("render", self.made, "-i", INSTRUMENT, "-o", os.path.join(folder, "x.wav")),
                          ("record", "-a", "null", "-m", "none", "-i", INSTRUMENT, "--duration", "0.1", os.path.join(folder, "t.wav")),
                          ("play", "-a", "null", "-m", "none", "-i", INSTRUMENT, "--duration", "0.1", "--record-midi",
                           os.path.join(folder, "t.mid")),
                          ("lab", "run", "papetti-fig1", "--out", os.path.join(folder, "x.csv"))):
            done = self.go(arguments)
            self.assertEqual(done.returncode, OUTPUT, done.stderr)
            self.assertIn(b"No space left", done.stderr)
            self.assertEqual(os.listdir(folder), ["filler"], arguments)

    def test_one_that_fills_up(self):
        folder = self.small("64k")
        done = self.go(("render", self.made, "-i", INSTRUMENT, "-o", os.path.join(folder, "x.wav")))
        self.assertEqual(done.returncode, OUTPUT, done.stderr)
        self.assertEqual(os.listdir(folder), [])

    def test_a_folder_that_may_not_be_written(self):
        if os.geteuid() == 0 and self.go(["--version"], user=NOBODY).returncode != DONE:
            self.skipTest("the program cannot be run by nobody here, and nothing is forbidden to the superuser")
        os.chmod(self.made, 0o644)
        os.chmod(self.folder, 0o555)
        for index in (0, 2, 6):
            done = self.go(self.commands()[index][1], user=NOBODY if os.geteuid() == 0 else None)
            self.assertEqual(done.returncode, OUTPUT, done.stderr)
            self.assertIn(b"Permission denied", done.stderr)
        os.chmod(self.folder, 0o777)
        self.nothing_written("song.mid")


class Starts(Faults):
    def test_what_a_failed_start_made_is_gone(self):
        take = "record", "-a", "null", "-i", INSTRUMENT, self.path("t.wav"), "--record-midi", self.path("t.mid")
        for more, code in ((("-m", "none", "--midi-raw", self.path("missing")), 3), (("-m", "none", "--require-midi"), 3)):
            for _ in range(2):  # a second try finds nothing in its way
                done = self.go((*take, *more))
                self.assertEqual(done.returncode, code, done.stderr)
                self.nothing_written("song.mid")

    def test_one_of_two_is_there(self):
        for there, made in (("t.wav", {"t-2.wav", "t.mid"}), ("t.mid", {"t.wav", "t-2.mid"})):
            self.write(there, b"kept")
            done = self.go(("record", "-a", "null", "-m", "none", "-i", INSTRUMENT, "--duration", "0.1", self.path("t.wav"),
                            "--record-midi", self.path("t.mid")))
            self.assertEqual(done.returncode, DONE, done.stderr)
            self.assertIn(b"is there already", done.stderr)
            self.assertEqual(self.read(there), b"kept")
            self.assertEqual(set(os.listdir(self.folder)) - {"song.mid", there}, made)
            self.clean()


@unittest.skipIf(FAILING is None, "no library that makes calls fail (a sanitizer has an allocator of its own)")
class Nth(Faults):
    """The n-th call for memory, a file or a thread fails, and all after it, or that one only."""

    def failing(self, kind, at, once, arguments):
        """@return what was done, and whether the n-th call came."""
        ours, theirs = os.pipe()
        env = {"LD_PRELOAD": FAILING, "HTZ_FAIL": kind, "HTZ_FAIL_AT": str(at), "HTZ_FAIL_ONCE": str(int(once)),
               "HTZ_FAIL_MARK": str(theirs)}
        done = self.go(arguments, env=env, fds=[theirs])
        os.close(theirs)
        came = os.read(ours, 1) != b""
        os.close(ours)
        return done, came

    def every(self, kind, places):
        for name, arguments, files in self.commands():
            has_threads = arguments[0] in ("render", "play", "record")
            for once in (False, True):
                for at in places:
                    self.clean()
                    done, came = self.failing(kind, at, once, arguments)
                    self.assertTrue(came or at > 1 or (kind == "thread" and not has_threads), "nothing failed")
                    self.judge(done, files, (name, kind, at, once), NO_MORE[kind])
                    if not came:
                        self.assertEqual(done.returncode, DONE, done.stderr)
                        break
                else:
                    self.assertTrue(kind == "memory", (name, "more calls than were tried"))

    def test_threads(self):
        self.every("thread", range(1, 30))

    def test_files(self):
        self.every("open", range(1, 60))

    def test_memory(self):
        rng = random.Random(11)
        some = sorted({1, 2, 3, 5, 8} | {int(10 ** rng.uniform(1.0, 3.3)) for _ in range(20)})
        self.every("memory", range(1, 3000) if LONG else some)


if __name__ == "__main__":
    main()
