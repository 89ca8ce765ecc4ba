"""Two writers of one name, what a killed one left, and what others put where the temporary file goes."""

import fcntl
import os
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
from support import Case, DONE, OUTPUT, PROGRAM, Sound, main, notes, run, smf  # noqa: E402

INSTRUMENT = "glockenspiel"  # the cheapest
QUICK = "papetti-fig1"       # an experiment of milliseconds


class Part(Case):
    def song(self, name, key=60, count=40):
        return self.write(name, smf([notes([(i / 8, key + i % 5, 100, 0.2) for i in range(count)])]))

    def alone(self, song, name):
        self.render(song, "-q", "-i", INSTRUMENT, "-o", self.path(name))
        return self.read(name)

    def at_once(self, *commands):
        """Exit codes and what is said, of renders that begin together."""
        processes = [subprocess.Popen([PROGRAM, "render", "-q", "-i", INSTRUMENT, *command], stdin=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE) for command in commands]
        said = [process.communicate(timeout=120)[1].decode() for process in processes]
        return [(process.returncode, text) for process, text in zip(processes, said)]

    def test_two_renders_do_not_mix(self):
        songs = [self.song("a.mid", 60), self.song("b.mid", 72)]
        whole = [self.alone(song, "alone.wav") for song in songs]
        os.unlink(self.path("alone.wav"))
        for _ in range(3):
            done = self.at_once(*[(song, "-o", self.path("x.wav")) for song in songs])
            result = self.read("x.wav")
            self.assertIn(result, whole)
            self.assertIn(DONE, [code for code, _ in done])
            for (code, said), mine in zip(done, whole):
                if code != DONE:
                    self.assertEqual(code, OUTPUT, said)
                    self.assertIn("another program is writing it", said)
                elif done[0][0] != done[1][0]:
                    self.assertEqual(result, mine)  # the only one that says it has succeeded
            self.nothing_written("a.mid", "b.mid", "x.wav")
            os.unlink(self.path("x.wav"))

    def test_one_of_many_without_clobber(self):
        song = self.song("a.mid", count=4)
        done = self.at_once(*[(song, "--no-clobber", "-o", self.path("x.wav")) for _ in range(6)])
        self.assertEqual(sorted(code for code, _ in done), [DONE] + [OUTPUT] * 5, done)
        Sound(self.read("x.wav"))
        self.nothing_written("a.mid", "x.wav")

    def test_what_appears_meanwhile_is_kept(self):
        song = self.song("a.mid", count=2000)
        process = subprocess.Popen([PROGRAM, "render", "-q", "-i", INSTRUMENT, "--end", "60", "--no-clobber", song],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not os.path.exists(self.path("a.wav.part")):
            self.assertIsNone(process.poll())
            time.sleep(0.002)
        self.write("a.wav", b"mine")
        said = process.communicate(timeout=120)[1].decode()
        self.assertEqual(process.returncode, OUTPUT, said)
        self.assertIn("--no-clobber", said)
        self.assertEqual(self.read("a.wav"), b"mine")
        self.nothing_written("a.mid", "a.wav")

    def test_a_left_over_part_is_replaced(self):
        song = self.song("a.mid", count=4)
        self.write("precious", b"of another name")
        os.link(self.path("precious"), self.path("a.wav.part"))
        self.render(song, "-q", "-i", INSTRUMENT)
        self.assertEqual(self.read("precious"), b"of another name")
        self.nothing_written("a.mid", "a.wav", "precious")

    def test_one_that_is_written_is_not(self):
        song = self.song("a.mid", count=4)
        self.write("a.wav.part", b"somebody's")
        with open(self.path("a.wav.part"), "rb+") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.one_error(run("render", song, "-q", "-i", INSTRUMENT), OUTPUT, "a.wav: another program is writing it")
        self.assertEqual(self.read("a.wav.part"), b"somebody's")
        self.render(song, "-q", "-i", INSTRUMENT)

    def test_planted_links_are_not_followed(self):
        song = self.song("a.mid", count=4)
        self.write("victim", b"precious")
        for target in ("victim", "nowhere"):
            for command in ((("render", song, "-q", "-i", INSTRUMENT, "-o", self.path("x.wav")), "x.wav.part"),
                            (("lab", "run", QUICK, "--out", self.path("x.csv")), "x.csv.part")):
                os.symlink(target, self.path(command[1]))
                self.one_error(run(*command[0]), OUTPUT, ".part is in the way")
                self.assertTrue(os.path.islink(self.path(command[1])))
                os.unlink(self.path(command[1]))
        self.assertEqual(self.read("victim"), b"precious")
        self.nothing_written("a.mid", "victim")

    def test_what_is_no_file_is_refused(self):
        song = self.song("a.mid", count=4)
        os.mkfifo(self.path("a.wav.part"))
        self.one_error(run("render", song, "-q", "-i", INSTRUMENT), OUTPUT, ".part is in the way")
        self.nothing_written("a.mid", "a.wav.part")

    def test_two_tables_do_not_mix(self):
        path = self.path("x.csv")
        self.assertEqual(run("lab", "run", QUICK, "--out", path).code, DONE)
        whole = self.read("x.csv")
        codes = []

        def one():
            codes.append(run("lab", "run", QUICK, "--out", path).code)
        threads = [threading.Thread(target=one) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLessEqual(set(codes), {DONE, OUTPUT})
        self.assertEqual(self.read("x.csv"), whole)
        self.nothing_written("x.csv")


if __name__ == "__main__":
    main()
