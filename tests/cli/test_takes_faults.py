"""What goes wrong while a take is recorded: nothing that was played is lost, or the exit code says so; nothing is stuck."""

import os
import signal
import sys
import time
import unittest

sys.dont_write_bytecode = True
from live import LiveCase, SLACK, SLOW, off, on, pause  # noqa: E402
from support import OUTPUT, RATE, main  # noqa: E402
from test_play import midi_events  # noqa: E402
from test_play_record import perform  # noqa: E402

FAILING = os.environ.get("HERTZIAN_FAILING")  # made by the build, not with a sanitizer
PROMISE = 0.5  # [s] from a signal to the end
HANG = 5.0     # [s] that a disk may take
EVENTS = 20000 # a second


@unittest.skipIf(FAILING is None, "no library that makes a disk hang (a sanitizer has an allocator of its own)")
class Hanging(LiveCase):
    def hanging(self, at_s, for_s):
        env = dict(os.environ, LD_PRELOAD=FAILING, HTZ_HANG_AT=str(int(1000 * at_s)), HTZ_HANG_MS=str(int(1000 * for_s)))
        return self.live("--record", self.path("a.wav"), env=env)

    def test_U77_a_disk_that_hangs_loses_nothing(self):
        live = self.hanging(0.5, HANG)
        perform(live, HANG + 1.0)
        live.stop()
        self.assertEqual(live.stats["recorded_frames_lost"], 0)
        self.assertEqual(live.stats["recorded_frames"], live.stats["frames"])
        if live.stats["keys_relieved"] > 0:
            return  # a busy machine: the overload guard's dampers are in no MIDI
        self.render(self.path("a.mid"), "-i", "glockenspiel", "--channel", "omni", "-e", "f32", "--tail", "1", "-o",
                    self.path("b.wav"))
        self.assertTrue(self.sound("b.wav").body.startswith(self.sound("a.wav").body))

    def test_told_to_stop_while_it_hangs(self):
        live = self.hanging(0.3, 20.0)
        perform(live, 1.0)
        took = live.stop(code=OUTPUT)
        self.assertLess(took, PROMISE + SLACK)
        self.assertIn("missing", live.said)


class Building(LiveCase):
    def test_told_to_stop_while_it_builds(self):
        """A part of a tanpura takes longer than is left of the promise: what was played is told all the same."""
        for wait in (0.0, 0.3):
            live = self.live("--record", self.path("%g.wav" % wait), instrument="tanpura")
            pause(wait)
            took = live.stop()
            self.assertLess(took, PROMISE + SLACK)
            self.assertEqual(live.said.count("played 0:0"), 1)
            self.assertEqual(live.stats["recorded"], self.path("%g.wav" % wait))


class Floods(LiveCase):
    def test_a_flood_is_written_or_told(self):
        live = self.live("--mpe", "--record", self.path("a.wav"))
        bundle = bytes(on(72, channel=1) + [0xB1, 74, 5, 0xD1, 9, 0xE1, 3, 64] + off(72, channel=1))  # 5 events
        begun, sent, end = time.monotonic(), 0, 2.0
        while time.monotonic() - begun < end:
            due = int((time.monotonic() - begun) * EVENTS / 5) + 1
            while sent < due:
                live.send(bundle)
                sent += 1
            time.sleep(0.002)
        live.send(b"\xf0" + bytes(1 << 20) + b"\xf7")  # a mebibyte of system exclusive
        live.send(on(76, channel=2))
        pause(0.5)
        took = live.stop()
        self.assertLess(took, PROMISE + SLACK)
        events = midi_events(self.read("a.mid"))
        self.assertEqual(live.stats["midi_bytes_lost"], 0)
        self.assertEqual(sum(data[0] == 0x91 for _, data in events), sent)
        self.assertEqual([data[1] for _, data in events if data[0] == 0x92], [76])
        self.assertEqual(sum(data[0] == 0x82 for _, data in events), 1)  # let go where the take ends

    def test_killed_in_a_flood_the_midi_of_a_take_is_a_song(self):
        live = self.live(cwd=self.folder)
        live.send(on(72))
        pause(0.3)
        live.poke(signal.SIGUSR1)
        self.wait_until(lambda: any(name.endswith(".mid") for name in os.listdir(self.folder)))
        begun = time.monotonic()
        while time.monotonic() - begun < 1.5:
            live.send(on(80, 50) + off(80))
            time.sleep(0.001)
        live.poke(signal.SIGKILL)
        live.process.wait()
        [name] = [name for name in os.listdir(self.folder) if name.endswith(".mid")]
        events = midi_events(self.read(name))
        self.assertGreater(max(tick for tick, _ in events), 0.4 / SLOW * RATE)
        self.render(self.path(name), "-i", "glockenspiel", "-q", "-o", self.path("r.wav"))


if __name__ == "__main__":
    main()
