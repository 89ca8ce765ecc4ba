"""The files themselves: every container with every encoding, read by a parser of our own, sizes and headers exact."""

import os
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from support import Case, RATE, Sound, USAGE, decode, integers, main, run  # noqa: E402

BITS = {"s16": 16, "s24": 24, "s32": 32, "f32": 32}


class Formats(Case):
    def setUp(self):
        super().setUp()
        self.made = self.song(spec=((0.0, 60, 120, 0.1), (0.05, 76, 90, 0.1)))
        self.render(self.made, "-q", "-f", "raw", "-e", "f32", "--tail", "0.1", "-o", self.path("exact"))
        self.exact = decode(self.read("exact"), 32, True)

    def check(self, sound, encoding):
        self.assertEqual((sound.channels, sound.rate, sound.bits, sound.floating),
                         (2, RATE, BITS[encoding], encoding == "f32"))
        self.assertEqual(sound.frames, RATE // 4)
        self.close(sound.samples(), encoding)

    def close(self, got, encoding):
        self.assertEqual(len(got), len(self.exact))
        # Half a step of rounding; one and a half with dither.
        step = 0.0 if encoding == "f32" else 1.0 / (1 << (BITS[encoding] - 1))
        limit = step * (1.5 if encoding == "s16" else 0.5)
        for a, b in zip(got, self.exact):
            self.assertLessEqual(abs(a - b), limit * (1.0 + 1e-9))

    def test_containers_with_a_header(self):
        kinds = {"wav": "RIFF", "rf64": "RF64", "w64": "W64"}
        for container, kind in kinds.items():
            for encoding in BITS:
                with self.subTest(container=container, encoding=encoding):
                    self.render(self.made, "-q", "-e", encoding, "--tail", "0.1", "-o", self.path("out." + container))
                    sound = Sound(self.read("out." + container))
                    self.assertEqual(sound.kind, kind)
                    self.check(sound, encoding)
                    if container != "w64":
                        self.assertNotIn(b"PEAK", sound.chunks)  # it would carry the time of day

    def test_a_closed_standard_output_is_no_success(self):
        for words in (["render", self.made, "-q", "-i", "glockenspiel", "-o", "-", "-f", "wav"],
                      ["render", self.made, "-q", "-i", "glockenspiel", "--json", "-o", self.path("out.wav")],
                      ["instruments"]):
            with self.subTest(words=words):
                done = subprocess.run([os.environ["HERTZIAN"], *words], preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE,
                                      text=True, check=False)
                self.assertEqual(done.returncode, 5, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_raw(self):
        for encoding, bits in BITS.items():
            self.render(self.made, "-q", "-e", encoding, "--tail", "0.1", "-o", self.path("out.raw"))
            body = self.read("out.raw")
            self.assertEqual(len(body), RATE // 4 * 2 * bits // 8)
            self.close(decode(body, bits, encoding == "f32"), encoding)

    def test_flac(self):
        for encoding in ("s16", "s24"):
            self.render(self.made, "-q", "-e", encoding, "--tail", "0.1", "-o", self.path("out.flac"))
            data = self.read("out.flac")
            self.assertEqual(data[:4], b"fLaC")
            # STREAMINFO: 20 bits of rate, 3 of channels - 1, 5 of bits - 1, 36 of frames.
            packed = struct.unpack(">Q", data[18:26])[0]
            self.assertEqual((packed >> 44, packed >> 41 & 7, packed >> 36 & 31, packed & 0xFFFFFFFFF),
                             (RATE, 1, BITS[encoding] - 1, RATE // 4))
            if shutil.which("sndfile-convert"):
                pcm = "-pcm%d" % BITS[encoding]
                subprocess.run(["sndfile-convert", pcm, self.path("out.flac"), self.path("back.w64")], check=True,
                               stdout=subprocess.DEVNULL)
                self.render(self.made, "-q", "-f", "raw", "-e", encoding, "--tail", "0.1", "-o", self.path("raw"))
                self.assertEqual(Sound(self.read("back.w64")).integers(), integers(self.read("raw"), BITS[encoding]))

    def test_ending_decides_and_format_overrides(self):
        self.render(self.made, "-q", "-o", self.path("OUT.FLAC"))
        self.assertEqual(self.read("OUT.FLAC")[:4], b"fLaC")
        self.render(self.made, "-q", "-f", "w64", "-o", self.path("out.wav"))
        self.assertEqual(self.read("out.wav")[:4], b"riff")
        self.render(self.made, "-q", "-f", "rf64")
        self.assertEqual(self.read("song.rf64")[:4], b"RF64")

    def test_what_does_not_go_together(self):
        for args, word in ((("-f", "flac", "-e", "f32"), "flac"), (("-f", "flac", "-e", "s32"), "flac"),
                           (("-o", self.path("x.mp3")), "x.mp3"), (("-o", self.path("x")), "ending"),
                           (("-o", self.path("x.flac"), "-e", "s32"), "flac")):
            self.one_error(run("render", self.made, *args), USAGE, word)
        self.nothing_written("song.mid", "exact")

    def test_rates(self):
        for rate in ("8000", "11025", "44100", "96000", "192000"):
            for container in ("wav", "flac"):
                self.render(self.made, "-q", "-r", rate, "-f", container, "--tail", "0.1", "-o", self.path("out"))
                if container == "wav":
                    sound = Sound(self.read("out"))
                    self.assertEqual((sound.rate, sound.frames), (int(rate), int(0.15 * int(rate) + 0.5) + int(0.1 * int(rate) + 0.5)))

    def test_rates_that_a_format_cannot_hold(self):
        for rate in ("65537", "191999", "70001"):
            self.one_error(run("render", self.made, "-r", rate, "-o", self.path("x.flac")), USAGE, rate, "multiples of 10")
        self.nothing_written("song.mid", "exact")
        self.render(self.made, "-q", "-r", "65540", "--tail", "0.1", "-o", self.path("x.flac"))
        self.render(self.made, "-q", "-r", "65537", "--tail", "0.1", "-o", self.path("x.wav"))
        self.assertEqual(Sound(self.read("x.wav")).rate, 65537)

    def test_temporary_folder_is_left_clean(self):
        os.mkdir(self.path("tmp"))
        env = {"TMPDIR": self.path("tmp")}
        self.render(self.made, "-q", "-o", "-", env=env)
        self.render(self.made, "-q", "--normalize", "-o", self.path("n.wav"), env=env)
        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.one_error(run("render", self.made, "-q", "-o", "-", env={"TMPDIR": self.path("none")}), 5, "TMPDIR")


if __name__ == "__main__":
    main()
