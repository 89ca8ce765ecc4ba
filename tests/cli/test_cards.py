"""Sound cards of every kind, made up by a PortAudio of the tests' own: which is taken, what of it is played to, what is said."""

import json
import os
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from live import LiveCase, on, pause  # noqa: E402
from support import DONE, PROGRAM, main, run  # noqa: E402

DEVICE = 3
FAKE = os.environ.get("FAKE_PORTAUDIO")
USUAL = "44100,48000,96000"


class CardCase(LiveCase):
    def setUp(self):
        super().setUp()
        if not FAKE:
            self.skipTest("no PortAudio to build one like it")
        path = FAKE + (":" + os.environ["LD_LIBRARY_PATH"] if os.environ.get("LD_LIBRARY_PATH") else "")
        self.env = dict(os.environ, LD_LIBRARY_PATH=path, FAKE_PORTAUDIO_DEVICES=self.path("devices"),
                        FAKE_PORTAUDIO_HEARD=self.path("heard"), JACK_DEFAULT_SERVER="hertzian-test-nobody", JACK_NO_START_SERVER="1")

    def there_are(self, *devices):
        """Devices as (name, outputs, rates, what else)."""
        lines = ["|".join(map(str, (*d, *("", USUAL, "-")[len(d) - 1:]))) + "\n" for d in devices]
        with open(self.path("new"), "w", encoding="utf-8") as file:
            file.writelines(lines)
        os.rename(self.path("new"), self.path("devices"))

    def play(self, *args, key=None):
        """Play a note on what there is. (exit code, lines said, statistics)"""
        raw = ["--midi-raw", self.write("note", bytes(on(key)))] if key else []
        return run("play", "-m", "none", "-i", "glockenspiel", "--limiter", "off", "--stats", "--duration", "0.5", *raw, *args, env=self.env)

    def played(self, *args, key=None):
        result = self.play(*args, key=key)
        self.assertEqual(result.code, DONE, result.err)
        self.lines = result.lines
        return json.loads(result.out)

    def heard(self):
        return [float(line) for line in self.read("heard").split()]

    def refused(self, *args, words=()):
        self.one_error(self.play(*args), DEVICE, *words)


class Choice(CardCase):
    CARD = "Scarlett 2i2 USB: USB Audio (hw:2,0)"

    def test_what_programs_share_comes_first(self):
        for gone, best in ((0, "default"), (1, "pulse"), (2, "sysdefault")):
            self.there_are(*[(self.CARD, 2), ("sysdefault", 128), ("pulse", 32), ("default", 32, USUAL, "default")][:4 - gone])
            self.assertEqual(self.played()["audio"], best)
            self.assertFalse(any("alone" in line for line in self.lines), self.lines)

    def test_U94_a_card_alone_where_there_is_nothing_else(self):
        self.there_are(("HDMI: HDMI 0 (hw:0,3)", 8), ("Loopback: Loopback PCM (hw:1,0)", 32), (self.CARD, 2))
        self.assertEqual(self.played()["audio"], self.CARD)
        self.assertEqual(len([line for line in self.lines if "alone" in line and self.CARD in line]), 1)
        listed = json.loads(run("devices", "audio", "--json", env=self.env).out)["audio"]
        self.assertEqual([d["name"] for d in listed if d["default"]], [self.CARD])
        self.played("-a", "scarlett")
        self.assertFalse(any("alone" in line for line in self.lines), self.lines)  # whoever names it knows

    def test_not_because_the_shared_one_is_busy(self):
        self.there_are((self.CARD, 2), ("default", 32, USUAL, "default,busy"))
        self.refused(words=("default", "busy"))

    def test_a_loopback_is_no_output_by_itself(self):
        self.there_are(("Loopback: Loopback PCM (hw:1,0)", 32))
        self.refused(words=("no audio output found", "--audio null"))
        self.assertEqual(self.played("-a", "loopback")["audio"], "Loopback: Loopback PCM (hw:1,0)")

    def test_wide_names_keep_the_columns(self):
        wide = "A Device Whose Maker Was Fond of Long Names, Königsklasse: USB Audio (hw:3,0)"
        self.there_are((wide, 2), ("default", 32, USUAL, "default"))
        lines = [line for line in run("devices", "audio", env=self.env).out.decode().split("\n") if "alsa" in line]
        self.assertEqual(len(lines), 2)
        self.assertEqual(len({line.index("alsa") for line in lines}), 1, lines)
        self.assertIn(wide, lines[0])


