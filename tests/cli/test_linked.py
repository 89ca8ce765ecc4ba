"""Keys that are linked answer each other whichever of them a song plays."""

import os
import sys

sys.dont_write_bytecode = True
from support import Case, RATE, SOURCE, Sound, main  # noqa: E402

FIXTURE = os.path.join(SOURCE, "tests", "fixtures", "instruments", "linked-bars.yaml")


class Linked(Case):
    def first_half_second(self, spec):
        song = self.song(spec=spec)
        self.render(song, "-i", FIXTURE, "-s", "room=0", "-e", "f32", "-q", "-o", self.path("out.wav"))
        return Sound(self.read("out.wav")).samples()[:RATE]  # two channels

    def test_a_key_sounds_the_same_whatever_else_is_played_later(self):
        alone = self.first_half_second(((0.0, 60, 100, 0.25),))
        before_another = self.first_half_second(((0.0, 60, 100, 0.25), (1.0, 72, 100, 0.25)))
        self.assertGreater(max(map(abs, alone)), 0.01)
        self.assertEqual(alone, before_another)


if __name__ == "__main__":
    main()
