"""The commands of the README do what they say."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["HERTZIAN_SOURCE"]
HERTZIAN = os.environ["HERTZIAN"]

IMPACTS = """mass_kg,stiffness_N_per_m_alpha,mu_s_per_m,alpha,v_in_m_per_s
0.01,1e9,0.5,1.5,1.0
0.005,4e8,0.05,2.3,2.0
"""


def commands():
    """Every line of the README's sh blocks that runs the program."""
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as readme:
        blocks = re.findall(r"^```sh\n(.*?)^```", readme.read(), re.M | re.S)
    lines = [line.split(" #")[0].strip() for block in blocks for line in block.splitlines()]
    # Playing live needs devices and a player: tests of its own.
    live = re.compile(r"hertzian( -i| play| record| \S+\.mid\b|$)")
    return [line for line in lines if line.startswith("hertzian") and not live.match(line) and "take.mid" not in line]


class Readme(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hertzian-readme-")
        self.addCleanup(shutil.rmtree, self.folder)
        fixtures = os.path.join(SOURCE, "tests", "fixtures", "midi")
        shutil.copy(os.path.join(fixtures, "song.mid"), self.folder)
        shutil.copy(os.path.join(SOURCE, "instruments", "marimba.yaml"), os.path.join(self.folder, "mine.yaml"))
        with open(os.path.join(self.folder, "impacts.csv"), "w", encoding="ascii") as table:
            table.write(IMPACTS)
        os.symlink(HERTZIAN, os.path.join(self.folder, "hertzian"))

    def test_there_are_commands(self):
        self.assertGreater(len(commands()), 10)

    def test_every_command_works(self):
        environment = dict(os.environ, PATH=self.folder + os.pathsep + os.environ["PATH"])
        for line in commands():
            with self.subTest(line=line):
                done = subprocess.run(line, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True,
                                      errors="replace", timeout=120, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                written = re.search(r"-o ([\w.]+)|> ([\w.]+)", line)
                if written:
                    path = os.path.join(self.folder, written.group(1) or written.group(2))
                    self.assertGreater(os.path.getsize(path), 1000)

    def test_names_of_the_tour_exist(self):
        with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as readme:
            text = readme.read()
        for path in re.findall(r"`((?:src|include|tests|instruments)/[\w./-]+)`", text):
            with self.subTest(path=path):
                self.assertTrue(os.path.exists(os.path.join(SOURCE, path)) or "<" in path)


if __name__ == "__main__":
    unittest.main()
