"""README and docs: their commands do what they say, their links and names lead somewhere, their instruments play."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["HERTZIAN_SOURCE"])
HERTZIAN = os.environ["HERTZIAN"]
README_LINES_MAX = 150

IMPACTS = """mass_kg,stiffness_N_per_m_alpha,mu_s_per_m,alpha,v_in_m_per_s
0.01,1e9,0.5,1.5,1.0
0.005,4e8,0.05,2.3,2.0
"""


def pages():
    """(path, text) of every page."""
    paths = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", SOURCE / "CHANGELOG.md", *sorted((SOURCE / "docs").rglob("*.md"))]
    return [(path, path.read_text(encoding="utf-8")) for path in paths]


def blocks(language):
    return [(path, block) for path, text in pages() for block in re.findall(r"^```%s\n(.*?)^```" % language, text, re.M | re.S)]


def commands():
    """Every line of the sh blocks that runs the program, each once."""
    lines = [line.split(" #")[0].strip() for _, block in blocks("sh") for line in block.splitlines()]
    # Playing live needs devices and a player: tests of its own.
    live = re.compile(r"hertzian( -i| --bind| --takes| --tuning| --a4| play| record| midi| ctl| check| \S+\.mid\b|$)")
    return sorted({line for line in lines if line.startswith("hertzian") and not live.match(line)})


def mentioned():
    """Every command that stands in the running text."""
    return sorted({found for _, text in pages() for found in re.findall(r"`((?:hertzian|ctest) [^`]+)`", text)})


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hertzian-docs-")
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(SOURCE / "tests" / "fixtures" / "midi" / "song.mid", self.folder)
        shutil.copy(SOURCE / "tests" / "fixtures" / "midi" / "song.mid", os.path.join(self.folder, "take.mid"))
        shutil.copy(SOURCE / "instruments" / "marimba.yaml", os.path.join(self.folder, "mine.yaml"))
        with open(os.path.join(self.folder, "impacts.csv"), "w", encoding="ascii") as table:
            table.write(IMPACTS)
        os.symlink(HERTZIAN, os.path.join(self.folder, "hertzian"))
        self.run_line("hertzian render song.mid -i marimba --end 4 -o take.wav")

    def run_line(self, line):
        state = os.path.join(self.folder, "state")
        environment = dict(os.environ, PATH=self.folder + os.pathsep + os.environ["PATH"], XDG_STATE_HOME=state)
        history = os.path.join(state, "hertzian", "history")
        os.makedirs(history, exist_ok=True)  # something was played
        shutil.copy(SOURCE / "tests" / "fixtures" / "midi" / "song.mid", os.path.join(history, "2026-01-31-120000.mid"))
        return subprocess.run(line, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True, errors="replace",
                              timeout=120, check=False)

    def test_there_are_commands(self):
        self.assertGreater(len(commands()), 10)

    def test_every_command_works(self):
        for line in commands():
            with self.subTest(line=line):
                done = self.run_line(line)
                self.assertEqual(done.returncode, 0, done.stderr)
                written = re.search(r"-o ([\w.]+)|> ([\w.]+)", line)
                if written:
                    path = os.path.join(self.folder, written.group(1) or written.group(2))
                    self.assertGreater(os.path.getsize(path), 1000)

    def test_experiments_named_exist(self):
        known = {one["name"] for one in json.loads(self.run_line("hertzian lab list --json").stdout)["experiments"]} | {"all"}
        named = {name for line in mentioned() for name in re.findall(r"hertzian lab run ([\w-]+)", line)}
        self.assertGreater(len(named), 5)
        self.assertEqual(named - known, set())

    def test_tests_named_exist(self):
        build = pathlib.Path(HERTZIAN).parent
        names = {line.split(" ")[-1] for line in self.run_line(f"ctest --test-dir {build} -N").stdout.splitlines() if "Test" in line}
        named = [found for line in mentioned() for found in re.findall(r"ctest .*-R ('[^']+'|\"[^\"]+\"|\S+)", line)]
        self.assertGreater(len(named), 10)
        for pattern in named:
            with self.subTest(pattern=pattern):
                plain = pattern.strip("'\"").replace("\\|", "|")  # a table's cells do not take a bare |
                self.assertTrue(any(re.search(plain, name) for name in names))


class Pages(unittest.TestCase):
    def test_readme_is_short(self):
        self.assertLessEqual(len((SOURCE / "README.md").read_text(encoding="utf-8").splitlines()), README_LINES_MAX)

    def test_names_exist(self):
        for page, text in pages():
            for path in re.findall(r"`((?:src|include|tests|instruments|docs)/[\w./-]+)`", text):
                with self.subTest(page=page.name, path=path):
                    self.assertTrue((SOURCE / path).exists() or (SOURCE / "tests" / (path + ".c")).exists())

    def test_links_resolve(self):
        count = 0
        for page, text in pages():
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
                if "://" in target:
                    continue
                count += 1
                path, _, anchor = target.partition("#")
                with self.subTest(page=page.name, target=target):
                    found = page.parent / path if path else page
                    self.assertTrue(found.exists())
                    if anchor:
                        titles = re.findall(r"^#+ (.*)$", found.read_text(encoding="utf-8"), re.M)
                        self.assertIn(anchor, [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles])
        self.assertGreater(count, 10)

    def test_instruments_shown_are_good(self):
        whole = [(page, text) for page, text in blocks("yaml") if text.startswith("format:")]
        self.assertGreater(len(whole), 3)
        for page, text in whole:
            name = re.search(r"^name: (.*)$", text, re.M).group(1)
            with self.subTest(page=page.name, instrument=name), tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "shown.yaml")
                pathlib.Path(file).write_text(text, encoding="utf-8")
                done = subprocess.run([HERTZIAN, "instruments", "validate", file], capture_output=True, text=True, check=False)
                # Sketches are not voiced: the guide says what evens them out.
                said = [line for line in done.stderr.splitlines() if "in loudness" not in line]
                self.assertEqual((done.returncode, said), (0, []), done.stderr)


if __name__ == "__main__":
    unittest.main()
