#!/usr/bin/env python3
"""`hertzian devices`: the list that a player reads and the one that a script reads, also where there is nothing to list."""

import glob
import json
import os
import unittest

from support import DONE, USAGE, Case, run

# No JACK server of somebody else's is to be met.
QUIET = {"JACK_DEFAULT_SERVER": "hertzian-test-nobody", "JACK_NO_START_SERVER": "1"}


def has_card():
    return os.path.exists("/proc/asound/cards") or os.path.exists("/dev/dsp")


class Devices(Case):
    def devices(self, *args):
        result = run("devices", *args, env=QUIET)
        self.assertEqual(result.code, DONE, result.err)
        self.assertEqual(result.err, "")
        return result.out.decode()

    def test_json_has_both_lists(self):
        found = json.loads(self.devices("--json"))
        self.assertIsInstance(found["audio"], list)
        self.assertIsInstance(found["midi"], list)
        self.assertIsInstance(found["audio_in"], list)
        for device in found["audio"] + found["audio_in"]:
            self.assertEqual(sorted(device), ["api", "busy", "channels", "default", "latency_s", "name", "rates"])
            self.assertNotIn("(hw:", device["name"] if device["default"] else "")
        for port in found["midi"]:
            self.assertEqual(sorted(port), ["default", "name", "skipped"])
            self.assertFalse(port["default"] and "Midi Through" in port["name"])
        self.assertLessEqual(sum(device["default"] for device in found["audio"]), 1)

    def test_one_kind_alone(self):
        self.assertEqual(list(json.loads(self.devices("audio", "--json"))), ["audio", "audio_in"])
        self.assertEqual(list(json.loads(self.devices("--json", "midi"))), ["midi"])
        self.assertNotIn("MIDI", self.devices("audio"))
        self.assertNotIn("audio", self.devices("midi").lower())

    def test_nothing_there_is_said_and_is_no_error(self):
        if has_card():
            self.skipTest("there is a sound card")
        text = self.devices()
        self.assertIn("no audio output found", text)
        self.assertIn("no MIDI input found", text)
        self.assertEqual(json.loads(self.devices("--json")), {"audio": [], "audio_in": [], "midi": []})

    def loaded(self, *args):
        """Shared libraries that a run of the program opens, as the dynamic linker tells (glibc's only)."""
        result = run(*args, env={**QUIET, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": self.path("linker")})
        text = ""
        for path in glob.glob(self.path("linker*")):
            with open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()
        if "libc.so" not in text:
            self.skipTest("this dynamic linker tells nothing")
        return result, text

    def test_null_and_render_touch_no_driver(self):
        result, text = self.loaded("play", "-a", "null", "-m", "none", "-i", "marimba", "--duration", "0.2")
        self.assertEqual(result.code, DONE, result.err)
        result, more = self.loaded("render", self.song(), "-i", "marimba", "-o", self.path("song.wav"))
        self.assertEqual(result.code, DONE, result.err)
        for library in ("portaudio", "portmidi", "libjack"):
            self.assertNotIn(library, text + more)

    def test_other_words_are_usage_errors(self):
        self.one_error(run("devices", "video", env=QUIET), USAGE, "video", "audio|midi")
        self.one_error(run("devices", "audio", "midi", env=QUIET), USAGE, "midi")


if __name__ == "__main__":
    unittest.main()
