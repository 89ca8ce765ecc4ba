"""Real songs on the glockenspiel: finite, within full scale but for a few, without an offset."""

import sys

sys.dont_write_bytecode = True
from songs import Songs  # noqa: E402
from support import main  # noqa: E402


class Glockenspiel(Songs):
    def test_all(self):
        self.play_all("glockenspiel")


if __name__ == "__main__":
    main()
