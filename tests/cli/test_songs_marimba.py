"""Real songs on the marimba: finite, within full scale but for a few, without an offset."""

import sys

sys.dont_write_bytecode = True
from songs import Songs  # noqa: E402
from support import main  # noqa: E402


class Marimba(Songs):
    def test_all(self):
        self.play_all("marimba")


if __name__ == "__main__":
    main()
