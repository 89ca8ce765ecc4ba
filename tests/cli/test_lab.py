"""hertzian lab list and lab run: tables, CSV, JSON, pictures with and without gnuplot, faults in one line each."""

import csv
import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from support import Case, DONE, OUTPUT, PROGRAM, SOURCE, USAGE, main, run  # noqa: E402

HAS_GNUPLOT = shutil.which("gnuplot") is not None
NAMES = ["papetti-fig%d" % i for i in range(1, 9)] + ["papetti-table1", "resting-ball", "solver-table"]
QUICK = "papetti-fig5"


def lab(*args, **more):
    return run("lab", *args, **more)


def data(result):
    return json.loads(result.out)


class Listing(Case):
    def test_names_and_solvers(self):
        words = lab("list")
        self.assertEqual(words.code, DONE, words.err)
        listed = data(lab("list", "--json"))
        names = [e["name"] for e in listed["experiments"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(set(NAMES), set(names))
        for name in names + [s["name"] for s in listed["solvers"]]:
            self.assertIn("  %s " % name, words.out.decode())
        for e in listed["experiments"]:
            self.assertTrue(e["paper"] and e["title"] and e["about"])
            self.assertEqual(e["columns"][0], "series")

    def test_takes_no_name(self):
        self.one_error(lab("list", "papetti-fig1"), USAGE, "takes no name")


class Running(Case):
    def test_findings_of_table_1(self):
        """What the paper prints stands in the table, and in the same words in JSON."""
        printed = {"am1 (a) v_out": 1.293, "verlet (a) x_max beyond the exact one": 1.122, "heun (a) H_tau": 2.955,
                   "rk4 (a) v_out": -0.125, "am1 (b) H_tau": 5.166, "heun (b) v_out": -4.692, "rk4 (b) H_tau": -0.211}
        one = data(lab("run", "papetti-table1", "--json"))["experiments"][0]
        found = {f["name"]: f for f in one["findings"]}
        text = lab("run", "papetti-table1").out.decode()
        for name, value in printed.items():
            self.assertEqual(found[name]["paper"], value)
            self.assertLess(abs(found[name]["ours"] - value), 5.001e-4, name)
            self.assertTrue(found[name]["agrees"])
            self.assertRegex(text, re.escape(name) + r" \[%\] +" + re.escape("%g" % value) + r" .*agrees")
        for f in one["findings"]:
            self.assertAlmostEqual(f["difference"], f["ours"] - f["paper"], 12)

    def test_csv_is_whole_and_exact(self):
        path = self.path("fig5.csv")
        result = lab("run", QUICK, "--out", path, "--json")
        one = data(result)["experiments"][0]
        text = self.read("fig5.csv").decode("ascii")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(list(rows[0]), one["columns"])
        self.assertEqual(one["columns"], ["series", "sample", "time_s", "x_m", "v_m_per_s", "force_N", "kinetic_J",
                                          "potential_J", "energy_J", "energy_share"])
        self.assertEqual(len(rows), one["rows"])
        self.assertEqual({row["series"] for row in rows}, {"exact", "am1", "verlet", "heun", "rk4", "house"})
        for row in rows:  # every number is itself again, and the parts of the energy are its sum
            self.assertAlmostEqual(float(row["kinetic_J"]) + float(row["potential_J"]), float(row["energy_J"]), 18)
        self.nothing_written("fig5.csv")
        self.assertEqual(lab("run", QUICK, "--out", self.path("again.csv")).code, DONE)
        self.assertEqual(self.read("again.csv").decode("ascii"), text)

    def test_csv_to_standard_output_is_alone_there(self):
        result = lab("run", QUICK, "--out", "-")
        self.assertEqual(result.code, DONE, result.err)
        self.assertEqual(len({line.count(b",") for line in result.out.splitlines()}), 1)

    def test_several(self):
        result = lab("run", "papetti-fig3", "papetti-fig2", "--json")
        self.assertEqual([e["name"] for e in data(result)["experiments"]], ["papetti-fig3", "papetti-fig2"])

    def test_numbers_are_written_in_the_c_locale(self):
        for name in ("de_DE.UTF-8", "fr_FR.UTF-8"):
            self.assertEqual(lab("run", QUICK, "--out", "-", env={"LC_ALL": name}).out, lab("run", QUICK, "--out", "-").out)

    def test_no_progress_but_on_a_terminal(self):
        self.assertEqual(lab("run", "papetti-fig8").err, "")

    def test_an_end_while_running_leaves_nothing(self):
        with subprocess.Popen([PROGRAM, "lab", "run", "resting-ball", "--out", self.path("x.csv")],
                              stdout=subprocess.DEVNULL) as process:
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertNotEqual(process.wait(10), 0)
        self.nothing_written()


class Claims(Case):
    def test_the_ball_rests(self):
        result = lab("run", "resting-ball", "--json", "--progress", "always")
        self.assertIn("resting-ball   ", result.err)  # and how far it is
        found = {f["name"]: f for f in data(result)["experiments"][0]["findings"]}
        self.assertLess(found["house farthest from it in the 60th second, relative"]["ours"], 1e-8)
        for chatters in ("verlet", "rk4", "am1"):
            self.assertGreater(found["%s farthest from it in the 60th second, relative" % chatters]["ours"], 1.0)

    def test_the_papers_page_has_this_table(self):
        """Each line of the solver table stands in docs/papers.md with the numbers measured now, but for their last digit."""
        def table(lines):
            rows = {}
            for line in lines:
                cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
                if line.startswith("| alpha = "):
                    alpha = cells[0]
                elif re.match(r"\| `[\w-]+` \|", line) and len(cells) == 5:
                    rows[alpha, cells[0]] = cells[1:]
            return rows
        with open(os.path.join(SOURCE, "docs", "papers.md"), encoding="utf-8") as page:
            text = page.read()
        known = table(text[text.index("| alpha = "):].splitlines())
        measured = table(lab("run", "solver-table").out.decode().splitlines())
        self.assertGreater(len(measured), 20)
        self.assertEqual(set(known), set(measured))
        for key, cells in measured.items():
            for was, now in zip(known[key], cells):
                self.assertEqual(was.count("/"), now.count("/"), key)
                if "/" not in now:
                    self.assertEqual(was, now, key)
                    continue
                for one, other in zip(map(float, was.split("/")), map(float, now.split("/"))):
                    self.assertLessEqual(abs(one - other), 0.1 * abs(other) + 1e-3, key)


class Pictures(Case):
    def only(self, *programs):
        """A PATH that has these programs and no other."""
        folder = self.path("bin")
        os.makedirs(folder)
        for name, text in programs:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="ascii") as script:
                script.write(text)
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return {"PATH": folder}

    @unittest.skipUnless(HAS_GNUPLOT, "gnuplot is not installed")
    def test_png_and_svg(self):
        for name, magic in (("a.png", b"\x89PNG"), ("b.svg", b"<?xml")):
            for experiment in (QUICK, "papetti-fig3"):
                result = lab("run", experiment, "--plot", self.path(name))
                self.assertEqual((result.code, result.err), (DONE, ""))
                self.assertTrue(self.read(name).startswith(magic))
        self.nothing_written("a.png", "b.svg")

    @unittest.skipUnless(HAS_GNUPLOT, "gnuplot is not installed")
    def test_strange_names(self):
        for name in ("a b.png", "it's \"here\".png", "`touch x`;$(touch y).png", "line\nbreak.png", "-x.png", "a%s\\n.svg"):
            result = lab("run", "papetti-fig3", "--plot=" + name, "--out=" + name + ".csv", cwd=self.folder)
            self.assertEqual(result.code, DONE, result.err)
            self.assertGreater(len(self.read(name)), 1000)
            os.remove(self.path(name))
            os.remove(self.path(name + ".csv"))
        self.nothing_written()

    def test_curves_can_be_told_apart(self):
        """In each panel no two curves look alike, and the key that explains them is its own."""
        env = self.only(("gnuplot", "#!/bin/sh\nwhile IFS= read -r line; do printf '%s\\n' \"$line\"; done\n"))
        for name, panels in (("solver-table", 1), ("avanzini-fig4", 1), ("papetti-fig4", 2), ("avanzini-fig2", 2), ("rath-fig2", 3)):
            self.assertEqual(lab("run", name, "--plot", self.path("a.png"), env=env).code, DONE)
            script = self.read("a.png").decode()
            plots = [line for line in script.splitlines() if line.startswith("plot ")]
            self.assertEqual(len(plots), panels)
            self.assertEqual("set key below" in script, panels > 1)
            for plot in plots:
                styles = re.findall(r" with (.*?) title '", plot)
                self.assertEqual(len(styles), plot.count(" using "))
                self.assertEqual(len(set(styles)), len(styles), name)

    def test_without_gnuplot_the_numbers_are_kept(self):
        env = self.only()
        result = lab("run", QUICK, "--plot", self.path("a.png"), "--out", self.path("a.csv"), env=env)
        self.one_error(result, DONE, "gnuplot is not installed", "a.csv")
        self.assertTrue(self.read("a.csv").startswith(b"series,"))
        result = lab("run", QUICK, "--plot", self.path("b.svg"), env=env)
        self.one_error(result, DONE, "gnuplot is not installed", "b.svg.csv")
        self.assertEqual(self.read("b.svg.csv"), self.read("a.csv"))
        self.nothing_written("a.csv", "b.svg.csv")

    def test_gnuplot_that_fails(self):
        env = self.only(("gnuplot", "#!/bin/sh\necho 'no such terminal' >&2\nexit 1\n"))
        result = lab("run", QUICK, "--plot", self.path("a.png"), "--out", self.path("a.csv"), env=env)
        self.one_error(result, OUTPUT, "a.png: gnuplot failed: no such terminal")
        self.nothing_written("a.csv", os.path.join("bin", "gnuplot"))

    def test_other_endings(self):
        for name in ("a.pdf", "a", "a.PNG.x", "-"):
            self.one_error(lab("run", QUICK, "--plot", name, cwd=self.folder), USAGE, ".png or .svg")
        self.nothing_written()


class Faults(Case):
    def test_names(self):
        self.one_error(lab("run", "papetti-fig9"), USAGE, "papetti-fig9", "did you mean papetti-fig")
        self.one_error(lab("run", "zzzzzzzzzz"), USAGE, "no such experiment", "papetti-table1", "resting-ball")
        self.one_error(lab("run"), USAGE, "needs the name", "lab list")
        self.one_error(lab("walk"), USAGE, "walk", "list, run and impact")
        self.one_error(lab(), USAGE, "list, run and impact")

    def test_flags_together(self):
        for args in (["all", "--out", "x.csv"], ["papetti-fig1", "papetti-fig2", "--plot", "x.png"],
                     ["papetti-table1", "--plot", "x.png"], [QUICK, "--out", "x.png", "--plot", "x.png"], [QUICK, "--out", "./x.png", "--plot", "x.png"],
                     [QUICK, "--out", "-", "--json"], [QUICK, "--mass", "1"], [QUICK, "--out", ""],
                     [QUICK, "--solver", "rk4"], [QUICK, "--progress", "some"]):
            self.one_error(lab("run", *args, cwd=self.folder), USAGE)
        self.one_error(lab("impact", "--mass", "1", "--stiffness", "1e9", "--speed", "1", "--out", "x.csv"), USAGE, "--out")
        self.nothing_written()

    def test_unwritable(self):
        self.one_error(lab("run", QUICK, "--out", self.path("no", "x.csv")), OUTPUT, "No such file")
        self.one_error(lab("run", QUICK, "--out", self.folder), OUTPUT, "Is a directory")
        self.one_error(lab("run", QUICK, "--plot", self.path("no", "x.png")), OUTPUT, "No such file")
        self.one_error(lab("run", QUICK, "--out", self.path("x" * 300 + ".csv")), OUTPUT, "too long")
        self.nothing_written()

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk(self):
        self.one_error(lab("run", QUICK, "--out", "/dev/full"), OUTPUT, "/dev/full", "No space")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "lab", "run", QUICK], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(done.returncode, OUTPUT)

    def test_an_old_file_is_kept_when_the_new_one_cannot_be(self):
        path = self.write("x.csv", b"old")
        os.mkdir(self.path("x.csv.part"))
        self.one_error(lab("run", QUICK, "--out", path), OUTPUT, "x.csv")
        self.assertEqual(self.read("x.csv"), b"old")

    def test_a_link_is_followed(self):
        self.write("real.csv", b"old")
        os.symlink("real.csv", self.path("link.csv"))
        self.assertEqual(lab("run", QUICK, "--out", self.path("link.csv")).code, DONE)
        self.assertTrue(os.path.islink(self.path("link.csv")))
        self.assertTrue(self.read("real.csv").startswith(b"series,"))


if __name__ == "__main__":
    main()
