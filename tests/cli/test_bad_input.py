"""Whatever is wrong with what comes in or cannot go out: the code, one line, and no file that looks like a result."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, INPUT, OUTPUT, SONGS, SOURCE, Sound, USAGE, main, run  # noqa: E402


class Songs(Case):
    def copy(self, name):
        with open(os.path.join(SONGS, name), "rb") as file:
            return self.write(name, file.read())

    def test_damaged_songs_play_as_far_as_they_go(self):
        for name in ("bad_trunc", "alien", "manytrk", "hugetrk"):
            with self.subTest(name=name):
                song = self.copy(name + ".mid")
                result = self.render(song, "-r", "8000")
                warnings = [line for line in result.lines if "warning" in line]
                self.assertEqual(len(warnings), 1, result.err)
                self.assertTrue(warnings[0].startswith("hertzian: " + song + ": "), result.err)
                self.assertGreater(Sound(self.read(name + ".wav")).frames, 0)

    def test_foreign_chunk_is_skipped(self):
        # The file declares one track more than it has: that is the one warning.
        self.render(self.copy("alien.mid"), "-r", "8000")
        self.assertGreater(Sound(self.read("alien.wav")).frames, 0)

    def test_strict(self):
        for name in ("bad_trunc", "alien", "manytrk", "hugetrk"):
            with self.subTest(name=name):
                song = self.copy(name + ".mid")
                self.one_error(run("render", song, "--strict"), INPUT, song)
                os.remove(song)
        self.nothing_written()

    def test_nothing_to_play(self):
        for name in ("bad_magic", "empty", "div0"):
            for args in ((), ("--strict",)):
                with self.subTest(name=name, args=args):
                    song = self.copy(name + ".mid")
                    result = run("render", song, *args)
                    self.one_error(result, INPUT, song)
                    self.assertEqual(len(result.lines), 1)
                    os.remove(song)
        self.nothing_written()

    def test_what_it_starts_with_is_told(self):
        result = run("render", self.copy("bad_magic.mid"))
        self.assertIn("not a Standard MIDI File (starts with \"hell\")", result.err)

    def test_missing_unreadable_and_folder(self):
        self.one_error(run("render", self.path("missing.mid")), INPUT, "missing.mid")
        os.mkdir(self.path("folder.mid"))
        self.one_error(run("render", self.path("folder.mid")), INPUT, "folder.mid")
        if os.geteuid() != 0:
            song = self.song("closed.mid")
            os.chmod(song, 0)
            self.one_error(run("render", song), INPUT, "closed.mid")
            os.remove(song)
        self.nothing_written()

    def test_bad_song_from_standard_input(self):
        self.one_error(run("render", "-", "-o", self.path("x.wav"), stdin=b"hello"), INPUT, "standard input")
        self.one_error(run("render", "-", "-o", self.path("x.wav"), stdin=b""), INPUT, "standard input")
        result = run("render", "-", "-o", "-", stdin=b"hello")
        self.one_error(result, INPUT, "standard input")
        self.assertEqual(result.out, b"")
        self.nothing_written()

    def test_control_characters_do_not_reach_the_terminal(self):
        result = run("render", self.path("a\x1b[31m\n.mid"))
        self.one_error(result, INPUT, "\\x1b")
        self.assertEqual(len(result.lines), 1)


class Instruments(Case):
    def setUp(self):
        super().setUp()
        self.made = self.song()
        with open(os.path.join(SOURCE, "instruments", "marimba.yaml"), encoding="utf-8") as file:
            self.marimba = file.read()

    def test_unknown_name(self):
        result = run("render", self.made, "-i", "marimbo")
        self.one_error(result, INPUT, "marimb")
        self.nothing_written("song.mid")

    def test_missing_file(self):
        self.one_error(run("render", self.made, "-i", self.path("missing.yaml")), INPUT, "missing.yaml")
        self.nothing_written("song.mid")

    def test_unknown_key_with_its_place(self):
        file = self.write("odd.yaml", (self.marimba + "\nmallett: 1\n").encode())
        line = len((self.marimba + "\n").splitlines()) + 1
        self.one_error(run("render", self.made, "-i", file), INPUT, "odd.yaml:%d:1: " % line, "mallett")
        self.nothing_written("odd.yaml", "song.mid")

    def test_all_faults_at_once(self):
        file = self.write("odd.yaml", (self.marimba + "\nmallett: 1\nprogramms: [1]\n").encode())
        result = run("render", self.made, "-i", file)
        self.assertEqual(result.code, INPUT)
        self.assertEqual(len([line for line in result.lines if "odd.yaml:" in line]), 2, result.err)
        self.nothing_written("odd.yaml", "song.mid")

    def test_binary_and_empty(self):
        for name, data in (("binary.yaml", bytes(range(256))), ("none.yaml", b"")):
            result = run("render", self.made, "-i", self.write(name, data))
            self.assertEqual(result.code, INPUT, result.err)
            self.assertTrue(all(line.startswith("hertzian: ") for line in result.lines))
        self.nothing_written("binary.yaml", "none.yaml", "song.mid")


class Outputs(Case):
    def setUp(self):
        super().setUp()
        self.made = self.song()

    def test_no_such_folder(self):
        self.one_error(run("render", self.made, "-o", self.path("no", "such.wav")), OUTPUT, "such.wav")
        self.nothing_written("song.mid")

    def test_a_folder_in_the_way(self):
        os.mkdir(self.path("song.wav"))
        self.one_error(run("render", self.made), OUTPUT, "song.wav")
        self.nothing_written("song.mid")

    def test_read_only(self):
        if os.geteuid() == 0:
            self.skipTest("root may write anything")
        kept = self.write("kept.wav", b"old")
        os.chmod(kept, 0o444)
        self.one_error(run("render", self.made, "-o", kept), OUTPUT, "kept.wav")
        self.assertEqual(self.read("kept.wav"), b"old")

    def test_full_device(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for container in ("wav", "flac", "raw"):
            result = run("render", self.made, "-o", "/dev/full", "-f", container)
            self.one_error(result, OUTPUT, "/dev/full", "No space left")
        self.one_error(run("render", self.made, "-o", "/dev/full"), OUTPUT, "/dev/full")
        with open("/dev/full", "wb") as full:
            for container in ("wav", "raw"):
                process = subprocess.run([PROGRAM, "render", self.made, "-o", "-", "-f", container], stdout=full,
                                         stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(process.returncode, OUTPUT)
                self.assertIn(b"standard output: No space left", process.stderr)
            process = subprocess.run([PROGRAM, "render", self.made, "--json", "-q", "--tail", "none"], stdout=full,
                                     stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(process.returncode, OUTPUT)

    def test_full_disk(self):
        # A limit on the size of files stands for a full disk: the write comes up short in both.
        import resource
        def limit():
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        self.write("song.wav", b"old")
        for args in ((), ("-f", "flac"), ("--normalize",)):
            process = subprocess.run([PROGRAM, "render", self.made, "-r", "192000", *args], preexec_fn=limit,
                                     stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(process.returncode, OUTPUT, process.stderr)
            self.assertEqual(process.stderr.count(b"hertzian: "), 1, process.stderr)
            self.nothing_written("song.mid", "song.wav")
            self.assertEqual(self.read("song.wav"), b"old")

    def test_success_replaces_and_failure_does_not(self):
        target = self.write("song.wav", b"old")
        self.render(self.made, "-q")
        good = self.read("song.wav")
        self.assertNotEqual(good, b"old")
        bad = self.write("bad.mid", b"hello")
        run("render", bad, "-o", target)
        self.assertEqual(self.read("song.wav"), good)

    def test_no_clobber(self):
        self.write("song.wav", b"old")
        self.one_error(run("render", self.made, "--no-clobber"), OUTPUT, "song.wav", "--no-clobber")
        self.assertEqual(self.read("song.wav"), b"old")
        self.render(self.made, "--no-clobber", "-q", "-o", self.path("new.wav"))
        self.nothing_written("song.mid", "song.wav", "new.wav")
        self.assertEqual(run("render", self.made, "--no-clobber", "-q", "-o", "/dev/null").code, DONE)

    def test_links_are_written_through(self):
        os.mkdir(self.path("real"))
        self.write("real/target.wav", b"old")
        os.symlink(self.path("real/target.wav"), self.path("link.wav"))
        self.render(self.made, "-q", "-o", self.path("link.wav"))
        self.assertTrue(os.path.islink(self.path("link.wav")))
        self.assertEqual(self.read("real/target.wav")[:4], b"RIFF")
        self.nothing_written("song.mid", "link.wav", "real/target.wav")

    def test_links_to_what_is_not_there_yet_are_written_through(self):
        os.mkdir(self.path("real"))
        os.symlink("real/new.wav", self.path("link.wav"))
        os.symlink("link.wav", self.path("second.wav"))
        self.render(self.made, "-q", "--no-clobber", "-o", self.path("second.wav"))
        self.assertTrue(os.path.islink(self.path("link.wav")) and os.path.islink(self.path("second.wav")))
        self.assertEqual(self.read("real/new.wav")[:4], b"RIFF")
        os.symlink("circle.wav", self.path("circle.wav"))
        self.one_error(run("render", self.made, "-q", "-o", self.path("circle.wav")), OUTPUT, "symbolic links")
        self.nothing_written("song.mid", "link.wav", "second.wav", "circle.wav", "real/new.wav")

    def test_left_over_part_is_no_obstacle(self):
        self.write("song.wav.part", b"what a killed run left" * 100000)
        self.render(self.made, "-q")
        Sound(self.read("song.wav"))
        self.nothing_written("song.mid", "song.wav")

    def test_name_too_long(self):
        result = run("render", self.made, "-o", self.path("x" * 252 + ".wav"))
        self.one_error(result, OUTPUT)
        self.nothing_written("song.mid")


PROGRAM = os.environ.get("HERTZIAN", "hertzian")
assert USAGE == 2

if __name__ == "__main__":
    main()
