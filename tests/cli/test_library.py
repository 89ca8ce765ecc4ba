#!/usr/bin/env python3
"""libhertzian as another program finds it: installed, compiled against from C and C++, the same sound as the program's own."""
import array
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import wave

HERTZIAN = pathlib.Path(os.environ["HERTZIAN"])
SOURCE = pathlib.Path(os.environ["HERTZIAN_SOURCE"])
EXAMPLE = SOURCE / "docs" / "examples" / "chord.c"
C = ["gcc", "-std=c11"]
CXX = ["g++", "-std=c++17", "-x", "c++"]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*command, **more):
    return subprocess.run([str(c) for c in command], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more).stdout


def sanitized(library):
    return "__asan_init" in run("nm", library) or "__tsan_init" in run("nm", library)


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.folder.name) / "installed"
        run("cmake", "--install", HERTZIAN.parent, "--prefix", cls.prefix)
        cls.lib = next(cls.prefix.rglob("libhertzian.a")).parent
        cls.environment = dict(
            os.environ, PKG_CONFIG_PATH=str(cls.lib / "pkgconfig"), LD_LIBRARY_PATH=str(cls.lib), HERTZIAN_INSTRUMENTS=str(SOURCE / "instruments")
        )

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def flags(self, *more):
        return run("pkg-config", *more, "--cflags", "--libs", "hertzian", env=self.environment).split()

    def compile(self, compiler, name, static):
        program = pathlib.Path(self.folder.name) / name
        flags = self.flags("--static") if static else self.flags()
        if static:
            flags = [str(self.lib / "libhertzian.a") if f == "-lhertzian" else f for f in flags]
        tail = ["-x", "none"] if compiler is CXX else []
        run(*compiler, *STRICT, EXAMPLE, *tail, "-o", program, *flags)
        return program

    def chord(self, program, *arguments):
        output = pathlib.Path(self.folder.name) / (program.name + ".wav")
        run(program, *(arguments or ["vibraphone"]), output, env=self.environment)
        with wave.open(str(output)) as sound:
            self.assertEqual((sound.getnchannels(), sound.getframerate()), (2, 48000))
            return array.array("h", sound.readframes(sound.getnframes()))

    def test_both_languages_and_both_libraries_give_the_same_sound(self):
        sounds = []
        for compiler in (C, CXX):
            for static in (False, True):
                program = self.compile(compiler, f"{compiler[0]}-{'static' if static else 'shared'}", static)
                needed = run("readelf", "-d", program)
                self.assertEqual("libhertzian.so" in needed, not static)
                sounds.append(self.chord(program))
        self.assertGreater(max(abs(s) for s in sounds[0]), 300)  # -40 dBFS
        for other in sounds[1:]:
            self.assertEqual(sounds[0], other)

    def test_it_sounds_as_the_program_renders_it(self):
        """The same notes as a song: within a step of 16 bits, as the example rounds towards zero and the program to the nearest."""
        events = [(int(48000 * i / 50), bytes([0x90, key, 90])) for i, key in enumerate((48, 55, 60, 64))]
        events += [(3 * 48000, bytes([0x80, key, 64])) for key in (48, 55, 60, 64)]
        track, last = b"\x00\xff\x51\x03" + (1000000).to_bytes(3, "big"), 0  # 24000 ticks of a second
        for frame, message in events:
            tick = frame // 2
            track += varlen(tick - last) + message
            last = tick
        track += b"\x00\xff\x2f\x00"
        song = pathlib.Path(self.folder.name) / "chord.mid"
        song.write_bytes(b"MThd" + bytes([0, 0, 0, 6, 0, 0, 0, 1]) + (24000).to_bytes(2, "big") + b"MTrk" + len(track).to_bytes(4, "big") + track)
        rendered = song.with_suffix(".raw")
        run(HERTZIAN, "render", "-q", "-i", "vibraphone", "-f", "raw", "-e", "f32", "--tail", "2", song, "-o", rendered, env=self.environment)
        expected = array.array("f", rendered.read_bytes())
        sound = self.chord(self.compile(C, "compared", False))
        self.assertGreater(len(sound), 4 * 48000)
        self.assertLessEqual(max(abs(a / 32767 - b) for a, b in zip(sound, expected)), 1.5 / 32767)

    def test_found_by_cmake(self):
        project = pathlib.Path(self.folder.name) / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\nproject(chord LANGUAGES C)\nfind_package(hertzian 0.2 REQUIRED)\n"
            f"add_executable(shared {EXAMPLE})\ntarget_link_libraries(shared PRIVATE hertzian::hertzian)\n"
            f"add_executable(static {EXAMPLE})\ntarget_link_libraries(static PRIVATE hertzian::static)\n"
        )
        run("cmake", "-S", project, "-B", project / "build", f"-Dhertzian_DIR={self.lib / 'cmake' / 'hertzian'}")
        run("cmake", "--build", project / "build")
        self.assertEqual(self.chord(project / "build" / "shared"), self.chord(project / "build" / "static"))

    def test_an_installed_tree_may_be_moved(self):
        moved = pathlib.Path(self.folder.name) / "moved"
        shutil.copytree(self.prefix, moved, symlinks=True)
        instruments = next(moved.rglob("vibraphone.yaml")).parent
        shutil.copy(instruments / "vibraphone.yaml", instruments / "only-here.yaml")
        environment = {name: value for name, value in self.environment.items() if name != "HERTZIAN_INSTRUMENTS"}
        self.assertIn("only-here", run(next(moved.rglob("bin/hertzian")), "instruments", env=environment))
        environment["LD_LIBRARY_PATH"] = str(next(moved.rglob("libhertzian.so")).parent)
        output = pathlib.Path(self.folder.name) / "moved.wav"
        run(self.compile(C, "mover", False), "only-here", output, env=environment)
        self.assertGreater(output.stat().st_size, 1000)

    def test_what_is_wrong_is_said(self):
        program = self.compile(C, "wrong", False)
        done = subprocess.run([program, "no-such-instrument"], env=self.environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no-such-instrument", done.stderr)
        if os.path.exists("/dev/full"):
            done = subprocess.run([program, "vibraphone", "/dev/full"], env=self.environment, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("No space", done.stderr)

    def test_nothing_but_the_interface_is_seen(self):
        header = (SOURCE / "include" / "hertzian" / "hertzian.h").read_text()
        shared = {line.split()[-1] for line in run("nm", "-D", "--defined-only", self.lib / "libhertzian.so").splitlines()}
        self.assertGreater(len(shared), 10)
        for name in shared:
            self.assertTrue(name.startswith("htz_"), name)
            self.assertIn(name + "(", header)
        declared = {word.split("(")[0].split()[-1].lstrip("*") for word in header.split("HTZ_API ")[1:] if "(" in word.split(";")[0]}
        self.assertEqual({name for name in declared if name.startswith("htz_")}, shared)

    def test_every_symbol_has_the_prefix(self):
        names = [line.split() for line in run("nm", "-g", "--defined-only", self.lib / "libhertzian.a").splitlines()]
        names = [fields[2] for fields in names if len(fields) == 3]
        self.assertGreater(len(names), 100)
        self.assertEqual([name for name in names if not name.startswith("htz_")], [])

    def test_the_example_is_short(self):
        self.assertLess(len(EXAMPLE.read_text().splitlines()), 60)


def varlen(value):
    data = [value & 127]
    while value > 127:
        value >>= 7
        data.append(value & 127 | 128)
    return bytes(reversed(data))


if __name__ == "__main__":
    missing = [tool for tool in ("cmake", "gcc", "g++", "pkg-config", "nm", "readelf") if not shutil.which(tool)]
    if missing or sanitized(HERTZIAN.parent / "libhertzian.a"):
        print("skipped:", "not there: " + ", ".join(missing) if missing else "the library is built with a sanitizer")
        sys.exit(77)
    unittest.main()
