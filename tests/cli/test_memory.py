#!/usr/bin/env python3
"""Memory of a performance is bounded, whatever programs are sent, and nothing that sounds is taken away."""

import os
import random
import threading
import time

from live import LiveCase, off, on, pause
from support import main
from test_control import ControlCase

MIB = 1 << 20
LONG = os.environ.get("HERTZIAN_LONG")


class Memory(ControlCase):
    def resident(self, player):
        with open(f"/proc/{player.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) * 1024

    def settled(self, player):
        """Resident memory when no part is built any more."""
        before, now = 0, self.resident(player)
        while now != before:
            pause(1.0)
            before, now = now, self.resident(player)
        return now

    def test_random_programs_and_notes(self):
        player = self.controlled(instrument=None)
        chance = random.Random(1)
        most = 0
        end = time.monotonic() + (60.0 if LONG else 5.0)
        while time.monotonic() < end:
            data = []
            for _ in range(4):
                channel = chance.randrange(16)
                key = chance.randrange(40, 90)
                data += [0xC0 | channel, chance.randrange(128), *on(key, 60, channel), *off(key, channel), 0xB0 | channel, 120, 0]
            player.send(data)
            time.sleep(0.05)
            most = max(most, self.resident(player))
        status = self.status()
        self.assertLessEqual(status["parts"], 64)
        # What is kept though nobody plays it and rings on, what is kept ready, the largest of what sixteen channels play, and the program itself.
        self.assertLess(most, (320 + 96 + 16 * 14 + 64) * MIB)
        player.stop()
        self.assertEqual(player.stats["keys_reset"], 0)

    def test_what_rings_or_is_chosen_stays(self):
        player = self.controlled("-s", "room=0", instrument=None)
        player.send([0xB0, 64, 127, *on(36, 110)])  # a piano string that rings for long, on channel 1
        self.wait_until(lambda: self.status()["notes"] == 1)
        for program in range(0, 128, 3):
            player.send([0xC1, program, *on(60, 50, 1), *off(60, 1)])
            pause(0.05)
        self.assertGreaterEqual(self.status()["ringing"], 1)
        player.send([*off(36), 0xB0, 64, 0])
        player.stop()


if __name__ == "__main__":
    main()