class Rates(CardCase):
    def test_U20_the_good_ones_are_said(self):
        self.there_are(("default", 2, "48000,96000", "default"), ("hw:5,0", 2, "32000", "unlisted"))
        self.refused("-r", "44100", words=("44100", "48000 and 96000 Hz"))
        self.refused("-a", "alsa:hw:5,0", "-r", "48000", words=("hw:5,0", "it runs at 32000 Hz"))
        self.assertEqual(self.played("-r", "96000")["rate_hz"], 96000)
        self.assertEqual(self.played("-r", "auto")["rate_hz"], 48000)
        self.assertEqual(self.played("-a", "alsa:hw:5,0")["rate_hz"], 32000)

    def test_a_device_that_is_not_there_is_not_said_to_have_another(self):
        self.there_are(("default", 2, "48000", "default"))
        self.refused("-a", "alsa:hw:9,0", "-r", "44100", words=('no audio output "alsa:hw:9,0"',))


class Outputs(CardCase):
    def test_U19_one_channel_gets_the_mean(self):
        self.there_are(("Box: Mono (hw:0,0)", 1))
        stats = self.played("-a", "box", key=72)
        self.assertEqual(stats["channels"], [1, 1])
        self.assertEqual(len([line for line in self.lines if "has one channel" in line]), 1)
        self.assertEqual(len(self.heard()), 1)
        self.assertGreater(self.heard()[0], 1e-4)

    def test_U19_others_than_the_first_two(self):
        self.there_are(("Desk: Eight (hw:0,0)", 8))
        stats = self.played("-a", "desk", "--channels", "3,4", key=72)
        self.assertEqual(stats["channels"], [3, 4])
        peaks = self.heard()
        self.assertEqual(peaks[:2], [0, 0])
        self.assertGreater(min(peaks[2:4]), 1e-4)
        self.assertEqual(peaks[4:], [0] * len(peaks[4:]))
        straight = peaks[2:4]
        self.played("-a", "desk", "--channels", "4,3", key=72)  # crossed
        self.assertEqual(self.heard()[2:4], straight[::-1])
        self.played("-a", "desk", "--channels", "7", key=72)
        peaks = self.heard()
        self.assertEqual(peaks[:6], [0] * 6)
        self.assertGreater(peaks[6], 0.4 * min(straight))
        self.assertLessEqual(peaks[6], max(straight))

    def test_what_it_does_not_have(self):
        self.there_are(("Desk: Eight (hw:0,0)", 8), ("default", 2, USUAL, "default"), ("Box: Mono (hw:1,0)", 1))
        self.refused("-a", "desk", "--channels", "8,9", words=("no channel 9", "1 to 8"))
        self.refused("--channels", "3,4", words=("default", "no channel 4", "1 to 2"))
        self.refused("-a", "box", "--channels", "1,2", words=("no channel 2", "only one"))
        self.assertEqual(self.played("-a", "box", "--channels", "1")["channels"], [1, 1])

    def test_what_is_no_output(self):
        for value in ("0", "1,0", "129", "1,2,3", "x", "1,", "", "-1", "1.5"):
            self.one_error(run("play", "-a", "null", "-m", "none", "-i", "glockenspiel", "--channels=" + value), 2, "--channels")
        self.assertEqual(self.played("-a", "null", "--channels", "5,6")["channels"], [5, 6])


class PulledOut(CardCase):
    def test_it_is_found_under_another_number(self):
        def card(number):
            return "Scarlett 2i2 USB: USB Audio (hw:%d,0)" % number
        other = "Other: USB Audio (hw:1,0)"
        self.there_are((card(1), 2), ("default", 2, USUAL, "default"))
        with open(self.path("said"), "wb") as words:
            program = subprocess.Popen([PROGRAM, "play", "-a", "scarlett", "-m", "none", "-i", "glockenspiel", "--stats"], env=self.env,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=words)
        self.addCleanup(lambda: (program.kill(), program.wait(), program.stdout.close()))
        self.wait_until(lambda: "audio" in self.read("said").decode())
        self.there_are(("default", 2, USUAL, "default"))
        self.wait_until(lambda: "lost" in self.read("said").decode())
        self.there_are((other, 2), (card(2), 2), ("default", 2, USUAL, "default"))
        self.wait_until(lambda: "audio: connected" in self.read("said").decode())
        pause(0.3)
        program.send_signal(signal.SIGTERM)
        out = program.communicate(timeout=20)[0]
        self.assertEqual(program.returncode, DONE)
        self.assertEqual(json.loads(out)["audio"], card(2))
        self.assertIn('connected "%s"' % card(2), self.read("said").decode())


if __name__ == "__main__":
    main()
