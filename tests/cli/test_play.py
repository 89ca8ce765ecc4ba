"""Playing live without hardware: notes sound, sources come and go, floods, signals, what is said."""

import os
import pty
import re
import signal
import subprocess
import sys
import tty

sys.dont_write_bytecode = True
from live import LiveCase, SLACK, SLOW, off, on, pause  # noqa: E402
from support import DONE, INPUT, PROGRAM, USAGE, main, run  # noqa: E402

DEVICE, FAIL_ON = 3, 6
PROMISE = 0.5  # [s] from a signal to the end
DAMPED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures", "instruments", "damped.yaml")


class Play(LiveCase):
    def test_notes_sound_and_the_end_is_clean(self):
        live = self.live()
        for key in (72, 76, 79):
            live.send(on(key))
            pause(0.1)
        took = live.stop()
        self.assertLess(took, PROMISE + SLACK)
        self.assertEqual(live.stats["notes"], 3)
        self.assertGreater(live.stats["peak_dbfs"], -60.0)
        self.assertEqual(live.stats["midi_bytes_lost"], 0)
        self.assertIn("played ", live.said)
        self.assertIn("xruns %d" % live.stats["xruns"], live.said)

    def test_few_lines_without_a_terminal(self):
        live = self.live()
        live.send(on(72))
        pause(0.2)
        live.stop()
        self.assertLessEqual(len(live.said.splitlines()), 3, live.said)

    def test_quiet_says_nothing(self):
        live = self.live("-q")
        pause(0.1)
        live.stop()
        self.assertEqual(live.said, "")

    def test_two_sources_play_together(self):
        live = self.live(fifos=("a", "b"))
        live.send(on(72), "a")
        live.send(on(76, channel=1), "b")
        live.send([0x90, 79], "a")  # half a message; the other source's bytes do not get in between
        live.send(on(84), "b")
        live.send([100], "a")
        pause(0.3)
        live.stop()
        self.assertEqual(live.stats["notes"], 4)

    def test_a_lost_source_releases_what_it_holds_and_nothing_else(self):
        keyboard, port = pty.openpty()  # a terminal that hangs up is a device pulled out
        tty.setraw(port)
        live = self.live("--record-midi", self.path("played.mid"), "--midi-raw", os.ttyname(port), fifos=("b",),
                         instrument=DAMPED)
        pause(0.1)
        os.close(port)
        os.write(keyboard, bytes(on(60) + on(64) + on(60) + [0xB0, 64, 127]))
        live.send(on(67), "b")
        pause(0.3)
        os.close(keyboard)
        pause(0.4)
        live.stop()
        events = midi_events(self.read("played.mid"))
        lost = [frame for frame, data in events if data == b"\xb0\x40\x00"]
        self.assertEqual(len(lost), 1)
        offs = [(frame, data[1]) for frame, data in events if data[0] == 0x80]
        self.assertEqual(sorted(key for frame, key in offs if frame == lost[0]), [60, 60, 64])
        self.assertEqual([key for frame, key in offs if frame > lost[0]], [67])
        self.assertIn("2 notes released", live.said)

    def test_standard_input_ends_and_so_does_the_music(self):
        result = run("play", "-a", "null", "-m", "none", "--midi-raw", "-", "-i", DAMPED, "--record-midi",
                     self.path("x.mid"), stdin=bytes(on(60) + on(64)), timeout=60 * SLOW)
        self.assertEqual(result.code, DONE, result.err)
        events = midi_events(self.read("x.mid"))
        self.assertEqual([data[0] for _, data in events], [0x90, 0x90, 0x80, 0x80])

    def test_twenty_thousand_controllers_then_a_note(self):
        live = self.live("--record-midi", self.path("x.mid"), instrument=DAMPED)
        live.send(on(60))
        for i in range(200):
            live.send(bytes([0xB0, 1, i % 128] * 100))
            pause(0.005)
        live.send(off(60) + on(72) + off(72))
        pause(0.3)
        live.stop()
        self.assertEqual(live.stats["midi_bytes_lost"], 0)
        self.assertEqual(live.stats["midi_messages"], 20004)
        self.assertEqual(live.stats["notes"], 2)
        notes = [data for _, data in midi_events(self.read("x.mid")) if data[0] in (0x80, 0x90)]
        self.assertEqual([(data[0], data[1]) for data in notes], [(0x90, 60), (0x80, 60), (0x90, 72), (0x80, 72)])

    def test_a_flood_faster_than_anything_is_lost_only_aloud(self):
        live = self.live(instrument=DAMPED)
        live.send(on(60))
        for _ in range(40):
            live.send(bytes([0xB0, 1, 5] * 4000))
        live.send(on(72) + off(72))
        pause(0.5)
        live.stop()
        self.assertTrue(live.stats["midi_bytes_lost"] > 0 or live.stats["notes"] == 2, live.said)

    def test_many_controllers_leave_nothing_hanging(self):
        live = self.live("--record", self.path("a.wav"), "-s", "room=0", instrument=DAMPED)
        for batch in range(40):  # 20 000 within a second, of pedals, volume, wheel and what the instrument has
            live.send(bytes(byte for i in range(100) for byte in (0xB0, 64, i, 0xB0, 7, 127 - i, 0xB0, 74, i, 0xB0, 1, i, 0xE0, i, 64)))
            pause(0.02)
        live.send([0xB0, 64, 0, 0xB0, 7, 127, 0xE0, 0, 64])
        live.send(on(72))
        pause(0.4)
        live.send(off(72))
        pause(1.0)
        live.stop()
        self.assertEqual((live.stats["midi_bytes_lost"], live.stats["notes"]), (0, 1), live.said)
        self.assertEqual(live.stats["midi_messages"], 20005)
        samples = self.sound("a.wav").samples()
        self.assertGreater(max(map(abs, samples)), 1e-3)
        self.assertEqual(max(map(abs, samples[-960:])), 0.0)  # released, and the pedal is up

    def test_the_first_note_is_not_kept_waiting(self):
        # A note that waits in the pipe while the program starts; what it waits for is in the numbers, not in the machine's speed.
        live = self.live(instrument="piano", fifos=("in",))
        live.send(on(60))
        pause(0.5)
        live.stop()
        self.assertGreater(live.stats["first_sound_frame"], 0)
        self.assertEqual(live.stats["notes_stood_in"], 0)
        self.assertLess(live.stats["start_s"], 0.5 * SLOW + SLACK)
        print("piano: %.3f s to the first block" % live.stats["start_s"])

    def test_garbage_does_no_harm(self):
        live = self.live()
        live.send(os.urandom(20000))
        live.send([0xF7, 0xFF] + [0xB0 | 3, 121, 0])
        live.send(on(72, channel=3))
        pause(0.3)
        live.stop()
        self.assertGreater(live.stats["notes"], 0)

    def test_panic(self):
        live = self.live("--record", self.path("a.wav"), instrument=DAMPED)
        live.send([b for key in range(60, 72) for b in on(key, 120)])
        pause(0.3)
        live.poke(signal.SIGUSR2)
        pause(0.5)
        live.stop()
        sound = self.sound("a.wav")
        samples = sound.samples()
        step = 480  # 10 ms at 48 kHz
        levels = [max(map(abs, samples[i:i + 2 * step])) for i in range(0, len(samples) - 2 * step, 2 * step)]
        loud = max(i for i, level in enumerate(levels) if level > 1e-4)
        first = min(i for i, level in enumerate(levels) if level > 1e-4)
        # It sounded for the 0.3 s (and what the machine was late), then was silent within 50 ms until the end.
        self.assertGreaterEqual(loud - first, 25)
        self.assertEqual(max(levels[loud + 6:]), 0.0)
        self.assertGreater(len(levels) - loud, 20)

    def test_signals_end_it_in_time(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            live = self.live("--record", self.path("%d.wav" % number))
            live.send(on(72))
            pause(0.2)
            self.assertLess(live.stop(number), PROMISE + SLACK)
            self.assertGreater(self.sound("%d.wav" % number).frames, 0)

    def test_a_program_that_stood_still_says_so(self):
        live = self.live("--fail-on", "xrun", "--record", self.path("a.wav"))
        pause(0.3)
        live.poke(signal.SIGSTOP)
        pause(0.3)
        live.poke(signal.SIGCONT)
        pause(0.5)
        live.stop(code=FAIL_ON)
        self.assertGreater(live.stats["xruns"], 0)
        self.assertRegex(live.said, r"xruns?: load .*%, .* of the recording")

    def test_on_a_terminal(self):
        screen, terminal = pty.openpty()
        process = subprocess.Popen([PROGRAM, "-a", "null", "-m", "none", "-i", "glockenspiel", "--duration", "0.6"],
                                   stdin=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        said = b""
        while True:
            try:
                data = os.read(screen, 4096)
            except OSError:  # the last one has closed it
                break
            if not data:
                break
            said += data
        os.close(screen)
        self.assertEqual(process.wait(), DONE)
        text = said.decode()
        self.assertRegex(text, r"\Ahertzian \S+  glockenspiel \(\d+ keys, \d+ bodies\)\r\naudio  null @ 48000 Hz, 128 frames")
        self.assertRegex(text, r"\r *0 ringing  load \d+% peak \d+%  xruns \d+  out silent")
        self.assertEqual(len(re.findall(r"\n", text)), 4)  # three at the start, one at the end: the status line is rewritten
        self.assertRegex(text.splitlines()[-1], r"played 0:00\.[67], load max \d+%, xruns \d+, peak -inf dBFS\Z")

    def test_duration(self):
        live = self.live("--duration", "0.5")
        live.end()
        self.assertAlmostEqual(live.stats["seconds"], 0.5, delta=0.5 * SLOW)

    def test_block_sizes(self):
        for frames in (16, 32, 64, 1024):
            live = self.live("-b", str(frames))
            live.send(on(72))
            pause(0.3)
            live.stop()
            self.assertEqual(live.stats["notes"], 1)
            self.assertEqual(live.stats["buffer"], frames)
            self.assertEqual(live.stats["midi_delay_frames"], max(frames, 64))

    def test_odd_block_sizes_are_rounded_aloud(self):
        live = self.live("-b", "200")
        live.stop()
        self.assertEqual(live.stats["buffer"], 256)
        self.assertIn("powers of two", live.said)

    def test_program_changes_choose_instruments(self):
        live = self.live(instrument=None)
        live.send([0xC0, 9] + on(84))      # General MIDI glockenspiel
        live.send([0xC1, 12] + on(60, channel=1))
        pause(1.0)                         # by now every instrument is built
        live.send([0xC0, 12] + on(60))
        pause(0.2)
        live.stop()
        self.assertEqual(live.stats["notes"], 3)
        self.assertLessEqual(live.stats["notes_stood_in"], 2)
        told = [line for line in live.said.splitlines() if "played on another" in line and "-i NAME" in line]
        self.assertEqual(len(told), live.stats["notes_stood_in"] > 0)


class Refusals(LiveCase):
    def test_no_audio_device(self):
        result = run("play", "-a", "no such device", "-m", "none", "-i", "glockenspiel")
        self.one_error(result, DEVICE, "no such device")
        self.assertLessEqual(len(result.lines), 1)

    def test_no_midi_stream(self):
        self.one_error(run("play", "-a", "null", "-m", "none", "--midi-raw", self.path("none"), "-i", "glockenspiel"), DEVICE,
                       "none")

    def test_midi_required(self):
        self.one_error(run("play", "-a", "null", "-m", "none", "--require-midi", "-i", "glockenspiel"), DEVICE, "--require-midi")

    def test_without_midi_it_runs(self):
        result = run("play", "-a", "null", "-m", "all", "--duration", "0.1", "-i", "glockenspiel")
        self.assertEqual(result.code, DONE, result.err)
        self.assertLessEqual(len(result.lines), 3, result.err)

    def test_bad_values(self):
        for args in (("--limiter", "maybe"), ("--midi-delay", "later"), ("--fail-on", "rain"), ("--fail-on", "xrun,"),
                     ("--duration", "-1"), ("--rt", "100"), ("--wait=x",), ("-b", "15"), ("-a", ""), ("--record", "x.ogg"),
                     ("--split", "1d"), ("--split", "0"), ("--preroll", "-1"), ("--record-by", "120"), ("--history", "maybe")):
            self.one_error(run("play", "-a", "null", "-m", "none", "-i", "glockenspiel", *args), USAGE)

    def test_a_song_that_is_not_there(self):
        self.one_error(run("play", self.path("none.mid")), INPUT, "none.mid", "cannot be opened")

    def test_unknown_instrument(self):
        self.one_error(run("play", "-a", "null", "-m", "none", "-i", "kazoo"), 4, "kazoo")

    def test_fail_on_clip(self):
        live = self.live("-g", "48", "--fail-on", "clip,xrun")
        live.send(on(84, 127))
        pause(0.3)
        live.stop(code=FAIL_ON)
        self.assertGreater(live.stats["frames_over"], 0)
        self.assertGreater(live.stats["frames_limited"], 0)
        self.assertIn("limiter", live.said)

    def test_the_limiter_can_be_off(self):
        live = self.live("-g", "48", "--limiter", "off")
        live.send(on(84, 127))
        pause(0.3)
        live.stop()
        self.assertEqual(live.stats["frames_limited"], 0)
        self.assertIn("over full scale", live.said)


def midi_events(data):
    """(tick, bytes) of the channel messages of a one-track file."""
    assert data[:4] == b"MThd" and data[14:18] == b"MTrk"
    length = int.from_bytes(data[18:22], "big")
    track, at, now, events = data[22:22 + length], 0, 0, []

    def number():
        nonlocal at
        value = 0
        while True:
            byte = track[at]
            at += 1
            value = value << 7 | byte & 0x7F
            if not byte & 0x80:
                return value
    while at < len(track):
        now += number()
        if track[at] == 0xFF:
            at += 2
            length = number()
            at += length
        else:
            size = 2 if track[at] & 0xE0 == 0xC0 else 3
            events.append((now, track[at:at + size]))
            at += size
    return events


if __name__ == "__main__":
    main()
